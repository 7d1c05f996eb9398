//! Where a foot stands: one place per contact, rolling over heel and toes.
//!
//! A contact of the heel, and one of the toes, has one place on the ground for as long as it lasts. While both touch, the foot
//! lies flat with one heading; before, it turns about the heel's edge, afterwards about the toes'. The places are means over
//! the frames of the contact, slow frames counting most; contacts that overlap share the foot's length between their places.
//!
//! A foot on which the body turns around does not lie still: while its heading changes fast within a flat phase that turns by
//! more than 10°, it pivots, and only its toes count as standing.

use super::Ground;
use super::foot::{FootPath, FootShape};
use super::smooth::bridge;
use sinew_dynamics::spatial::{Quat, Vec3, rotation};

/// Corrections of orientation fade over this time, s.
const FADE: f64 = 0.25;
/// Frames slower than this count most for the place of a contact, m/s.
const SLOW: f64 = 0.1;
/// Steeper than this (sine of the pitch) a foot has no heading of its own.
const STEEP: f64 = 0.9;

/// A flat foot that turns by more than this pivots, rad, while it turns faster than that, rad/s.
const PIVOT: (f64, f64) = (0.175, 0.5);

/// Takes the heel's contact from feet that pivot.
pub(super) fn release_pivots(shape: &FootShape, path: &FootPath, heel: &mut [bool], toe: &[bool], rate: f64) {
    let n = heel.len();
    let yaw: Vec<f64> = (0..n)
        .map(|i| {
            let forward = path.turn[i] * shape.level * Vec3::x();
            libm::atan2(forward.y, forward.x)
        })
        .collect();
    let wrap = |x: f64| x - core::f64::consts::TAU * libm::round(x / core::f64::consts::TAU);
    let mut at = 0;
    while at < n {
        let end = (at..n).find(|&i| !(heel[i] && toe[i])).unwrap_or(n);
        let turned = |i: usize| wrap(yaw[i] - yaw[at]);
        let most = (at..end).map(turned).fold(f64::NEG_INFINITY, f64::max);
        let least = (at..end).map(turned).fold(f64::INFINITY, f64::min);
        if most - least > PIVOT.0 {
            for i in at..end {
                let (a, b) = (i.saturating_sub(1), (i + 1).min(n - 1));
                let speed = wrap(yaw[b] - yaw[a]).abs() * rate / (b - a).max(1) as f64;
                heel[i] = speed < PIVOT.1;
            }
        }
        at = end.max(at + 1);
    }
}

/// What a foot should do.
#[derive(Clone, Debug)]
pub(super) struct Planted {
    /// Orientation in every frame; in the air as it was, corrections fading.
    pub(super) turn: Vec<Quat>,
    /// Place of the foot's body in frames of contact.
    pub(super) pos: Vec<Option<Vec3>>,
    /// Places of heel and toes in frames in which they touch.
    pub(super) heel: Vec<Option<Vec3>>,
    pub(super) toe: Vec<Option<Vec3>>,
}

/// Numbers each run of frames that touch.
fn runs(flags: &[bool]) -> Vec<Option<usize>> {
    let mut count = 0;
    let mut of = Vec::with_capacity(flags.len());
    for (i, &touches) in flags.iter().enumerate() {
        if touches && (i == 0 || !flags[i - 1]) {
            count += 1;
        }
        of.push(touches.then(|| count - 1));
    }
    of
}

/// Plants a foot where its contacts are.
pub(super) fn plant(
    shape: &FootShape,
    path: &FootPath,
    heel: &[bool],
    toe: &[bool],
    rate: f64,
    ground: Ground,
) -> Planted {
    let n = path.pos.len();
    let (heel_run, toe_run) = (runs(heel), runs(toe));
    let mut heel_place: Vec<Option<Vec3>> = vec![None; n];
    let mut toe_place: Vec<Option<Vec3>> = vec![None; n];
    let mut wanted: Vec<Option<Quat>> = vec![None; n];
    let flatten = |p: Vec3| if ground == Ground::Flat { Vec3::new(p.x, p.y, 0.0) } else { p };

    // flat phases, in order: heading and place
    let mut at = 0;
    while at < n {
        if !(heel[at] && toe[at]) {
            at += 1;
            continue;
        }
        let end = (at..n).find(|&i| !(heel[i] && toe[i])).unwrap_or(n);
        let turn = flat_turn(shape, path, at..end, rate, ground);
        let along = turn * (shape.toe - shape.heel);
        let middle = (shape.heel + shape.toe) * 0.5;
        // a contact that began before keeps its place
        let (h, t) = match (heel_place[at], toe_place[at]) {
            (_, Some(t)) => (t - along, t),
            (Some(h), None) => (h, h + along),
            (None, None) => {
                let m = flatten(mean_point(path, &middle, at..end, rate));
                (m - along * 0.5, m + along * 0.5)
            }
        };
        for i in 0..n {
            if heel_run[i].is_some() && heel_run[i] == heel_run[at] {
                heel_place[i] = Some(h);
            }
            if toe_run[i].is_some() && toe_run[i] == toe_run[at] {
                toe_place[i] = Some(t);
            }
        }
        (at..end).for_each(|i| wanted[i] = Some(turn));
        at = end;
    }
    // contacts that never were flat
    for (run, place, local) in
        [(&heel_run, &mut heel_place, &shape.heel), (&toe_run, &mut toe_place, &shape.toe)]
    {
        let mut at = 0;
        while at < n {
            let end = (at..n).find(|&i| run[i] != run[at]).unwrap_or(n);
            if run[at].is_some() && place[at].is_none() {
                let mean = flatten(mean_point(path, local, at..end, rate));
                place[at..end].fill(Some(mean));
            }
            at = end;
        }
    }

    // corrections of orientation: known when flat, then in all contacts, then fading in the air
    let mut known: Vec<bool> = wanted.iter().map(Option::is_some).collect();
    let mut correction: Vec<Vec3> = (0..n)
        .map(|i| wanted[i].map_or(Vec3::zeros(), |w| rotation::log(&(w * path.turn[i].inverse()))))
        .collect();
    bridge(&mut correction, &known, rate, FADE);
    let corrected = |c: &Vec3, i: usize| rotation::exp(c) * path.turn[i];
    for i in 0..n {
        if !known[i] && (heel[i] || toe[i]) {
            if ground == Ground::Flat {
                let rolling = rolling_turn(shape, &corrected(&correction[i], i), heel[i]);
                correction[i] = rotation::log(&(rolling * path.turn[i].inverse()));
            }
            known[i] = true;
        }
    }
    bridge(&mut correction, &known, rate, FADE);
    let turn: Vec<Quat> = (0..n).map(|i| corrected(&correction[i], i)).collect();
    let pos = (0..n)
        .map(|i| match (heel_place[i], toe_place[i]) {
            (_, Some(t)) => Some(t - turn[i] * shape.toe),
            (Some(h), None) => Some(h - turn[i] * shape.heel),
            (None, None) => None,
        })
        .collect();
    Planted { turn, pos, heel: heel_place, toe: toe_place }
}

/// Weights of frames: slow ones count most.
fn weight(path: &FootPath, local: &Vec3, i: usize, rate: f64) -> f64 {
    let (a, b) = (i.saturating_sub(1), (i + 1).min(path.pos.len() - 1));
    let speed = (path.point(b, local) - path.point(a, local)).norm() * rate / (b - a).max(1) as f64;
    1.0 / (1.0 + (speed / SLOW) * (speed / SLOW))
}

fn mean_point(path: &FootPath, local: &Vec3, frames: std::ops::Range<usize>, rate: f64) -> Vec3 {
    let (mut sum, mut total) = (Vec3::zeros(), 0.0);
    for i in frames {
        let w = weight(path, local, i, rate);
        sum += path.point(i, local) * w;
        total += w;
    }
    sum / total
}

/// Orientation of a foot that lies flat over some frames: level with their mean heading, or their mean on sloping ground.
fn flat_turn(
    shape: &FootShape,
    path: &FootPath,
    frames: std::ops::Range<usize>,
    rate: f64,
    ground: Ground,
) -> Quat {
    let middle = (shape.heel + shape.toe) * 0.5;
    let first = path.turn[frames.start];
    let (mut sum, mut total) = (Vec3::zeros(), 0.0);
    for i in frames {
        let w = weight(path, &middle, i, rate);
        sum += rotation::log(&(first.inverse() * path.turn[i])) * w;
        total += w;
    }
    let mean = first * rotation::exp(&(sum / total));
    match ground {
        Ground::Terrain => mean,
        Ground::Flat => {
            let forward = mean * shape.level * Vec3::x();
            heading(libm::atan2(forward.y, forward.x)) * shape.level.inverse()
        }
    }
}

/// The orientation without roll, pitched up on toes or down on the heel, never through the ground.
fn rolling_turn(shape: &FootShape, turn: &Quat, on_heel: bool) -> Quat {
    let forward = turn * shape.level * Vec3::x();
    if forward.z.abs() > STEEP {
        return *turn;
    }
    let pitch = libm::asin(-forward.z);
    let pitch = if on_heel { pitch.min(0.0) } else { pitch.max(0.0) };
    let level = heading(libm::atan2(forward.y, forward.x));
    level * rotation::exp(&(Vec3::y() * pitch)) * shape.level.inverse()
}

fn heading(yaw: f64) -> Quat {
    rotation::exp(&(Vec3::z() * yaw))
}
