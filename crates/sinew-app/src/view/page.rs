//! The viewer page with a run in it: one HTML file that needs nothing else.

use super::pack::{Storage, pack};
use anyhow::{Result, anyhow, bail};
use sinew_studio::pages;
use sinew_studio::view::scene::Scene;

/// The element that waits for the data.
const PLACE: &str = r#"<script type="text/plain" id="sinew-run"></script>"#;

/// The page of a scene.
pub(crate) fn html(scene: &Scene, storage: Storage) -> Result<String> {
    let Some((before, after)) = page()?.split_once(PLACE) else {
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

/// The page without a run, or what to install when it was left out of this build.
pub(crate) fn page() -> Result<&'static str> {
    pages::viewer().map_err(|missing| anyhow!("{missing}"))
}
