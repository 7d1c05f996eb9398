//! The pitch of feet on heel and toes: it gives way so that the knee need not.
//!
//! On the toes: the least pitch for which hip and ankle are as far apart as the captured bend of the knee says, `|H + r − A(p)| = D(k + e)`.
//! `e` is the error of the knee where the foot was flat last, faded over 0.15 s. On the heel the pitch stays near the captured one, and the
//! knee near its own. Where a foot rolls from heel to toes without being flat, one frame is.

use super::leg::{Captured, Leg, STRAIGHT};
use super::plan::{Plan, STEEPEST};
use super::root::Root;
use crate::contacts::ContactKind;
use crate::transition::ease_out;

/// Time over which the knee's error fades, and in which a heel's pitch comes to zero, s.
const FADE: f64 = 0.15;
const LANDS: f64 = 0.055;
/// So much of a heel's pitch from the captured one, rad, weighs as much as so much of the knee, rad; it is within `ROOM` of it.
const HEEL: f64 = 0.175;
const ROOM: f64 = 0.32;
const KNEE: f64 = 0.0175;
/// A leg that is too short for a heel's place by this weighs as much, m.
const REACH: f64 = 3e-4;
/// Steps of the search, rad.
const STEP: f64 = 0.0175;

/// Sets the pitches of a foot.
pub(super) fn settle(captured: &Captured, legs: &[Leg; 2], s: usize, plan: &mut Plan, root: &Root) {
    let leg = &legs[s];
    for stance in plan.stances.clone() {
        let flat = |i: usize| plan.kind[i] == Some(ContactKind::Flat);
        let near: Vec<Option<(usize, f64)>> = {
            // the nearest flat frame of the stance, with the knee's error there
            let of = |i: usize| {
                let distance = root.hip(captured, s, i) - plan.ankle(leg, i, 0.0);
                leg.bend(distance.norm()) - captured.bend[s][i]
            };
            let first = stance.clone().find(|&i| flat(i));
            let last = stance.clone().rev().find(|&i| flat(i));
            let nearest = |i: usize| match (first, last) {
                (Some(a), _) if i < a => Some((a, of(a))),
                (_, Some(b)) if i > b => Some((b, of(b))),
                (Some(_), _) => Some((i, of(i))),
                _ => None,
            };
            stance.clone().map(nearest).collect()
        };
        for (i, near) in stance.clone().zip(near) {
            let away = near.map_or(f64::INFINITY, |(at, _)| at.abs_diff(i) as f64 / captured.rate);
            let error = near.map_or(0.0, |(_, e)| e * ease_out(away / FADE));
            let wanted = (captured.bend[s][i] + error).max(STRAIGHT);
            let hip = root.hip(captured, s, i);
            let span = |pitch: f64| (hip - plan.ankle(leg, i, pitch)).norm();
            let pitch = match plan.kind[i] {
                Some(ContactKind::Ball) => toes(&span, leg.span(wanted)),
                Some(ContactKind::Heel) => {
                    // between the flat frame and the air the pitch goes as captured
                    let part = 1.0 - ease_out(away / LANDS);
                    let captured = (plan.captured[i] * part).min(0.0);
                    let reach = leg.span(0.0);
                    heel(
                        &|p| leg.bend(span(p)),
                        &|p| (span(p) - reach).max(0.0),
                        wanted,
                        captured,
                        ROOM * part,
                    )
                }
                _ => 0.0,
            };
            let turns_over = plan.kind[i] == Some(ContactKind::Ball)
                && i > stance.start
                && plan.kind[i - 1] == Some(ContactKind::Heel);
            plan.pitch[i] = if turns_over { 0.0 } else { pitch.min(plan.most[i]).max(plan.least[i]) };
        }
    }
}

/// The least pitch at which the span is as wanted; where there is none, the one that comes nearest.
fn toes(span: &dyn Fn(f64) -> f64, wanted: f64) -> f64 {
    let (mut low, mut before) = (0.0, span(0.0) - wanted);
    if before <= 0.0 {
        return 0.0;
    }
    let mut best = (before, 0.0);
    while low < STEEPEST {
        let high = (low + STEP).min(STEEPEST);
        let after = span(high) - wanted;
        if after <= 0.0 {
            // the span is smooth: a few halvings and a secant
            let (mut a, mut b, mut fa, mut fb) = (low, high, before, after);
            for _ in 0..4 {
                let middle = 0.5 * (a + b);
                let f = span(middle) - wanted;
                if f > 0.0 { (a, fa) = (middle, f) } else { (b, fb) = (middle, f) }
            }
            return if fa > fb { a + (b - a) * fa / (fa - fb) } else { b };
        }
        if after < best.0 {
            best = (after, high);
        }
        (low, before) = (high, after);
    }
    best.1
}

/// The pitch near the captured one that is best for the knee.
fn heel(
    bend: &dyn Fn(f64) -> f64,
    beyond: &dyn Fn(f64) -> f64,
    wanted: f64,
    captured: f64,
    room: f64,
) -> f64 {
    let cost = |p: f64| {
        let (knee, aside) = ((bend(p) - wanted) / KNEE, (p - captured) / HEEL);
        let short = beyond(p) / REACH;
        knee * knee + aside * aside + short * short
    };
    let (low, high) = (captured - room, (captured + room).min(0.0));
    // golden section: the cost has one valley in so small a range
    let golden = 0.618_033_988_749_894_9;
    let (mut a, mut b) = (low, high);
    let (mut x, mut y) = (b - golden * (b - a), a + golden * (b - a));
    let (mut fx, mut fy) = (cost(x), cost(y));
    for _ in 0..12 {
        if fx < fy {
            (b, y, fy) = (y, x, fx);
            x = b - golden * (b - a);
            fx = cost(x);
        } else {
            (a, x, fx) = (x, y, fy);
            y = a + golden * (b - a);
            fy = cost(y);
        }
    }
    0.5 * (a + b)
}
