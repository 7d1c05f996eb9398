//! From a clip on a body to a reference: rate, noise, soles, contacts, cycle.
//!
//! 1. The clip at 120 frames per second, without what is faster than 8 Hz (12 with flights): two derivatives of a captured motion are
//!    noise otherwise.
//! 2. A clip whose soles lie where its contacts say is left as it is. Any other has the pitch of each ankle shifted so that the sole is level
//!    where the foot is slowest, and is put on the ground there. Points that are low and slow are down, or those that come with the
//!    clip ([`Touch`]); a foot that pivots keeps the slower of its two points.
//! 3. A walk that goes on alike is cut to its best cycle; any other motion is played once, without the waiting before and after
//!    (`repeats`).

use super::Reference;
use super::able::able;
use super::cycle::closed;
use super::points::{Down, POINTS, Points, contacts, downs};
use super::repeats::{Repeats, cycle_of, once};
use super::soles::{SoleRule, find_down, flip_short};
use crate::controller::ControlError;
use sinew_dynamics::spatial::Vec3;
use sinew_dynamics::{Data, Model, forward_kinematics};
use sinew_motion::Clip;
use sinew_motion::contacts::speeds;

/// Frames per second of plans.
pub const RATE: f64 = 120.0;
/// What is faster is noise, Hz; with flights, whose landings are hard.
const NOISE: f64 = 8.0;
const NOISE_FLYING: f64 = 12.0;
/// Share of the frames in which a foot counts as slowest.
const SLOWEST: f64 = 0.2;
/// Points that are said to be down and are nearly all this near to the ground were put there, m.
const PLANTED: f64 = 0.012;
/// A foot that turns farther than this while it is flat pivots, rad; a point faster than this turns about the other, m/s.
const PIVOTS: f64 = 0.7;
const PIVOT_SPEED: f64 = 0.2;
/// Shortest flight, s.
const FLIGHT: f64 = 0.04;

/// Which contacts a plan has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Touch {
    /// Points that are low and slow. They land a little later than people do, when the foot has come to rest: plans are easier to follow.
    #[default]
    LowAndSlow,
    /// Those that come with the clip, if its soles lie where they say.
    Given,
}

/// Makes a reference of a clip.
///
/// # Errors
/// When the body has no two feet, the clip is too short, or it is none that feet carry.
pub fn reference_of(clip: &Clip, repeats: Repeats) -> Result<Reference, ControlError> {
    reference_touching(clip, repeats, Touch::default())
}

/// The same with a choice of contacts.
///
/// # Errors
/// As for [`reference_of`].
pub fn reference_touching(clip: &Clip, repeats: Repeats, touch: Touch) -> Result<Reference, ControlError> {
    let points = Points::of(clip.model())?;
    // somebody who hangs would be put on the ground
    if clip.contacts.as_ref().is_some_and(|known| downs(known).iter().flatten().all(|down| !down)) {
        able(clip)?;
    }
    let clip = prepared(clip, &points, touch);
    able(&clip)?;
    match cycle_of(&clip, repeats) {
        Some(cycle) => Reference::of_clip(&closed(&clip, &cycle), true),
        None if repeats == Repeats::Cycle => {
            Err(ControlError::Preparation(format!("{}: it is too short to hold a cycle", clip.name)))
        }
        None => Reference::of_clip(&once(&clip), false),
    }
}

/// At the rate of plans, without noise, with contacts.
fn prepared(clip: &Clip, points: &Points, touch: Touch) -> Clip {
    let mut clip = if clip.rate == RATE { clip.clone() } else { clip.resampled(RATE) };
    if let Some(known) = clip.contacts.as_ref().map(downs).filter(|down| planted(&clip, points, down)) {
        let mut flight = 0;
        for down in known.split(|d| d.iter().any(|d| *d)) {
            flight = flight.max(down.len());
        }
        let flies = flight as f64 > FLIGHT * RATE;
        clip = clip.smoothed(if flies { NOISE_FLYING } else { NOISE });
        let known = match touch {
            Touch::LowAndSlow => find_down(&clip, points, 0.0, &SoleRule::default()),
            Touch::Given => known,
        };
        clip.contacts = Some(contacts(&pivoting(&clip, points, known)));
        return clip;
    }
    clip = clip.smoothed(NOISE);
    level_soles(&mut clip, points);
    clip.contacts = Some(contacts(&find_down(&clip, points, 0.0, &SoleRule::default())));
    clip
}

/// Places of the points, frame by frame.
fn paths(clip: &Clip, points: &Points) -> [Vec<Vec3>; POINTS] {
    let model = clip.model();
    let mut data = Data::new(model);
    let mut paths: [Vec<Vec3>; POINTS] = Default::default();
    for q in clip.frames() {
        forward_kinematics(model, &mut data, q);
        (0..POINTS).for_each(|p| paths[p].push(points.place(model, &data, p)));
    }
    paths
}

/// Whether points that are said to be down lie on the ground.
fn planted(clip: &Clip, points: &Points, down: &[Down]) -> bool {
    let paths = paths(clip, points);
    let mut off: Vec<f64> = (0..POINTS)
        .flat_map(|p| paths[p].iter().zip(down).filter(move |(_, d)| d[p]).map(|(at, _)| at.z.abs()))
        .collect();
    off.sort_by(f64::total_cmp);
    off.get(off.len() * 9 / 10).is_some_and(|off| *off < PLANTED)
}

/// Contacts without the faster point of feet that turn far on the ground. A foot that turns a little is planned to stand still, which legs
/// can do and friction asks for.
fn pivoting(clip: &Clip, points: &Points, mut down: Vec<Down>) -> Vec<Down> {
    let paths = paths(clip, points);
    for side in 0..2 {
        let [heel, toe] = [2 * side, 2 * side + 1];
        let heading = |k: usize| {
            let along = paths[toe][k] - paths[heel][k];
            libm::atan2(along.y, along.x)
        };
        let speeds = [heel, toe].map(|p| speeds(&paths[p], clip.rate));
        let mut first = 0;
        for end in 0..=down.len() {
            if end < down.len() && down[end][heel] && down[end][toe] {
                continue;
            }
            let flat = first..end;
            first = end + 1;
            let turned = |k: usize| libm::remainder(heading(k) - heading(flat.start), core::f64::consts::TAU);
            let turns = flat.clone().map(turned);
            let (low, high) = turns.fold((0.0_f64, 0.0_f64), |(low, high), x| (low.min(x), high.max(x)));
            if high - low < PIVOTS {
                continue;
            }
            for k in flat {
                let [a, b] = [speeds[0][k], speeds[1][k]];
                if a.max(b) > PIVOT_SPEED {
                    down[k][if a > b { heel } else { toe }] = false;
                }
            }
        }
    }
    let rule = SoleRule::default();
    for p in 0..POINTS {
        let mut flags: Vec<bool> = down.iter().map(|d| d[p]).collect();
        flip_short(&mut flags, true, rule.ground * clip.rate);
        // a foot does not leave the ground for that
        down.iter_mut().zip(flags).for_each(|(d, f)| d[p] = f || (d[p] && !d[p ^ 1]));
    }
    down
}

/// Levels the soles where they are slowest, and puts them on the ground there.
fn level_soles(clip: &mut Clip, points: &Points) {
    let model = clip.model().clone();
    for side in 0..2 {
        let slow = slowest(clip, points, side);
        let Some(dof) = pitch_dof(&model, points, side) else { continue };
        let mut data = Data::new(&model);
        let pitch = |q: &[f64], data: &mut Data| {
            forward_kinematics(&model, data, q);
            let along = points.place(&model, data, 2 * side + 1) - points.place(&model, data, 2 * side);
            libm::atan2(along.z, libm::hypot(along.x, along.y))
        };
        let mut pitches: Vec<f64> = slow.iter().map(|k| pitch(clip.frame(*k), &mut data)).collect();
        let off = median(&mut pitches);
        // which way the joint turns the sole
        let (mut step, mut moved) = (vec![0.0; model.nv()], model.neutral());
        step[dof] = 1e-4;
        model.integrate(&model.neutral(), &step, &mut moved);
        let sense = (pitch(&moved, &mut data) - pitch(&model.neutral(), &mut data)).signum();
        step[dof] = -off * sense;
        for k in 0..clip.len() {
            model.integrate(clip.frame(k), &step, &mut moved);
            clip.frame_mut(k).copy_from_slice(&moved);
        }
    }
    let mut data = Data::new(&model);
    let mut heights = Vec::new();
    for side in 0..2 {
        for k in slowest(clip, points, side) {
            forward_kinematics(&model, &mut data, clip.frame(k));
            let low = (2 * side..2 * side + 2).flat_map(|p| points.corners[p]);
            heights.push(low.map(|c| c.in_world(&model, &data).z).fold(f64::INFINITY, f64::min));
        }
    }
    let (ground, root) = (median(&mut heights), model.free_root().map(|j| j.q + 2));
    if let Some(z) = root {
        (0..clip.len()).for_each(|k| clip.frame_mut(k)[z] -= ground);
    }
}

/// The frames in which a foot is slowest.
fn slowest(clip: &Clip, points: &Points, side: usize) -> Vec<usize> {
    let speeds = paths(clip, points).map(|path| speeds(&path, clip.rate));
    let speed: Vec<f64> =
        speeds[2 * side].iter().zip(&speeds[2 * side + 1]).map(|(a, b)| a.max(*b)).collect();
    let mut order: Vec<usize> = (0..clip.len()).collect();
    order.sort_by(|a, b| speed[*a].total_cmp(&speed[*b]));
    order.truncate(((SLOWEST * clip.len() as f64) as usize).max(1));
    order
}

/// The degree of freedom that pitches a foot the most.
fn pitch_dof(model: &Model, points: &Points, side: usize) -> Option<usize> {
    debug_assert!(2 * side + 1 < POINTS);
    let foot = points.body(2 * side);
    let mut data = Data::new(model);
    forward_kinematics(model, &mut data, &model.neutral());
    let mut jacobian = vec![0.0; 6 * model.nv()];
    let at = data.body_placement(model, foot).pos;
    data.body_jacobian(model, foot, &at, &mut jacobian);
    let own = model.joints().iter().filter(|j| j.body == foot).flat_map(|j| j.v..j.v + j.kind.nv());
    own.max_by(|a, b| jacobian[6 * a + 4].abs().total_cmp(&jacobian[6 * b + 4].abs()))
}

fn median(list: &mut [f64]) -> f64 {
    list.sort_by(f64::total_cmp);
    list.get(list.len() / 2).copied().unwrap_or(0.0)
}
