//! What is changed of the plans when feet cannot be where they should.
//!
//! - In the first and last frames of a stance a foot that is not where it stands yet, or no more, is in the air (`trim`, `leave`).
//! - A flat foot that its leg does not reach stands on its toes (`stretch`).
//! - Where an ankle does not bend far enough the foot rises on its toes, as a smooth curve planned ahead (`rise`).

use super::foot::{self, paths};
use super::leg::{Captured, Leg};
use super::legs::Limited;
use super::plan::{self, Plan};
use super::root::Root;
use super::smooth;
use crate::Clip;
use crate::contacts::{ContactKind, runs};

/// A knee that is so far from the captured one, rad, in the first or last frames of a stance, at most so long, s: the foot is in the air.
const TRIM: (f64, f64) = (0.08, 0.032);
/// A foot that limits keep so far from its place, m, in the first or last frames of a stance, at most so long, s, is in the air.
const AWAY: f64 = 5e-4;
const LEAVES: f64 = 0.1;
/// A leg that is shorter than this much of what it should reach, m, is too short.
const SHORT: f64 = 7e-4;
/// Time over which a foot rises on its toes for an ankle at its limit, s, and the least that is planned, rad.
const TILT: f64 = 0.2;
const LEAST_TILT: f64 = 2e-3;

/// Changes the plans by what limits did to the feet of a result; false when there is nothing to be changed.
pub(super) fn plans(
    out: &Clip,
    captured: &Captured,
    legs: &[Leg; 2],
    plans: &mut [Plan; 2],
    root: &Root,
    limited: &[Vec<Limited>; 2],
    flies: bool,
) -> bool {
    // each of them looks at the plans of the result, and all must
    let left = leave(out, legs, plans, limited, flies);
    let stretched = stretch(captured, legs, plans, root);
    let rose = rise(legs, plans, limited, captured.rate);
    left || stretched || rose
}

/// Takes the first and last frames from stances in which the foot is not yet, or no more, where it stands, so that the knee would have to
/// jump.
pub(super) fn trim(captured: &Captured, legs: &[Leg; 2], plans: &mut [Plan; 2], root: &Root, flies: bool) {
    let most = crate::filter::frames(TRIM.1, captured.rate);
    for s in 0..2 {
        let off = |plan: &Plan, i: usize| {
            let span = (root.hip(captured, s, i) - plan.ankle(&legs[s], i, plan.pitch[i])).norm();
            let bend = legs[s].bend(span);
            (bend - captured.bend[s][i]).abs() > TRIM.0 || span > legs[s].span(0.0)
        };
        shorten(plans, s, most, flies, &off);
    }
}

/// The same where joint limits keep a foot from its place; false when there is none.
fn leave(
    out: &Clip,
    legs: &[Leg; 2],
    plans: &mut [Plan; 2],
    limited: &[Vec<Limited>; 2],
    flies: bool,
) -> bool {
    let feet = paths(out, &[legs[0].shape.body, legs[1].shape.body]);
    let most = crate::filter::frames(LEAVES, out.rate);
    let mut changed = false;
    for s in 0..2 {
        let off = |plan: &Plan, i: usize| off_place(&feet[s], &legs[s], plan, &limited[s][i], i) > AWAY;
        changed |= shorten(plans, s, most, flies, &off);
    }
    changed
}

/// Takes frames from the ends of a foot's stances, `most` at each. The other foot is down then, or the motion has flights.
fn shorten(
    plans: &mut [Plan; 2],
    s: usize,
    most: usize,
    flies: bool,
    off: &dyn Fn(&Plan, usize) -> bool,
) -> bool {
    let mut changed = false;
    for stance in plans[s].stances.clone() {
        let early = (stance.start > 0).then(|| stance.clone().take(most).collect::<Vec<_>>());
        let late = (stance.end < plans[s].kind.len()).then(|| stance.clone().rev().take(most).collect());
        for ends in [early, late].into_iter().flatten() {
            let goes = |i: &usize| (flies || plans[1 - s].down(*i)) && off(&plans[s], *i);
            let gone: Vec<usize> = ends.into_iter().take_while(goes).collect();
            if gone.len() < stance.len() / 2 {
                gone.iter().for_each(|&i| plans[s].kind[i] = None);
                changed |= !gone.is_empty();
            }
        }
    }
    let kind = &plans[s].kind;
    let stances = core::mem::take(&mut plans[s].stances);
    let parts = |st: core::ops::Range<usize>| {
        let down = runs(st.len(), |k| kind[st.start + k].is_some());
        down.into_iter().map(move |r| st.start + r.start..st.start + r.end)
    };
    plans[s].stances = stances.into_iter().flat_map(parts).collect();
    changed
}

/// Lets flat feet rise on their toes that their legs do not reach; false when there is none.
fn stretch(captured: &Captured, legs: &[Leg; 2], plans: &mut [Plan; 2], root: &Root) -> bool {
    let mut changed = false;
    for s in 0..2 {
        for i in 0..captured.len() {
            let flat = plans[s].kind[i] == Some(ContactKind::Flat) && !plans[s].slides[i];
            let span = || (root.hip(captured, s, i) - plans[s].ankle(&legs[s], i, 0.0)).norm();
            if flat && span() > legs[s].span(0.0) + SHORT {
                plans[s].rise(&legs[s], i);
                changed = true;
            }
        }
    }
    changed
}

/// Lets feet rise on their toes where ankles are at their limits; false when nothing is to be changed.
fn rise(legs: &[Leg; 2], plans: &mut [Plan; 2], limited: &[Vec<Limited>; 2], rate: f64) -> bool {
    let mut changed = false;
    for s in 0..2 {
        let plan = &mut plans[s];
        let n = plan.kind.len();
        let nose = |i: usize| limited[s][i].nose;
        let bears = |i: usize| matches!(plan.kind[i], Some(ContactKind::Flat | ContactKind::Ball));
        let needed: Vec<f64> = (0..n)
            .map(|i| if bears(i) && nose(i) > LEAST_TILT { plan.pitch[i].max(0.0) + nose(i) } else { 0.0 })
            .collect();
        let curve = smooth::above(&needed, rate, TILT);
        for i in 0..n {
            if curve[i] > LEAST_TILT && curve[i] > plan.least[i] + LEAST_TILT {
                match plan.kind[i] {
                    Some(ContactKind::Flat) if !plan.slides[i] => plan.rise(&legs[s], i),
                    Some(ContactKind::Ball) => {}
                    _ => continue,
                }
                plan.least[i] = curve[i].min(plan::STEEPEST);
                changed = true;
            }
            // an ankle that does not stretch far enough
            if plan.kind[i] == Some(ContactKind::Ball) && nose(i) < -LEAST_TILT {
                plan.most[i] = (plan.pitch[i] + nose(i)).max(0.0);
                changed = true;
            }
        }
    }
    changed
}

/// How far the touching point of a foot that is down is from its place.
pub(super) fn off_place(foot: &foot::FootPath, leg: &Leg, plan: &Plan, limited: &Limited, i: usize) -> f64 {
    let point = limited.corner.unwrap_or(plan.point[i]);
    (foot.point(i, &point) - plan.place_of(leg, i, &point)).norm()
}
