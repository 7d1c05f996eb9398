//! `sinew verify`: the audit of a recording.

use crate::cli::VerifyArgs;
use crate::{Verdict, output};
use anyhow::{Context, Result};
use serde::Serialize;
use sinew::world::audit::{AuditReport, Bounds, Options, audit};
use sinew::world::recording::RecordingReader;

/// The report with the file that it is about.
#[derive(Serialize)]
struct Answer<'a> {
    file: String,
    #[serde(flatten)]
    report: &'a AuditReport,
}

/// The verb.
pub(crate) fn run(args: &VerifyArgs) -> Result<Verdict> {
    let file = args.run.display().to_string();
    let bounds = Bounds { penetration: 1e-3 * args.max_penetration, ..Bounds::default() };
    let options = Options { bounds, every: args.every as usize };
    let mut recording = RecordingReader::open(&args.run).with_context(|| file.clone())?;
    let report = audit(&mut recording, &options).with_context(|| file.clone())?;
    let text = if args.json {
        output::json(&Answer { file, report: &report })?
    } else {
        format!("{file}: {report}")
    };
    output::emit(args.out.as_deref(), &text)?;
    Ok(if report.holds { Verdict::Good } else { Verdict::CheckFailed })
}
