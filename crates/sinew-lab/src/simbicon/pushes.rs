//! Push thresholds beside those of the walker by features.

use super::{rigid, run};
use crate::LabError;
use crate::context::{Context, Progress};
use crate::findings::{Figure, Findings, Table};
use crate::plot::{Axis, Lines, Plot, Series};
use crate::push::{Protocol, PushReport};
use crate::scenario::{ControllerPlan, Scenario};

const DIRECTIONS: [(f64, &str); 4] =
    [(0.0, "from the rear"), (90.0, "from the right"), (180.0, "from the front"), (270.0, "from the left")];

pub(super) fn pushes(context: &Context<'_>) -> Result<Findings, LabError> {
    let mut found = Findings::default();
    let protocol = Protocol {
        directions_deg: DIRECTIONS.map(|(angle, _)| angle).into(),
        phases: context.pick(8, 2),
        rung: context.pick(0.1, 0.2),
        rungs: context.pick(16, 6),
        push_seconds: 0.4,
        pushes: context.pick(10, 1),
        interval: 4.0,
        survive: context.pick(60.0, 4.0),
        ..Protocol::default()
    };
    // the same body, speed, steps and contacts for both
    let own = Scenario { world: rigid(), ..run("human", "simbicon", 1.0, 10.0) };
    let usual =
        Scenario { name: "features".to_owned(), controller: ControllerPlan::default(), ..own.clone() };
    let model = own.built_in()?;
    let mut reports: Vec<PushReport> = Vec::new();
    for (part, base) in [&own, &usual].into_iter().enumerate() {
        let progress = |done: usize, total: usize| {
            (context.progress)(Progress { done: part * total + done, total: 2 * total });
        };
        let report = protocol.measure_with(base, &model, &progress)?;
        found.count_pushes(&report);
        for (t, (_, from)) in report.thresholds.iter().zip(DIRECTIONS) {
            found.figure(Figure::new(format!("{}, {from}", base.name), "N·s/kg", t.per_mass));
        }
        reports.push(report);
    }
    let mut table = Table::new("Thresholds", &["direction", "simbicon, N·s/kg", "features, N·s/kg"]);
    for (k, (_, from)) in DIRECTIONS.iter().enumerate() {
        table.row(*from, &[reports[0].thresholds[k].per_mass, reports[1].thresholds[k].per_mass]);
    }
    found.tables.push(table);
    let series = reports.iter().map(|report| {
        let by_direction = report.thresholds.iter().map(|t| (t.direction_deg, t.per_mass));
        Series::points(report.scenario.clone(), by_direction)
    });
    let (x, y) = (Axis::linear("direction of the push, °"), Axis::linear("threshold, N·s/kg"));
    found.plots.push(Plot::Lines(Lines::new("Push thresholds", x, y, series.collect())));
    found.note(format!(
        "The trunk of the {:.1} kg body walking at 1 m/s is pushed for {} s, {} time(s), every {} s, in {} phases of the stride; rungs of {} N·s/kg; \
         survived is no fall for {} s after the last push and an audit that holds. Both in steps of 1 ms with rigid contacts.",
        model.mass(),
        protocol.push_seconds,
        protocol.pushes,
        protocol.interval,
        protocol.phases,
        protocol.rung,
        protocol.survive
    ));
    Ok(found)
}
