//! Pushes at random, and every built-in biped at the speeds of an adult.
//!
//! Speeds are those of an adult; a body of another size goes at the same `v/√(g·leg)`. A push comes at any moment of a stride, from any direction, on
//! trunk, pelvis or head; its impulse is stated per kilogram and is not scaled: it is harder on a small body.

use super::walk;
use super::watch::{Pace, least_pace, leg};
use crate::context::{Case, Context};
use crate::findings::{Figure, Findings};
use crate::scenario::{PushPlan, Strength};
use crate::{Audited, LabError, Scenario};
use sinew_control::Command;
use sinew_dynamics::{Model, Role, characters};
use sinew_solve::sweep;
use std::sync::Arc;

const BIPEDS: [&str; 9] = [
    "human",
    "human29",
    "human42",
    "human-mocap",
    "human-simbicon",
    "child",
    "asymmetric",
    "ostrich",
    "dinosaur",
];
/// Speeds of an adult, m/s.
const SPEEDS: [f64; 5] = [0.3, 0.5, 0.8, 1.0, 1.3];
/// When pushes come, s: somewhere in two strides.
const WHEN: (f64, f64) = (6.0, 8.5);
/// How long they last, s.
const LASTS: (f64, f64) = (0.1, 0.5);
/// Time that is to be survived after a push, s.
const AFTER: f64 = 10.0;
const PARTS: [Role; 3] = [Role::Trunk, Role::Pelvis, Role::Head];

/// What an adult's speed is to a body of this size.
fn scale(model: &Model) -> Result<f64, LabError> {
    let adult = characters::load("human")?;
    Ok(leg(model).zip(leg(&adult)).map_or(1.0, |(ours, adults)| (ours / adults).sqrt()))
}

/// Walks of a body with one push each.
pub(super) fn shoves(
    character: &str,
    strength: (f64, f64),
    count: usize,
    seed: u64,
) -> Result<Vec<Case>, LabError> {
    let model = Arc::new(characters::load(character)?);
    let scale = scale(&model)?;
    let ranges =
        [(0.3, 1.3), WHEN, (0.0, core::f64::consts::TAU), LASTS, strength, (0.0, PARTS.len() as f64)];
    let drawn = sweep::latin_hypercube(&ranges, count, seed);
    let case = |(nth, case): (usize, &sweep::Case)| {
        let [speed, time, direction, seconds, impulse, part] = [0, 1, 2, 3, 4, 5].map(|k| case.values[k]);
        // who has no head is pushed at the trunk, and who has no trunk, at the pelvis
        let from = PARTS[(part as usize).min(PARTS.len() - 1)];
        let part = [from, Role::Trunk, Role::Pelvis].into_iter().find(|r| model.role(*r).is_some());
        let strength = Strength::PerMass { direction, impulse };
        let push = PushPlan { time, seconds, strength, part: part.unwrap_or(Role::Pelvis) };
        let name = format!(
            "{nth}: {character}, {speed:.2} m/s of an adult, {impulse:.2} N·s/kg in {seconds:.2} s to {:.0}° at {time:.2} s, {}",
            direction.to_degrees(),
            push.part
        );
        let scenario = Scenario {
            character: character.to_owned(),
            pushes: vec![push],
            ..walk(name, speed * scale, time + seconds + AFTER)
        };
        Case { scenario, model: Arc::clone(&model) }
    };
    Ok(drawn.iter().enumerate().map(case).collect())
}

/// How many of 100 are survived.
fn survived(runs: &[Audited]) -> f64 {
    let up = runs.iter().filter(|run| run.failure().is_none()).count();
    100.0 * up as f64 / runs.len().max(1) as f64
}

/// Random pushes of the human.
pub(super) fn human(context: &Context<'_>) -> Result<Findings, LabError> {
    let mut found = Findings::default();
    for (strength, least) in [((0.1, 0.9), Some(98.0)), ((0.9, 1.3), None)] {
        let cases = shoves("human", strength, context.pick(200, 12), context.seed)?;
        let runs = context.play(&mut found, &cases)?;
        let name = format!("survived, {} to {} N·s/kg", strength.0, strength.1);
        let figure = Figure::new(name, "of 100", survived(&runs));
        found.figure(match least {
            Some(least) => figure.at_least(least),
            None => figure,
        });
    }
    found.note("Any moment of two strides, any direction, 0.1 to 0.5 s, trunk, pelvis or head, 0.3 to 1.3 m/s; on its feet ten seconds after.");
    Ok(found)
}

/// All bipeds: walks, and random pushes.
pub(super) fn bipeds(context: &Context<'_>) -> Result<Findings, LabError> {
    let mut found = Findings::default();
    let mut walks = Vec::new();
    for name in BIPEDS {
        let model = Arc::new(characters::load(name)?);
        for speed in context.pick(&SPEEDS[..], &[0.5, 1.3]) {
            let commands = vec![(0.0, Command::forward(speed * scale(&model)?))];
            let scenario = Scenario {
                character: name.to_owned(),
                commands,
                ..walk(format!("{name}, {speed} m/s of an adult"), *speed, context.pick(60.0, 10.0))
            };
            walks.push(Case { scenario, model: Arc::clone(&model) });
        }
    }
    let asked: Vec<f64> = walks.iter().map(|case| case.scenario.command_at(0.0).velocity[0]).collect();
    let walked = context.watch(&mut found, &walks, |_| Pace::from(5.0))?;
    found.figure(least_pace(walked.iter().map(|(_, pace)| pace).zip(asked)));
    let runs: Vec<Audited> = walked.into_iter().map(|(run, _)| run).collect();
    found.figure(Figure::falls(&runs));
    for name in BIPEDS {
        let cases = shoves(name, (0.5, 0.5), context.pick(100, 3), context.seed)?;
        let runs = context.play(&mut found, &cases)?;
        found.figure(
            Figure::new(format!("pushes of 0.5 N·s/kg survived, {name}"), "of 100", survived(&runs))
                .at_least(95.0),
        );
    }
    found.note("Pushes at any moment of two strides, from any direction, for 0.1 to 0.5 s, on trunk, pelvis or head; on its feet ten seconds after.");
    Ok(found)
}
