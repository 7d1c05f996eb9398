//! Turning, and walking backward and sideways.

use super::watch::{Pace, Turn};
use super::{cases, walk};
use crate::context::Context;
use crate::findings::{Figure, Findings};
use crate::{Audited, LabError, Scenario};
use sinew_control::Command;
use std::f64::consts::FRAC_PI_2;

pub(super) fn turn(context: &Context<'_>) -> Result<Findings, LabError> {
    let mut found = Findings::default();
    let from = 5.0;
    let angles = [FRAC_PI_2, -FRAC_PI_2];
    let speeds: &[f64] = context.pick(&[0.0, 0.4, 0.8, 1.2], &[0.0, 0.8]);
    let mut scenarios = Vec::new();
    for &speed in speeds {
        for angle in angles {
            let side = if angle > 0.0 { "left" } else { "right" };
            let how = if speed > 0.0 { format!("at {speed} m/s") } else { "in place".to_owned() };
            let mut s = walk(format!("to the {side} {how}"), speed, context.pick(20.0, 10.0));
            s.commands.push((from, Command { velocity: [speed, 0.0], heading: angle }));
            scenarios.push(s);
        }
    }
    let watched = context.watch(&mut found, &cases(scenarios)?, |case| {
        let target = case.scenario.command_at(f64::MAX).heading;
        Turn::new(from, target, 10f64.to_radians())
    })?;
    for (run, turn) in &watched {
        let steps = turn.steps.unwrap_or(f64::NAN);
        found.figure(Figure::new(format!("footsteps, {}", run.outcome.scenario), "", steps).at_most(3.0));
        found.figure(Figure::new(format!("time, {}", run.outcome.scenario), "s", turn.seconds));
    }
    let runs: Vec<Audited> = watched.into_iter().map(|(run, _)| run).collect();
    found.figure(Figure::falls(&runs));
    Ok(found)
}

pub(super) fn backward(context: &Context<'_>) -> Result<Findings, LabError> {
    go(context, &[("backward", [-0.4, 0.0])])
}

pub(super) fn sideways(context: &Context<'_>) -> Result<Findings, LabError> {
    go(context, &[("left", [0.0, 0.3]), ("right", [0.0, -0.3])])
}

/// Walks of constant velocity.
fn go(context: &Context<'_>, ways: &[(&str, [f64; 2])]) -> Result<Findings, LabError> {
    let mut found = Findings::default();
    let seconds = context.pick(60.0, 12.0);
    let scenario = |(name, velocity): &(&str, [f64; 2])| {
        let commands = vec![(0.0, Command { velocity: *velocity, heading: 0.0 })];
        Scenario { name: (*name).to_owned(), commands, seconds, ..Scenario::default() }
    };
    let watched = context.watch(&mut found, &cases(ways.iter().map(scenario))?, |_| Pace::from(5.0))?;
    for ((_, pace), (name, asked)) in watched.iter().zip(ways) {
        let way = pace.velocity();
        let asked_speed = libm::hypot(asked[0], asked[1]);
        let speed = (way.x * asked[0] + way.y * asked[1]) / asked_speed;
        found.figure(Figure::new(format!("speed, {name}"), "m/s", speed));
        let error = 100.0 * (speed / asked_speed - 1.0);
        found.figure(Figure::new(format!("speed error, {name}"), "%", error).between(-10.0, 10.0));
    }
    let runs: Vec<Audited> = watched.into_iter().map(|(run, _)| run).collect();
    found.figure(Figure::falls(&runs));
    Ok(found)
}
