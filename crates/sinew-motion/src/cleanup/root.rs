//! The root's correction: the smoothest path on which standing legs have the bends of the captured ones.
//!
//! Sought are a path `r(t)` by which the whole body is moved and a constant roll `ρ` of it about the middle of its hips:
//! ```text
//! min Σ dt { [w (|H + r − A| − D)/σ]² + [(r − A + A₀)ₓᵧ/2.5 cm]² + [r̈/σₐ]² } + T (ρ/1°)²
//! ```
//! over all frames and standing feet: `H` hip, `A` planted ankle, `A₀` the captured one, `D` the captured distance of hip and ankle, `w` the
//! knee's bend for each metre, in degrees. `σ` is 0.7° on flat feet and on the toes, 1.4° on the heel, where the pitch of the foot gives way
//! soonest, and `σₐ` 2 m/s² (17 in motions with flights). These numbers are the best of a search over twelve captured clips on three bodies. A leg that would have to be longer than it is costs
//! as much again for each 0.3 mm.
//!
//! Gauss–Newton; the normal equations are a band with a border of one column.

use super::leg::{Captured, Leg, STRAIGHT};
use super::plan::Plan;
use crate::contacts::ContactKind;
use sinew_dynamics::spatial::Vec3;
use sinew_solve::banded::{Band, BandCholesky};

/// Knees on flat feet, on the heel, on the toes, rad.
const KNEE: [f64; 3] = [0.013, 0.025, 0.011];
/// How far the body is from where its feet stand, m.
const PLACE: f64 = 0.025;
/// A leg that is too short, m.
const REACH: f64 = 3e-4;
/// Acceleration of the root's path, m/s², in walks and in motions with flights.
const BENDS: [f64; 2] = [2.0, 17.0];
/// Roll of the body, rad, and how far the root may be where nothing holds it, m.
const ROLL: f64 = 0.0175;
const FREE: f64 = 1.0;
/// Longest step of a round, m.
const LONGEST: f64 = 0.2;

/// A correction of the root.
#[derive(Clone, Debug)]
pub(super) struct Root {
    pub(super) path: Vec<Vec3>,
    pub(super) roll: f64,
    /// Where it began: the constant offset.
    start: Vec3,
}

impl Root {
    /// The vertical offset between captured and planted ankles.
    pub(super) fn new(captured: &Captured, legs: &[Leg; 2], plans: &[Plan; 2]) -> Root {
        let mut up = Vec::new();
        for (s, plan) in plans.iter().enumerate() {
            let down = (0..captured.len()).filter(|&i| plan.kind[i] == Some(ContactKind::Flat));
            up.extend(down.map(|i| plan.ankle(&legs[s], i, 0.0).z - captured.ankle[s][i].z));
        }
        up.sort_by(f64::total_cmp);
        let start = Vec3::z() * up.get(up.len() / 2).copied().unwrap_or(0.0);
        Root { path: vec![start; captured.len()], roll: 0.0, start }
    }

    /// A hip after the correction.
    pub(super) fn hip(&self, captured: &Captured, s: usize, i: usize) -> Vec3 {
        let middle = (captured.hip[0][i] + captured.hip[1][i]) * 0.5;
        let arm = captured.hip[s][i] - middle;
        let f = captured.forward[i];
        let (c, d) = (libm::cos(self.roll), libm::sin(self.roll));
        let along = f * f.dot(&arm);
        middle + along + (arm - along) * c + f.cross(&arm) * d + self.path[i]
    }

    /// Some rounds of Gauss–Newton.
    pub(super) fn solve(
        &mut self,
        captured: &Captured,
        legs: &[Leg; 2],
        plans: &mut [Plan; 2],
        flies: bool,
        rounds: usize,
    ) {
        let n = captured.len();
        let bends = BENDS[usize::from(flies)] / (captured.rate * captured.rate);
        for _ in 0..rounds {
            let half = if n > 2 { 8 } else { 2 };
            let mut band = Band::new(3 * n, half, half);
            let (mut border, mut right) = (vec![0.0; 3 * n], vec![0.0; 3 * n]);
            let (mut corner, mut last) = (n as f64 / (ROLL * ROLL), -self.roll * n as f64 / (ROLL * ROLL));
            let free = 1.0 / (FREE * FREE);
            for i in 0..n {
                for a in 0..3 {
                    band.add(3 * i + a, 3 * i + a, free);
                    right[3 * i + a] -= free * (self.path[i][a] - self.start[a]);
                }
            }
            let smooth = 1.0 / (bends * bends);
            for i in 1..n.saturating_sub(1) {
                let second = self.path[i + 1] - self.path[i] * 2.0 + self.path[i - 1];
                for (j, x) in [1.0, -2.0, 1.0].iter().enumerate() {
                    for (k, y) in [1.0, -2.0, 1.0].iter().enumerate() {
                        (0..3)
                            .for_each(|a| band.add(3 * (i - 1 + j) + a, 3 * (i - 1 + k) + a, smooth * x * y));
                    }
                    (0..3).for_each(|a| right[3 * (i - 1 + j) + a] -= smooth * x * second[a]);
                }
            }
            for s in 0..2 {
                let leg = &legs[s];
                for i in 0..n {
                    if !plans[s].down(i) {
                        continue;
                    }
                    let slides = plans[s].slides[i];
                    if slides {
                        let level = plans[s].place[i].z;
                        let mut at = captured.point(legs, s, i, &plans[s].point[i]) + self.path[i];
                        at.z = level;
                        plans[s].place[i] = at;
                    }
                    let plan = &plans[s];
                    let ankle = plan.ankle(leg, i, plan.pitch[i]);
                    let hip = self.hip(captured, s, i);
                    let arm = hip - ankle;
                    let d = arm.norm().max(1e-6);
                    let mut u = arm / d;
                    let off = hip - self.path[i] - (captured.hip[0][i] + captured.hip[1][i]) * 0.5;
                    let turned = captured.forward[i].cross(&off);
                    if slides {
                        (u.x, u.y) = (0.0, 0.0);
                    }
                    let by_roll = u.dot(&turned);
                    let mut row = |residual: f64, g: Vec3, roll: f64| {
                        for a in 0..3 {
                            for b in 0..3 {
                                band.add(3 * i + a, 3 * i + b, g[a] * g[b]);
                            }
                            border[3 * i + a] += g[a] * roll;
                            right[3 * i + a] -= g[a] * residual;
                        }
                        corner += roll * roll;
                        last -= roll * residual;
                    };
                    let bend = captured.bend[s][i];
                    let sigma = match plan.kind[i] {
                        Some(ContactKind::Flat) => KNEE[0],
                        Some(ContactKind::Heel) => KNEE[1],
                        _ => KNEE[2],
                    };
                    let w = leg.worth(bend) / sigma;
                    row(w * (d - leg.span(bend)), u * w, by_roll * w);
                    let excess = d - leg.span(STRAIGHT);
                    if excess > 0.0 {
                        row(excess / REACH, u / REACH, by_roll / REACH);
                    }
                    if !slides {
                        let aside = self.path[i] - ankle + captured.ankle[s][i];
                        row(aside.x / PLACE, Vec3::x() / PLACE, 0.0);
                        row(aside.y / PLACE, Vec3::y() / PLACE, 0.0);
                    }
                }
            }
            let mut factor = BandCholesky::new(&band);
            if !factor.factor(&band) {
                return;
            }
            factor.solve(&mut right);
            let mut column = border.clone();
            factor.solve(&mut column);
            let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
            let roll = (last - dot(&border, &right)) / (corner - dot(&border, &column));
            right.iter_mut().zip(&column).for_each(|(x, c)| *x -= roll * c);
            // distances are only near by as their linear models say
            let longest = right.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
            let part = (LONGEST / longest.max(LONGEST)).min(1.0);
            self.roll += part * roll;
            for i in 0..n {
                (0..3).for_each(|a| self.path[i][a] += part * right[3 * i + a]);
            }
        }
    }
}
