//! Walks in space: level ground, speeds, turns, slopes.

use super::{cases, rigid, run};
use crate::LabError;
use crate::audited::Audited;
use crate::context::Context;
use crate::features::watch::{Pace, Turn};
use crate::findings::{Figure, Findings};
use crate::plot::{Axis, Lines, Plot, Series};
use crate::scenario::{GroundPlan, Scenario};
use sinew_control::Command;
use std::f64::consts::FRAC_PI_2;

/// Bodies that it walks with.
const BODIES: [&str; 2] = ["human-simbicon", "human"];
/// Speed that is asked for, m/s.
const SPEED: f64 = 0.8;

pub(super) fn walk(context: &Context<'_>) -> Result<Findings, LabError> {
    let mut found = Findings::default();
    let seconds = context.pick(60.0, 6.0);
    let mut scenarios = Vec::new();
    for body in BODIES {
        let walk = run(body, format!("{body}, springs"), SPEED, seconds);
        scenarios.push(Scenario { name: format!("{body}, rigid"), world: rigid(), ..walk.clone() });
        scenarios.push(walk);
    }
    let watched = context.watch(&mut found, &cases(scenarios)?, |_| Pace::from(0.5 * seconds))?;
    for (run, pace) in &watched {
        let (name, up) = (&run.outcome.scenario, &run.outcome.summary);
        let stood = Figure::new(format!("up, {name}"), "s", up.fall_time.unwrap_or(up.seconds));
        found.figure(stood.at_least(seconds));
        found.figure(Figure::new(format!("speed, {name}"), "m/s", pace.velocity().x).at_least(0.3));
    }
    let runs: Vec<Audited> = watched.into_iter().map(|(run, _)| run).collect();
    found.figure(Figure::falls(&runs));
    Ok(found)
}

pub(super) fn steering(context: &Context<'_>) -> Result<Findings, LabError> {
    let mut found = Findings::default();
    let speeds: &[f64] = context.pick(&[0.0, 0.4, 0.8, 1.2], &[0.8]);
    let seconds = context.pick(30.0, 8.0);
    let bodies = context.pick(&BODIES[..], &BODIES[1..]);
    let mut scenarios = Vec::new();
    for body in bodies {
        for speed in speeds {
            let name = format!("{body} at {speed} m/s");
            scenarios.push(Scenario { world: rigid(), ..run(body, name, *speed, seconds) });
        }
    }
    let watched = context.watch(&mut found, &cases(scenarios)?, |_| Pace::from(0.5 * seconds))?;
    let mut points = Vec::new();
    for (k, (run, pace)) in watched.iter().enumerate() {
        let speed = pace.velocity().x;
        found.figure(Figure::new(format!("speed, {}", run.outcome.scenario), "m/s", speed));
        points.push((bodies[k / speeds.len()], speeds[k % speeds.len()], speed));
    }
    let mut runs: Vec<Audited> = watched.into_iter().map(|(run, _)| run).collect();
    let series = bodies.iter().map(|body| {
        let of = points.iter().filter(|(name, ..)| name == body);
        Series::points(*body, of.map(|(_, asked, got)| (*asked, *got)).collect::<Vec<_>>())
    });
    let (x, y) = (Axis::linear("commanded speed, m/s"), Axis::linear("speed, m/s"));
    found.plots.push(Plot::Lines(Lines::new("Speed", x, y, series.collect())));

    // a quarter turn to either side
    let from = 5.0;
    let turns = [("left", FRAC_PI_2), ("right", -FRAC_PI_2)].map(|(side, heading)| {
        let mut turn = run("human", format!("to the {side}"), SPEED, context.pick(30.0, 12.0));
        turn.commands.push((from, Command { velocity: [SPEED, 0.0], heading }));
        Scenario { world: rigid(), ..turn }
    });
    let watched = context.watch(&mut found, &cases(turns)?, |case| {
        Turn::new(from, case.scenario.command_at(f64::MAX).heading, 15f64.to_radians())
    })?;
    for (run, turn) in &watched {
        let name = format!("time of a turn by 90° {}", run.outcome.scenario);
        found.figure(Figure::new(name, "s", turn.seconds).at_most(6.0));
        let error = run.outcome.summary.heading_change_deg.abs() - 90.0;
        let name = format!("error of the heading in the end, {}", run.outcome.scenario);
        found.figure(Figure::new(name, "°", error).between(-15.0, 15.0));
    }
    runs.extend(watched.into_iter().map(|(run, _)| run));
    found.figure(Figure::falls(&runs));
    Ok(found)
}

/// Slopes that are tried, degrees; down is negative.
const SLOPES: [f64; 14] = [-10.0, -8.0, -6.0, -5.0, -4.0, -3.0, -2.0, 0.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0];

pub(super) fn slopes(context: &Context<'_>) -> Result<Findings, LabError> {
    let mut found = Findings::default();
    let pitches: &[f64] = context.pick(&SLOPES, &[-2.0, 0.0]);
    let seconds = context.pick(60.0, 10.0);
    let bodies = context.pick(&BODIES[..], &BODIES[..1]);
    let mut series = Vec::new();
    let mut stood = Vec::new();
    for body in bodies {
        let scenario = |pitch: &f64| {
            let ground = GroundPlan::Slope { start: 2.0, pitch: pitch.to_radians(), friction: 1.0 };
            Scenario { ground, world: rigid(), ..run(body, format!("{body}, {pitch}°"), SPEED, seconds) }
        };
        let runs = context.play(&mut found, &cases(pitches.iter().map(scenario))?)?;
        let up = |run: &Audited| run.outcome.summary.fall_time.unwrap_or(seconds);
        let fine = |k: &usize| runs[*k].failure().is_none();
        // from level ground on, as far as nothing fails
        let level = pitches.iter().position(|p| *p == 0.0).unwrap_or(0);
        let down = (0..=level).rev().take_while(fine).last().map_or(f64::NAN, |k| -pitches[k]);
        let rise = (level..pitches.len()).take_while(fine).last().map_or(f64::NAN, |k| pitches[k]);
        found.figure(
            Figure::new(format!("steepest descent, {body}"), "°", down)
                .at_least(2.0)
                .paper("2° works, 3° and more fail"),
        );
        found.figure(Figure::new(format!("steepest ascent, {body}"), "°", rise));
        series.push(Series::points(*body, pitches.iter().zip(&runs).map(|(p, run)| (*p, up(run)))));
        stood.extend(
            runs.into_iter().zip(pitches).filter(|(_, p)| (-2.0..=0.0).contains(*p)).map(|(run, _)| run),
        );
    }
    let (x, y) = (Axis::linear("slope, °"), Axis::linear("time without a fall, s"));
    found.plots.push(Plot::Lines(Lines::new("Slopes that it does not see", x, y, series)));
    found.figure(Figure::falls(&stood));
    found.note("The slope begins after 2 m of level ground. Steeper ones may work again beyond the first that fails.");
    Ok(found)
}
