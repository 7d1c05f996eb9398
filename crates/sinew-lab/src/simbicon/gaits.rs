//! The planar biped.

use super::{cases, rigid, run};
use crate::LabError;
use crate::audited::Audited;
use crate::context::Context;
use crate::features::watch::Pace;
use crate::findings::{Figure, Findings};
use crate::scenario::{ControllerPlan, Scenario, Setting};
use sinew_control::Style;
use sinew_control::simbicon::{SIMBICON, STYLES};

/// What our gaits change of the paper's table: see `STYLES`.
const PRINTED: [(&str, &[(&str, f64)]); 2] = [
    ("crouch", &[("planar.lift_lean", 0.18), ("planar.land_lean", 0.25)]),
    ("run", &[("planar.lift_lean", 0.0)]),
];

fn in_style(style: &'static Style, seconds: f64) -> Scenario {
    let controller = ControllerPlan::new(&SIMBICON).with_style(style);
    Scenario { controller, ..run("walker2d", style.name, 0.0, seconds) }
}

pub(super) fn gaits(context: &Context<'_>) -> Result<Findings, LabError> {
    let mut found = Findings::default();
    let seconds = context.pick(60.0, 6.0);
    let mut scenarios: Vec<Scenario> = STYLES.iter().map(|style| in_style(style, seconds)).collect();
    for style in STYLES {
        let name = format!("{}, rigid", style.name);
        scenarios.push(Scenario { name, world: rigid(), ..in_style(style, seconds) });
    }
    let own = scenarios.len();
    for (name, values) in PRINTED {
        let Some(style) = SIMBICON.style(name) else { continue };
        let mut printed = Scenario { name: format!("{name}, as printed"), ..in_style(style, seconds) };
        for (path, value) in values {
            printed.controller = printed.controller.with(path, *value)?;
        }
        scenarios.push(printed);
    }
    let watched = context.watch(&mut found, &cases(scenarios)?, |_| Pace::from(0.5 * seconds))?;
    for (k, (run, pace)) in watched.iter().enumerate() {
        let (name, up) = (&run.outcome.scenario, &run.outcome.summary);
        let stood =
            Figure::new(format!("up, {name}"), "s", up.fall_time.unwrap_or(up.seconds)).at_least(seconds);
        let speed = Figure::new(format!("speed, {name}"), "m/s", pace.velocity().x);
        found.figure(stood);
        found.figure(if k < own { speed.at_least(0.3) } else { speed });
    }
    let runs: Vec<Audited> = watched.into_iter().map(|(run, _)| run).collect();
    found.figure(Figure::falls(&runs));
    found.note(
        "As printed, crouching and running drift backward on this body; ours lean by 0.1 and 0.15 rad more.",
    );
    Ok(found)
}

/// Moments of the stride at which each pair of gaits is changed.
const MOMENTS: usize = 4;

pub(super) fn transitions(context: &Context<'_>) -> Result<Findings, LabError> {
    let mut found = Findings::default();
    let (before, after) = (context.pick(6.0, 3.0), context.pick(10.0, 3.0));
    let moments = context.pick(MOMENTS, 1);
    let mut scenarios = Vec::new();
    for (k, from) in STYLES.iter().enumerate() {
        for (j, to) in STYLES.iter().enumerate().filter(|(j, _)| *j != k) {
            for moment in 0..moments {
                // spread over a stride, for each pair other moments
                let time = before + 0.1 * ((5 * k + j) % 7) as f64 + 0.17 * moment as f64;
                let mut change = in_style(from, time + after);
                change.name = format!("{} to {} at {time:.2} s", from.name, to.name);
                change.settings.push((time, Setting::Style(to)));
                scenarios.push(change);
            }
        }
    }
    let pairs = context.pick(scenarios.len(), 4);
    let cases = cases(scenarios.into_iter().step_by(context.pick(1, 5)).take(pairs))?;
    let watched = context.watch(&mut found, &cases, |case| Pace::from(case.scenario.seconds - 3.0))?;
    let made =
        watched.iter().filter(|(run, pace)| run.failure().is_none() && pace.velocity().x > 0.0).count();
    found.figure(Figure::new("changes made", "", made as f64).at_least(watched.len() as f64));
    for (run, pace) in &watched {
        found.figure(Figure::new(format!("speed after {}", run.outcome.scenario), "m/s", pace.velocity().x));
    }
    let runs: Vec<Audited> = watched.into_iter().map(|(run, _)| run).collect();
    found.figure(Figure::falls(&runs));
    Ok(found)
}
