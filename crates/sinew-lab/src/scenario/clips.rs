//! Motions that a controller follows: captured motions from files, built-in motions by name.

use crate::LabError;
use sinew_dynamics::Model;
use sinew_motion::cleanup::Ground;
use sinew_motion::export::recording;
use sinew_motion::{Clip, FitOptions, ImportOptions, Take, bvh, fit, motions};
use std::path::Path;
use std::sync::Arc;

/// A motion on a body: a `.bvh` file, a recording or clip as `.npz`, or the name of a built-in motion. Motions of other skeletons are put on the
/// body without clean-up, or with their feet `planted` on level ground, and their foot contacts are found.
///
/// # Errors
/// When the file cannot be read, or the motion cannot be put on the body.
pub(crate) fn load(file: &Path, model: &Arc<Model>, planted: bool) -> Result<Arc<Clip>, LabError> {
    let named = file.display().to_string();
    let failed = |why: String| LabError::Clip(format!("`{named}`: {why}"));
    let ending = |end: &str| file.extension().is_some_and(|e| e.eq_ignore_ascii_case(end));
    let clip = if ending("bvh") {
        let take = bvh::read(file, &ImportOptions::default()).map_err(|e| failed(e.to_string()))?.take;
        put_on(&take, model, planted).map_err(failed)?
    } else if ending("npz") {
        let (_, clip) = recording::load(file).map_err(|e| failed(e.to_string()))?;
        if clip.model().name() == model.name() && clip.model().nq() == model.nq() {
            clip
        } else {
            put_on(&clip.to_take().map_err(|e| failed(e.to_string()))?, model, planted).map_err(failed)?
        }
    } else {
        motions::load(&named, model).map_err(|e| {
            failed(format!("{e}; motions are .bvh files, recordings (.npz), or built in (`sinew motions`)"))
        })?
    };
    Ok(Arc::new(clip))
}

/// A captured motion on a body with its contacts, without clean-up or with planted feet. Any other clean-up: convert it by
/// `sinew import --character` to `.npz`.
fn put_on(take: &Take, model: &Arc<Model>, planted: bool) -> Result<Clip, String> {
    let ground = planted.then_some(Ground::Flat);
    let options = FitOptions { no_clean: !planted, ground, ..FitOptions::default() };
    fit(take, model, &options).map(|fitted| fitted.clip).map_err(|e| e.to_string())
}
