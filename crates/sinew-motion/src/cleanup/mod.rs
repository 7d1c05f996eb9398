//! Feet on the ground: a motion whose feet stand where they stand, with knees as they were captured.
//!
//! A retargeted motion keeps the directions of all bones, so feet of a body with other proportions slide, hover and dip by
//! centimetres. Something has to give way. Knees must not: their bend carries the weight. The pitch of the feet and the path of the root
//! do. From the contacts ([`contacts::find`](crate::contacts::find), or given) follows, in this order:
//!
//! 1. **Places** (`plan`). Every stance has one place and one heading; flat feet lie flat, on the heel a foot turns about its rear edge, on
//!    the toes about its front edge. Levels are those of the contacts.
//! 2. **Root** (`root`). The smoothest path of the body on which hips and planted ankles are as far apart as the captured knees say.
//! 3. **Pitch** (`roll`). On the toes the least pitch, on the heel the nearest, for which that holds exactly. Then 2 and 3 again.
//! 4. **Air** (`air`). Corrections of knee, leg direction and foot fade from one stance to the next; soles stay above the ground.
//! 5. **Legs** (`legs`). Analytic IK ([`LimbIk`](crate::ik::LimbIk)). Where an ankle does not bend far enough the foot rises on its toes, as a
//!    smooth curve planned ahead, and the root with it: 2 to 5 again. Legs that are no limbs of two links are solved by damped least squares.
//!
//! Hands that hold on ([`Grips`], [`clean_holding`]) stay where they hold: the body follows them and the arms bend.
//!
//! Cost: about 100 µs per frame. After da Silva 2010 and Kovar, Schreiner, Gleicher 2002 ("Footskate cleanup"), with rolling feet and
//! knees that keep their bend.

mod air;
mod amend;
mod figures;
mod foot;
mod hands;
mod leg;
mod legs;
mod plan;
mod roll;
mod root;
pub(crate) mod smooth;

pub use figures::{Figures, measure, pose_difference};
pub use hands::Grips;

use crate::contacts::{ContactKind, runs};
use crate::filter::LowPass;
use crate::{Clip, FootContacts};
use air::Goal;
use foot::paths;
use leg::{Captured, Leg, STRAIGHT};
use legs::{Limited, Solver};
use nalgebra::Quaternion;
use plan::Plan;
use root::Root;
use serde::{Deserialize, Serialize};
use sinew_dynamics::spatial::{Placement, Quat, Vec3, rotation};
use sinew_dynamics::{JointKind, Model, Role, Side};

/// What the feet stand on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ground {
    /// The plane z = 0: soles are put on it.
    #[default]
    Flat,
    /// Slopes, steps, anything: soles are put on the levels of the contacts.
    Terrain,
}

/// Numbers of the clean-up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct CleanParams {
    /// What the feet stand on.
    pub ground: Ground,
    /// Cut-off of a smoothing of the whole motion before all else, Hz; none: no smoothing.
    pub smooth: Option<f64>,
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
    /// Frames of heels that had to rise because an ankle does not bend far enough: contacts no more.
    pub lost: usize,
    /// Farthest that a touching point is from its place, m: more than nothing where joint limits keep it away.
    pub missed: f64,
    /// In which frame.
    pub missed_frame: usize,
    /// Roll of the whole body about the line in which it looks, rad.
    pub roll: f64,
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

/// Rounds of Gauss–Newton before the pitches are known, and between their changes.
const ROUNDS: [usize; 2] = [5, 2];
/// Times that root and pitches are found in turn.
const TURNS: usize = 3;
/// Times that stances are trimmed.
const TRIMS: usize = 2;
/// Times that the plan is changed for ankles at their limits.
const PASSES: usize = 8;
/// What is known of a captured motion beside the clip.
#[derive(Clone, Copy, Default)]
pub(crate) struct Seen<'a> {
    /// Orientations of the feet before any limit cut them.
    pub(crate) feet: Option<&'a [Vec<Quat>; 2]>,
    /// Frames in which a foot is down but slides.
    pub(crate) slides: Option<&'a [Vec<bool>; 2]>,
}

/// Puts the feet of a clip on the ground.
///
/// ```
/// use sinew_dynamics::characters;
/// use sinew_motion::{Clip, FootContacts, cleanup::{clean, CleanParams}};
/// let human = std::sync::Arc::new(characters::load("human")?);
/// let ready = &human.spec().keyframes.iter().find(|k| k.name == "ready").unwrap().q;
/// let mut q = ready.repeat(60);
/// // slides forward and hovers
/// q.chunks_mut(human.nq()).enumerate().for_each(|(i, q)| (q[0], q[2]) = (0.001 * i as f64, q[2] + 0.02));
/// let clip = Clip::new("sliding", human, 30.0, q)?;
/// let mut contacts = FootContacts::none(60);
/// contacts.heel.iter_mut().chain(&mut contacts.toe).for_each(|f| f.fill(true));
/// let cleaned = clean(&clip, &contacts, &CleanParams::default())?;
/// assert!(cleaned.before.skate_mm > 58.0 && cleaned.after.skate_mm < 1e-3);
/// assert!(cleaned.before.height_mm > 19.0 && cleaned.after.height_mm < 1e-3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn clean(clip: &Clip, contacts: &FootContacts, params: &CleanParams) -> Result<Cleaned, CleanError> {
    plant(clip, contacts, &Grips::default(), params, Seen::default(), &|_| {})
}

/// [`clean`], with hands that hold on: they stay where they hold, the body follows them and the arms bend.
pub fn clean_holding(
    clip: &Clip,
    contacts: &FootContacts,
    grips: &Grips,
    params: &CleanParams,
) -> Result<Cleaned, CleanError> {
    plant(clip, contacts, grips, params, Seen::default(), &|_| {})
}

/// The same, with all that is known; `progress` is told a share from 0 to 1.
pub(crate) fn plant(
    clip: &Clip,
    contacts: &FootContacts,
    grips: &Grips,
    params: &CleanParams,
    seen: Seen,
    progress: &dyn Fn(f64),
) -> Result<Cleaned, CleanError> {
    let model = clip.model().clone();
    let (n, frames) = (clip.len(), contacts.len());
    if contacts.heel.iter().chain(&contacts.toe).any(|f| f.len() != n) {
        return Err(CleanError::Frames { got: frames, frames: n });
    }
    if model.joints().first().map(|j| j.kind) != Some(JointKind::Free) {
        return Err(CleanError::NoRoot);
    }
    let legs = [Leg::of(&model, Side::Left)?, Leg::of(&model, Side::Right)?];
    let before = measure(clip, contacts);
    let holds = hands::Holds::new(clip, grips);
    let mut source = clip.clone();
    holds.move_root(&mut source);
    if let Some(cutoff) = params.smooth {
        source = source.smoothed(cutoff);
        keep_limits(&mut source);
    }
    let captured = capture(&source, &legs, seen.feet, params.smooth);
    let mut plans = [0, 1].map(|s| Plan::new(&captured, &legs, s, contacts, seen.slides));
    let flies = runs(n, |i| !plans.iter().any(|p| p.down(i))).iter().any(|r| r.start > 0 && r.end < n);
    let mut root = Root::new(&captured, &legs, &plans);
    root.solve(&captured, &legs, &mut plans, flies, ROUNDS[0]);
    for _ in 0..TRIMS {
        (0..2).for_each(|s| roll::settle(&captured, &legs, s, &mut plans[s], &root));
        amend::trim(&captured, &legs, &mut plans, &root, flies);
        root.solve(&captured, &legs, &mut plans, flies, ROUNDS[1]);
    }
    let mut solver = Solver::new(&model, &legs);
    let mut out = source.clone();
    let mut limited = [Vec::new(), Vec::new()];
    let level = params.ground == Ground::Flat;
    for pass in 0..PASSES {
        for _ in 0..TURNS {
            (0..2).for_each(|s| roll::settle(&captured, &legs, s, &mut plans[s], &root));
            root.solve(&captured, &legs, &mut plans, flies, ROUNDS[1]);
        }
        (0..2).for_each(|s| roll::settle(&captured, &legs, s, &mut plans[s], &root));
        let goals = [0, 1].map(|s| air::goal(&captured, &legs, s, &plans[s], &root, level));
        progress((1 + pass) as f64 / (1 + PASSES) as f64);
        limited = solve(&source, &mut out, &captured, &legs, &plans, &root, &goals, &mut solver, level);
        if pass + 1 == PASSES || !amend::plans(&out, &captured, &legs, &mut plans, &root, &limited, flies) {
            break;
        }
    }
    holds.bend_arms(&mut out);

    let (kept, lost) = told(&plans, contacts);
    let (missed, missed_frame) = missed(&out, &legs, &plans, &limited);
    let after = measure(&out, &kept);
    let turned = pose_difference(clip, &out);
    out.contacts = Some(kept);
    out.provenance.add(format!(
        "feet cleaned on {}: skate {:.1} to {:.1} mm per contact",
        if level { "level ground" } else { "terrain" },
        before.skate_mm,
        after.skate_mm
    ));
    Ok(Cleaned {
        before,
        after,
        turned,
        lost,
        missed,
        missed_frame,
        roll: root.roll,
        hands_before: holds.off(clip),
        hands_after: holds.off(&out),
        clip: out,
    })
}

/// Brings joints back to their limits, which a filter passes where a motion turns round at one.
fn keep_limits(clip: &mut Clip) {
    let model = clip.model().clone();
    for joint in model.joints() {
        let Some([low, high]) = model.bodies()[joint.body.0].joints[joint.nth].range else { continue };
        for i in 0..clip.len() {
            let q = clip.frame_mut(i);
            match joint.kind {
                JointKind::Free => {}
                JointKind::Ball => {
                    let turn = rotation::log(&crate::layout::quat_at(q, joint.q));
                    if turn.norm() > high {
                        let kept = rotation::exp(&(turn * (high / turn.norm())));
                        crate::layout::write_quat(q, joint.q, &kept);
                    }
                }
                _ => q[joint.q] = q[joint.q].clamp(low.min(high), high),
            }
        }
    }
}

/// The motion as planting sees it.
fn capture(source: &Clip, legs: &[Leg; 2], feet: Option<&[Vec<Quat>; 2]>, smooth: Option<f64>) -> Captured {
    let bodies = [legs[0].base, legs[0].shape.body, legs[1].shape.body];
    let mut found = paths(source, &bodies);
    let own = [found.remove(1), found.remove(1)];
    let base: Vec<Placement> = (0..source.len()).map(|i| found[0].placement(i)).collect();
    let at = source.model().spec().reference_placements()[legs[0].base.0].rot;
    let forward = |b: &Placement| {
        let forward = b.rot * at.tr_mul(&Vec3::x());
        Vec3::new(forward.x, forward.y, 0.0).try_normalize(1e-6).unwrap_or(Vec3::x())
    };
    let hip = [0, 1].map(|s| base.iter().map(|b| legs[s].hip(b)).collect::<Vec<Vec3>>());
    let ankle = [0, 1]
        .map(|s| (0..source.len()).map(|i| own[s].placement(i).act(&legs[s].ankle)).collect::<Vec<Vec3>>());
    let turn = [0, 1].map(|s| match feet {
        Some(feet) => turns(&feet[s], source.rate, smooth),
        None => own[s].turn.clone(),
    });
    let bend = [0, 1].map(|s| {
        let bend = |i: usize| legs[s].bend((ankle[s][i] - hip[s][i]).norm()).max(STRAIGHT);
        (0..source.len()).map(bend).collect()
    });
    Captured { rate: source.rate, forward: base.iter().map(forward).collect(), base, hip, ankle, turn, bend }
}

/// Orientations, low-passed.
fn turns(of: &[Quat], rate: f64, smooth: Option<f64>) -> Vec<Quat> {
    let Some(cutoff) = smooth else { return of.to_vec() };
    let mut numbers: [Vec<f64>; 4] = core::array::from_fn(|_| Vec::with_capacity(of.len()));
    let mut last = Quaternion::identity();
    for q in of {
        // on one side of the sphere
        let q = if q.coords.dot(&last.coords) < 0.0 { -q.into_inner() } else { q.into_inner() };
        last = q;
        [q.w, q.i, q.j, q.k].into_iter().zip(&mut numbers).for_each(|(x, list)| list.push(x));
    }
    let mut filter = LowPass::new(of.len(), rate, cutoff);
    numbers.iter_mut().for_each(|list| filter.numbers(list));
    let at = |i: usize| Quaternion::new(numbers[0][i], numbers[1][i], numbers[2][i], numbers[3][i]);
    (0..of.len()).map(|i| Quat::new_normalize(at(i))).collect()
}

/// Writes all frames; returns what limits did to each foot.
fn solve(
    source: &Clip,
    out: &mut Clip,
    captured: &Captured,
    legs: &[Leg; 2],
    plans: &[Plan; 2],
    root: &Root,
    goals: &[Goal; 2],
    solver: &mut Solver,
    level: bool,
) -> [Vec<Limited>; 2] {
    let model: std::sync::Arc<Model> = source.model().clone();
    let n = source.len();
    let mut limited = [vec![Limited::default(); n], vec![Limited::default(); n]];
    for i in 0..n {
        let middle = (captured.hip[0][i] + captured.hip[1][i]) * 0.5;
        let roll = rotation::exp(&(captured.forward[i] * root.roll));
        let moved = |p: &Vec3| middle + roll * (p - middle) + root.path[i];
        let q = out.frame_mut(i);
        q.copy_from_slice(source.frame(i));
        let at = moved(&Vec3::new(q[0], q[1], q[2]));
        q[..3].copy_from_slice(at.as_slice());
        crate::layout::write_quat(q, 3, &(roll * crate::layout::quat_at(source.frame(i), 3)));
        let base = Placement {
            rot: rotation::to_matrix(&roll) * captured.base[i].rot,
            pos: moved(&captured.base[i].pos),
        };
        for s in 0..2 {
            limited[s][i] = solver.solve(&model, q, &base, &legs[s], s, i, &goals[s], &plans[s], level);
        }
    }
    limited
}

/// The contacts of the result, and how many frames of heels were lost.
fn told(plans: &[Plan; 2], contacts: &FootContacts) -> (FootContacts, usize) {
    let mut kept = contacts.clone();
    let mut lost = 0;
    for side in Side::BOTH {
        let s = side as usize;
        for i in 0..contacts.len() {
            lost += usize::from(contacts.heel[s][i] && plans[s].kind[i] == Some(ContactKind::Ball));
            kept.set(side, i, plans[s].kind[i], contacts.level[s][i]);
        }
    }
    (kept, lost)
}

/// Farthest that a touching point is from its place, and in which frame.
fn missed(out: &Clip, legs: &[Leg; 2], plans: &[Plan; 2], limited: &[Vec<Limited>; 2]) -> (f64, usize) {
    let feet = paths(out, &[legs[0].shape.body, legs[1].shape.body]);
    let mut worst = (0.0, 0);
    for s in 0..2 {
        for i in (0..out.len()).filter(|&i| plans[s].down(i) && !plans[s].slides[i]) {
            let off = amend::off_place(&feet[s], &legs[s], &plans[s], &limited[s][i], i);
            worst = if off > worst.0 { (off, i) } else { worst };
        }
    }
    worst
}
