//! Where a foot stands: one place and one heading per stance, and a pitch per frame.
//!
//! A foot that is down touches with one point of its sole's axis, which has one place for as long as it touches: while the foot is flat any
//! point, on the heel its rear edge, on the ball its front edge. With the heading `ψ` and the pitch `p` (nose down positive) the ankle is at
//! ```text
//! A(p) = P + R(ψ, p) (a − c),        R = Rz(ψ) Ry(p)        P: place, c: the point, a: the ankle, in the foot's axes
//! ```
//! Places and headings are means over the flat frames, slow ones counting most. A foot that turns by more than 10° while it is flat
//! pivots: the point of its axis that moves least stays, and the heading is as captured. A foot that slides while it is flat is on the
//! ground but has no place.

use super::leg::{Captured, Leg};
use crate::FootContacts;
use crate::contacts::{ContactKind, runs};
use crate::filter::LowPass;
use core::ops::Range;
use sinew_dynamics::Side;
use sinew_dynamics::spatial::{Quat, Vec3};

/// Frames slower than this count most, m/s.
const SLOW: f64 = 0.1;
/// A flat foot that turns by more than this pivots, rad.
const PIVOT: f64 = 0.175;
/// A foot that turns by more than this while it is on its heel or on its toes turns about that edge, rad.
const TURNS: f64 = 0.2;
/// Cut-off of the heading of a foot that pivots or slides, Hz.
const HEADING: f64 = 4.0;
/// Points of the axis that are tried for a pivot.
const POINTS: usize = 11;
/// Greatest pitch on the toes, rad (80°).
pub(super) const STEEPEST: f64 = 1.4;

/// What a foot does.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub(super) kind: Vec<Option<ContactKind>>,
    /// Down without a place.
    pub(super) slides: Vec<bool>,
    pub(super) yaw: Vec<f64>,
    pub(super) pitch: Vec<f64>,
    /// The pitch as captured.
    pub(super) captured: Vec<f64>,
    /// Bounds of the pitch from the limits of the ankle.
    pub(super) least: Vec<f64>,
    pub(super) most: Vec<f64>,
    /// The point that touches, in the foot's axes, and its place.
    pub(super) point: Vec<Vec3>,
    pub(super) place: Vec<Vec3>,
    /// Frames that belong together: one place.
    pub(super) stances: Vec<Range<usize>>,
}

impl Plan {
    /// The plan of a foot.
    pub(super) fn new(
        captured: &Captured,
        legs: &[Leg; 2],
        s: usize,
        contacts: &FootContacts,
        slides: Option<&[Vec<bool>; 2]>,
    ) -> Plan {
        let (n, leg) = (captured.len(), &legs[s]);
        let angles: Vec<(f64, f64)> = captured.turn[s].iter().map(|t| leg.angles(t)).collect();
        let yaw = heading(&angles.iter().map(|a| a.0).collect::<Vec<_>>(), captured.rate);
        let side = Side::BOTH[s];
        let mut plan = Plan {
            kind: (0..n).map(|i| contacts.kind(side, i)).collect(),
            slides: slides.map_or_else(|| vec![false; n], |all| all[s].clone()),
            yaw,
            pitch: vec![0.0; n],
            captured: angles.iter().map(|a| a.1).collect(),
            least: vec![f64::NEG_INFINITY; n],
            most: vec![f64::INFINITY; n],
            point: vec![(leg.shape.heel + leg.shape.toe) * 0.5; n],
            place: vec![Vec3::zeros(); n],
            stances: Vec::new(),
        };
        for i in 0..n {
            plan.pitch[i] = match plan.kind[i] {
                Some(ContactKind::Heel) => plan.captured[i].min(0.0),
                Some(ContactKind::Ball) => plan.captured[i].clamp(0.0, STEEPEST),
                _ => 0.0,
            };
        }
        for stance in contacts.stances(side) {
            let level = contacts.level[s][stance.start];
            for part in runs(stance.len(), |k| !plan.slides[stance.start + k]) {
                plan.stand(captured, legs, s, stance.start + part.start..stance.start + part.end, level);
            }
            for i in stance.filter(|&i| plan.slides[i]).collect::<Vec<_>>() {
                plan.point[i] = plan.edge(leg, i, &plan.point[i]);
                plan.place[i] = captured.point(legs, s, i, &plan.point[i]);
                plan.place[i].z = level;
            }
        }
        plan
    }

    /// Whether a foot is down.
    pub(super) fn down(&self, i: usize) -> bool {
        self.kind[i].is_some()
    }

    /// Orientation of a foot that is down.
    pub(super) fn turn(&self, leg: &Leg, i: usize) -> Quat {
        leg.turn(self.yaw[i], self.pitch[i])
    }

    /// Ankle of a foot that is down, at a pitch.
    pub(super) fn ankle(&self, leg: &Leg, i: usize, pitch: f64) -> Vec3 {
        leg.ankle_at(&leg.turn(self.yaw[i], pitch), &self.point[i], &self.place[i])
    }

    /// Where a point of a foot that is down belongs.
    pub(super) fn place_of(&self, leg: &Leg, i: usize, local: &Vec3) -> Vec3 {
        self.place[i] + self.turn(leg, i) * (local - self.point[i])
    }

    /// Sets heading, points and places of a stance.
    fn stand(&mut self, captured: &Captured, legs: &[Leg; 2], s: usize, frames: Range<usize>, level: f64) {
        let leg = &legs[s];
        let flat: Vec<usize> = frames.clone().filter(|&i| self.kind[i] == Some(ContactKind::Flat)).collect();
        let middle = (leg.shape.heel + leg.shape.toe) * 0.5;
        let on_ground = |p: Vec3| Vec3::new(p.x, p.y, level);
        let steady = if flat.is_empty() { frames.clone().collect() } else { flat.clone() };
        let pivots = self.turned(steady.iter().copied()) > PIVOT;
        let mean_yaw = self.mean_yaw(captured, legs, s, &steady, &middle);
        let seen = self.yaw[frames.clone()].to_vec();
        let yaw_of = |i: usize| if pivots { seen[i - frames.start] } else { mean_yaw };
        for i in frames.clone() {
            self.yaw[i] = yaw_of(i);
        }
        if flat.is_empty() {
            // never flat: each way of touching has a place of its own
            for (kind, point) in [(ContactKind::Heel, leg.shape.heel), (ContactKind::Ball, leg.shape.toe)] {
                for run in runs(frames.len(), |k| self.kind[frames.start + k] == Some(kind)) {
                    let run: Vec<usize> = run.map(|k| frames.start + k).collect();
                    let place = on_ground(mean(captured, legs, s, &run, &point));
                    run.iter().for_each(|&i| (self.point[i], self.place[i]) = (point, place));
                }
            }
            self.stances.push(frames);
            return;
        }
        let (point, place) = if pivots {
            let along = |k: usize| leg.shape.heel.lerp(&leg.shape.toe, k as f64 / (POINTS - 1) as f64);
            let way = |k: usize| -> f64 {
                let at = |i: usize| captured.point(legs, s, i, &along(k)).xy();
                flat.windows(2).map(|w| (at(w[1]) - at(w[0])).norm()).sum()
            };
            let ways: Vec<f64> = (0..POINTS).map(way).collect();
            let best = (0..POINTS).min_by(|&a, &b| ways[a].total_cmp(&ways[b])).unwrap_or(POINTS / 2);
            (along(best), on_ground(mean(captured, legs, s, &flat, &along(best))))
        } else {
            let ankle = mean(captured, legs, s, &flat, &leg.ankle);
            (middle, on_ground(ankle + leg.turn(mean_yaw, 0.0) * (middle - leg.ankle)))
        };
        // an edge is where it was while the foot was flat last, and the foot may turn about it
        let first = flat[0];
        let edges = runs(frames.len(), |k| self.kind[frames.start + k] != Some(ContactKind::Flat));
        flat.iter().for_each(|&i| (self.point[i], self.place[i]) = (point, place));
        for run in edges {
            let run = frames.start + run.start..frames.start + run.end;
            let beside = if run.start > first { run.start - 1 } else { run.end };
            let (yaw, from) = (yaw_of(beside), seen[beside - frames.start]);
            let turns =
                run.clone().map(|i| (seen[i - frames.start] - from).abs()).fold(0.0, f64::max) > TURNS;
            let flat_turn = leg.turn(yaw, 0.0);
            for i in run {
                let edge = self.edge(leg, i, &middle);
                self.yaw[i] = if turns { yaw + seen[i - frames.start] - from } else { yaw };
                (self.point[i], self.place[i]) = (edge, on_ground(place + flat_turn * (edge - point)));
            }
        }
        self.stances.push(frames);
    }

    /// How far the heading goes in some frames.
    fn turned(&self, frames: impl Iterator<Item = usize>) -> f64 {
        let (low, high) =
            frames.map(|i| self.yaw[i]).fold((f64::MAX, f64::MIN), |(a, b), y| (a.min(y), b.max(y)));
        high - low
    }

    /// The point with which a foot touches in a frame.
    fn edge(&self, leg: &Leg, i: usize, middle: &Vec3) -> Vec3 {
        match self.kind[i] {
            Some(ContactKind::Heel) => leg.shape.heel,
            Some(ContactKind::Ball) => leg.shape.toe,
            _ => *middle,
        }
    }

    /// In a frame that was flat the foot stands on its toes from now on.
    pub(super) fn rise(&mut self, leg: &Leg, i: usize) {
        let turn = leg.turn(self.yaw[i], 0.0);
        self.place[i] += turn * (leg.shape.toe - self.point[i]);
        self.point[i] = leg.shape.toe;
        self.kind[i] = Some(ContactKind::Ball);
    }

    fn mean_yaw(&self, captured: &Captured, legs: &[Leg; 2], s: usize, frames: &[usize], at: &Vec3) -> f64 {
        let (mut sum, mut total) = (0.0, 0.0);
        for &i in frames {
            let w = weight(captured, legs, s, i, at);
            sum += w * self.yaw[i];
            total += w;
        }
        sum / total
    }
}

/// The weight of a frame: slow ones count most.
fn weight(captured: &Captured, legs: &[Leg; 2], s: usize, i: usize, local: &Vec3) -> f64 {
    let (a, b) = (i.saturating_sub(1), (i + 1).min(captured.len() - 1));
    let way = captured.point(legs, s, b, local) - captured.point(legs, s, a, local);
    let speed = way.norm() * captured.rate / (b - a).max(1) as f64;
    1.0 / (1.0 + (speed / SLOW) * (speed / SLOW))
}

/// The mean place of a point of the foot over some frames.
fn mean(captured: &Captured, legs: &[Leg; 2], s: usize, frames: &[usize], local: &Vec3) -> Vec3 {
    let (mut sum, mut total) = (Vec3::zeros(), 0.0);
    for &i in frames {
        let w = weight(captured, legs, s, i, local);
        sum += captured.point(legs, s, i, local) * w;
        total += w;
    }
    sum / total
}

/// Headings without jumps of whole turns, low-passed.
fn heading(yaw: &[f64], rate: f64) -> Vec<f64> {
    let mut out = yaw.to_vec();
    for i in 1..out.len() {
        out[i] -= core::f64::consts::TAU * libm::round((out[i] - out[i - 1]) / core::f64::consts::TAU);
    }
    LowPass::new(out.len(), rate, HEADING).numbers(&mut out);
    out
}
