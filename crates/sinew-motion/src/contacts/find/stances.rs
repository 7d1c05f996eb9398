//! Stances: runs of frames in which a foot is slow, near a level of its own.

use super::{GRAVITY, Seen};
use crate::contacts::runs;
use crate::filter;
use core::ops::Range;

/// Slow: below this times the greater of the foot's greatest speed and so many leg lengths a second; until so many times that.
const SLOW: (f64, f64) = (0.15, 1.0);
const RELEASE: f64 = 1.6;
/// The part of the slowest frames from which the level comes.
const SLOWEST: f64 = 0.25;
/// A knee held up: the other foot is slow and this much lower, leg lengths, in this part of the frames.
const LOWER: f64 = 0.06;
const HELD_UP: f64 = 0.6;
/// No stance: the centre of mass falls with more than this, gravities, in this part of the frames.
pub(super) const FALLS: f64 = 0.5;
const FALLING: f64 = 0.5;
/// Height above the level at which a stance begins and ends, leg lengths.
const NEAR: (f64, f64) = (0.055, 0.083);
/// A foot that is so high above its level, leg lengths, for so long, s, has left.
const LEFT: (f64, f64) = (0.03, 0.1);
/// Shortest gap and shortest stance, s.
const SHORTEST: (f64, f64) = (0.1, 0.05);

/// A foot on the ground.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Stance {
    pub(super) frames: Range<usize>,
    /// Above the floor, m.
    pub(super) level: f64,
    /// Frames in which it went from one place to another, when that is so.
    pub(super) moved: Vec<Range<usize>>,
}

/// The stances of a foot, in order.
pub(super) fn find(seen: &Seen, side: usize) -> Vec<Stance> {
    let (foot, other) = (&seen.feet[side], &seen.feet[1 - side]);
    let frames = foot.low.len();
    let limit = |of: &super::Foot, i: usize| SLOW.0 * (SLOW.1 * seen.leg).max(of.fast[i]);
    let slow = hysteresis(frames, |i| foot.slow[i] / limit(foot, i), RELEASE);
    let lowest = |i: usize| foot.low[i] - foot.tip[i];
    let mut down = vec![false; frames];
    for run in runs(frames, |i| slow[i]) {
        let level = level(seen, side, &run);
        let share = |holds: &dyn Fn(usize) -> bool| {
            run.clone().filter(|&i| holds(i)).count() as f64 / run.len() as f64
        };
        let held_up =
            share(&|i| other.slow[i] < limit(other, i) && other.low[i] < foot.low[i] - LOWER * seen.leg);
        let falling = share(&|i| seen.rise[0][i] < -FALLS * GRAVITY);
        if held_up > HELD_UP || falling > FALLING {
            continue;
        }
        let near =
            hysteresis(run.len(), |i| (lowest(run.start + i) - level) / (NEAR.0 * seen.leg), NEAR.1 / NEAR.0);
        run.clone().zip(near).for_each(|(i, near)| down[i] = near);
        for high in runs(run.len(), |i| lowest(run.start + i) - level > LEFT.0 * seen.leg) {
            if high.len() >= filter::frames(LEFT.1, seen.rate) {
                high.for_each(|i| down[run.start + i] = false);
            }
        }
    }
    for gap in runs(frames, |i| !down[i]) {
        let inside = gap.start > 0 && gap.end < frames;
        if inside && (gap.len() as f64) < SHORTEST.0 * seen.rate {
            down[gap].fill(true);
        }
    }
    let lasts = |run: &Range<usize>| {
        let cut = run.start == 0 || run.end == frames;
        cut || run.len() as f64 >= SHORTEST.1 * seen.rate
    };
    let found = runs(frames, |i| down[i]).into_iter().filter(lasts);
    found.map(|frames| Stance { level: level(seen, side, &frames), frames, moved: Vec::new() }).collect()
}

/// The median height over the slowest frames of a run.
fn level(seen: &Seen, side: usize, run: &Range<usize>) -> f64 {
    let foot = &seen.feet[side];
    let mut order: Vec<usize> = run.clone().collect();
    order.sort_by(|&a, &b| foot.slow[a].total_cmp(&foot.slow[b]).then(a.cmp(&b)));
    order.truncate(((SLOWEST * run.len() as f64) as usize).max(1));
    let mut heights: Vec<f64> = order.iter().map(|&i| foot.low[i]).collect();
    heights.sort_by(f64::total_cmp);
    heights[heights.len() / 2]
}

/// Frames from where a measure falls below 1 until it exceeds `release`, in both directions of time.
fn hysteresis(frames: usize, measure: impl Fn(usize) -> f64, release: f64) -> Vec<bool> {
    let mut out = vec![false; frames];
    for run in runs(frames, |i| measure(i) < release) {
        if run.clone().any(|i| measure(i) < 1.0) {
            out[run].fill(true);
        }
    }
    out
}
