//! Cycles and ends: the part of a walk that repeats, what is walked of a clip, from standing to standing.

use crate::cleanup::{CleanParams, Ground, clean};
use crate::contacts::{Gait, runs};
use crate::{Clip, Travel, edit};
use core::ops::RangeInclusive;
use sinew_dynamics::Side;

/// A difference of this velocity weighs as much as one of one radian, rad/s.
const VELOCITY: f64 = 8.0;
/// A difference of height weighs as much as this angle, m for one rad.
const HEIGHT: f64 = 0.3;
/// Time over which what is left of the closing error fades, s.
const CLOSE: f64 = 0.15;
/// A foot that is in the air for less than this was not lifted, s: contacts of simulated runs begin and end with chatter.
const LIFTED: f64 = 0.1;
/// Whose root is slower than this stands, m/s.
const STANDS: f64 = 0.08;

/// The gait cycle of a walk whose end is most like its beginning, from a landing to the next of the same foot; none when it has none.
///
/// ```
/// use sinew_dynamics::characters;
/// use sinew_motion::{motions, reference};
/// let human = std::sync::Arc::new(characters::load("human")?);
/// let start = motions::load("start", &human)?;
/// let frames = reference::best_cycle(&start).unwrap();
/// let cycle = reference::cycle(&start, frames)?;
/// assert!(cycle.duration() > 0.8 && cycle.duration() < 1.4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn best_cycle(clip: &Clip) -> Option<RangeInclusive<usize>> {
    let cycles = Gait::cycles(clip.contacts.as_ref()?, clip.rate);
    let fits = cycles.iter().filter(|(_, c)| c.end < clip.len());
    let cost = |c: &core::ops::Range<usize>| mismatch(clip, c.start, c.end);
    let best = fits.min_by(|(_, a), (_, b)| cost(a).total_cmp(&cost(b)))?;
    Some(best.1.start..=best.1.end)
}

/// How unlike two frames are, place and heading apart: squares of angles and rates.
fn mismatch(clip: &Clip, a: usize, b: usize) -> f64 {
    let model = clip.model();
    let mut moved = clip.frame(a).to_vec();
    Travel::between(model, clip.frame(a), clip.frame(b)).apply_to(model, &mut moved);
    let mut gap = vec![0.0; model.nv()];
    model.difference(&moved, clip.frame(b), &mut gap);
    gap[2] /= HEIGHT;
    let rates = |k: usize| {
        let (from, to) = (k.saturating_sub(1), (k + 1).min(clip.len() - 1));
        let mut v = vec![0.0; model.nv()];
        model.difference(clip.frame(from), clip.frame(to), &mut v);
        v.iter_mut().for_each(|x| *x *= clip.rate / (to - from).max(1) as f64);
        v
    };
    let (va, vb) = (rates(a), rates(b));
    let places: f64 = gap.iter().map(|x| x * x).sum();
    // of the joints: the root's are along the way it goes
    let speeds: f64 = va.iter().zip(&vb).skip(6).map(|(x, y)| (x - y) * (x - y)).sum();
    places + speeds / (VELOCITY * VELOCITY)
}

/// Some frames as a cycle that goes on for ever: the closing error, tilt and height included, is spread evenly over it, feet are planted again
/// in the middle of three rounds, and what is left fades over the last 0.15 s.
///
/// # Errors
/// When there are no such frames.
pub fn cycle(clip: &Clip, frames: RangeInclusive<usize>) -> Result<Clip, edit::JoinError> {
    let mut part = edit::cut(clip, frames)?;
    let model = part.model().clone();
    let last = part.len() - 1;
    let mut closing = part.frame(0).to_vec();
    Travel::between(&model, part.frame(0), part.frame(last)).apply_to(&model, &mut closing);
    let mut error = vec![0.0; model.nv()];
    model.difference(part.frame(last), &closing, &mut error);
    let mut moved = model.neutral();
    for i in 1..=last {
        let share: Vec<f64> = error.iter().map(|x| x * i as f64 / last as f64).collect();
        model.integrate(part.frame(i), &share, &mut moved);
        part.frame_mut(i).copy_from_slice(&moved);
    }
    if let Some(contacts) = &mut part.contacts {
        // the last frame is the first
        for side in Side::BOTH {
            let kind = contacts.kind(side, 0);
            let level = contacts.level[side as usize][0];
            contacts.set(side, last, kind, level);
        }
    }
    let three = edit::join(&edit::join(&part, &part, 0.0)?, &part, 0.0)?;
    let flat = three.contacts.as_ref().is_some_and(|c| c.level.iter().flatten().all(|&z| z == 0.0));
    let planted = match &three.contacts {
        // on slopes and stairs levels go on rising: they are those of the one round
        Some(contacts) if flat => {
            let params = CleanParams { ground: Ground::Flat, smooth: None };
            clean(&three, contacts, &params).map_or(three.clone(), |cleaned| cleaned.clip)
        }
        _ => three.clone(),
    };
    let middle = edit::cut(&planted, last..=2 * last)?;
    let mut closed = edit::cyclic(&middle, CLOSE);
    closed.provenance = clip.provenance.clone();
    closed.provenance.add(format!("a cycle of {last} frames"));
    Ok(closed)
}

/// From the last frame before the first foot is lifted to the first after the last foot has landed: what is walked, without the standing before and
/// after; none when no foot is lifted.
pub fn walked(clip: &Clip) -> Option<RangeInclusive<usize>> {
    let contacts = clip.contacts.as_ref()?;
    let air = |side: Side| runs(clip.len(), |k| !contacts.down(side, k));
    let lifted = |r: &core::ops::Range<usize>| r.len() as f64 >= LIFTED * clip.rate;
    let all: Vec<_> = Side::BOTH.into_iter().flat_map(air).filter(lifted).collect();
    let first = all.iter().map(|r| r.start).min()?;
    let last = all.iter().map(|r| r.end).max()?;
    Some(first.saturating_sub(1)..=last.min(clip.len() - 1))
}

/// The clip once, from standing to standing, with `hold` seconds of rest added at both ends; none when nobody stands at its ends.
pub fn from_standing(clip: &Clip, hold: f64) -> Option<Clip> {
    let contacts = clip.contacts.as_ref()?;
    let (at, _) = crate::layout::free_root(clip.model())?;
    let root = |k: usize| crate::layout::vec3_at(clip.frame(k), at);
    let stands = |k: &usize| {
        let (a, b) = (k.saturating_sub(1), (k + 1).min(clip.len() - 1));
        let speed = (root(b) - root(a)).norm() * clip.rate / (b - a).max(1) as f64;
        speed < STANDS && Side::BOTH.iter().all(|&side| contacts.down(side, *k))
    };
    let walk = walked(clip)?;
    // the last rest before the first step, and the first after the last
    let first = (0..=*walk.start()).rev().find(stands)?;
    let last = (*walk.end()..clip.len()).find(stands)?;
    let part = edit::cut(clip, first..=last).ok()?;
    let still = libm::round(hold.max(0.0) * clip.rate) as usize;
    let nq = clip.model().nq();
    let mut q = part.frame(0).repeat(still);
    q.extend_from_slice(part.as_slice());
    q.extend(part.frame(part.len() - 1).repeat(still));
    debug_assert_eq!(q.len(), (part.len() + 2 * still) * nq);
    let ends = (0..part.len() + 2 * still).map(|k| k.saturating_sub(still).min(part.len() - 1));
    let contacts = part.contacts.as_ref().map(|c| c.picked(ends));
    let mut whole = part.with_frames(part.rate, q, contacts);
    whole.provenance.add("from standing to standing");
    Some(whole)
}
