//! Slopes, stairs, ledges that the controller does not see, slippery ground.

use super::watch::{Pace, least_pace};
use super::{cases, walk};
use crate::context::Context;
use crate::findings::{Figure, Findings};
use crate::plot::{Axis, Lines, Plot, Series};
use crate::scenario::GroundPlan;
use crate::{LabError, Scenario};

pub(super) fn slopes(context: &Context<'_>) -> Result<Findings, LabError> {
    let mut found = Findings::default();
    let pitches: &[f64] = context.pick(&[-10.0, -5.0, 5.0, 10.0], &[-10.0, 10.0]);
    let scenario = |pitch: &f64| {
        let ground = GroundPlan::Slope { start: 2.0, pitch: pitch.to_radians(), friction: 1.0 };
        Scenario { ground, ..walk(format!("{pitch}°"), 0.8, context.pick(60.0, 10.0)) }
    };
    let watched = context.watch(&mut found, &cases(pitches.iter().map(scenario))?, |_| Pace::from(5.0))?;
    found.figure(least_pace(watched.iter().map(|(_, pace)| (pace, 0.8))));
    let runs: Vec<_> = watched.into_iter().map(|(run, _)| run).collect();
    found.figure(Figure::falls(&runs));
    Ok(found)
}

pub(super) fn stairs(context: &Context<'_>) -> Result<Findings, LabError> {
    let mut found = Findings::default();
    let (start, run, steps) = (2.0, 0.3, context.pick(10, 2));
    // to the end of the stairs and some way on
    let seconds = (start + run * steps as f64 + 2.0) / 0.5 * context.pick(1.6, 1.3);
    let scenario = |(name, rise): (&str, f64)| {
        let ground = GroundPlan::Stairs { start, run, rise, steps, friction: 1.0 };
        Scenario { ground, ..walk(name, 0.5, seconds) }
    };
    let ways = [("up", 0.1), ("down", -0.1)];
    let watched = context.watch(&mut found, &cases(ways.map(scenario))?, |_| Pace::from(0.0))?;
    for (run, pace) in &watched {
        // a character that falls down the stairs has not climbed them
        let climbed = ((pace.velocity().z * run.outcome.summary.seconds).abs() / 0.1).min(steps as f64);
        let name = format!("steps, {}", run.outcome.scenario);
        found.figure(Figure::new(name, &format!("of {steps}"), climbed).at_least(steps as f64 - 0.5));
    }
    let runs: Vec<_> = watched.into_iter().map(|(run, _)| run).collect();
    found.figure(Figure::falls(&runs));
    Ok(found)
}

pub(super) fn ledges(context: &Context<'_>) -> Result<Findings, LabError> {
    let mut found = Findings::default();
    let speeds: &[f64] = context.pick(&[0.5, 0.8, 1.0], &[0.8]);
    let starts: &[f64] = context.pick(&[2.0, 2.1, 2.2, 2.3], &[2.0]);
    let mut scenarios = Vec::new();
    for &speed in speeds {
        for &start in starts {
            for (kind, height) in [("ledges", 0.03), ("trenches", -0.03)] {
                let count = context.pick(6, 2);
                let ground = GroundPlan::Ledges { start, height, length: 1.5, count, friction: 1.0 };
                let seconds = (start + 3.0 * count as f64 + 1.0) / speed + 2.0;
                let name = format!("{kind} from {start} m on at {speed} m/s");
                scenarios.push(Scenario { ground, unseen: true, ..walk(name, speed, seconds) });
            }
        }
    }
    let asked: Vec<f64> = scenarios.iter().map(|s: &Scenario| s.command_at(0.0).velocity[0]).collect();
    let watched = context.watch(&mut found, &cases(scenarios)?, |_| Pace::from(5.0))?;
    found.figure(least_pace(watched.iter().map(|(_, pace)| pace).zip(asked)));
    let runs: Vec<_> = watched.into_iter().map(|(run, _)| run).collect();
    found.figure(Figure::falls(&runs));
    found.note("The controller sees level ground.");
    Ok(found)
}

pub(super) fn friction(context: &Context<'_>) -> Result<Findings, LabError> {
    let mut found = Findings::default();
    let frictions: &[f64] = context.pick(&[0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0], &[0.4, 0.8]);
    let scenario = |friction: &f64| {
        let ground = GroundPlan::Flat { friction: *friction };
        Scenario { ground, ..walk(format!("friction {friction}"), 1.0, context.pick(60.0, 8.0)) }
    };
    let watched = context.watch(&mut found, &cases(frictions.iter().map(scenario))?, |_| Pace::from(5.0))?;
    let gripping = watched.iter().zip(frictions).filter(|(_, friction)| **friction >= 0.4);
    found.figure(least_pace(gripping.map(|((_, pace), _)| (pace, 1.0))));
    let runs: Vec<_> = watched.into_iter().map(|(run, _)| run).collect();
    let fallen = |k: usize| runs[k].outcome.summary.fell == Some(true);
    // from which friction on everything is survived
    let least = (0..runs.len()).rev().take_while(|k| !fallen(*k)).last().map_or(f64::NAN, |k| frictions[k]);
    found.figure(Figure::new("least friction from which on it never falls", "", least).at_most(0.4));
    let up = frictions.iter().zip(&runs).map(|(f, run)| (*f, run.outcome.summary.seconds));
    let (x, y) = (Axis::linear("coefficient of friction"), Axis::linear("time until it falls or ends, s"));
    let series = vec![Series::line("up", up)];
    found.plots.push(Plot::Lines(Lines::new("Walking on slippery ground at 1 m/s", x, y, series)));
    Ok(found)
}
