//! Whether a motion is repeated, and what of it is played.
//!
//! A cycle stands for a motion when the motion is a walk or run that goes on alike: each foot lands once in the cycle, one about midway
//! between two landings of the other; and over all that is walked neither the heading nor the way, each over one cycle's time, turns away.
//! Turns, starts that matter, jumps, squats are played once. Long recordings of many walks are repeated by their best cycle if they
//! have one, because a plan of minutes takes minutes.

use super::cycle::{Cycle, find_cycle};
use sinew_dynamics::Side;
use sinew_dynamics::spatial::Vec3;
use sinew_motion::{Clip, Travel, edit};

/// Shortest and longest cycle that is looked for, s.
const CYCLE: [f64; 2] = [0.6, 2.4];
/// A motion whose ends are farther apart than this at its best cycle does not cycle, rad.
const REPEATS: f64 = 0.2;
/// A cycle's ends turned farther than this against each other are a turn, rad.
const TURNS: f64 = 0.35;
/// Landings of the other foot lie between these shares of the time between two of one.
const ALTERNATES: [f64; 2] = [0.25, 0.75];
/// Headings, and ways, of a walk that goes on alike lie within this, rad.
const STRAIGHT: f64 = 0.5;
/// Over a stride shorter than this share of the cycle's a walk begins or ends.
const WALKS: f64 = 0.6;
/// What lasts longer is not played once if it has a cycle, and no longer part of it is played, s.
const LONG: f64 = 16.0;
/// Nothing of what stands still is faster, rad/s and m/s.
const STILL: f64 = 0.6;
/// What is kept of the standing before and after, s.
const STANDS: f64 = 0.4;

/// Whether a clip is made a cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Repeats {
    /// If it is a walk that goes on alike.
    #[default]
    Guess,
    /// Yes: its best cycle is cut out.
    Cycle,
    /// No: it is played once.
    Once,
}

/// The cycle that stands for a motion; none when it is played once.
pub(super) fn cycle_of(clip: &Clip, repeats: Repeats) -> Option<Cycle> {
    let landings = Landings::of(clip);
    let strides = |first: usize, frames: usize| landings.alternate(first, frames);
    match repeats {
        Repeats::Once => None,
        Repeats::Cycle => find_cycle(clip, CYCLE, strides).or_else(|| find_cycle(clip, CYCLE, |_, _| true)),
        Repeats::Guess => {
            let cycle = find_cycle(clip, CYCLE, strides)?;
            let way = Travel::between(
                clip.model(),
                clip.frame(cycle.first),
                clip.frame(cycle.first + cycle.frames),
            );
            let repeats = cycle.gap < REPEATS && way.yaw.abs() < TURNS;
            let long = walked(clip).len() as f64 > LONG * clip.rate;
            (repeats && (long || goes_on_alike(clip, &cycle))).then_some(cycle)
        }
    }
}

/// What is played of a motion once: what is walked, and some of the standing before and after.
pub(super) fn once(clip: &Clip) -> Clip {
    let walked = walked(clip);
    let most = (LONG * clip.rate) as usize;
    let last = (walked.end - 1).min(walked.start + most);
    edit::cut(clip, walked.start..=last).unwrap_or_else(|_| clip.clone())
}

/// From when it begins to move until it stands still, and some of what is before and after.
fn walked(clip: &Clip) -> core::ops::Range<usize> {
    let model = clip.model();
    let mut v = vec![0.0; model.nv()];
    let mut moves = |k: &usize| {
        model.difference(clip.frame(k - 1), clip.frame(*k), &mut v);
        v.iter().any(|v| v.abs() * clip.rate > STILL)
    };
    let first = (1..clip.len()).find(&mut moves);
    let last = (1..clip.len()).rev().find(&mut moves);
    let stands = (STANDS * clip.rate) as usize;
    match (first, last) {
        (Some(first), Some(last)) => first.saturating_sub(stands)..(last + stands).min(clip.len() - 1) + 1,
        _ => 0..clip.len(),
    }
}

/// Whether heading and way stay as in the cycle over all that is walked.
fn goes_on_alike(clip: &Clip, cycle: &Cycle) -> bool {
    let model = clip.model();
    let Some(root) = model.free_root() else { return false };
    let n = cycle.frames;
    let place = |k: usize| Vec3::new(clip.frame(k)[root.q], clip.frame(k)[root.q + 1], 0.0);
    // headings without jumps of a whole turn, summed so that means over a stride are differences
    let (mut sums, mut last, mut whole) =
        (vec![0.0], model.heading(clip.frame(0)), model.heading(clip.frame(0)));
    for q in clip.frames() {
        let heading = model.heading(q);
        whole += libm::remainder(heading - last, core::f64::consts::TAU);
        last = heading;
        sums.push(sums[sums.len() - 1] + whole);
    }
    let mean = |k: usize| (sums[k + n] - sums[k]) / n as f64;
    let way = place(cycle.first + n) - place(cycle.first);
    let range = walked(clip);
    (range.start..range.end.saturating_sub(n)).all(|k| {
        let step = place(k + n) - place(k);
        let aside = libm::atan2(way.x * step.y - way.y * step.x, way.dot(&step)).abs();
        let walks = step.norm() > WALKS * way.norm();
        (mean(k) - mean(cycle.first)).abs() < STRAIGHT && (!walks || way.norm() < 0.1 || aside < STRAIGHT)
    })
}

/// Frames in which feet land.
struct Landings([Vec<usize>; 2], [Vec<bool>; 2]);

impl Landings {
    fn of(clip: &Clip) -> Landings {
        let down = |side: Side| -> Vec<bool> {
            (0..clip.len()).map(|k| clip.contacts.as_ref().is_some_and(|c| c.down(side, k))).collect()
        };
        let down = Side::BOTH.map(down);
        let lands = |d: &Vec<bool>| (1..d.len()).filter(|k| d[*k] && !d[*k - 1]).collect();
        Landings([lands(&down[0]), lands(&down[1])], down)
    }

    /// Whether each foot lands once in a range, in turn, and is at its end as at its beginning.
    fn alternate(&self, first: usize, frames: usize) -> bool {
        let mut at = [0.0; 2];
        for side in 0..2 {
            let from = self.0[side].partition_point(|k| *k <= first);
            let to = self.0[side].partition_point(|k| *k <= first + frames);
            if to - from != 1 || self.1[side][first] != self.1[side][first + frames] {
                return false;
            }
            at[side] = (self.0[side][from] - first) as f64 / frames as f64;
        }
        let phase = (at[1] - at[0]).rem_euclid(1.0);
        (ALTERNATES[0]..=ALTERNATES[1]).contains(&phase)
    }
}
