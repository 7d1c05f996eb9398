//! Strict priorities against weights.

use super::watch::Mass;
use super::{balancer, cases, jump_at, walk, walker};
use crate::context::Context;
use crate::findings::{Figure, Findings, Table};
use crate::plot::{Axis, Lines, Plot, Series};
use crate::push::Protocol;
use crate::scenario::{ControllerPlan, PushPlan, Strength};
use crate::{Audited, LabError, Scenario};
use sinew_control::features::{Gait, JUMPER, Jump, Stance};
use sinew_control::whole_body::Priorities;
use sinew_dynamics::Role;
use std::f64::consts::TAU;

fn kinds() -> [(&'static str, Priorities); 2] {
    [("prioritised", Priorities::Strict), ("weighted", Priorities::weighted())]
}

fn noted(found: &mut Findings) {
    if let Priorities::Weighted(weights) = Priorities::weighted() {
        found.note(format!("Weighted: one least-squares problem, levels weighted by {weights:?}; it is solved without a warm start."));
    }
}

/// When the push begins, s.
const PUSH: f64 = 3.0;

pub(super) fn priorities(context: &Context<'_>) -> Result<Findings, LabError> {
    let mut found = Findings::default();
    let mut runs = Vec::new();
    for (how, speed, strengths) in [
        ("standing", 0.0, context.pick(&[0.6, 0.9, 1.2, 1.5, 1.8][..], &[1.4][..])),
        ("walking", 0.8, context.pick(&[0.6, 0.9, 1.2, 1.5, 1.8][..], &[1.4][..])),
    ] {
        runs.extend(sweep(context, &mut found, (how, speed), strengths)?);
    }
    ladder(context, &mut found)?;
    tracking(context, &mut found)?;
    // time of a decision, over all runs
    for (name, _) in kinds() {
        let of: Vec<f64> = runs
            .iter()
            .filter(|run| run.outcome.scenario.starts_with(name))
            .filter_map(|run| Some(run.outcome.summary.control_us?.median))
            .collect();
        let mean = of.iter().sum::<f64>() / of.len() as f64;
        found.figure(Figure::new(format!("control, median, {name}"), "µs", mean));
    }
    noted(&mut found);
    Ok(found)
}

/// Pushes in eight directions: how many of them are survived.
fn sweep(
    context: &Context<'_>,
    found: &mut Findings,
    (how, speed): (&str, f64),
    strengths: &[f64],
) -> Result<Vec<Audited>, LabError> {
    let directions = 8;
    let mut scenarios = Vec::new();
    for (kind, priorities) in kinds() {
        for impulse in strengths {
            for k in 0..directions {
                let direction = TAU * f64::from(k) / f64::from(directions);
                let strength = Strength::PerMass { direction, impulse: *impulse };
                let push = PushPlan { time: PUSH, seconds: 0.4, strength, part: Role::Trunk };
                let name = format!("{kind}, {how}, {impulse} N·s/kg to {:.0}°", direction.to_degrees());
                let base = walk(name, speed, PUSH + context.pick(12.0, 3.0));
                let controller = base.controller.clone().with_group("priorities", &priorities);
                scenarios.push(Scenario { controller, pushes: vec![push], ..base });
            }
        }
    }
    let runs = context.play(found, &cases(scenarios)?)?;
    let each = strengths.len() * directions as usize;
    let mut rates = Vec::new();
    let mut table =
        Table::new(&format!("pushes survived, {how}"), &["N·s/kg", "prioritised, of 8", "weighted, of 8"]);
    let survived = |runs: &[Audited]| runs.iter().filter(|run| run.failure().is_none()).count() as f64;
    for (k, impulse) in strengths.iter().enumerate() {
        let of =
            |kind: usize| survived(&runs[kind * each + k * directions as usize..][..directions as usize]);
        table.row(impulse.to_string(), &[of(0), of(1)]);
    }
    found.tables.push(table);
    for ((kind, _), runs) in kinds().iter().zip(runs.chunks(each)) {
        let rate = 100.0 * survived(runs) / each as f64;
        let paper = if rates.is_empty() { "more robust" } else { "less robust" };
        found.figure(Figure::new(format!("pushes survived, {how}, {kind}"), "%", rate).paper(paper));
        rates.push(rate);
    }
    found.figure(
        Figure::new(format!("prioritised less weighted, {how}"), "%", rates[0] - rates[1]).at_least(0.0),
    );
    Ok(runs)
}

/// The greatest push that the balancer survives without a step.
fn ladder(context: &Context<'_>, found: &mut Findings) -> Result<(), LabError> {
    let protocol = Protocol {
        phases: 1,
        rung: context.pick(0.05, 0.2),
        rungs: context.pick(24, 2),
        steps_allowed: false,
        survive: context.pick(60.0, 2.0),
        ..Protocol::default()
    };
    let mut least = Vec::new();
    for (kind, priorities) in kinds() {
        let controller = balancer(&Stance::default()).with_group("priorities", &priorities);
        let name = format!("{kind}, balancing");
        let base = Scenario { name, controller, ..Scenario::default() };
        let report = protocol.measure(&base, &base.built_in()?)?;
        found.count_pushes(&report);
        let impulse = report.thresholds.iter().map(|t| t.impulse).fold(f64::INFINITY, f64::min);
        let figure = Figure::new(format!("greatest push balanced without a step, {kind}"), "N·s", impulse);
        found.figure(if least.is_empty() { figure.at_least(20.0).paper("more robust") } else { figure });
        least.push(impulse);
    }
    found.figure(
        Figure::new("greatest push balanced, prioritised less weighted", "N·s", least[0] - least[1])
            .at_least(0.0),
    );
    found.note(format!(
        "Balance: the trunk is pushed for {} s to the front, the left, the rear and the right; a push is survived when no step is taken and nothing \
         falls for {} s. Rungs of {} N·s/kg.",
        protocol.push_seconds, protocol.survive, protocol.rung
    ));
    Ok(())
}

/// How well the centre of mass follows squats, and stays over the feet meanwhile.
fn tracking(context: &Context<'_>, found: &mut Findings) -> Result<(), LabError> {
    let (depth, period) = (0.2, 2.0);
    let stance = Stance { squat_depth: depth, squat_period: period, ..Stance::default() };
    let scenarios = kinds().map(|(name, priorities)| Scenario {
        name: format!("{name}, squats"),
        controller: balancer(&stance).with_group("priorities", &priorities),
        seconds: context.pick(12.0, 6.0),
        ..Scenario::default()
    });
    let cases = cases(scenarios)?;
    let height = Gait::default().height * super::balance::tall(&cases[0].model);
    let wanted = |t: f64| height * (1.0 - 0.5 * depth * (1.0 - libm::cos(TAU * t / period)));
    let watched = context.watch(found, &cases, |case| Mass::of(&case.model))?;
    let (mut series, mut poses, mut errors) = (Vec::new(), Vec::new(), Vec::new());
    for ((run, mass), (name, _)) in watched.iter().zip(kinds()) {
        let settled: Vec<_> = mass.path.iter().filter(|p| p.time > 2.0).collect();
        let rms = |of: &dyn Fn(f64, f64, f64) -> f64| {
            let squares = settled.iter().map(|p| of(p.time, p.height, p.off)).map(|e| e * e);
            1e3 * (squares.sum::<f64>() / settled.len() as f64).sqrt()
        };
        let fell = run.outcome.summary.fell == Some(true);
        let name = if fell { format!("{name}, until it falls") } else { name.to_owned() };
        let error = rms(&|t, h, _| h - wanted(t));
        let height =
            Figure::new(format!("squats: height of the centre of mass, RMS error, {name}"), "mm", error);
        found.figure(if errors.is_empty() { height.at_most(10.0) } else { height });
        let off = rms(&|_, _, off| off);
        found.figure(Figure::new(
            format!("squats: centre of mass from the middle of the feet, RMS, {name}"),
            "mm",
            off,
        ));
        errors.push(if fell { f64::INFINITY } else { error });
        let curve = mass.path.iter().step_by(20).map(|p| (p.time, 1e3 * (p.height - wanted(p.time))));
        series.push(Series::line(name.clone(), curve));
        poses.push(Series::line(name, mass.path.iter().step_by(20).map(|p| (p.time, p.pose))));
    }
    found.figure(Figure {
        name: "squats: falls, prioritised".to_owned(),
        ..Figure::falls(&[watched[0].0.clone()])
    });
    // a run that falls has no error to compare
    let less = Figure::new("squats: height error, weighted less prioritised", "mm", errors[1] - errors[0]);
    if errors[1].is_finite() {
        found.figure(less.at_least(0.0).paper("weighted drifts"));
    } else {
        found.note("Weighted falls in the squats.");
    }
    let (x, y) = (Axis::linear("time, s"), Axis::linear("height less what was asked for, mm"));
    found.plots.push(Plot::Lines(Lines::new(
        "Squats: error of the height of the centre of mass",
        x,
        y,
        series,
    )));
    let (x, y) = (Axis::linear("time, s"), Axis::linear("joints from the standing pose, RMS, rad"));
    found.plots.push(Plot::Lines(Lines::new("Squats: the pose", x, y, poses)));
    Ok(())
}

pub(super) fn weighted_jump(context: &Context<'_>) -> Result<Findings, LabError> {
    let mut found = Findings::default();
    let scenario = |(name, priorities): (&str, Priorities)| Scenario {
        name: name.to_owned(),
        controller: ControllerPlan::new(&JUMPER).with_group("priorities", &priorities),
        requests: jump_at(2.0, &Jump::default()),
        seconds: context.pick(9.0, 4.0),
        ..Scenario::default()
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

/// Objectives, switched on one after the other: name, and the parameters that are 0 before.
const OBJECTIVES: [(&str, &[&str]); 7] = [
    ("contact, centre of mass", &[]),
    ("swing", &["swing_weight", "knee_weight", "roll_weight"]),
    ("pose", &["arm_weight", "spine_weight", "leg_weight"]),
    ("angular momentum", &["momentum_weight"]),
    ("arms", &["arm_torque", "arm_swing_weight"]),
    ("trunk", &["trunk_weight"]),
    ("head", &["head_weight"]),
];

/// Weight of the torques of the arms where that objective is on: the usual walk has none.
const ARM_TORQUE: f64 = 0.01;

pub(super) fn weighted_walk(context: &Context<'_>) -> Result<Findings, LabError> {
    let mut found = Findings::default();
    let mut scenarios = Vec::new();
    for (kind, priorities) in kinds() {
        for last in 0..OBJECTIVES.len() {
            let mut gait = Gait { arm_torque: ARM_TORQUE, ..Gait::default() };
            for name in OBJECTIVES[last + 1..].iter().flat_map(|(_, names)| *names) {
                gait.get_mut(name).into_iter().for_each(|weight| *weight = 0.0);
            }
            let plus = if last > 0 { "+ " } else { "" };
            let name = format!("{kind}: {plus}{}", OBJECTIVES[last].0);
            let controller = walker(&gait).with_group("priorities", &priorities);
            let base = walk(name, 0.8, context.pick(30.0, 4.0));
            scenarios.push(Scenario { controller, ..base });
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
