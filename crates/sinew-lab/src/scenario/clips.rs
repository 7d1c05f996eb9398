//! Motions that a controller follows: captured motions from files, built-in motions by name.

use crate::LabError;
use sinew_dynamics::Model;
use sinew_motion::cleanup::Ground;
use sinew_motion::{Clip, FitOptions, ImportOptions, reference};
use std::path::Path;
use std::sync::Arc;

/// A motion on a body: a `.bvh` or `.amc` file, a recording or clip as `.npz`, or the name of a built-in motion. Motions of other skeletons are
/// put on the body without clean-up, or with their feet `planted` on level ground, and their foot contacts are found. Any other clean-up:
/// convert it by `sinew import --character` to `.npz`.
///
/// # Errors
/// When the file cannot be read, or the motion cannot be put on the body.
pub(crate) fn load(file: &Path, model: &Arc<Model>, planted: bool) -> Result<Arc<Clip>, LabError> {
    let options =
        FitOptions { no_clean: !planted, ground: planted.then_some(Ground::Flat), ..FitOptions::default() };
    let named = file.display().to_string();
    match reference::load(&named, model, &ImportOptions::default(), &options) {
        Ok(reference) => Ok(Arc::new(reference.clip)),
        Err(problem) => Err(LabError::Clip(format!("`{named}`: {problem}"))),
    }
}
