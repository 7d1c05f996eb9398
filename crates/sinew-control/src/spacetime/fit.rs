//! From a clip on a body to a reference: rate, noise, soles, contacts, cycle.
//!
//! 1. The clip at 120 frames per second, without what is faster than 8 Hz: two derivatives of a captured motion are noise otherwise.
//! 2. The pitch of each ankle is shifted so that the sole is level where the foot is slowest, and the body is put on the ground there. If
//!    the clip does not say when feet are down, points that are low and slow are.
//! 3. A clip that comes back to where it was is cut to its best cycle; any other is played once.

use super::Reference;
use super::cycle::{closed, find_cycle};
use super::points::{POINTS, Points, contacts};
use super::soles::{SoleRule, find_down};
use crate::controller::ControlError;
use sinew_dynamics::spatial::Vec3;
use sinew_dynamics::{Data, Model, forward_kinematics};
use sinew_motion::contacts::speeds;
use sinew_motion::{Clip, Travel};

/// Frames per second of plans.
pub const RATE: f64 = 120.0;
/// What is faster is noise, Hz.
const NOISE: f64 = 8.0;
/// Share of the frames in which a foot counts as slowest.
const SLOWEST: f64 = 0.2;
/// Shortest and longest cycle that is looked for, s.
const CYCLE: [f64; 2] = [0.7, 1.8];
/// A motion whose ends are farther apart than this at its best cycle does not cycle, rad.
const REPEATS: f64 = 0.2;
/// A cycle's ends turned farther than this against each other are a turn, rad.
const TURNS: f64 = 0.35;

/// Whether a clip is made a cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Repeats {
    /// If it comes back to where it was.
    #[default]
    Guess,
    /// Yes: its best cycle is cut out.
    Cycle,
    /// No: it is played once.
    Once,
}

/// Makes a reference of a clip.
///
/// # Errors
/// When the body has no two feet or the clip is too short.
pub fn reference_of(clip: &Clip, repeats: Repeats) -> Result<Reference, ControlError> {
    let points = Points::of(clip.model())?;
    let clip = prepared(clip, &points);
    let model = clip.model();
    let steps = |first: usize, frames: usize| lands(&clip, first, frames);
    let straight = |c: &super::cycle::Cycle| {
        let way = Travel::between(model, clip.frame(c.first), clip.frame(c.first + c.frames));
        c.gap < REPEATS && way.yaw.abs() < TURNS
    };
    let cycle = match repeats {
        Repeats::Once => None,
        Repeats::Guess => find_cycle(&clip, CYCLE, steps).filter(straight),
        Repeats::Cycle => find_cycle(&clip, CYCLE, steps).or_else(|| find_cycle(&clip, CYCLE, |_, _| true)),
    };
    match cycle {
        Some(cycle) => Reference::of_clip(&closed(&clip, &cycle), true),
        None if repeats == Repeats::Cycle => {
            Err(ControlError::Preparation(format!("{}: it is too short to hold a cycle", clip.name)))
        }
        None => Reference::of_clip(&clip, false),
    }
}

/// Whether each foot leaves the ground and lands once in a range: a stride.
fn lands(clip: &Clip, first: usize, frames: usize) -> bool {
    let Some(known) = &clip.contacts else { return false };
    sinew_dynamics::Side::BOTH.into_iter().all(|side| {
        let down = |k: usize| known.down(side, k);
        let landings = (first..first + frames).filter(|k| !down(*k) && down(k + 1)).count();
        landings == 1 && down(first) == down(first + frames)
    })
}

/// At the rate of plans, without noise, with contacts.
fn prepared(clip: &Clip, points: &Points) -> Clip {
    let mut clip = if clip.rate == RATE { clip.clone() } else { clip.resampled(RATE) }.smoothed(NOISE);
    level_soles(&mut clip, points);
    if clip.contacts.is_none() {
        clip.contacts = Some(contacts(&find_down(&clip, points, 0.0, &SoleRule::default())));
    }
    clip
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
    let model = clip.model();
    let mut data = Data::new(model);
    let mut paths = [Vec::new(), Vec::new()];
    for q in clip.frames() {
        forward_kinematics(model, &mut data, q);
        for (i, path) in paths.iter_mut().enumerate() {
            path.push(points.place(model, &data, 2 * side + i));
        }
    }
    let [heel, toe] = paths.map(|path: Vec<Vec3>| speeds(&path, clip.rate));
    let speed: Vec<f64> = heel.iter().zip(&toe).map(|(a, b)| a.max(*b)).collect();
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
