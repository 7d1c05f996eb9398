//! Walks straight ahead.

use super::watch::{Mass, Pace};
use super::{cases, walk as walking};
use crate::context::Context;
use crate::findings::{Figure, Findings};
use crate::plot::{Axis, Lines, Plot, Series};
use crate::scenario::ControllerPlan;
use crate::{Audited, LabError, Scenario};
use sinew_control::features::WALKER;

/// Until here it gains speed, s.
const WARM_UP: f64 = 5.0;

pub(super) fn walk(context: &Context<'_>) -> Result<Findings, LabError> {
    let mut found = Findings::default();
    let cases = cases([walking("normal walk", 0.8, context.pick(70.0, 12.0))])?;
    let watched = context.watch(&mut found, &cases, |case| Mass::of(&case.model))?;
    let (run, mass) = &watched[0];
    let steps = run.outcome.summary.steps as f64;
    found.figure(Figure::new("footsteps", "", steps).at_least(context.pick(100.0, 15.0)));
    found.figure(settled("spread of the speed at landing, after ten", &mass.landings));
    found.figure(Figure::falls(std::slice::from_ref(run)));
    let points = mass.landings.iter().enumerate().map(|(k, v)| (k as f64 + 1.0, *v));
    let series = vec![Series::points("landings", points)];
    let (x, y) = (Axis::linear("footstep"), Axis::linear("speed at landing, m/s"));
    found.plots.push(Plot::Lines(Lines::new("The walk settles", x, y, series)));
    Ok(found)
}

/// How far apart the speeds at landing are after ten footsteps: a limit cycle has one.
pub(super) fn settled(name: impl Into<String>, landings: &[f64]) -> Figure {
    let landings = landings.get(10..).unwrap_or_default();
    let mean = landings.iter().sum::<f64>() / landings.len() as f64;
    let ends = landings.iter().fold([f64::INFINITY, 0.0], |[l, h]: [f64; 2], x| [l.min(*x), h.max(*x)]);
    let spread = 100.0 * (ends[1] - ends[0]) / mean;
    Figure::new(name, "%", spread).at_most(2.0).paper("a limit cycle after a few steps")
}

pub(super) fn moods(context: &Context<'_>) -> Result<Findings, LabError> {
    let mut found = Findings::default();
    let seconds = context.pick(60.0, 8.0);
    let mut scenarios = Vec::new();
    for (name, speed) in [("slow", 0.33), ("fast", 1.2), ("sad", 0.4)] {
        let plan = ControllerPlan::new(&WALKER);
        let controller = ControllerPlan { style: WALKER.style(name), ..plan };
        scenarios.push(Scenario { controller, ..walking(name, speed, seconds) });
    }
    let cases = cases(scenarios)?;
    let watched = context.watch(&mut found, &cases, |_| Pace::from(WARM_UP))?;
    for (run, pace) in &watched {
        let (name, steps) = (&run.outcome.scenario, run.outcome.summary.steps as f64);
        found.figure(
            Figure::new(format!("footsteps, {name}"), "", steps)
                .at_least(context.pick(50.0, 5.0))
                .paper("shown"),
        );
        found.figure(Figure::new(format!("speed, {name}"), "m/s", pace.velocity().x));
    }
    let runs: Vec<Audited> = watched.into_iter().map(|(run, _)| run).collect();
    found.figure(Figure::falls(&runs));
    found.note("Sad: slow, head and trunk forward, knees bent, hands at the pockets.");
    Ok(found)
}

const SPEEDS: [f64; 4] = [0.4, 0.8, 1.2, 1.5];

pub(super) fn long(context: &Context<'_>) -> Result<Findings, LabError> {
    let mut found = Findings::default();
    let seconds = context.pick(1800.0, 20.0);
    let at = |speed: f64| Scenario { seed: context.seed, ..walking(format!("{speed} m/s"), speed, seconds) };
    let watched = context.watch(&mut found, &cases(SPEEDS.map(at))?, |_| Pace::from(WARM_UP))?;
    let mut points = Vec::new();
    for ((run, pace), speed) in watched.iter().zip(SPEEDS) {
        let way = pace.velocity();
        let error = 100.0 * (libm::hypot(way.x, way.y) / speed - 1.0);
        found.figure(Figure::new(format!("speed error at {speed} m/s"), "%", error).between(-10.0, 10.0));
        let up = run.outcome.summary.fall_time.unwrap_or(run.outcome.summary.seconds);
        found.figure(Figure::new(format!("up at {speed} m/s"), "s", up).at_least(seconds));
        points.push((speed, libm::hypot(way.x, way.y)));
    }
    let asked = Series::line("asked for", SPEEDS.map(|v| (v, v)));
    let series = vec![asked, Series::points("walked", points)];
    let (x, y) = (Axis::linear("commanded speed, m/s"), Axis::linear("speed, m/s"));
    found.plots.push(Plot::Lines(Lines::new("Speed over a long walk", x, y, series)));
    Ok(found)
}
