//! One clip after another, and a clip that closes on itself.
//!
//! The second clip is moved over the floor so that its first frame stands where the last of the first one does ([`Travel`]);
//! then the displacement that remains is faded out over a time by equation 6 of Lee, Kim, Lee 2010 ([`Warp`]), or the two
//! are blended while both move.

use super::blend::{Warp, blend};
use crate::transition::{ease, ease_out};
use crate::{Clip, FootContacts, Travel};
use core::ops::RangeInclusive;

/// Why clips cannot be put together.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum JoinError {
    /// Not the same body.
    #[error("\"{0}\" and \"{1}\" are motions of different bodies")]
    Model(String, String),
    /// Not the same rate.
    #[error("{0} and {1} frames/s: resample one first")]
    Rate(f64, f64),
    /// Frames that are not there.
    #[error("frames {from} to {to} are not in a clip of {frames} frames")]
    Range {
        /// First frame asked for.
        from: usize,
        /// Last frame asked for.
        to: usize,
        /// Frames there are.
        frames: usize,
    },
}

/// Two clips must be of one body and of one rate.
pub(crate) fn compatible(a: &Clip, b: &Clip) -> Result<(), JoinError> {
    if a.model().nq() != b.model().nq() || a.model().name() != b.model().name() {
        return Err(JoinError::Model(a.name.clone(), b.name.clone()));
    }
    if a.rate != b.rate {
        return Err(JoinError::Rate(a.rate, b.rate));
    }
    Ok(())
}

/// `clip` moved over the floor.
///
/// ```
/// use sinew_dynamics::{characters, spatial::Vec3};
/// use sinew_motion::{Clip, Travel, edit};
/// let human = std::sync::Arc::new(characters::load("human")?);
/// let still = Clip::new("still", human.clone(), 30.0, human.neutral())?;
/// let there = edit::moved(&still, &Travel { yaw: 0.0, shift: Vec3::new(3.0, 0.0, 0.0) });
/// assert_eq!(there.frame(0)[0], 3.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn moved(clip: &Clip, by: &Travel) -> Clip {
    let mut moved = clip.clone();
    let model = clip.model().clone();
    (0..clip.len()).for_each(|i| by.apply_to(&model, moved.frame_mut(i)));
    moved
}

/// The frames of a range.
pub fn cut(clip: &Clip, range: RangeInclusive<usize>) -> Result<Clip, JoinError> {
    let (from, to) = (*range.start(), *range.end());
    if from > to || to >= clip.len() {
        return Err(JoinError::Range { from, to, frames: clip.len() });
    }
    let nq = clip.model().nq();
    let contacts = clip.contacts.as_ref().map(|c| c.range(from..to + 1));
    let mut part = clip.with_frames(clip.rate, clip.as_slice()[from * nq..(to + 1) * nq].to_vec(), contacts);
    part.provenance.add(format!("frames {from} to {to}"));
    Ok(part)
}

/// `a`, then `b`: moved to where `a` ends and warped over its first `seconds` so that nothing jumps. The last frame of `a` and
/// the first of `b` are one.
///
/// ```
/// use sinew_dynamics::characters;
/// use sinew_motion::{Clip, edit};
/// let human = std::sync::Arc::new(characters::load("human")?);
/// let knee = human.joints()[human.joint("knee_l").unwrap().0].q;
/// let straight = Clip::new("a", human.clone(), 30.0, human.neutral().repeat(11))?;
/// let mut bent = straight.clone();
/// (0..11).for_each(|i| bent.frame_mut(i)[knee] = 0.4);
/// let both = edit::join(&straight, &bent, 0.2)?;
/// assert_eq!(both.len(), 21);
/// assert_eq!(both.frame(10)[knee], 0.0);
/// assert!((both.frame(13)[knee] - 0.2).abs() < 1e-12); // half way
/// assert_eq!(both.frame(20)[knee], 0.4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn join(a: &Clip, b: &Clip, seconds: f64) -> Result<Clip, JoinError> {
    compatible(a, b)?;
    let model = a.model().clone();
    let end = a.frame(a.len() - 1);
    let travel = Travel::between(&model, b.frame(0), end);
    let mut next = moved(b, &travel);
    let mut warp = Warp::new(&model);
    warp.set(end, next.frame(0));
    for i in 0..next.len() {
        let x = if seconds > 0.0 { i as f64 / (seconds * b.rate) } else { f64::from(i > 0) };
        warp.apply(ease_out(x), next.frame_mut(i));
    }
    let mut q = a.as_slice().to_vec();
    q.extend_from_slice(&next.as_slice()[model.nq()..]);
    let contacts = both_contacts(a, &next, a.len(), a.len() - 1);
    let mut joined = a.with_frames(a.rate, q, contacts);
    joined.provenance.add(format!("joined with {}", b.name));
    Ok(joined)
}

/// `a` up to its last `seconds`, which are blended into the first of `b`, both moving; then the rest of `b`.
///
/// `b` is moved so that it agrees with `a` in the middle of the blend.
pub fn cross_fade(a: &Clip, b: &Clip, seconds: f64) -> Result<Clip, JoinError> {
    compatible(a, b)?;
    let model = a.model().clone();
    let (nq, longest) = (model.nq(), a.len().min(b.len()) - 1);
    let frames = (libm::round(seconds.max(0.0) * a.rate) as usize).min(longest);
    let start = a.len() - 1 - frames;
    let next = moved(b, &Travel::between(&model, b.frame(frames / 2), a.frame(start + frames / 2)));
    let mut q = a.as_slice()[..start * nq].to_vec();
    let mut between = model.neutral();
    for i in 0..=frames {
        let weight = if frames == 0 { 1.0 } else { ease(i as f64 / frames as f64) };
        blend(&model, a.frame(start + i), next.frame(i), weight, &mut between);
        q.extend_from_slice(&between);
    }
    q.extend_from_slice(&next.as_slice()[(frames + 1) * nq..]);
    let contacts = both_contacts(a, &next, start + frames.div_ceil(2), start);
    let mut faded = a.with_frames(a.rate, q, contacts);
    faded.provenance.add(format!("faded into {}", b.name));
    Ok(faded)
}

/// Contacts of `a` up to frame `change`, then those of `b`, whose first frame is frame `start`.
fn both_contacts(a: &Clip, b: &Clip, change: usize, start: usize) -> Option<FootContacts> {
    let (mut all, next) = (a.contacts.as_ref()?.range(0..change), b.contacts.as_ref()?);
    all.extend(&next.range(change - start..next.len()));
    Some(all)
}

/// The clip with its end bent so that its last frame is its first, moved over the floor: ready to loop.
///
/// The closing error, height and tilt included, is spread over the last `seconds`.
///
/// ```
/// use sinew_dynamics::characters;
/// use sinew_motion::{Clip, edit};
/// let human = std::sync::Arc::new(characters::load("human")?);
/// let knee = human.joints()[human.joint("knee_l").unwrap().0].q;
/// let mut clip = Clip::new("a", human.clone(), 30.0, human.neutral().repeat(31))?;
/// (0..31).for_each(|i| clip.frame_mut(i)[knee] = 0.01 * i as f64);
/// let cycle = edit::cyclic(&clip, 0.5);
/// assert_eq!(cycle.frame(30)[knee], 0.0);
/// assert_eq!(cycle.frame(15)[knee], 0.15); // before the bend
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn cyclic(clip: &Clip, seconds: f64) -> Clip {
    let model = clip.model().clone();
    let last = clip.len() - 1;
    let mut closing = clip.frame(0).to_vec();
    Travel::between(&model, clip.frame(0), clip.frame(last)).apply_to(&model, &mut closing);
    let mut warp = Warp::new(&model);
    warp.set(&closing, clip.frame(last));
    let mut cycle = clip.clone();
    for i in 0..=last {
        let before_end = (last - i) as f64 / clip.rate;
        let weight = if seconds > 0.0 { ease_out(before_end / seconds) } else { f64::from(i == last) };
        warp.apply(weight, cycle.frame_mut(i));
    }
    cycle.frame_mut(last).copy_from_slice(&closing);
    cycle.provenance.add("made cyclic");
    cycle
}
