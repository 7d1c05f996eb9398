//! Feet in the air: corrections fade, soles stay above the ground.
//!
//! What is corrected is the bend of the knee, the direction from hip to ankle, and the orientation of the foot, each from its values at the
//! stances before and after, speeds included. A sole that would dip is turned about its ankle into the interval of pitches in which heel and
//! toes are free, and lifted by what is missing.

use super::leg::{Captured, Leg, STRAIGHT};
use super::plan::Plan;
use super::root::Root;
use super::smooth::bridge;
use crate::ik::between;
use sinew_dynamics::spatial::{Quat, Vec3, rotation};

/// Corrections of the leg fade over this, and of the foot over that time, s.
const FADE: [f64; 2] = [0.17, 0.25];
/// Greatest speed of a correction at the end of a stance, rad/s.
const FASTEST: f64 = 0.9;
/// Least bend of a knee that is not straight in the capture, rad.
const ALMOST: f64 = 0.02;

/// Where a foot goes: ankle and orientation in every frame.
#[derive(Clone, Debug)]
pub(super) struct Goal {
    pub(super) ankle: Vec<Vec3>,
    pub(super) turn: Vec<Quat>,
}

/// The way of a foot through all frames. `level`: nothing goes under z = 0.
pub(super) fn goal(
    captured: &Captured,
    legs: &[Leg; 2],
    s: usize,
    plan: &Plan,
    root: &Root,
    level: bool,
) -> Goal {
    let (n, leg) = (captured.len(), &legs[s]);
    let down: Vec<bool> = (0..n).map(|i| plan.down(i)).collect();
    let mut goal = Goal { ankle: vec![Vec3::zeros(); n], turn: captured.turn[s].clone() };
    let [mut knee, mut way, mut foot] = [(); 3].map(|()| vec![Vec3::zeros(); n]);
    for i in (0..n).filter(|&i| down[i]) {
        let (ankle, turn) = (plan.ankle(leg, i, plan.pitch[i]), plan.turn(leg, i));
        let hip = root.hip(captured, s, i);
        (goal.ankle[i], goal.turn[i]) = (ankle, turn);
        knee[i].x = leg.bend((ankle - hip).norm()) - captured.bend[s][i];
        way[i] = rotation::log(&between(&(captured.ankle[s][i] - captured.hip[s][i]), &(ankle - hip)));
        foot[i] = rotation::log(&(turn * captured.turn[s][i].inverse()));
    }
    bridge(&mut knee, &down, captured.rate, FADE[0], FASTEST);
    bridge(&mut way, &down, captured.rate, FADE[0], FASTEST);
    bridge(&mut foot, &down, captured.rate, FADE[1], FASTEST);
    for i in (0..n).filter(|&i| !down[i]) {
        let hip = root.hip(captured, s, i);
        let bend = (captured.bend[s][i] + knee[i].x).max(STRAIGHT.min(captured.bend[s][i]).max(ALMOST));
        let along = captured.ankle[s][i] - captured.hip[s][i];
        let along = rotation::exp(&way[i]) * along.try_normalize(1e-9).unwrap_or(-Vec3::z());
        goal.turn[i] = rotation::exp(&foot[i]) * captured.turn[s][i];
        goal.ankle[i] = hip + along * leg.span(bend);
    }
    if level {
        clear(leg, &down, &mut goal);
    }
    goal
}

/// Turns and lifts soles that would dip.
fn clear(leg: &Leg, down: &[bool], goal: &mut Goal) {
    let n = down.len();
    let shape = &leg.shape;
    let height =
        |goal: &Goal, i: usize, turn: &Quat, local: &Vec3| (goal.ankle[i] + turn * (local - leg.ankle)).z;
    let mut pitch = vec![0.0; n];
    for i in (0..n).filter(|&i| !down[i]) {
        let turn = goal.turn[i];
        let across = (turn * shape.level * Vec3::y()).normalize();
        let at = |p: f64| rotation::exp(&(across * p)) * turn;
        let heel = |p: f64| height(goal, i, &at(p), &shape.heel);
        let toe = |p: f64| height(goal, i, &at(p), &shape.toe);
        if heel(0.0) >= 0.0 && toe(0.0) >= 0.0 {
            continue;
        }
        // nose down lifts the heel, nose up the toes: towards the nearest free pitch, no farther than level
        let sign = if heel(0.0) < toe(0.0) { 1.0 } else { -1.0 };
        let dips = |p: f64| if sign > 0.0 { heel(p) < 0.0 } else { toe(p) < 0.0 };
        let crossed = |p: f64| (heel(p) - toe(p)) * sign >= 0.0;
        let (mut low, mut high) = (0.0, 1.2);
        for _ in 0..30 {
            let middle = 0.5 * (low + high);
            if dips(sign * middle) && !crossed(sign * middle) { low = middle } else { high = middle }
        }
        pitch[i] = sign * high;
    }
    for i in (0..n).filter(|&i| !down[i]) {
        if pitch[i] != 0.0 {
            let across = (goal.turn[i] * shape.level * Vec3::y()).normalize();
            goal.turn[i] = rotation::exp(&(across * pitch[i])) * goal.turn[i];
        }
        let lowest = shape.bottom().map(|c| height(goal, i, &goal.turn[i], &c)).fold(f64::INFINITY, f64::min);
        goal.ankle[i].z += (-lowest).max(0.0);
    }
}
