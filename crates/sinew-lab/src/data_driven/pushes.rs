//! Pushes of 0.4 s every 4 s for 40 s, by the protocol of `push`: eight phases, prefix thresholds.

use super::walks;
use crate::LabError;
use crate::context::{Context, Progress};
use crate::findings::{Figure, Findings, Table};
use crate::push::Protocol;

/// Direction of the push, where it comes from, and the paper's force, N.
const DIRECTIONS: [(f64, &str, f64); 4] = [
    (180.0, "the front", 160.0),
    (0.0, "the rear", 130.0),
    (90.0, "the right", 80.0),
    (270.0, "the left", 105.0),
];
/// Duration, s.
const LASTS: f64 = 0.4;
/// Height of a rung, N.
const RUNG: f64 = 10.0;

pub(super) fn pushes(context: &Context<'_>) -> Result<Findings, LabError> {
    let mut found = Findings::default();
    let walks = walks(context, &mut found);
    let base = walks[0].scenario(10.0);
    let model = base.built_in()?;
    let protocol = Protocol {
        directions_deg: DIRECTIONS.map(|(angle, ..)| angle).to_vec(),
        phases: context.pick(8, 2),
        rung: RUNG * LASTS / model.mass() * context.pick(1.0, 2.0),
        rungs: context.pick(20, 6),
        push_seconds: LASTS,
        pushes: context.pick(10, 2),
        interval: 4.0,
        survive: context.pick(60.0, 5.0),
        warm_up: 6.0,
        ..Protocol::default()
    };
    let progress = |done: usize, total: usize| (context.progress)(Progress { done, total });
    let report = protocol.measure_with(&base, &model, &progress)?;
    found.count_pushes(&report);
    let mut table = Table::new("thresholds", &["from", "force, N", "impulse, N·s"]);
    for (t, (_, from, paper)) in report.thresholds.iter().zip(DIRECTIONS) {
        let force = t.impulse / LASTS;
        table.row(from, &[force, t.impulse]);
        let figure = Figure::new(format!("force from {from}"), "N", force);
        found.figure(figure.at_least(paper).paper(&format!("{paper} N")));
    }
    found.tables.push(table);
    found.note("The paper pushes at one phase, with gains for pushes, a stiffer ground and a figure of 88.6 kg; here it is the walk and figure of all other experiments.");
    Ok(found)
}
