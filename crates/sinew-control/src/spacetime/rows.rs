//! The rows of a frame: what they ask for, and their values. In this order, as far as a frame has them:
//!
//! 1. distance from the clip's pose, and from its velocity;
//! 2. inverse dynamics: torques as costs, the root's six rows as zeros; torques within their limits;
//! 3. contact forces as costs, and inside the pyramid of friction;
//! 4. points that are down stay where they are along the ground;
//! 5. heights of the corners of the soles: on the ground, or at least as high as a swing asks for;
//! 6. joints within their ranges.

use super::kinetics::Moment;
use super::params::{CLEAR, CONE, EFFORT, LEVEL, RANGE, ROOT, STICK, SpacetimeParams};
use super::points::POINTS;
use super::problem::Problem;
use sinew_dynamics::spatial::rotation;
use sinew_dynamics::{JointId, JointKind};
use sinew_solve::chain::Row;

/// How far inside the pyramid of friction forces stay, over the weight.
const INSIDE: f64 = 4e-4;

impl Problem<'_> {
    /// What the rows of a stage ask for. The order is that of `values` and `jacobian`.
    pub(super) fn rows_of(&self, k: usize, params: &SpacetimeParams, clear: &[f64; POINTS]) -> Vec<Row> {
        let (reference, model) = (self.reference, &self.model);
        let nv = model.nv();
        let mut rows = Vec::new();
        let root = model.free_root().map_or(usize::MAX, |j| j.v);
        for d in 0..nv {
            let weight = match d.wrapping_sub(root) {
                0 | 1 => params.root_place,
                3..=5 => params.root_turn,
                _ => params.pose,
            };
            rows.push(Row::Cost { weight });
        }
        if reference.has_before(k) {
            rows.extend((0..nv).map(|_| Row::Cost { weight: params.velocity }));
        }
        if reference.has_both(k) {
            let limits = model.effort_limits();
            for d in 0..nv {
                let driven = d.wrapping_sub(root) >= 6 && limits[d] > 0.0;
                rows.push(if driven { Row::Cost { weight: params.torque } } else { Row::zero(ROOT) });
            }
            for limit in limits.iter().filter(|l| **l > 0.0 && l.is_finite()) {
                let limit = params.effort * limit;
                rows.push(Row::Keep { lo: -limit, hi: limit, group: EFFORT });
            }
            let active = reference.active(k);
            rows.extend((0..3 * active).map(|_| Row::Cost { weight: params.force }));
            // strictly inside, so that rounding leaves no pull
            rows.extend((0..4 * active).map(|_| Row::at_least(INSIDE * self.weight, CONE)));
            rows.extend((0..2 * active).map(|_| Row::zero(STICK)));
        }
        for (p, clear) in clear.iter().enumerate() {
            let level = reference.level[k][p];
            let low = if reference.touches(k, p) {
                Row::Keep { lo: level, hi: level, group: LEVEL }
            } else {
                Row::at_least(level + clear, CLEAR)
            };
            rows.extend([low, low]);
        }
        for (joint, id) in model.joints().iter().zip(0..) {
            let Some([lo, hi]) =
                model.joint_spec(JointId(id)).range.filter(|_| joint.kind != JointKind::Free)
            else {
                continue;
            };
            let lo = if joint.kind == JointKind::Ball { -1.0 } else { lo };
            rows.push(Row::Keep { lo, hi, group: RANGE });
        }
        rows
    }

    /// Values of the rows of a stage of the trial.
    pub(super) fn evaluate(&mut self, k: usize, out: &mut [f64]) {
        let (nq, nv) = (self.model.nq(), self.model.nv());
        let reference = self.reference;
        self.rates(k);
        let here = &self.trial.q[k * nq..(k + 1) * nq];
        let (pose, mut rest) = out.split_at_mut(nv);
        self.model.difference(&reference.q[k * nq..(k + 1) * nq], here, pose);
        let mut take = |count: usize| {
            let (first, after) = core::mem::take(&mut rest).split_at_mut(count);
            rest = after;
            first
        };
        if reference.has_before(k) {
            for ((o, v), clip) in take(nv).iter_mut().zip(&self.rates[0]).zip(&self.clip_v[k * nv..]) {
                *o = v - clip;
            }
        }
        if reference.has_both(k) {
            let forces = &self.trial.forces[self.first_force[k]..self.first_force[k + 1]];
            let [v, v_next] = &self.rates;
            let at = Moment { q: here, v, v_next, down: &reference.down[k], forces };
            self.kinetics.forces(&at, &mut self.tau);
            take(nv).copy_from_slice(&self.tau);
            let limits = self.model.effort_limits();
            let limited = |l: &&f64| **l > 0.0 && l.is_finite();
            let driven = take(limits.iter().filter(limited).count());
            let torques = self.tau.iter().zip(limits).filter(|(_, l)| limited(l)).map(|(t, _)| *t);
            driven.iter_mut().zip(torques).for_each(|(o, t)| *o = t);
            take(forces.len()).copy_from_slice(forces);
            let mu = reference.friction;
            for (o, f) in take(forces.len() / 3 * 4).chunks_exact_mut(4).zip(forces.chunks_exact(3)) {
                let up = mu * f[2];
                o.copy_from_slice(&[up + f[0] + f[1], up + f[0] - f[1], up - f[0] + f[1], up - f[0] - f[1]]);
            }
            let slides = take(forces.len() / 3 * 2);
            for (o, p) in slides.chunks_exact_mut(2).zip((0..POINTS).filter(|p| reference.down[k][*p])) {
                let slid = (self.place_after(k, p) - self.places[k][p]) / self.dt;
                o.copy_from_slice(&[slid.x, slid.y]);
            }
        }
        take(2 * POINTS).copy_from_slice(&self.heights[k]);
        let ranged = take(self.ranges.len());
        for (o, r) in ranged.iter_mut().zip(&self.ranges) {
            *o = if r.ball { rotation::log(&rotation::from_wxyz(&here[r.q..])).norm() } else { here[r.q] };
        }
    }
}
