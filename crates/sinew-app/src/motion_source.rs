//! A motion on a body, wherever it comes from: a file of captured motion, a recording, a built-in motion.

use crate::cli::ClipArgs;
use crate::import;
use anyhow::{Context, Result};
use sinew::dynamics::Model;
use sinew::motion::cleanup::Ground;
use sinew::motion::{Clip, FitOptions, reference};
use std::sync::Arc;

/// The motion that the user names, on a body, on level ground whatever the captured one was; what is suspicious about it is reported.
pub(crate) fn load(named: &str, model: &Arc<Model>, options: &ClipArgs) -> Result<Clip> {
    let level = FitOptions { ground: Some(Ground::Flat), ..FitOptions::default() };
    let loaded = reference::load(named, model, &import::options(options), &level)
        .with_context(|| format!("`{named}` cannot be put on {}", model.name()))?;
    loaded.warnings().for_each(|warning| eprintln!("warning: {warning}"));
    Ok(loaded.clip)
}
