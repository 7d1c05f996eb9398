//! The viewer page with a run in it: one self-contained HTML file.

use super::ViewError;
use super::pack::{Storage, pack};
use super::scene::Scene;
use crate::pages;

/// The element that waits for the data.
const PLACE: &str = r#"<script type="text/plain" id="sinew-run"></script>"#;

/// The page of a scene.
///
/// # Errors
/// When this build has no pages, or the scene cannot be drawn.
pub fn html(scene: &Scene, storage: Storage) -> Result<String, ViewError> {
    let Some((before, after)) = pages::viewer()?.split_once(PLACE) else {
        return Err(ViewError::of("the page", "it has no place for the data; build the program again"));
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
