//! The planner: turns, and a course of steering.

use super::{by, cases, follow, motions, with};
use crate::LabError;
use crate::context::Context;
use crate::features::watch::Turn;
use crate::findings::{Figure, Findings};
use crate::scenario::Scenario;
use sinew_control::Command;
use sinew_control::nqr::NQR_PLANNER;
use std::path::Path;

/// Time of the command for the heading, s.
const FROM: f64 = 3.0;
/// Greatest error of the heading, degrees.
const NEAR: f64 = 15.0;
/// Seconds between changes of direction, and their number.
const EVERY: f64 = 6.0;
const CHANGES: usize = 20;

fn heading(degrees: f64) -> Command {
    Command { velocity: [1.0, 0.0], heading: degrees.to_radians() }
}

/// A walk by the planner.
fn steered(context: &Context<'_>, name: String, walk: &Path, seconds: f64) -> Scenario {
    let scenario = by(follow(name, walk, seconds), &NQR_PLANNER);
    with(scenario, "planning.trials", context.pick(2.0, 1.0))
}

pub(super) fn turns(context: &Context<'_>) -> Result<Findings, LabError> {
    let mut found = Findings::default();
    let motions = motions(context, &mut found);
    let angles = context.pick(&[15.0, 45.0, 60.0, 90.0, 180.0][..], &[45.0][..]);
    let seconds = context.pick(15.0, 8.0);
    let mut scenarios = Vec::new();
    for angle in angles {
        for side in [1.0, -1.0] {
            let name = format!("{} by {angle}°", if side > 0.0 { "left" } else { "right" });
            let mut turn = steered(context, name, &motions.walk, seconds);
            turn.commands = vec![(0.0, heading(0.0)), (FROM, heading(side * angle))];
            scenarios.push(turn);
        }
    }
    let watched = context.watch(&mut found, &cases(scenarios)?, |case| {
        Turn::new(FROM, case.scenario.command_at(f64::MAX).heading, NEAR.to_radians())
    })?;
    for (run, turn) in &watched {
        let (name, summary) = (&run.outcome.scenario, &run.outcome.summary);
        let up = Figure::new(format!("{name}: up"), "s", summary.fall_time.unwrap_or(seconds));
        found.figure(up.at_least(seconds).paper("yes"));
        let figure =
            Figure::new(format!("{name}: time until the heading is within {NEAR}°"), "s", turn.seconds);
        found.figure(figure.at_most(seconds));
    }
    Ok(found)
}

pub(super) fn steering(context: &Context<'_>) -> Result<Findings, LabError> {
    let mut found = Findings::default();
    let motions = motions(context, &mut found);
    let changes = context.pick(CHANGES, 3);
    let seeds = context.pick(10, 1);
    let seconds = EVERY * changes as f64;
    let course = |seed: u64| -> Scenario {
        // the same twenty angles, begun elsewhere
        let angles =
            [45, -90, 30, 180, -60, 15, -135, 90, -15, 120, -45, 60, -180, 75, -30, 150, -75, 105, 10, -120];
        let mut towards = 0.0;
        let commands = (0..changes).map(|k| {
            towards += f64::from(angles[(k + 3 * seed as usize) % angles.len()]);
            (EVERY * k as f64 + 2.0, heading(towards))
        });
        let commands = commands.collect();
        Scenario { seed, commands, ..steered(context, format!("course {seed}"), &motions.walk, seconds) }
    };
    let runs = context.play(&mut found, &cases((1..=seeds).map(course))?)?;
    let stood = runs.iter().filter(|run| run.failure().is_none()).count();
    for run in &runs {
        let s = &run.outcome.summary;
        found.figure(Figure::new(
            format!("{}: up", run.outcome.scenario),
            "s",
            s.fall_time.unwrap_or(seconds),
        ));
    }
    let figure =
        Figure::new(format!("courses of {seconds} s without a fall"), &format!("of {seeds}"), stood as f64);
    found.figure(figure.at_least(seeds as f64));
    Ok(found)
}
