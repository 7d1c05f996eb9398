//! Flight: no foot is on the ground, and the body falls.
//!
//! A rule of speed leaves gaps between one foot's stance and the other's that no walk has. Where the centre of mass does not
//! fall, somebody carries it: the stances before and after are extended until they meet and overlap a little. Where it falls, they are
//! extended, or cut, to where the fall begins and ends. A long gap without a fall is left as it is: hands or a seat may carry.

use super::stances::{FALLS, Stance};
use super::{GRAVITY, Seen};
use crate::contacts::runs;
use crate::filter;
use core::ops::Range;

/// A body that falls with more than this, gravities, is in flight.
const FREE: f64 = 0.65;
/// Shortest fall, s.
const SHORTEST: f64 = 0.04;
/// Farthest that a stance is extended to a fall, s.
const REACH: f64 = 0.1;
/// Overlap of two stances that are made to meet, s.
const OVERLAP: f64 = 0.01;
/// A foot that is farther away after a gap than this, m, was moved.
const MOVED: f64 = 0.02;
/// Longest gap that is closed, s.
const LONGEST: f64 = 0.4;

/// Extends stances over gaps; returns the flights that remain.
pub(super) fn settle(seen: &Seen, stances: &mut [Vec<Stance>; 2]) -> Vec<Range<usize>> {
    let frames = seen.rise[0].len();
    let down = |stances: &[Vec<Stance>; 2], i: usize| stances.iter().flatten().any(|s| s.frames.contains(&i));
    lift(seen, stances);
    let mut covered = vec![false; frames];
    stances.iter().flatten().for_each(|s| covered[s.frames.clone()].fill(true));
    let mut flights = Vec::new();
    for gap in runs(frames, |i| !covered[i]) {
        let falls = runs(gap.len(), |i| seen.rise[1][gap.start + i] < -FALLS * GRAVITY);
        let longest = falls.into_iter().max_by_key(|f| f.len());
        let before = last(stances, gap.start);
        let after = first(stances, gap.end);
        match longest.filter(|f| f.len() as f64 >= SHORTEST * seen.rate) {
            Some(fall) => {
                let reach = filter::frames(REACH, seen.rate);
                let (off, on) = (gap.start + fall.start, gap.start + fall.end);
                before.iter().for_each(|&(s, k)| {
                    stances[s][k].frames.end = off.min(gap.start + reach).max(stances[s][k].frames.end);
                });
                after.iter().for_each(|&(s, k)| {
                    stances[s][k].frames.start =
                        on.max(gap.end.saturating_sub(reach)).min(stances[s][k].frames.start);
                });
                let free: Vec<usize> = gap.clone().filter(|&i| !down(stances, i)).collect();
                if let (Some(&a), Some(&b)) = (free.first(), free.last()) {
                    flights.push(a..b + 1);
                }
            }
            None if gap.len() as f64 <= LONGEST * seen.rate => {
                let over = filter::frames(OVERLAP, seen.rate);
                let middle = match (before.is_empty(), after.is_empty()) {
                    (false, false) => gap.start + gap.len() / 2,
                    (true, _) => gap.start,
                    (_, true) => gap.end,
                };
                before.iter().for_each(|&(s, k)| {
                    stances[s][k].frames.end = (middle + over).min(frames).min(gap.end + over)
                });
                after.iter().for_each(|&(s, k)| {
                    stances[s][k].frames.start =
                        middle.saturating_sub(over).max(gap.start.saturating_sub(over));
                });
            }
            None => {}
        }
    }
    let half = filter::frames(0.5 * LONGEST, seen.rate);
    for (side, list) in stances.iter_mut().enumerate() {
        // two stances of one foot that now touch are one
        let mut merged: Vec<Stance> = Vec::with_capacity(list.len());
        for stance in list.drain(..) {
            match merged.last_mut() {
                Some(last) if last.frames.end >= stance.frames.start => {
                    last.level =
                        if last.frames.len() >= stance.frames.len() { last.level } else { stance.level };
                    let (a, b) = (last.frames.end.min(frames) - 1, stance.frames.start);
                    let (from, to) =
                        (b.saturating_sub(half).max(last.frames.start), (a + half).min(stance.frames.end));
                    let at = |i: usize| (seen.feet[side].heel[i] + seen.feet[side].ball[i]).xy() * 0.5;
                    if (at(to.min(frames - 1)) - at(from)).norm() > MOVED {
                        last.moved.push(from..to);
                    }
                    last.moved.extend(stance.moved);
                    last.frames.end = last.frames.end.max(stance.frames.end);
                }
                _ => merged.push(stance),
            }
        }
        *list = merged;
    }
    flights
}

/// Takes from stances what lies in a fall: a body in free fall stands on nothing, however slow its feet are.
fn lift(seen: &Seen, stances: &mut [Vec<Stance>; 2]) {
    let reach = filter::frames(REACH, seen.rate);
    let free = |i: usize| seen.rise[1][i] < -FREE * GRAVITY && seen.rise[0][i] < -FALLS * GRAVITY;
    for fall in runs(seen.rise[0].len(), free) {
        if (fall.len() as f64) < SHORTEST * seen.rate {
            continue;
        }
        for stance in stances.iter_mut().flatten() {
            let Range { start, end } = stance.frames.clone();
            if fall.contains(&end) {
                stance.frames.end = fall.start.max(end.saturating_sub(reach)).max(start + 1);
            }
            if fall.contains(&start) && start > 0 {
                stance.frames.start = fall.end.min(start + reach).min(end - 1);
            }
        }
    }
}

/// The stances that end where a gap begins.
fn last(stances: &[Vec<Stance>; 2], at: usize) -> Vec<(usize, usize)> {
    ends(stances, |s| s.frames.end == at && at > 0)
}

/// The stances that begin where a gap ends.
fn first(stances: &[Vec<Stance>; 2], at: usize) -> Vec<(usize, usize)> {
    ends(stances, |s| s.frames.start == at)
}

fn ends(stances: &[Vec<Stance>; 2], holds: impl Fn(&Stance) -> bool) -> Vec<(usize, usize)> {
    let of = |side: usize| (0..stances[side].len()).map(move |k| (side, k));
    (0..2).flat_map(of).filter(|&(s, k)| holds(&stances[s][k])).collect()
}
