//! Jumps.

use super::watch::{AIRBORNE, Leap};
use crate::context::{Case, Context};
use crate::findings::{Figure, Findings, Table};
use crate::scenario::{ControllerPlan, PushPlan, Scenario, Strength};
use crate::{Audited, LabError};
use sinew_control::Command;
use sinew_control::features::{Gait, Jump, Legs};
use sinew_dynamics::{Role, characters};
use sinew_solve::sweep;
use std::f64::consts::{FRAC_PI_2, PI, TAU};
use std::sync::Arc;

/// When it jumps, s, and how long after it must have come to rest.
const AT: f64 = 2.0;
const REST: f64 = 5.0;
/// It stands still when it moves no faster than this for the rest of the time, m/s.
const STILL: f64 = 0.05;

fn jump(name: String, jump: Jump) -> Scenario {
    let controller = ControllerPlan::Jumper { gait: Gait::default(), jumps: vec![(AT, jump)] };
    // in flight, and not before: it would step to turn
    let commands = vec![(AT + 0.7, Command { velocity: [0.0; 2], heading: jump.twist })];
    Scenario { name, controller, commands, seconds: AT + REST + 2.0, ..Scenario::default() }
}

/// Plays jumps, tabulates them, and counts those that land and then stand still.
fn leap(
    context: &Context<'_>,
    found: &mut Findings,
    cases: &[Case],
) -> Result<Vec<(Audited, Leap)>, LabError> {
    let watched = context.watch(found, cases, |case| Leap::of(&case.model, AT + REST))?;
    let columns =
        ["jump", "clearance, m", "turn, °", "way forward, m", "way left, m", "speed at the end, m/s"];
    let mut table = Table::new("jumps", &columns);
    for (run, leap) in &watched {
        let way = leap.way();
        table.row(
            run.outcome.scenario.clone(),
            &[leap.clearance, leap.turned.to_degrees(), way.x, way.y, leap.restless],
        );
    }
    found.tables.push(table);
    let runs: Vec<Audited> = watched.iter().map(|(run, _)| run.clone()).collect();
    found.figure(Figure::falls(&runs).paper("all land"));
    let restless = watched.iter().filter(|(_, leap)| leap.restless > STILL).count();
    found.figure(
        Figure::new(
            "not at rest 5 s after the jump was asked for",
            &format!("of {}", runs.len()),
            restless as f64,
        )
        .at_most(0.0),
    );
    let on_ground = watched.iter().filter(|(_, leap)| leap.clearance < AIRBORNE).count();
    found.figure(
        Figure::new("never left the ground", &format!("of {}", runs.len()), on_ground as f64).at_most(0.0),
    );
    Ok(watched)
}

pub(super) fn jumps(context: &Context<'_>) -> Result<Findings, LabError> {
    let mut found = Findings::default();
    // small pushes before the jump stand for states that are never the same
    let states = sweep::latin_hypercube(&[(0.0, TAU), (0.0, 0.08)], context.pick(20, 2), context.seed);
    let model = Arc::new(characters::load("human")?);
    let cases: Vec<Case> = states
        .iter()
        .map(|state| {
            let strength = Strength::PerMass { direction: state.values[0], impulse: state.values[1] };
            let push = PushPlan { time: 0.5, seconds: 0.2, strength, part: Role::Trunk };
            let scenario = jump(format!("state {}", state.index + 1), Jump::default());
            Case {
                scenario: Scenario { pushes: vec![push], seed: state.seed, ..scenario },
                model: Arc::clone(&model),
            }
        })
        .collect();
    let watched = leap(context, &mut found, &cases)?;
    let worst = |of: &dyn Fn(&Leap) -> f64| watched.iter().map(|(_, l)| of(l)).fold(0.0, f64::max);
    let clearance = watched.iter().map(|(_, l)| l.clearance).fold(f64::INFINITY, f64::min);
    found.figure(Figure::new("clearance, least", "m", clearance).at_least(0.05));
    found.figure(Figure::new("yaw error, worst", "°", worst(&|l| l.turned.abs().to_degrees())).at_most(10.0));
    found.figure(Figure::new("way, worst", "m", worst(&|l| l.way().norm())).at_most(0.15));
    found.note("States: a push of up to 0.08 N·s/kg in any direction 1.5 s before, over a Latin hypercube.");
    Ok(found)
}

pub(super) fn heights(context: &Context<'_>) -> Result<Findings, LabError> {
    let mut found = Findings::default();
    let heights: &[f64] = context.pick(&[0.1, 0.15, 0.2, 0.25, 0.3], &[0.2]);
    let mut cases = Vec::new();
    for body in &["human", "child", "human42"][..context.pick(3, 2)] {
        for height in heights {
            let scenario = jump(format!("{body}, {height} m"), Jump { height: *height, ..Jump::default() });
            cases.push(Case::built_in(Scenario { character: (*body).to_owned(), ..scenario })?);
        }
    }
    leap(context, &mut found, &cases)?;
    Ok(found)
}

pub(super) fn twists(context: &Context<'_>) -> Result<Findings, LabError> {
    let mut found = Findings::default();
    let turns = [FRAC_PI_2, PI];
    let scenarios =
        turns.map(|twist| jump(format!("{:.0}°", twist.to_degrees()), Jump { twist, ..Jump::default() }));
    let watched = leap(context, &mut found, &super::cases(scenarios)?)?;
    for ((_, leap), asked) in watched.iter().zip(turns) {
        let (turned, asked) = (leap.turned.to_degrees(), asked.to_degrees());
        found.figure(
            Figure::new(format!("turn of {asked:.0}°"), "°", turned)
                .between(asked - 15.0, asked + 15.0)
                .paper("shown"),
        );
    }
    Ok(found)
}

pub(super) fn kicks(context: &Context<'_>) -> Result<Findings, LabError> {
    let mut found = Findings::default();
    let kinds = [("scissor kick", Legs::Scissor), ("split", Legs::Split)];
    let scenarios = kinds.map(|(name, legs)| jump(name.to_owned(), Jump { legs, ..Jump::default() }));
    leap(context, &mut found, &super::cases(scenarios)?)?;
    Ok(found)
}

pub(super) fn forward(context: &Context<'_>) -> Result<Findings, LabError> {
    let mut found = Findings::default();
    let ways: &[f64] = context.pick(&[0.3, 0.4, 0.5], &[0.4]);
    let scenarios =
        ways.iter().map(|way| jump(format!("{way} m forward"), Jump { forward: *way, ..Jump::default() }));
    let watched = leap(context, &mut found, &super::cases(scenarios)?)?;
    // only what lands counts
    let landed = watched.iter().filter(|(run, _)| run.outcome.summary.fell == Some(false));
    let farthest = landed.map(|(_, leap)| leap.way().x).fold(f64::NEG_INFINITY, f64::max);
    found.figure(Figure::new("farthest that lands", "m", farthest).at_least(0.3).paper("shown"));
    Ok(found)
}
