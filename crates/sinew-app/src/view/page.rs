//! The viewer page with a run in it: one HTML file that needs nothing else.

use super::pack::{Storage, pack};
use super::scene::Scene;
use anyhow::{Result, bail, ensure};

/// The page as `build.rs` made it, or nothing.
const PAGE: &str = include_str!(concat!(env!("OUT_DIR"), "/viewer.html"));
/// Why there is no page, when there is none.
const MISSING: &str = include_str!(concat!(env!("OUT_DIR"), "/viewer-missing.txt"));
/// The element that waits for the data.
const PLACE: &str = r#"<script type="text/plain" id="sinew-run"></script>"#;

/// The page of a scene.
pub(crate) fn html(scene: &Scene, storage: Storage) -> Result<String> {
    ensure_built()?;
    let Some((before, after)) = PAGE.split_once(PLACE) else {
        bail!("the built page has no place for the data; build the program again");
    };
    let data = pack(scene, storage)?;
    let storage = match storage {
        Storage::Deflated => "deflated",
        Storage::Plain => "plain",
    };
    Ok(format!(
        r#"{before}<script type="text/plain" id="sinew-run" data-storage="{storage}">{data}</script>{after}"#
    ))
}

/// Says what to install when the page was left out of this build.
pub(crate) fn ensure_built() -> Result<()> {
    ensure!(
        MISSING.is_empty(),
        "this build of sinew has no viewer page: {MISSING}. Install Node 20.19 or later with npm (on Debian and Ubuntu \
         `apt-get install nodejs npm`, or from nodejs.org), then run `cargo clean -p sinew-app` and build again"
    );
    Ok(())
}
