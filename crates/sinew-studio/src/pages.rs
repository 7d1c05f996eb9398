//! The pages of `studio/`, built by the build script.

/// The reason why the pages are missing; empty otherwise.
const MISSING: &str = include_str!(concat!(env!("OUT_DIR"), "/missing.txt"));
const VIEWER: &str = include_str!(concat!(env!("OUT_DIR"), "/viewer.html"));
const STUDIO: &str = include_str!(concat!(env!("OUT_DIR"), "/studio.html"));

/// This build has no pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "this build of sinew has no web pages: {MISSING}. Then run `cargo clean -p sinew-studio` and build again"
)]
pub struct Missing;

/// The page that shows a recorded run; it waits for the data.
///
/// # Errors
/// When Node was not there to build it.
pub fn viewer() -> Result<&'static str, Missing> {
    if MISSING.is_empty() { Ok(VIEWER) } else { Err(Missing) }
}

/// The studio's page.
///
/// # Errors
/// When Node was not there to build it.
pub fn studio() -> Result<&'static str, Missing> {
    if MISSING.is_empty() { Ok(STUDIO) } else { Err(Missing) }
}
