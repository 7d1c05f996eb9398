//! `sinew inspect` of recordings: character, duration, controller, ground.

use super::text::table;
use crate::cli::InspectArgs;
use crate::{Verdict, output};
use anyhow::{Context, Result};
use serde::Serialize;
use sinew::world::recording::{Info, RecordingReader};
use std::collections::BTreeMap;
use std::path::Path;

/// Everything about a recording except its rows.
#[derive(Debug, Serialize)]
struct Summary {
    version: &'static str,
    source: String,
    /// Of the program that recorded it.
    recorded_by: String,
    character: String,
    mass: f64,
    degrees_of_freedom: usize,
    scenario: String,
    seed: u64,
    steps: usize,
    dt: f64,
    seconds: f64,
    contact_model: String,
    /// Whether only the motion is recorded, without forces.
    kinematic: bool,
    body_changes: Vec<String>,
    objects: Vec<String>,
    telemetry: Vec<String>,
    provenance: BTreeMap<String, String>,
}

/// `sinew inspect` of a recording.
pub(super) fn run(args: &InspectArgs, path: &Path) -> Result<Verdict> {
    let named = || format!("`{}`", path.display());
    let mut reader = RecordingReader::open(path).with_context(named)?;
    // a file with unreadable rows is refused, as one with an unreadable head
    while reader.next_row().with_context(named)?.is_some() {}
    let summary = Summary::of(reader.info(), path);
    let text = if args.json { output::json(&summary)? } else { summary.render() };
    output::emit(args.out.as_deref(), &text)?;
    Ok(Verdict::Good)
}

impl Summary {
    fn of(info: &Info, path: &Path) -> Summary {
        let (meta, model) = (&info.meta, &info.model);
        Summary {
            version: env!("CARGO_PKG_VERSION"),
            source: path.display().to_string(),
            recorded_by: meta.version.clone(),
            character: model.name().to_owned(),
            mass: model.mass(),
            degrees_of_freedom: model.nv(),
            scenario: meta.scenario.clone(),
            seed: meta.seed,
            steps: info.rows,
            dt: meta.dt,
            seconds: info.rows as f64 * meta.dt,
            contact_model: meta.contact_model.clone(),
            kinematic: meta.kinematic,
            body_changes: meta.body_changes.iter().map(|c| format!("step {}: {}", c.step, c.what)).collect(),
            objects: info.object_names.clone(),
            telemetry: info.telemetry_names.clone(),
            provenance: meta.provenance.clone(),
        }
    }

    fn render(&self) -> String {
        let Summary { source, character, mass, degrees_of_freedom, .. } = self;
        let mut table = table(&["", ""]);
        let mut row = |name: &str, value: String| {
            if !value.is_empty() {
                table.add_row([name.to_owned(), value]);
            }
        };
        row("scenario", self.scenario.clone());
        row("duration", format!("{:.3} s, {} steps of {:.4} s", self.seconds, self.steps, self.dt));
        row("seed", self.seed.to_string());
        let what = if self.kinematic { "motion only" } else { "motion, torques, contact forces" };
        row("recorded", what.to_owned());
        row("contacts", self.contact_model.clone());
        row("body changes", self.body_changes.join(", "));
        row("objects", self.objects.join(", "));
        row("telemetry", self.telemetry.join(", "));
        for (key, value) in &self.provenance {
            row(key, value.clone());
        }
        row("recorded by", self.recorded_by.clone());
        let then =
            format!("`sinew verify {source}` audits it, `sinew export {source} --to run.html` shows it.");
        format!(
            "{source}: {character}, {mass:.1} kg, {degrees_of_freedom} degrees of freedom\n{table}\n\n{then}\n"
        )
    }
}
