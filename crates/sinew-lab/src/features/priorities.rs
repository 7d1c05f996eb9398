//! Strict priorities against weights.

use super::watch::Mass;
use super::{cases, walk};
use crate::context::{Context, Progress};
use crate::findings::{Figure, Findings, Table};
use crate::plot::{Axis, Lines, Plot, Series};
use crate::push::Protocol;
use crate::scenario::{ControllerPlan, PushPlan, Strength};
use crate::{LabError, Scenario};
use sinew_control::features::{Gait, Jump};
use sinew_control::whole_body::Priorities;
use sinew_dynamics::Role;

/// Weights of the levels from the first on.
const WEIGHTS: [f64; 4] = [1000.0, 100.0, 10.0, 1.0];

fn kinds() -> [(&'static str, Priorities); 2] {
    [("prioritised", Priorities::Strict), ("weighted", Priorities::Weighted(WEIGHTS.to_vec()))]
}

fn noted(found: &mut Findings) {
    found.note(format!("Weighted: one least-squares problem, levels weighted by {WEIGHTS:?}."));
}

pub(super) fn priorities(context: &Context<'_>) -> Result<Findings, LabError> {
    let mut found = Findings::default();
    let protocol = Protocol {
        directions_deg: context.pick(vec![0.0, 90.0, 180.0, 270.0], vec![0.0]),
        phases: context.pick(2, 1),
        rung: context.pick(0.05, 0.3),
        rungs: context.pick(30, 1),
        warm_up: 1.0,
        survive: context.pick(20.0, 2.0),
        ..Protocol::default()
    };
    let mut thresholds = Vec::new();
    let mut table = Table::new("thresholds", &["direction, °", "prioritised, N·s", "weighted, N·s"]);
    for (k, (name, priorities)) in kinds().into_iter().enumerate() {
        let base = Scenario { name: name.to_owned(), priorities, ..Scenario::default() };
        let model = base.built_in()?;
        let progress = |done: usize, total: usize| {
            (context.progress)(Progress { done: k * total + done, total: 2 * total })
        };
        let report = protocol.measure_with(&base, &model, &progress)?;
        found.count_pushes(&report);
        thresholds.push(report.thresholds.iter().map(|t| t.impulse).collect::<Vec<_>>());
    }
    let mut behind = 0;
    for (k, direction) in protocol.directions_deg.iter().enumerate() {
        table.row(direction.to_string(), &[thresholds[0][k], thresholds[1][k]]);
        behind += usize::from(thresholds[0][k] < thresholds[1][k]);
    }
    let least = |of: &[f64]| of.iter().copied().fold(f64::INFINITY, f64::min);
    found.tables.push(table);
    found.figure(
        Figure::new("least threshold, prioritised", "N·s", least(&thresholds[0]))
            .at_least(20.0)
            .paper("more robust"),
    );
    found.figure(Figure::new("least threshold, weighted", "N·s", least(&thresholds[1])).paper("less robust"));
    found.figure(
        Figure::new(
            "directions in which weighted survives more",
            &format!("of {}", protocol.directions_deg.len()),
            behind as f64,
        )
        .at_most(0.0),
    );
    tracking(context, &mut found)?;
    noted(&mut found);
    Ok(found)
}

/// How well the centre of mass stays over the feet under a push that both survive.
fn tracking(context: &Context<'_>, found: &mut Findings) -> Result<(), LabError> {
    let push = |k: usize| PushPlan {
        time: 1.0 + 3.0 * k as f64,
        seconds: 0.2,
        strength: Strength::PerMass { direction: 1.3 * k as f64, impulse: 0.1 },
        part: Role::Trunk,
    };
    let scenarios = kinds().map(|(name, priorities)| Scenario {
        name: format!("tracking, {name}"),
        priorities,
        pushes: (0..context.pick(5, 1)).map(push).collect(),
        seconds: context.pick(16.0, 4.0),
        ..Scenario::default()
    });
    let watched = context.watch(found, &cases(scenarios)?, |case| Mass::of(&case.model))?;
    let mut series = Vec::new();
    for ((run, mass), (name, _)) in watched.iter().zip(kinds()) {
        let off: Vec<(f64, f64)> = mass.path.iter().map(|p| (p.time, 1e3 * p.off)).collect();
        let rms = (off.iter().map(|p| p.1 * p.1).sum::<f64>() / off.len() as f64).sqrt();
        let fell = run.outcome.summary.fell == Some(true);
        let name = if fell { format!("{name}, until it falls") } else { name.to_owned() };
        found.figure(Figure::new(
            format!("centre of mass from the middle of the feet, RMS, {name}"),
            "mm",
            rms,
        ));
        series.push(Series::line(name, off.into_iter().step_by(20)));
    }
    let (x, y) = (Axis::linear("time, s"), Axis::linear("from the middle of the feet, mm"));
    found.plots.push(Plot::Lines(Lines::new("Centre of mass under pushes of 0.1 N·s/kg", x, y, series)));
    Ok(())
}

pub(super) fn weighted_jump(context: &Context<'_>) -> Result<Findings, LabError> {
    let mut found = Findings::default();
    let scenario = |(name, priorities): (&str, Priorities)| {
        let controller =
            ControllerPlan::Jumper { gait: Gait::default(), jumps: vec![(2.0, Jump::default())] };
        Scenario {
            name: name.to_owned(),
            controller,
            priorities,
            seconds: context.pick(9.0, 4.0),
            ..Scenario::default()
        }
    };
    let runs = context.play(&mut found, &cases(kinds().map(scenario))?)?;
    for run in &runs {
        let (name, s) = (&run.outcome.scenario, &run.outcome.summary);
        let paper = if name == "weighted" { "fails" } else { "lands" };
        found.figure(Figure::new(format!("up, {name}"), "s", s.seconds).paper(paper));
        found.figure(Figure::new(
            format!("decisions that fell back, {name}"),
            "",
            run.outcome.fallbacks as f64,
        ));
    }
    noted(&mut found);
    Ok(found)
}

/// Objectives of the third level, switched on one after the other: name, and the parameters that are 0 before.
const OBJECTIVES: [(&str, &[&str]); 5] = [
    ("contact, centre of mass, swing, pose", &[]),
    ("angular momentum", &["momentum_weight"]),
    ("arms", &["arm_torque", "arm_swing_weight"]),
    ("trunk", &["trunk_weight"]),
    ("head", &["head_weight"]),
];

pub(super) fn weighted_walk(context: &Context<'_>) -> Result<Findings, LabError> {
    let mut found = Findings::default();
    let mut scenarios = Vec::new();
    for (kind, priorities) in kinds() {
        for last in 0..OBJECTIVES.len() {
            let mut gait = Gait::default();
            for name in OBJECTIVES[last + 1..].iter().flat_map(|(_, names)| *names) {
                gait.get_mut(name).into_iter().for_each(|weight| *weight = 0.0);
            }
            let plus = if last > 0 { "+ " } else { "" };
            let name = format!("{kind}: {plus}{}", OBJECTIVES[last].0);
            let controller = ControllerPlan::Walker(gait);
            let base = walk(name, 0.8, context.pick(30.0, 4.0));
            scenarios.push(Scenario { controller, priorities: priorities.clone(), ..base });
        }
    }
    let runs = context.play(&mut found, &cases(scenarios)?)?;
    for run in &runs {
        let s = &run.outcome.summary;
        found.figure(Figure::new(format!("up, {}", run.outcome.scenario), "s", s.seconds));
    }
    noted(&mut found);
    Ok(found)
}
