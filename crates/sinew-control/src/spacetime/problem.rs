//! The optimisation as a chain of frames for [`sinew_solve::chain`]: what is unknown, the present motion and the one that is tried. Its rows are in
//! `rows`, their derivatives in `jacobian`.

use super::Reference;
use super::kinetics::{Kinetics, Moment};
use super::params::{SpacetimeParams, penalties};
use super::points::{POINTS, Points};
use sinew_dynamics::spatial::Vec3;
use sinew_dynamics::{Data, JointId, JointKind, Model, forward_kinematics};
use sinew_solve::chain::{Chain, Penalty, Row};
use std::sync::Arc;

/// Damping of forces, 1/N², for a damping of frames of 1/rad².
const LOCAL: f64 = 1e-1;

/// Frames and forces.
#[derive(Clone, Debug)]
pub(super) struct State {
    /// nq numbers per frame.
    pub(super) q: Vec<f64>,
    /// Three numbers for each point that is down, stage after stage.
    pub(super) forces: Vec<f64>,
}

/// A joint with a range.
#[derive(Clone, Copy, Debug)]
pub(super) struct Range {
    pub(super) q: usize,
    pub(super) v: usize,
    pub(super) ball: bool,
}

/// The optimisation as a chain of frames.
pub(super) struct Problem<'a> {
    pub(super) reference: &'a Reference,
    pub(super) model: Arc<Model>,
    pub(super) kinetics: Kinetics,
    pub(super) data: Data,
    pub(super) now: State,
    pub(super) trial: State,
    /// Rows of every stage, and how many forces come before it.
    pub(super) rows: Vec<Vec<Row>>,
    pub(super) first_force: Vec<usize>,
    pub(super) penalties: [Penalty; 7],
    pub(super) ranges: Vec<Range>,
    pub(super) dt: f64,
    pub(super) weight: f64,
    /// Velocities of the clip: that which leads to each frame.
    pub(super) clip_v: Vec<f64>,
    /// Places of the points and heights of their corners in the trial, per frame.
    pub(super) places: Vec<[Vec3; POINTS]>,
    pub(super) heights: Vec<[f64; 2 * POINTS]>,
    // workspace
    pub(super) step: Vec<f64>,
    pub(super) around: [Vec<f64>; 2],
    pub(super) rates: [Vec<f64>; 2],
    pub(super) error: Vec<f64>,
    pub(super) tau: Vec<f64>,
    pub(super) lever: Vec<f64>,
}

impl<'a> Problem<'a> {
    pub(super) fn new(reference: &'a Reference, points: Points, params: &SpacetimeParams) -> Problem<'a> {
        let model = reference.model.clone();
        let (nv, count, dt) = (model.nv(), reference.len(), 1.0 / reference.rate);
        let mut ranges = Vec::new();
        for (k, joint) in model.joints().iter().enumerate() {
            if joint.kind != JointKind::Free && model.joint_spec(JointId(k)).range.is_some() {
                ranges.push(Range { q: joint.q, v: joint.v, ball: joint.kind == JointKind::Ball });
            }
        }
        let mut first_force = vec![0];
        for k in 0..count {
            let forces = if reference.has_both(k) { 3 * reference.active(k) } else { 0 };
            first_force.push(first_force[k] + forces);
        }
        let weight = model.mass() * model.gravity().norm();
        let mut forces = Vec::with_capacity(first_force[count]);
        for k in 0..count {
            // to begin with the weight is shared out among what is down
            let share = weight / reference.active(k).max(1) as f64;
            (0..(first_force[k + 1] - first_force[k]) / 3).for_each(|_| forces.extend([0.0, 0.0, share]));
        }
        let now = State { q: reference.q.clone(), forces };
        let mut problem = Problem {
            kinetics: Kinetics::new(model.clone(), points, dt),
            data: Data::new(&model),
            trial: now.clone(),
            now,
            rows: Vec::new(),
            first_force,
            penalties: penalties(weight, params.exactness),
            ranges,
            dt,
            weight,
            clip_v: vec![0.0; count * nv],
            places: vec![[Vec3::zeros(); POINTS]; count],
            heights: vec![[0.0; 2 * POINTS]; count],
            step: vec![0.0; nv],
            around: [vec![0.0; model.nq()], vec![0.0; model.nq()]],
            rates: [vec![0.0; nv], vec![0.0; nv]],
            error: vec![0.0; nv],
            tau: vec![0.0; nv],
            lever: vec![0.0; 3 * nv],
            reference,
            model,
        };
        let profile = reference.clearances(params.clearance, params.clearance_power);
        problem.rows = (0..count).map(|k| problem.rows_of(k, params, &profile[k])).collect();
        for k in 0..count {
            if reference.has_before(k) {
                problem.neighbours(k, false);
                let [before, _] = &problem.around;
                let here = &reference.q[k * problem.model.nq()..(k + 1) * problem.model.nq()];
                let v = &mut problem.clip_v[k * nv..(k + 1) * nv];
                problem.model.difference(before, here, v);
                v.iter_mut().for_each(|v| *v /= dt);
            }
        }
        problem.look();
        problem
    }

    /// Configurations of the frames before and after, moved to where this one is; of the trial, or of the clip.
    fn neighbours(&mut self, k: usize, trial: bool) {
        let (nq, count) = (self.model.nq(), self.reference.len());
        let q = if trial { &self.trial.q } else { &self.reference.q };
        let cycle = self.reference.travel();
        let [before, after] = &mut self.around;
        let of = |frame: usize| &q[frame * nq..(frame + 1) * nq];
        before.copy_from_slice(of(if k > 0 { k - 1 } else { count - 1 }));
        after.copy_from_slice(of(if k + 1 < count { k + 1 } else { 0 }));
        if let Some(travel) = cycle {
            if k == 0 {
                travel.inverse().apply_to(&self.model, before);
            }
            if k + 1 == count {
                travel.apply_to(&self.model, after);
            }
        }
    }

    /// Velocities to and from frame `k` of the trial.
    pub(super) fn rates(&mut self, k: usize) {
        self.neighbours(k, true);
        let nq = self.model.nq();
        let here = &self.trial.q[k * nq..(k + 1) * nq];
        let [to, from] = &mut self.rates;
        self.model.difference(&self.around[0], here, to);
        self.model.difference(here, &self.around[1], from);
        to.iter_mut().chain(from).for_each(|v| *v /= self.dt);
    }

    /// Places of the points in all frames of the trial.
    fn look(&mut self) {
        let Problem { model, data, kinetics, trial, places, heights, .. } = self;
        let nq = model.nq();
        for (k, q) in trial.q.chunks_exact(nq).enumerate() {
            forward_kinematics(model, data, q);
            for p in 0..POINTS {
                places[k][p] = kinetics.points.place(model, data, p);
                for (c, corner) in kinetics.points.corners[p].iter().enumerate() {
                    heights[k][2 * p + c] = corner.in_world(model, data).z;
                }
            }
        }
    }

    /// Where a point is in the frame after `k`.
    pub(super) fn place_after(&self, k: usize, p: usize) -> Vec3 {
        match self.reference.travel() {
            Some(travel) if k + 1 == self.places.len() => travel.apply(&self.places[0][p]),
            _ => self.places[k + 1][p],
        }
    }

    fn moment_forces(&self, k: usize) -> core::ops::Range<usize> {
        self.first_force[k]..self.first_force[k + 1]
    }

    /// Torque of a frame of the present motion, root rows first; and the velocity that leads to it.
    pub(super) fn outcome(&mut self, k: usize, v: &mut [f64], tau: &mut [f64]) {
        self.rates(k);
        v.copy_from_slice(&self.rates[0]);
        if self.reference.has_both(k) {
            let nq = self.model.nq();
            let at = Moment {
                q: &self.trial.q[k * nq..(k + 1) * nq],
                v: &self.rates[0],
                v_next: &self.rates[1],
                down: &self.reference.down[k],
                forces: &self.trial.forces[self.first_force[k]..self.first_force[k + 1]],
            };
            self.kinetics.forces(&at, tau);
        }
    }
}

impl Chain for Problem<'_> {
    fn frames(&self) -> usize {
        self.reference.len()
    }

    fn width(&self) -> usize {
        self.model.nv()
    }

    fn is_cyclic(&self) -> bool {
        self.reference.travel().is_some()
    }

    fn locals(&self, stage: usize) -> usize {
        self.moment_forces(stage).len()
    }

    fn local_scale(&self) -> f64 {
        LOCAL
    }

    fn rows(&self, stage: usize) -> &[Row] {
        &self.rows[stage]
    }

    fn penalties(&self) -> &[Penalty] {
        &self.penalties
    }

    fn try_step(&mut self, share: f64, frames: &[f64], locals: &[f64]) {
        let (nq, nv) = (self.model.nq(), self.model.nv());
        for (k, d) in frames.chunks_exact(nv).enumerate() {
            self.step.iter_mut().zip(d).for_each(|(s, d)| *s = share * d);
            let (now, trial) = (&self.now.q[k * nq..(k + 1) * nq], &mut self.trial.q[k * nq..(k + 1) * nq]);
            self.model.integrate(now, &self.step, trial);
        }
        for ((t, n), d) in self.trial.forces.iter_mut().zip(&self.now.forces).zip(locals) {
            *t = n + share * d;
        }
        self.look();
    }

    fn accept(&mut self) {
        self.now.q.copy_from_slice(&self.trial.q);
        self.now.forces.copy_from_slice(&self.trial.forces);
    }

    fn values(&mut self, k: usize, out: &mut [f64]) {
        self.evaluate(k, out);
    }

    fn jacobian(&mut self, k: usize, out: &mut [f64]) {
        self.differentiate(k, out);
    }
}
