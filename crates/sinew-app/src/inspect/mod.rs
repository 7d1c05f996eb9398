//! `sinew inspect`: what a character, a model file, a motion or a recording holds.

mod clip;
mod recording;
mod summary;
mod text;

use crate::cli::InspectArgs;
use crate::{Verdict, at, import, output, source};
use anyhow::{Result, ensure};
use std::path::Path;
use summary::Summary;

pub(crate) use text::{short, table};

/// The verb.
pub(crate) fn run(args: &InspectArgs) -> Result<Verdict> {
    let file = Path::new(&args.model.name);
    if import::is_motion(file) {
        ensure!(args.at.is_none(), "--at evaluates models; `{}` is a motion", file.display());
        return clip::run(args, file);
    }
    if file.extension().is_some_and(|e| e.eq_ignore_ascii_case("npz")) {
        ensure!(args.at.is_none(), "--at evaluates models; `{}` is a recording", file.display());
        return recording::run(args, file);
    }
    let loaded = source::load(&args.model)?;
    let summary = Summary::of(&loaded);
    if let Some(states) = &args.at {
        at::run(&loaded, states, &args.sites, args.out.as_deref())?;
    } else {
        let text = if args.json { output::json(&summary)? } else { text::render(&summary) };
        output::emit(args.out.as_deref(), &text)?;
    }
    let bad = args.strict && !summary.warnings.is_empty();
    Ok(if bad { Verdict::CheckFailed } else { Verdict::Good })
}
