//! The look-ahead law at the present state, and the correction by real contact forces.
//!
//! # Nonlinear law (equation 11)
//! At the pose `q⁺` that comes and the present velocity `v`, with `L = Δ M⁻¹ [E  Jᵀ]` and the errors `e_q = q⁺ ⊖ q_k`,
//! `e_v = v − Δ M⁻¹ h − v_{k+1}`, the controls that minimise the one-step cost plus the cost to go `S, s`:
//!
//! ```text
//! [R + P + Lᵀ S_vv L] u = R ū − Lᵀ (s_v + S_vq e_q + S_vv e_v)
//! ```
//!
//! The linear law uses the gains of the sweep instead: `u = ū + K ξ + k`.
//!
//! # Adaptation (equations 12 to 15)
//! Real contacts give other forces than planned. Features `φ` (torso, shoulders, joints) shall accelerate as planned:
//! `τ = τ̃ + G (F − J̃ᵀλ̃)` with `F` the generalised real contact force and
//!
//! ```text
//! G = C J_φ M⁻¹,   C = −(γ⁻¹ + B_mᵀ W B_m)⁻¹ B_mᵀ W,   B_m = J_φ M⁻¹ E         published
//! G = −(γ⁻¹ + EᵀM⁻¹E)⁻¹ EᵀM⁻¹                                                    symmetric: φ = q, W = M
//! ```

use super::Lookahead;
use super::policy::Frame;
use super::weights::{SHOULDERS, TORSO, Weights};
use crate::spacetime::{POINTS, Points};
use sinew_dynamics::spatial::Vec3;
use sinew_dynamics::{BodyId, Data, Model, Role, Side, bias_force, factored_mass_matrix};
use sinew_solve::dense::Cholesky;
use sinew_solve::dense::gemm::{Mat, MatMut, Packing, Update};
use std::sync::Arc;

/// Workspace, and what came out.
#[derive(Clone, Debug)]
pub(super) struct Law {
    model: Arc<Model>,
    pub(super) points: Points,
    pub(super) data: Data,
    joints: Vec<usize>,
    weights: Weights,
    features: Vec<(BodyId, Vec3, [f64; 3])>,
    /// Torque of the joints and forces of the points that are down.
    pub(super) control: Vec<f64>,
    /// `G`, joints × nv.
    pub(super) gain: Vec<f64>,
    /// `G J̃ᵀ λ̃` taken from the torque.
    pub(super) torque: Vec<f64>,
    columns: Vec<f64>,
    weighted: Vec<f64>,
    matrix: Vec<f64>,
    right: Vec<f64>,
    error: Vec<f64>,
    e_q: Vec<f64>,
    e_v: Vec<f64>,
    planned: Vec<f64>,
    jacobian: Vec<f64>,
    rows: Vec<f64>,
    inverse: Vec<f64>,
    poses: [Vec<f64>; 2],
    cholesky: Cholesky,
    packing: Packing,
}

impl Law {
    pub(super) fn new(model: Arc<Model>, points: Points) -> Law {
        let nv = model.nv();
        let root = model.free_root().map_or(0, |j| j.v);
        let joints: Vec<usize> = (0..nv).filter(|d| d.wrapping_sub(root) >= 6).collect();
        let most = joints.len() + 3 * POINTS;
        let mut features = Vec::new();
        if let Some(trunk) = model.role(Role::Trunk) {
            features.push((trunk, model.bodies()[trunk.0].inertia.com, TORSO));
        }
        for side in Side::BOTH {
            if let Some(arm) = model.role(Role::UpperArm(side)) {
                let anchor = model.bodies()[arm.0].joints.first().map_or(Vec3::zeros(), |j| j.anchor);
                features.push((arm, anchor, SHOULDERS));
            }
        }
        let rows = 3 * features.len() + joints.len();
        let zeros = |n: usize| vec![0.0; n];
        Law {
            data: Data::new(&model),
            weights: Weights::of(&model),
            control: zeros(most),
            gain: zeros(joints.len() * nv),
            torque: zeros(nv),
            columns: zeros(nv * most),
            weighted: zeros(nv * most.max(rows)),
            matrix: zeros(most * most),
            right: zeros(most),
            error: zeros(nv),
            e_q: zeros(nv),
            e_v: zeros(nv),
            planned: zeros(nv),
            jacobian: zeros(3 * nv),
            rows: zeros(rows * nv),
            inverse: zeros(rows * nv),
            poses: [zeros(model.nq()), zeros(model.nq())],
            cholesky: Cholesky::with_capacity(most),
            packing: Packing::new(most.max(rows).max(nv), most.max(rows).max(nv)),
            features,
            joints,
            points,
            model,
        }
    }

    /// Evaluates the law of a frame at the pose that comes, `q`, with the velocity `v`; both in the axes of the clip. False when the mass
    /// matrix is singular.
    pub(super) fn evaluate(
        &mut self,
        kind: Lookahead,
        frame: &Frame,
        q: &[f64],
        v: &[f64],
        dt: f64,
        gamma: f64,
        symmetric: bool,
    ) -> bool {
        let (nv, na) = (self.model.nv(), self.joints.len());
        self.error.copy_from_slice(bias_force(&self.model, &mut self.data, q, v));
        let mut passive = core::mem::take(&mut self.planned);
        sinew_dynamics::passive_force(&self.model, q, v, &mut passive);
        self.error.iter_mut().zip(&passive).for_each(|(e, p)| *e = p - *e);
        self.planned = passive;
        if factored_mass_matrix(&self.model, &mut self.data, q).is_err() {
            return false;
        }
        let m = self.gather(frame, dt);
        match kind {
            Lookahead::Nonlinear => self.nonlinear(frame, q, v, dt, m),
            Lookahead::Linear => self.linear(frame, q, v, dt, m),
        }
        // planned forces as the law wants them
        self.planned.fill(0.0);
        for (i, p) in (0..POINTS).filter(|p| frame.down[*p]).enumerate() {
            let f = &self.control[na + 3 * i..na + 3 * i + 3];
            let place = self.points.place(&self.model, &self.data, p);
            self.data.point_jacobian(&self.model, self.points.body(p), &place, &mut self.jacobian);
            for (g, c) in self.planned.iter_mut().zip(self.jacobian.chunks_exact(3)) {
                *g += c[0] * f[0] + c[1] * f[1] + c[2] * f[2];
            }
        }
        self.torque.fill(0.0);
        for (i, d) in self.joints.iter().enumerate() {
            self.torque[*d] = self.control[i];
        }
        if gamma > 0.0 {
            self.adapt(gamma, symmetric);
            for (i, d) in self.joints.iter().enumerate() {
                let give: f64 = (0..nv).map(|c| self.gain[c * na + i] * self.planned[c]).sum();
                self.torque[*d] -= give;
            }
        }
        true
    }

    /// `L`, column by column; its number of columns.
    fn gather(&mut self, frame: &Frame, dt: f64) -> usize {
        let nv = self.model.nv();
        self.columns.fill(0.0);
        for (c, d) in self.joints.iter().enumerate() {
            self.columns[c * nv + d] = 1.0;
        }
        let mut m = self.joints.len();
        for p in (0..POINTS).filter(|p| frame.down[*p]) {
            let place = self.points.place(&self.model, &self.data, p);
            self.data.point_jacobian(&self.model, self.points.body(p), &place, &mut self.jacobian);
            for x in 0..3 {
                let column = &mut self.columns[(m + x) * nv..(m + x + 1) * nv];
                column.iter_mut().zip(self.jacobian.chunks_exact(3)).for_each(|(o, c)| *o = c[x]);
            }
            m += 3;
        }
        for column in self.columns[..m * nv].chunks_exact_mut(nv) {
            self.data.solve_mass_matrix(&self.model, column);
            column.iter_mut().for_each(|x| *x *= dt);
        }
        m
    }

    fn nonlinear(&mut self, frame: &Frame, q: &[f64], v: &[f64], dt: f64, m: usize) {
        let (nv, na, w) = (self.model.nv(), self.joints.len(), &self.weights);
        // e_q, e_v
        self.model.difference(&frame.q, q, &mut self.e_q);
        self.data.solve_mass_matrix(&self.model, &mut self.error);
        for (d, e) in self.error.iter().enumerate() {
            self.e_v[d] = v[d] + dt * e - frame.v_next[d];
        }
        let node = &frame.node;
        self.error.copy_from_slice(&node.gradient);
        for c in 0..nv {
            let (a, b) = (self.e_q[c], self.e_v[c]);
            let (place, speed) = (&node.by_place[c * nv..(c + 1) * nv], &node.by_speed[c * nv..(c + 1) * nv]);
            for ((e, p), s) in self.error.iter_mut().zip(place).zip(speed) {
                *e += a * p + b * s;
            }
        }
        let l = Mat::new(&self.columns, nv, m);
        let sl = MatMut::new(&mut self.weighted, nv, m);
        self.packing.product(Update::Set, Mat::new(&node.by_speed, nv, nv), l, sl);
        let h = MatMut::new(&mut self.matrix, m, m);
        self.packing.product_lower(Update::Set, l.t(), Mat::new(&self.weighted, nv, m), h);
        for c in 0..m {
            let column = &self.columns[c * nv..(c + 1) * nv];
            let pull: f64 = column.iter().zip(&self.error).map(|(l, e)| l * e).sum();
            let (weight, wanted) = match self.joints.get(c) {
                Some(&d) => (w.error[d] + w.size[d], w.error[d] * frame.tau[d]),
                None => (w.force[0], 0.0),
            };
            self.matrix[c * (m + 1)] += weight;
            self.right[c] = wanted - pull;
        }
        debug_assert!(m >= na);
        if self.cholesky.factor(m, &self.matrix[..m * m]).is_ok() {
            self.cholesky.solve(&mut self.right[..m]);
            self.control[..m].copy_from_slice(&self.right[..m]);
        }
    }

    fn linear(&mut self, frame: &Frame, q: &[f64], v: &[f64], dt: f64, m: usize) {
        let (nv, na) = (self.model.nv(), self.joints.len());
        // the pose before: that from which the velocity leads to q
        self.error.iter_mut().zip(v).for_each(|(e, v)| *e = -dt * v);
        let [before, clip] = &mut self.poses;
        self.model.integrate(q, &self.error, before);
        self.error.iter_mut().zip(&frame.v).for_each(|(e, v)| *e = -dt * v);
        self.model.integrate(&frame.q, &self.error, clip);
        self.model.difference(clip, before, &mut self.e_q);
        self.e_v.iter_mut().zip(v.iter().zip(&frame.v)).for_each(|(e, (v, clip))| *e = v - clip);
        for (i, d) in self.joints.iter().enumerate() {
            self.control[i] = frame.tau[*d];
        }
        for (i, p) in (0..POINTS).filter(|p| frame.down[*p]).enumerate() {
            self.control[na + 3 * i..na + 3 * i + 3].copy_from_slice(frame.forces[p].as_slice());
        }
        self.control[..m].iter_mut().zip(&frame.node.feedforward).for_each(|(u, k)| *u += k);
        for (c, e) in self.e_q.iter().chain(&self.e_v).enumerate() {
            let column = &frame.node.gain[c * m..(c + 1) * m];
            self.control[..m].iter_mut().zip(column).for_each(|(u, k)| *u += k * e);
        }
        debug_assert_eq!(frame.node.gain.len(), 2 * nv * m);
    }

    /// `G`.
    fn adapt(&mut self, gamma: f64, symmetric: bool) {
        let (nv, na) = (self.model.nv(), self.joints.len());
        // M⁻¹ of the rows of features: J_φ M⁻¹, transposed, one column of nv numbers per row
        let count = if symmetric { 0 } else { 3 * self.features.len() };
        let rows = count + na;
        self.rows.fill(0.0);
        for (i, (body, at, _)) in self.features.iter().enumerate().take(count / 3) {
            let place = self.data.body_placement(&self.model, *body).act(at);
            self.data.point_jacobian(&self.model, *body, &place, &mut self.jacobian);
            for x in 0..3 {
                let row = &mut self.rows[(3 * i + x) * nv..(3 * i + x + 1) * nv];
                row.iter_mut().zip(self.jacobian.chunks_exact(3)).for_each(|(o, c)| *o = c[x]);
            }
        }
        for (i, d) in self.joints.iter().enumerate() {
            self.rows[(count + i) * nv + d] = 1.0;
        }
        self.inverse[..rows * nv].copy_from_slice(&self.rows[..rows * nv]);
        for column in self.inverse[..rows * nv].chunks_exact_mut(nv) {
            self.data.solve_mass_matrix(&self.model, column);
        }
        // B_m is rows × na: entry (r, i) = inverse[r][joint i]; G = −(γ⁻¹ + Σ w b bᵀ)⁻¹ Σ w b (J_φ M⁻¹)
        let matrix = &mut self.matrix[..na * na];
        matrix.fill(0.0);
        self.gain.fill(0.0);
        if symmetric {
            for j in 0..na {
                for i in j..na {
                    matrix[j * na + i] = self.inverse[j * nv + self.joints[i]];
                }
                for c in 0..nv {
                    self.gain[c * na + j] = -self.inverse[j * nv + c];
                }
            }
        } else {
            for r in 0..rows {
                let weight = if r < count {
                    self.features[r / 3].2[r % 3]
                } else {
                    self.weights.adapt[self.joints[r - count]]
                };
                let row = &self.inverse[r * nv..(r + 1) * nv];
                for (j, dj) in self.joints.iter().enumerate() {
                    let b = weight * row[*dj];
                    for (i, di) in self.joints.iter().enumerate().skip(j) {
                        matrix[j * na + i] += b * row[*di];
                    }
                    for (c, x) in row.iter().enumerate() {
                        self.gain[c * na + j] -= b * x;
                    }
                }
            }
        }
        for j in 0..na {
            matrix[j * (na + 1)] += 1.0 / gamma;
        }
        if self.cholesky.factor(na, matrix).is_ok() {
            self.gain.chunks_exact_mut(na).for_each(|column| self.cholesky.solve(column));
        } else {
            self.gain.fill(0.0);
        }
    }

    /// The cost of equation 18: half of the squares of the errors of place and speed, of the torque's error and of the torque.
    pub(super) fn cost(&self, frame: &Frame, place: &[f64], v: &[f64], torque: &[f64]) -> f64 {
        let (nv, w) = (v.len(), &self.weights);
        let state = (0..nv).map(|d| {
            let speed = v[d] - frame.v[d];
            w.state[d] * place[d] * place[d] + w.state[nv + d] * speed * speed
        });
        let effort = self.joints.iter().map(|&d| {
            let off = torque[d] - frame.tau[d];
            w.error[d] * off * off + w.size[d] * torque[d] * torque[d]
        });
        0.5 * (state.sum::<f64>() + effort.sum::<f64>())
    }

    /// Generalised force of the points, as the law wants it.
    #[cfg(test)]
    pub(super) fn planned(&self) -> &[f64] {
        &self.planned
    }

    #[cfg(test)]
    pub(super) fn model(&self) -> &Model {
        &self.model
    }

    /// The joints' degrees of freedom.
    pub(super) fn joints(&self) -> &[usize] {
        &self.joints
    }
}
