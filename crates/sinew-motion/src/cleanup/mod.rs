//! Clean-up: feet that stand where they stand, on a floor that is a floor, with knees that are never overstretched.
//!
//! A retargeted motion keeps the directions of all bones, so feet of a body with other proportions slide, hover and dip by
//! centimetres. From the contacts ([`contacts::find`](crate::contacts::find), or given) follows, in this order:
//!
//! 1. **Floor.** The height by which touching soles miss the ground is taken out of the root as a smooth curve, which removes the
//!    drift of captured floors. (On terrain a constant.)
//! 2. **Plants.** Every contact of a heel or of toes has one place on the ground. Both: flat with one heading. Heel only: the foot
//!    turns about its rear edge; toes only: about its front edge, as it did, without roll.
//! 3. **Root.** The mean correction of the standing feet, low-passed, moves the whole body, so that legs keep their shape.
//! 4. **Swing.** In the air corrections fade out and in smoothly, speeds included; soles that would dip are lifted.
//! 5. **Reach.** Where a standing leg would be longer than it is, the root is lowered by a smooth curve.
//! 6. **Legs.** Analytic IK ([`LimbIk`](crate::ik::LimbIk)) puts every foot to its place. Where an ankle would bend too far, the root rises by up
//!    to 2 cm; what that does not mend tilts the foot about its toes (a squat deeper than the ankle bends lifts the heel), as a smooth
//!    curve planned ahead; and where other limits keep an edge from its place, the root follows. Legs that are no limbs of two links
//!    are solved by damped least squares.
//!
//! Hands that hold on ([`Grips`], [`clean_holding`]) stay where they hold, in the same manner.
//!
//! Cost: about 60 µs per frame. Source: da Silva 2010, Kovar, Schreiner, Gleicher 2002 ("Footskate cleanup"), with rolling feet.

mod figures;
mod foot;
mod hands;
mod legs;
pub(crate) mod smooth;
mod stance;

pub use figures::{Figures, measure, pose_difference};
pub use hands::Grips;

use crate::{Clip, FootContacts};
use foot::{FootPath, FootShape, paths};
use legs::{Legs, Mode};
use serde::{Deserialize, Serialize};
use sinew_dynamics::spatial::Vec3;
use sinew_dynamics::{BodyId, Role, Side};
use stance::Planted;

/// What the feet stand on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ground {
    /// The plane z = 0: soles are put on it.
    #[default]
    Flat,
    /// Slopes, steps, anything: soles stay at the heights and angles at which they stand.
    Terrain,
}

/// Numbers of the clean-up.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct CleanParams {
    /// What the feet stand on.
    pub ground: Ground,
    /// Cut-off of the root's corrections, Hz.
    pub root_cutoff: f64,
    /// Longest time in which a foot's correction fades in the air, s.
    pub fade: f64,
    /// Longest leg, as a part of its stretched length.
    pub stretch: f64,
    /// Cut-off of a smoothing of the whole motion before all else, Hz; none: no smoothing.
    pub smooth: Option<f64>,
}

impl Default for CleanParams {
    fn default() -> CleanParams {
        CleanParams { ground: Ground::Flat, root_cutoff: 1.0, fade: 0.3, stretch: 0.999, smooth: None }
    }
}

/// A cleaned motion.
#[derive(Clone, Debug)]
pub struct Cleaned {
    /// The motion, with its contacts.
    pub clip: Clip,
    /// Before.
    pub before: Figures,
    /// After.
    pub after: Figures,
    /// Mean angle by which parts of the body were turned, rad.
    pub turned: f64,
    /// Frames of one foot that had to be solved with limits in the way.
    pub limited: usize,
    /// Frames of a heel or of toes that joint limits keep from where they should stand: contacts no more.
    pub lost: usize,
    /// Lowest place of the root relative to before, from legs that would not reach, m.
    pub lowered: f64,
    /// Farthest that a hand that holds on was from one place, m.
    pub hands_before: f64,
    /// The same after; more than nothing where arms do not reach.
    pub hands_after: f64,
}

/// Why a clip cannot be cleaned.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CleanError {
    /// A part is missing.
    #[error("no body of the character is known to be its {0}; give one in its role table")]
    Part(Role),
    /// The contacts are of another clip.
    #[error("the contacts have {got} frames, the clip {frames}")]
    Frames {
        /// Of the contacts.
        got: usize,
        /// Of the clip.
        frames: usize,
    },
    /// The character's root is not free.
    #[error("the character needs a free root joint")]
    NoRoot,
}

/// Time over which a swinging foot that would dip is lifted, s.
const CLEARANCE: f64 = 0.08;
/// Passes in which the root follows feet that limits keep from their places, and the time over which it does, s.
const PASSES: usize = 16;
const FOLLOW: f64 = 0.2;
/// By how much more than what is missing it moves: a limb at its limit gains less than its base moves.
const EAGER: f64 = 1.5;
/// Farthest that the root rises for ankles that bend too far, m.
const RAISED: f64 = 0.02;
/// Time over which a foot tilts that cannot lie flat, s, and the least tilt that is planned, rad.
const TILT: f64 = 0.2;
const LEAST_TILT: f64 = 2e-3;
/// Feet nearer to their places than this are there, m.
const MISSED: f64 = 2e-4;

/// Puts the feet of a clip on the ground.
///
/// ```
/// use sinew_dynamics::characters;
/// use sinew_motion::{Clip, FootContacts, cleanup::{clean, CleanParams}};
/// let human = std::sync::Arc::new(characters::load("human")?);
/// let mut q = human.neutral().repeat(60);
/// // slides forward and hovers
/// q.chunks_mut(human.nq()).enumerate().for_each(|(i, q)| (q[0], q[2]) = (0.001 * i as f64, q[2] + 0.02));
/// let clip = Clip::new("sliding", human, 30.0, q)?;
/// let mut contacts = FootContacts::none(60);
/// contacts.heel.iter_mut().chain(&mut contacts.toe).for_each(|f| f.fill(true));
/// let cleaned = clean(&clip, &contacts, &CleanParams::default())?;
/// assert!(cleaned.before.skate_mm > 58.0 && cleaned.after.skate_mm < 1e-6);
/// assert!(cleaned.before.height_mm > 19.0 && cleaned.after.height_mm < 1e-6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn clean(clip: &Clip, contacts: &FootContacts, params: &CleanParams) -> Result<Cleaned, CleanError> {
    clean_feet(clip, clip, contacts, params)
}

/// [`clean`], with hands that hold on: they stay where they hold, the body follows them and the arms bend.
pub fn clean_holding(
    clip: &Clip,
    contacts: &FootContacts,
    grips: &Grips,
    params: &CleanParams,
) -> Result<Cleaned, CleanError> {
    let holds = hands::Holds::new(clip, grips);
    let mut moved = clip.clone();
    holds.move_root(&mut moved);
    let mut cleaned = clean_feet(clip, &moved, contacts, params)?;
    holds.bend_arms(&mut cleaned.clip);
    (cleaned.hands_before, cleaned.hands_after) = (holds.off(clip), holds.off(&cleaned.clip));
    Ok(cleaned)
}

/// A motion in the making: frames, feet at limits, and how far touching edges are from their places.
struct Work {
    clip: Clip,
    limits: Vec<usize>,
    missed: Vec<Vec3>,
}

/// Where feet that should lie flat are tilted about their toes in `clip`, plans that tilt as a smooth curve; whether there is any.
fn tilt_smoothly(
    clip: &Clip,
    shapes: &[FootShape; 2],
    planted: &mut [Planted],
    goals: &mut [FootPath],
    rate: f64,
) -> bool {
    let reached = paths(clip, &[shapes[0].body, shapes[1].body]);
    let mut any = false;
    for s in 0..2 {
        let rise = |turn: &sinew_dynamics::spatial::Quat| {
            libm::asin(-(turn * shapes[s].level * Vec3::x()).z.clamp(-1.0, 1.0))
        };
        let n = clip.len();
        let needed: Vec<f64> = (0..n)
            .map(|i| match (planted[s].toe[i], goals[s].turn[i]) {
                (Some(_), wanted) => (rise(&reached[s].turn[i]) - rise(&wanted)).max(0.0),
                _ => 0.0,
            })
            .map(|tilt| if tilt > LEAST_TILT { tilt } else { 0.0 })
            .collect();
        let tilt = smooth::above(&needed, rate, TILT);
        for i in (0..n).filter(|&i| tilt[i] > 0.0) {
            let toe = match (planted[s].toe[i], planted[s].heel[i]) {
                (Some(toe), _) => toe,
                (None, Some(_)) => continue,
                (None, None) => goals[s].point(i, &shapes[s].toe),
            };
            any = true;
            let turn = goals[s].turn[i];
            let lateral = turn * shapes[s].level * Vec3::y();
            let tilted = sinew_dynamics::spatial::rotation::exp(&(lateral * tilt[i])) * turn;
            let pos = toe - tilted * shapes[s].toe;
            (goals[s].turn[i], goals[s].pos[i]) = (tilted, pos);
            // a heel that is meant to rise touches no more
            planted[s].heel[i] = None;
            planted[s].pos[i] = planted[s].toe[i].map(|_| pos);
        }
    }
    any
}

/// Cleans `moved`; figures before are those of `clip`.
fn clean_feet(
    clip: &Clip,
    moved: &Clip,
    contacts: &FootContacts,
    params: &CleanParams,
) -> Result<Cleaned, CleanError> {
    let model = clip.model().clone();
    let n = clip.len();
    let frames = contacts.heel[0].len();
    if contacts.heel.iter().chain(&contacts.toe).any(|f| f.len() != n) {
        return Err(CleanError::Frames { got: frames, frames: n });
    }
    let shape = |side| FootShape::of(&model, side).ok_or(CleanError::Part(Role::Foot(side)));
    let shapes = [shape(Side::Left)?, shape(Side::Right)?];
    let mut legs = Legs::new(&model)?;
    let level = params.ground == Ground::Flat;
    let smoothed = params.smooth.map(|cutoff| moved.smoothed(cutoff));
    let source = smoothed.as_ref().unwrap_or(moved);
    let mut feet: Vec<FootPath> = paths(source, &[shapes[0].body, shapes[1].body]);
    let mut contacts = contacts.clone();
    for s in 0..2 {
        let (heel, toe) = (&mut contacts.heel[s], &contacts.toe[s]);
        stance::release_pivots(&shapes[s], &feet[s], heel, toe, source.rate);
    }
    let contacts = &contacts;
    let before = measure(clip, contacts, level);

    // floor
    let mut root = floor(&shapes, &feet, contacts, source.rate, params);
    shift(&mut feet, &root);

    // plants, and the root's share of them
    let planted: Vec<Planted> = (0..2)
        .map(|s| {
            let (heel, toe) = (&contacts.heel[s], &contacts.toe[s]);
            stance::plant(&shapes[s], &feet[s], heel, toe, source.rate, params.ground)
        })
        .collect();
    let share = root_share(&planted, &feet, source.rate, params);
    shift(&mut feet, &share);
    root.iter_mut().zip(&share).for_each(|(r, s)| *r += s);

    // swing
    let mut goals: Vec<FootPath> = Vec::with_capacity(2);
    for s in 0..2 {
        goals.push(swing(&shapes[s], &feet[s], &planted[s], source.rate, params, level));
    }

    // reach
    let bases = paths(source, &[legs.base()]).remove(0);
    let lower = legs.lowering(&bases, &root, &goals, &planted, source.rate, params.stretch);
    let lowered = lower.iter().copied().fold(0.0, f64::max);
    root.iter_mut().zip(&lower).for_each(|(r, d)| r.z -= d);

    // legs; where limits keep a standing foot from its place, the root follows; where they keep it from lying flat, the root
    // rises a little, and what is left tilts the foot, as smooth curves
    let mut work = Work { clip: clip.clone(), limits: vec![0; n], missed: vec![Vec3::zeros(); n] };
    let (mut goals, mut planted) = (goals, planted);
    let mut solve =
        |work: &mut Work, root: &mut [Vec3], goals: &[FootPath], planted: &[Planted], tilt: bool| {
            let mode = Mode { tilt, level };
            let mut stale = vec![true; n];
            let mut raised = vec![0.0; n];
            for pass in 0..PASSES {
                for i in (0..n).filter(|&i| stale[i]) {
                    let q = work.clip.frame_mut(i);
                    q.copy_from_slice(source.frame(i));
                    (0..3).for_each(|k| q[k] += root[i][k]);
                    let solved = legs.solve(&model, q, i, &bases, &root[i], goals, planted, &shapes, mode);
                    (work.limits[i], work.missed[i]) = solved;
                    if !tilt && raised[i] > RAISED {
                        work.missed[i] = Vec3::zeros();
                    }
                }
                if pass + 1 == PASSES || work.missed.iter().all(|m| m.norm() < MISSED) {
                    break;
                }
                let follow = smooth::around(&work.missed, source.rate, FOLLOW);
                for i in 0..n {
                    stale[i] = follow[i] != Vec3::zeros();
                    root[i] += follow[i] * EAGER;
                    raised[i] += follow[i].z.max(0.0) * EAGER;
                }
            }
        };
    solve(&mut work, &mut root, &goals, &planted, false);
    let mut settled = root.clone();
    solve(&mut work, &mut settled, &goals, &planted, true);
    if tilt_smoothly(&work.clip, &shapes, &mut planted, &mut goals, source.rate) {
        solve(&mut work, &mut root, &goals, &planted, false);
        solve(&mut work, &mut root, &goals, &planted, true);
    }
    let Work { clip: mut out, limits, .. } = work;
    let limited = limits.iter().sum();
    let (contacts, lost) = legs::still_touching(&out, &shapes, contacts, &planted);
    let after = measure(&out, &contacts, level);
    let turned = pose_difference(clip, &out);
    out.contacts = Some(contacts);
    out.provenance.add(format!(
        "feet cleaned on {}: skate {:.1} to {:.1} mm per contact",
        if level { "level ground" } else { "terrain" },
        before.skate_mm,
        after.skate_mm
    ));
    Ok(Cleaned {
        clip: out,
        before,
        after,
        turned,
        limited,
        lost,
        lowered,
        hands_before: 0.0,
        hands_after: 0.0,
    })
}

/// The root's correction for the height of the floor.
fn floor(
    shapes: &[FootShape; 2],
    feet: &[FootPath],
    contacts: &FootContacts,
    rate: f64,
    params: &CleanParams,
) -> Vec<Vec3> {
    let n = feet[0].pos.len();
    let mut heights = vec![Vec3::zeros(); n];
    let mut weights = vec![0.0; n];
    for s in 0..2 {
        for (flags, local) in [(&contacts.heel[s], &shapes[s].heel), (&contacts.toe[s], &shapes[s].toe)] {
            for i in (0..n).filter(|&i| flags[i]) {
                heights[i].z -= feet[s].point(i, local).z;
                weights[i] += 1.0;
            }
        }
    }
    (0..n).filter(|&i| weights[i] > 0.0).for_each(|i| heights[i] /= weights[i]);
    if params.ground == Ground::Terrain {
        // the lowest place on which a foot stands becomes z = 0
        let mut known: Vec<f64> = (0..n).filter(|&i| weights[i] > 0.0).map(|i| heights[i].z).collect();
        known.sort_by(|a, b| b.total_cmp(a));
        let up = known.get(known.len() / 20).copied().unwrap_or(0.0);
        return vec![Vec3::z() * up; n];
    }
    weights.iter_mut().for_each(|w| *w = w.min(1.0));
    smooth::spline(&mut heights, &weights, rate, params.root_cutoff);
    heights
}

/// What is common to the corrections of standing feet, smoothed.
fn root_share(planted: &[Planted], feet: &[FootPath], rate: f64, params: &CleanParams) -> Vec<Vec3> {
    let n = feet[0].pos.len();
    let mut share = vec![Vec3::zeros(); n];
    let mut weights = vec![0.0; n];
    for (planted, path) in planted.iter().zip(feet) {
        for i in 0..n {
            if let Some(pos) = planted.pos[i] {
                share[i] += pos - path.pos[i];
                weights[i] += 1.0;
            }
        }
    }
    (0..n).filter(|&i| weights[i] > 0.0).for_each(|i| share[i] /= weights[i]);
    weights.iter_mut().for_each(|w| *w = w.min(1.0));
    smooth::spline(&mut share, &weights, rate, params.root_cutoff);
    share
}

fn shift(feet: &mut [FootPath], by: &[Vec3]) {
    feet.iter_mut().for_each(|path| path.pos.iter_mut().zip(by).for_each(|(p, b)| *p += b));
}

/// Where a foot goes in every frame: planted in contacts, corrections fading in the air, nowhere under level ground.
fn swing(
    shape: &FootShape,
    path: &FootPath,
    planted: &Planted,
    rate: f64,
    params: &CleanParams,
    level: bool,
) -> FootPath {
    let n = path.pos.len();
    let known: Vec<bool> = planted.pos.iter().map(Option::is_some).collect();
    let mut correction: Vec<Vec3> =
        (0..n).map(|i| planted.pos[i].map_or(Vec3::zeros(), |p| p - path.pos[i])).collect();
    smooth::bridge(&mut correction, &known, rate, params.fade);
    let pos = (0..n).map(|i| path.pos[i] + correction[i]).collect();
    let mut goal = FootPath { turn: planted.turn.clone(), pos };
    if level {
        let depth = |i: usize| shape.bottom().map(|c| -goal.point(i, &c).z).fold(0.0, f64::max);
        let needed: Vec<f64> = (0..n).map(|i| if known[i] { 0.0 } else { depth(i) }).collect();
        let lift = smooth::above(&needed, rate, CLEARANCE);
        // contacts stay: the lift ends there, as softly as the depth allows
        let since = |flags: &mut dyn Iterator<Item = usize>| {
            let mut last = f64::INFINITY;
            let mut out = vec![0.0; n];
            for i in flags {
                last = if known[i] { 0.0 } else { last + 1.0 / rate };
                out[i] = last;
            }
            out
        };
        let (before, after) = (since(&mut (0..n)), since(&mut (0..n).rev()));
        for i in (0..n).filter(|&i| !known[i]) {
            let soft = lift[i] * crate::transition::ease(before[i].min(after[i]) / CLEARANCE);
            goal.pos[i].z += soft.max(needed[i]);
        }
    }
    goal
}

/// The body that carries both legs.
fn pelvis(model: &sinew_dynamics::Model) -> Result<BodyId, CleanError> {
    model.role(Role::Pelvis).ok_or(CleanError::Part(Role::Pelvis))
}
