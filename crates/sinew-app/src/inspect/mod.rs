//! `sinew inspect`: what a character or a model file holds.

mod summary;
mod text;

use crate::cli::InspectArgs;
use crate::{Verdict, at, output, source};
use anyhow::Result;
use summary::Summary;

pub(crate) use text::table;

/// `sinew` without a verb.
pub(crate) fn default() -> Result<Verdict> {
    let summary = Summary::of(&source::load_plain("human")?);
    let hint = "\nVerbs: inspect, export, sheet, simulate, verify, bench. `sinew --help` lists them, `sinew VERB --help` has examples.\n";
    output::print(&(text::render(&summary) + hint))?;
    Ok(Verdict::Good)
}

/// The verb.
pub(crate) fn run(args: &InspectArgs) -> Result<Verdict> {
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
