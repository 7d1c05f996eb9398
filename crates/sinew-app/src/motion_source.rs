//! A motion on a body from a file of captured motion, a recording, or a built-in motion.

use crate::cli::ClipArgs;
use crate::import;
use anyhow::{Context, Result, bail};
use sinew::dynamics::Model;
use sinew::motion::cleanup::Ground;
use sinew::motion::export::recording;
use sinew::motion::{Clip, FitOptions, fit, motions};
use std::path::Path;
use std::sync::Arc;

/// The motion that the user names, on a body.
pub(crate) fn load(named: &str, model: &Arc<Model>, options: &ClipArgs) -> Result<Clip> {
    let path = Path::new(named);
    if import::is_motion(path) {
        let imported = import::load(path, options)?;
        // on level ground, independent of the captured one
        let options = FitOptions { ground: Some(Ground::Flat), ..FitOptions::default() };
        return Ok(fit(&imported.take, model, &options)?.clip);
    }
    if import::is(path, "npz") {
        let (_, clip) = recording::load(path)?;
        let same = clip.model().nq() == model.nq() && clip.model().joints() == model.joints();
        if !same {
            let (theirs, ours) = (clip.model().name().to_owned(), model.name());
            bail!(
                "`{named}` is a motion of \"{theirs}\", not of \"{ours}\"; name its body after --character"
            );
        }
        let mut on = Clip::new(clip.name.clone(), model.clone(), clip.rate, clip.as_slice().to_vec())?;
        on.provenance = clip.provenance.clone();
        on.contacts.clone_from(&clip.contacts);
        return Ok(on);
    }
    if motions::names().any(|name| name == named) {
        return motions::load(named, model).with_context(|| format!("{named} on {}", model.name()));
    }
    bail!("`{named}`: a motion is a .bvh, .amc or .npz file, or a built-in one (`sinew motions` lists them)")
}
