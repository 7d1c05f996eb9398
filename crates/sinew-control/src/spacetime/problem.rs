//! The rows of the optimisation, frame by frame, for [`sinew_solve::chain`].

use super::kinetics::{Kinetics, Moment, inverse_right};
use super::params::{CLEAR, CONE, EFFORT, LEVEL, RANGE, ROOT, STICK, SpacetimeParams, penalties};
use super::points::{POINTS, Points};
use super::{Ends, Reference};
use sinew_dynamics::spatial::{Vec3, rotation};
use sinew_dynamics::{Data, JointId, JointKind, Model, forward_kinematics};
use sinew_motion::Travel;
use sinew_solve::chain::{Chain, Penalty, Row};
use std::sync::Arc;

/// Damping of forces, 1/N², for a damping of frames of 1/rad².
const LOCAL: f64 = 1e-1;
/// How far inside the pyramid of friction forces stay, over the weight.
const INSIDE: f64 = 4e-4;

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
struct Range {
    q: usize,
    v: usize,
    ball: bool,
}

/// The optimisation as a chain of frames.
pub(super) struct Problem<'a> {
    pub(super) reference: &'a Reference,
    pub(super) model: Arc<Model>,
    pub(super) kinetics: Kinetics,
    data: Data,
    pub(super) now: State,
    pub(super) trial: State,
    /// Rows of every stage, and how many forces come before it.
    rows: Vec<Vec<Row>>,
    pub(super) first_force: Vec<usize>,
    penalties: [Penalty; 7],
    ranges: Vec<Range>,
    dt: f64,
    weight: f64,
    /// Velocities of the clip: that which leads to each frame.
    clip_v: Vec<f64>,
    /// Places of the points and heights of their corners in the trial, per frame.
    places: Vec<[Vec3; POINTS]>,
    heights: Vec<[f64; 2 * POINTS]>,
    // workspace
    step: Vec<f64>,
    around: [Vec<f64>; 2],
    rates: [Vec<f64>; 2],
    error: Vec<f64>,
    tau: Vec<f64>,
    lever: Vec<f64>,
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

    /// What the rows of a stage ask for. The order is that of `values` and `jacobian`.
    fn rows_of(&self, k: usize, params: &SpacetimeParams, clear: &[f64; POINTS]) -> Vec<Row> {
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
    fn rates(&mut self, k: usize) {
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
    fn place_after(&self, k: usize, p: usize) -> Vec3 {
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

/// Writes the block of a joint-wise matrix: 1 for numbers, a 3 × 3 matrix for rotations.
fn blocks(
    out: &mut [f64],
    order: usize,
    at: usize,
    turns: &[usize],
    scale: f64,
    of: impl Fn(usize) -> sinew_dynamics::spatial::Mat3,
) {
    let nv = out.len() / order;
    for d in 0..nv {
        out[d * order + at + d] = scale;
    }
    for &g in turns {
        let m = of(g) * scale;
        for r in 0..3 {
            for c in 0..3 {
                out[(g + r) * order + at + g + c] = m[(r, c)];
            }
        }
    }
}

/// Turns the columns of the root's place, `from` on, by a travel: a frame beyond the seam is another frame moved.
fn turn_columns(out: &mut [f64], order: usize, from: usize, travel: &Travel) {
    for row in out.chunks_exact_mut(order) {
        // row · R(yaw): the transpose turns back
        let back = Travel { yaw: -travel.yaw, shift: Vec3::zeros() };
        let turned = back.direction(&Vec3::new(row[from], row[from + 1], row[from + 2]));
        row[from..from + 3].copy_from_slice(turned.as_slice());
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

    fn jacobian(&mut self, k: usize, out: &mut [f64]) {
        let (nq, nv) = (self.model.nq(), self.model.nv());
        let reference = self.reference;
        // the trial is the present motion here
        self.rates(k);
        let m = self.first_force[k + 1] - self.first_force[k];
        let order = m + 3 * nv;
        let (before, here, after) = (m, m + nv, m + 2 * nv);
        let (turns, dt) = (self.kinetics.turns().to_vec(), self.dt);
        let all = out;
        let mut rest = &mut all[..];
        let mut take = |rows: usize| {
            let (first, after) = core::mem::take(&mut rest).split_at_mut(rows * order);
            rest = after;
            first
        };
        let q = self.trial.q[k * nq..(k + 1) * nq].to_vec();
        self.model.difference(&reference.q[k * nq..(k + 1) * nq], &q, &mut self.error);
        let error = &self.error;
        blocks(take(nv), order, here, &turns, 1.0, |g| inverse_right(&error[g..g + 3], 1.0));
        if reference.has_before(k) {
            let rows = take(nv);
            let v = &self.rates[0];
            blocks(rows, order, here, &turns, 1.0 / dt, |g| inverse_right(&v[g..g + 3], dt));
            blocks(rows, order, before, &turns, -1.0 / dt, |g| inverse_right(&v[g..g + 3], dt).transpose());
        }
        if reference.has_both(k) {
            let [v, v_next] = &self.rates;
            let forces = &self.trial.forces[self.first_force[k]..self.first_force[k + 1]];
            let at = Moment { q: &q, v, v_next, down: &reference.down[k], forces };
            self.kinetics.linearise(&at);
            let active: Vec<usize> = (0..POINTS).filter(|p| reference.down[k][*p]).collect();
            let rows = take(nv);
            for (r, row) in rows.chunks_exact_mut(order).enumerate() {
                for (i, &p) in active.iter().enumerate() {
                    let lever = &self.kinetics.lever[p][3 * r..3 * r + 3];
                    (0..3).for_each(|x| row[3 * i + x] = -lever[x]);
                }
                for d in 0..nv {
                    row[before + d] = self.kinetics.before[d * nv + r];
                    row[here + d] = self.kinetics.here[d * nv + r];
                    row[after + d] = self.kinetics.after[d * nv + r];
                }
            }
            let limits = self.model.effort_limits();
            let limited: Vec<usize> =
                (0..nv).filter(|d| limits[*d] > 0.0 && limits[*d].is_finite()).collect();
            for (to, d) in take(limited.len()).chunks_exact_mut(order).zip(limited) {
                to.copy_from_slice(&rows[d * order..(d + 1) * order]);
            }
            for (i, row) in take(m).chunks_exact_mut(order).enumerate() {
                row[i] = 1.0;
            }
            let mu = reference.friction;
            for (i, row) in take(4 * active.len()).chunks_exact_mut(order).enumerate() {
                let (p, side) = (3 * (i / 4), i % 4);
                row[p] = if side < 2 { 1.0 } else { -1.0 };
                row[p + 1] = if side % 2 == 0 { 1.0 } else { -1.0 };
                row[p + 2] = mu;
            }
            // slides: the point here, and in the frame after
            let slides = take(2 * active.len());
            for (i, &p) in active.iter().enumerate() {
                for d in 0..nv {
                    for x in 0..2 {
                        slides[(2 * i + x) * order + here + d] = -self.kinetics.lever[p][3 * d + x] / dt;
                    }
                }
            }
            forward_kinematics(&self.model, &mut self.data, &self.around[1]);
            for (i, &p) in active.iter().enumerate() {
                let place = self.kinetics.points.place(&self.model, &self.data, p);
                self.data.point_jacobian(&self.model, self.kinetics.points.body(p), &place, &mut self.lever);
                for d in 0..nv {
                    for x in 0..2 {
                        slides[(2 * i + x) * order + after + d] = self.lever[3 * d + x] / dt;
                    }
                }
            }
        }
        forward_kinematics(&self.model, &mut self.data, &q);
        let low = take(2 * POINTS);
        for (i, row) in low.chunks_exact_mut(order).enumerate() {
            let corner = self.kinetics.points.corners[i / 2][i % 2];
            let place = corner.in_world(&self.model, &self.data);
            self.data.point_jacobian(&self.model, corner.body, &place, &mut self.lever);
            (0..nv).for_each(|d| row[here + d] = self.lever[3 * d + 2]);
        }
        for (row, r) in take(self.ranges.len()).chunks_exact_mut(order).zip(&self.ranges) {
            if r.ball {
                let turn = rotation::log(&rotation::from_wxyz(&q[r.q..]));
                if let Some(axis) = turn.try_normalize(1e-9) {
                    row[here + r.v..here + r.v + 3].copy_from_slice(axis.as_slice());
                }
            } else {
                row[here + r.v] = 1.0;
            }
        }
        self.seam(k, order, m, all);
    }
}

impl Problem<'_> {
    /// Frames beyond the seam of a cycle are others moved; frames that are held have no columns.
    fn seam(&self, k: usize, order: usize, m: usize, all: &mut [f64]) {
        let (nv, count) = (self.model.nv(), self.reference.len());
        if let (Some(travel), Some(root)) = (self.reference.travel(), self.model.free_root()) {
            if k == 0 {
                turn_columns(all, order, m + root.v, &travel.inverse());
            }
            if k + 1 == count {
                turn_columns(all, order, m + 2 * nv + root.v, &travel);
            }
        }
        for (place, frame) in [k.wrapping_sub(1), k, k + 1].into_iter().enumerate() {
            if self.reference.held(frame) {
                for row in all.chunks_exact_mut(order) {
                    row[m + place * nv..m + (place + 1) * nv].fill(0.0);
                }
            }
        }
    }
}

impl Reference {
    /// The travel of a cycle.
    pub(super) fn travel(&self) -> Option<Travel> {
        match self.ends {
            Ends::Cycle(travel) => Some(travel),
            Ends::Open { .. } => None,
        }
    }

    pub(super) fn has_before(&self, k: usize) -> bool {
        k > 0 || self.travel().is_some()
    }

    pub(super) fn has_both(&self, k: usize) -> bool {
        self.travel().is_some() || (k > 0 && k + 1 < self.len())
    }

    /// Number of points that are down.
    pub(super) fn active(&self, k: usize) -> usize {
        self.down[k].iter().filter(|d| **d).count()
    }

    /// Whether a point lies on the ground in a frame: it bears force there, or did in the frame before and is held until here.
    pub(super) fn touches(&self, k: usize, p: usize) -> bool {
        let before = match self.ends {
            Ends::Cycle(_) => (k + self.len() - 1) % self.len(),
            Ends::Open { .. } => k.saturating_sub(1),
        };
        self.down[k][p] || self.down[before][p]
    }

    /// Whether a frame is given.
    pub(super) fn held(&self, frame: usize) -> bool {
        match self.ends {
            Ends::Cycle(_) => false,
            Ends::Open { first, last } => {
                (first && frame < 2) || (last && frame < self.len() && frame + 2 >= self.len())
            }
        }
    }

    /// Height over its ground that each point keeps in each frame: a bell over each swing.
    pub(super) fn clearances(&self, height: f64, power: f64) -> Vec<[f64; POINTS]> {
        let n = self.len();
        let mut out = vec![[0.0; POINTS]; n];
        let cyclic = self.travel().is_some();
        for p in 0..POINTS {
            let touches: Vec<bool> = (0..n).map(|k| self.touches(k, p)).collect();
            let Some(first) = touches.iter().position(|t| *t) else { continue };
            // runs in the air between two frames on the ground
            let mut last = first;
            let end = if cyclic { first + n } else { n - 1 };
            for at in first + 1..=end {
                if !touches[at % n] {
                    continue;
                }
                let length = at - last;
                for k in last + 1..at {
                    let phase = (k - last) as f64 / length as f64;
                    out[k % n][p] = height * libm::pow(libm::sin(core::f64::consts::PI * phase), power);
                }
                last = at;
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_dynamics::characters;
    use sinew_motion::{Clip, motions};

    /// Every row of a stage against central differences along every unknown that it sees.
    fn compare(reference: &Reference, stages: &[usize]) {
        let points = Points::of(&reference.model).unwrap();
        let mut problem = Problem::new(reference, points, &SpacetimeParams::default());
        let (nv, count) = (problem.width(), problem.frames());
        let (mut frames, mut locals) = (vec![0.0; nv * count], vec![0.0; problem.now.forces.len()]);
        // away from the reference, with forces in all directions
        frames.iter_mut().enumerate().for_each(|(i, d)| *d = 0.02 * libm::sin(1.7 * i as f64));
        locals.iter_mut().enumerate().for_each(|(i, d)| *d = 50.0 * libm::cos(2.3 * i as f64));
        problem.try_step(1.0, &frames, &locals);
        problem.accept();
        frames.fill(0.0);
        locals.fill(0.0);
        for &k in stages {
            let (m, rows) = (problem.locals(k), problem.rows(k).len());
            let order = m + 3 * nv;
            problem.try_step(0.0, &frames, &locals);
            let mut jacobian = vec![0.0; rows * order];
            problem.jacobian(k, &mut jacobian);
            let (mut plus, mut minus) = (vec![0.0; rows], vec![0.0; rows]);
            for unknown in 0..order {
                let step = if unknown < m { 1e-2 } else { 1e-6 };
                let frame = (k + count + unknown.saturating_sub(m) / nv - 1) % count;
                let there = reference.travel().is_some() || frame.abs_diff(k) < 2;
                for (sign, out) in [(1.0, &mut plus), (-1.0, &mut minus)] {
                    match unknown.checked_sub(m) {
                        None => locals[problem.first_force[k] + unknown] = sign * step,
                        Some(u) if there => frames[frame * nv + u % nv] = sign * step,
                        Some(_) => {}
                    }
                    problem.try_step(1.0, &frames, &locals);
                    problem.values(k, out);
                    frames.fill(0.0);
                    locals.fill(0.0);
                }
                for r in 0..rows {
                    let (by, exact) = ((plus[r] - minus[r]) / (2.0 * step), jacobian[r * order + unknown]);
                    let scale = 1.0 + exact.abs().max(by.abs());
                    assert!((by - exact).abs() < 3e-5 * scale, "stage {k}, row {r}, {unknown}: {by} {exact}");
                }
            }
        }
    }

    #[test]
    fn derivatives_are_those_of_central_differences() {
        let model = Arc::new(characters::load("human29").unwrap());
        let clip = motions::load("walk", &model).unwrap().resampled(60.0);
        let q = clip.as_slice()[30 * model.nq()..43 * model.nq()].to_vec();
        let part = |q| Clip::new("part", model.clone(), 60.0, q).unwrap();
        let mut clip = part(q);
        clip.contacts = Some(super::super::contacts(&[[true, false, true, true]; 13]));
        let mut reference = Reference::of_clip(&clip, true).unwrap();
        reference.ends = Ends::Cycle(Travel { yaw: 0.4, shift: Vec3::new(0.3, 0.1, 0.0) });
        compare(&reference, &[0, 4, 11]);
        reference.ends = Ends::Open { first: false, last: false };
        compare(&reference, &[0, 5, 11]);
    }
}
