//! Push thresholds of walking and standing.

use super::{balancer, walk, walker};
use crate::context::{Case, Context, Progress};
use crate::findings::{Figure, Findings, Table};
use crate::plot::{Axis, Lines, Plot, Series};
use crate::push::{Protocol, PushReport};
use crate::{LabError, Scenario};
use sinew_control::features::{Gait, Stance};

/// Eight directions, the front first; a push to the front comes from behind.
const DIRECTIONS: [(f64, &str); 8] = [
    (0.0, "from the rear"),
    (45.0, "from rear right"),
    (90.0, "from the right"),
    (135.0, "from front right"),
    (180.0, "from the front"),
    (225.0, "from front left"),
    (270.0, "from the left"),
    (315.0, "from rear left"),
];

/// The protocol: pushes of 0.4 s every 4 s for 40 s, survived for 60 s after the last.
fn protocol(context: &Context<'_>, directions: &[(f64, &str)]) -> Protocol {
    Protocol {
        directions_deg: directions.iter().map(|(angle, _)| *angle).collect(),
        phases: context.pick(8, 2),
        rung: context.pick(0.1, 0.3),
        rungs: context.pick(16, 4),
        push_seconds: 0.4,
        pushes: context.pick(10, 1),
        interval: 4.0,
        survive: context.pick(60.0, 3.0),
        ..Protocol::default()
    }
}

/// Measures and draws.
fn measure(
    context: &Context<'_>,
    found: &mut Findings,
    (protocol, base, title): (&Protocol, &Scenario, &str),
    (part, parts): (usize, usize),
) -> Result<PushReport, LabError> {
    let model = base.built_in()?;
    let progress = |done: usize, total: usize| {
        (context.progress)(Progress { done: part * total + done, total: parts * total });
    };
    let report = protocol.measure_with(base, &model, &progress)?;
    found.count_pushes(&report);
    // record the first failure
    if let Some((t, failure)) = report.thresholds.iter().find_map(|t| Some((t, t.failures.first()?))) {
        let (next, direction) = (t.per_mass + protocol.rung, t.direction_deg);
        let scenario = protocol.scenario(base, failure.time, direction, next);
        context.record(found, &Case { scenario, model })?;
    }
    let phases: Vec<String> = (0..protocol.phases).map(|k| format!("{k}/{}", protocol.phases)).collect();
    let mut table = Table::new(title, &["direction, °", "threshold, N·s/kg", "threshold, N·s"]);
    table.columns.extend(phases.iter().map(|p| format!("phase {p}, N·s/kg")));
    table.columns.push("first failure".to_owned());
    for t in &report.thresholds {
        let figures = [&[t.per_mass, t.impulse], t.by_phase.as_slice()].concat();
        table.row(t.direction_deg.to_string(), &figures);
        let why = t
            .failures
            .first()
            .map_or("none: the ladder ended".to_owned(), |f| format!("phase {:.3}: {}", f.phase, f.reason));
        table.rows.last_mut().into_iter().for_each(|row| row.push(why.clone()));
    }
    found.tables.push(table);
    let by_direction = report.thresholds.iter().map(|t| (t.direction_deg, t.per_mass));
    let (x, y) = (Axis::linear("direction of the push, °"), Axis::linear("threshold, N·s/kg"));
    found.plots.push(Plot::Lines(Lines::new(title, x, y, vec![Series::points("thresholds", by_direction)])));
    Ok(report)
}

fn name(direction: f64) -> &'static str {
    DIRECTIONS.iter().find(|(angle, _)| *angle == direction).map_or("", |(_, name)| name)
}

pub(super) fn walking(context: &Context<'_>) -> Result<Findings, LabError> {
    let mut found = Findings::default();
    let (protocol, base) = (protocol(context, &DIRECTIONS), walk("walking at 1 m/s", 1.0, 10.0));
    let report = measure(context, &mut found, (&protocol, &base, "Thresholds while walking"), (0, 1))?;
    for t in &report.thresholds {
        let figure = Figure::new(format!("threshold {}", name(t.direction_deg)), "N·s/kg", t.per_mass);
        found.figure(match t.direction_deg {
            0.0 | 180.0 => figure.at_least(0.9).aim(1.2),
            90.0 | 270.0 => figure.at_least(0.5).aim(0.9),
            _ => figure,
        });
    }
    let least = report.thresholds.iter().map(|t| t.impulse).fold(f64::INFINITY, f64::min);
    found.figure(
        Figure::new("least threshold of all directions", "N·s", least).at_least(50.0).paper("not robust"),
    );
    found.note(describe(&protocol, &report));
    let (estimate, least) = (protocol.estimate(0.7), report.simulated_s);
    found.note(format!(
        "Estimated at {:.1} h of simulated time if every threshold were 0.7 N·s/kg, a tenth of that on one core at ten times real time; it was {:.1} h.",
        estimate / 3600.0,
        least / 3600.0
    ));
    Ok(found)
}

pub(super) fn standing(context: &Context<'_>) -> Result<Findings, LabError> {
    let mut found = Findings::default();
    let directions: Vec<(f64, &str)> = DIRECTIONS.iter().copied().step_by(context.pick(1, 2)).collect();
    for (part, (title, steps_allowed, bar)) in
        [("Thresholds standing, without a step", false, 0.35), ("Thresholds standing, with steps", true, 0.8)]
            .into_iter()
            .enumerate()
    {
        // standing has no stride: two phases show that the time does not matter
        let rung = if steps_allowed { context.pick(0.1, 0.4) } else { context.pick(0.05, 0.175) };
        let phases = context.pick(2, 1);
        let protocol = Protocol { phases, rung, steps_allowed, ..protocol(context, &directions) };
        // the balancer must not step; the walker may
        let controller = if steps_allowed { walker(&Gait::default()) } else { balancer(&Stance::default()) };
        let base = Scenario { name: title.to_owned(), controller, ..Scenario::default() };
        let report = measure(context, &mut found, (&protocol, &base, title), (part, 2))?;
        for t in &report.thresholds {
            let how = if steps_allowed { "with steps" } else { "without a step" };
            let name = format!("{how}, {}", name(t.direction_deg));
            found.figure(Figure::new(name, "N·s/kg", t.per_mass).at_least(bar));
        }
        found.note(describe(&protocol, &report));
    }
    Ok(found)
}

/// The protocol in words.
fn describe(p: &Protocol, report: &PushReport) -> String {
    let steps = if p.steps_allowed { "" } else { ", no footstep" };
    let stride = report.stride_s.map_or(String::new(), |s| format!(" of a stride of {s:.2} s"));
    format!(
        "{}: the {} of the {:.1} kg body is pushed for {} s, {} time(s), every {} s, in {} phases{stride}. Rungs of {} N·s/kg. Survived: no \
         fall{steps} for {} s after the last push, audit holds. A threshold is the last rung such that it and all below are \
         survived in every phase; a direction ends with its first failure.",
        report.scenario,
        p.part,
        report.mass_kg,
        p.push_seconds,
        p.pushes,
        p.interval,
        p.phases,
        p.rung,
        p.survive
    )
}
