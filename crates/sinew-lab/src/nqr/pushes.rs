//! Push thresholds beside those of the walker and of SIMBICON: same body, same protocol.

use super::{BODY, follow, motions, with};
use crate::LabError;
use crate::context::{Context, Progress};
use crate::findings::{Figure, Findings, Table};
use crate::push::{Protocol, PushReport};
use crate::scenario::{ControllerPlan, Scenario};
use sinew_control::{Command, Registry, Value};

const DIRECTIONS: [(f64, &str); 4] =
    [(0.0, "from the rear"), (90.0, "from the right"), (180.0, "from the front"), (270.0, "from the left")];

pub(super) fn pushes(context: &Context<'_>) -> Result<Findings, LabError> {
    let mut found = Findings::default();
    let motions = motions(context, &mut found);
    let protocol = Protocol {
        directions_deg: DIRECTIONS.map(|(angle, _)| angle).into(),
        phases: context.pick(8, 2),
        rung: context.pick(0.05, 0.1),
        rungs: context.pick(24, 6),
        push_seconds: 0.1,
        survive: context.pick(60.0, 4.0),
        ..Protocol::default()
    };
    let ours = with(follow("nqr", &motions.walk, 10.0), "making.choose", Value::Flag(true));
    let ours = Scenario { jitter: [0.0; 2], ..ours };
    // the usual controller walks as fast as this clip
    let usual = Scenario {
        name: "features".to_owned(),
        controller: ControllerPlan::new(Registry::built_in().usual()),
        commands: vec![(0.0, Command::forward(0.9))],
        ..ours.clone()
    };
    let bases = [ours, usual];
    let mut reports: Vec<PushReport> = Vec::new();
    for (part, base) in bases.iter().enumerate() {
        let progress = |done: usize, total: usize| {
            (context.progress)(Progress { done: part * total + done, total: bases.len() * total });
        };
        let report = protocol.measure_with(base, &base.built_in()?, &progress)?;
        found.count_pushes(&report);
        for (t, (_, from)) in report.thresholds.iter().zip(DIRECTIONS) {
            found.figure(Figure::new(format!("{}, {from}", base.name), "N·s/kg", t.per_mass));
        }
        reports.push(report);
    }
    let mut table = Table::new("thresholds", &["direction", "nqr, N·s/kg", "features, N·s/kg"]);
    for (k, (_, from)) in DIRECTIONS.iter().enumerate() {
        table.row(*from, &[reports[0].thresholds[k].per_mass, reports[1].thresholds[k].per_mass]);
    }
    found.tables.push(table);
    found.note(format!("The trunk of {BODY} is pushed once for 0.1 s; survived is no fall for {} s and an audit that holds. `simbicon.pushes` measures SIMBICON.", protocol.survive));
    Ok(found)
}
