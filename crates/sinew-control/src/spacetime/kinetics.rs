//! Inverse dynamics of a frame between two others, and its derivatives.
//!
//! Velocities are the differences that lead to a frame, `v_k = (q_k ⊖ q_{k−1})/Δ`, and forces act at the frame:
//!
//! ```text
//! τ_k = ID(q_k, v_k, (v_{k+1} − v_k)/Δ) − passive(q_k, v_k) − Σ J_i(q_k)ᵀ λ_i
//! ```
//!
//! which is the step of [`World`](sinew_world::World), `M(q_k)(v_{k+1} − v_k)/Δ + h(q_k, v_k) = …`, `q_{k+1} = q_k ⊕ Δ v_{k+1}`, read backwards. (Muico et
//! al. step positions first, `q⁺ = q ⊕ Δv`, `v⁺ = v + Δ M(q⁺)⁻¹(…)`: their state is `(q_{k−1}, v_k)` of ours, the same motion under another index.)
//!
//! With `φ = Δ v`, `B(φ)` the inverse right Jacobian of each rotation, `M`, `D_q`, `D_v` the derivatives of inverse dynamics:
//!
//! ```text
//! ∂v_k/∂q_k = B(φ_k)/Δ     ∂v_k/∂q_{k−1} = −B(φ_k)ᵀ/Δ        C = D_v − M/Δ
//! ∂τ/∂q_{k−1} = −C B(φ_k)ᵀ/Δ
//! ∂τ/∂q_k     = D_q − ∂(Jᵀλ)/∂q + C B(φ_k)/Δ − M B(φ_{k+1})ᵀ/Δ²
//! ∂τ/∂q_{k+1} = M B(φ_{k+1})/Δ²
//! ```
//!
//! A force fixed in the world on a point of a body: with linear and angular columns `L`, `A` of the point's Jacobian,
//! `∂L_j/∂q_i = A_i × L_j` when joint `i` carries joint `j` (or is it), else `A_j × L_i`.

use super::points::{Down, POINTS, Points};
use sinew_dynamics::spatial::{Mat3, Vec3, rotation};
use sinew_dynamics::{BodyId, Data, JointKind, Model, crba, passive_force, rnea, rnea_derivatives};
use std::sync::Arc;

/// Workspace for one body.
#[derive(Clone, Debug)]
pub(super) struct Kinetics {
    pub(super) model: Arc<Model>,
    pub(super) points: Points,
    data: Data,
    dt: f64,
    /// First degree of freedom of every rotation with three.
    turns: Vec<usize>,
    /// Degrees of freedom between each point's body and the world, with a number for the joint (translation and rotation of a free
    /// joint are two).
    paths: [Vec<(usize, usize)>; POINTS],
    /// Derivatives of passive force: `−∂/∂v`, `−∂/∂q`, per degree of freedom.
    damping: Vec<f64>,
    stiffness: Vec<f64>,
    passive: Vec<f64>,
    jacobian: Vec<f64>,
    mass: Vec<f64>,
    by_v: Vec<f64>,
    /// Derivatives of the generalised forces by the three frames, nv × nv each.
    pub(super) before: Vec<f64>,
    pub(super) here: Vec<f64>,
    pub(super) after: Vec<f64>,
    /// Jacobians of the points, 3 × nv each.
    pub(super) lever: [Vec<f64>; POINTS],
}

/// What a frame is between: configuration, velocities to it and from it, forces on points.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moment<'a> {
    pub(super) q: &'a [f64],
    pub(super) v: &'a [f64],
    pub(super) v_next: &'a [f64],
    pub(super) down: &'a Down,
    /// Three numbers for each point that is down.
    pub(super) forces: &'a [f64],
}

impl Kinetics {
    pub(super) fn new(model: Arc<Model>, points: Points, dt: f64) -> Kinetics {
        let nv = model.nv();
        let mut turns = Vec::new();
        let (mut damping, mut stiffness) = (vec![0.0; nv], vec![0.0; nv]);
        for (k, joint) in model.joints().iter().enumerate() {
            match joint.kind {
                JointKind::Free => turns.push(joint.v + 3),
                JointKind::Ball => turns.push(joint.v),
                _ => {}
            }
            let spec = model.joint_spec(sinew_dynamics::JointId(k));
            damping[joint.v..joint.v + joint.kind.nv()].fill(spec.damping);
            if joint.kind != JointKind::Free {
                stiffness[joint.v..joint.v + joint.kind.nv()].fill(spec.stiffness);
            }
        }
        let paths = core::array::from_fn(|p| path(&model, points.body(p)));
        let square = || vec![0.0; nv * nv];
        Kinetics {
            data: Data::new(&model),
            dt,
            turns,
            paths,
            damping,
            stiffness,
            passive: vec![0.0; nv],
            jacobian: vec![0.0; 6 * nv],
            mass: square(),
            by_v: square(),
            before: square(),
            here: square(),
            after: square(),
            lever: core::array::from_fn(|_| vec![0.0; 3 * nv]),
            model,
            points,
        }
    }

    /// Degrees of freedom at which rotations with three begin.
    pub(super) fn turns(&self) -> &[usize] {
        &self.turns
    }

    /// Generalised forces that the motion needs besides those of the points; rows of the root first.
    pub(super) fn forces(&mut self, at: &Moment<'_>, out: &mut [f64]) {
        let Kinetics { model, data, points, passive, jacobian, dt, .. } = self;
        let nv = model.nv();
        for (a, (next, now)) in passive.iter_mut().zip(at.v_next.iter().zip(at.v)) {
            *a = (next - now) / *dt;
        }
        out.copy_from_slice(rnea(model, data, at.q, at.v, passive));
        passive_force(model, at.q, at.v, passive);
        out.iter_mut().zip(&*passive).for_each(|(t, p)| *t -= p);
        for (point, f) in (0..POINTS).filter(|p| at.down[*p]).zip(at.forces.chunks_exact(3)) {
            let place = points.place(model, data, point);
            data.point_jacobian(model, points.body(point), &place, &mut jacobian[..3 * nv]);
            for (t, c) in out.iter_mut().zip(jacobian.chunks_exact(3)) {
                *t -= c[0] * f[0] + c[1] * f[1] + c[2] * f[2];
            }
        }
    }

    /// Derivatives of [`forces`](Kinetics::forces) by the three frames, and the points' Jacobians.
    pub(super) fn linearise(&mut self, at: &Moment<'_>) {
        let Kinetics { model, data, dt, .. } = self;
        let (nv, dt) = (model.nv(), *dt);
        self.mass.copy_from_slice(crba(model, data, at.q));
        for (a, (next, now)) in self.passive.iter_mut().zip(at.v_next.iter().zip(at.v)) {
            *a = (next - now) / dt;
        }
        let by = rnea_derivatives(model, data, at.q, at.v, &self.passive);
        self.here.copy_from_slice(by.dq);
        self.by_v.copy_from_slice(by.dv);
        for k in 0..nv {
            self.by_v[k * (nv + 1)] += self.damping[k];
            self.here[k * (nv + 1)] += self.stiffness[k];
        }
        self.by_v.iter_mut().zip(&self.mass).for_each(|(c, m)| *c -= m / dt);
        self.add_points(at);
        // columns of single numbers, then those of rotations
        for k in 0..nv * nv {
            let (c, m) = (self.by_v[k] / dt, self.mass[k] / (dt * dt));
            (self.before[k], self.after[k]) = (-c, m);
            self.here[k] += c - m;
        }
        for &g in &self.turns {
            let to = inverse_right(&at.v[g..g + 3], dt);
            let on = inverse_right(&at.v_next[g..g + 3], dt);
            for r in 0..nv {
                let row = |a: &[f64]| Vec3::new(a[g * nv + r], a[(g + 1) * nv + r], a[(g + 2) * nv + r]);
                let (c, m) = (row(&self.by_v) / dt, row(&self.mass) / (dt * dt));
                let before = -(to * c);
                let after = on.tr_mul(&m);
                let here = to.tr_mul(&c) - on * m - (c - m);
                for j in 0..3 {
                    self.before[(g + j) * nv + r] = before[j];
                    self.after[(g + j) * nv + r] = after[j];
                    self.here[(g + j) * nv + r] += here[j];
                }
            }
        }
    }

    /// Derivatives of inverse dynamics less the points' share, by configuration and velocity, with the acceleration held.
    pub(super) fn partials(&mut self, at: &Moment<'_>, by_q: &mut [f64], by_v: &mut [f64]) {
        let nv = self.model.nv();
        for (a, (next, now)) in self.passive.iter_mut().zip(at.v_next.iter().zip(at.v)) {
            *a = (next - now) / self.dt;
        }
        let by = rnea_derivatives(&self.model, &mut self.data, at.q, at.v, &self.passive);
        self.here.copy_from_slice(by.dq);
        by_v.copy_from_slice(by.dv);
        for k in 0..nv {
            by_v[k * (nv + 1)] += self.damping[k];
            self.here[k * (nv + 1)] += self.stiffness[k];
        }
        self.add_points(at);
        by_q.copy_from_slice(&self.here);
    }

    /// Jacobians of the points, and what turning them does to the forces' share.
    fn add_points(&mut self, at: &Moment<'_>) {
        let Kinetics { model, data, points, jacobian, paths, here, lever, .. } = self;
        let nv = model.nv();
        for (point, f) in (0..POINTS).filter(|p| at.down[*p]).zip(at.forces.chunks_exact(3)) {
            let place = points.place(model, data, point);
            data.body_jacobian(model, points.body(point), &place, jacobian);
            for (l, j) in lever[point].chunks_exact_mut(3).zip(jacobian.chunks_exact(6)) {
                l.copy_from_slice(&j[..3]);
            }
            let f = Vec3::new(f[0], f[1], f[2]);
            let linear = |d: usize| Vec3::from_column_slice(&jacobian[6 * d..6 * d + 3]);
            let angular = |d: usize| Vec3::from_column_slice(&jacobian[6 * d + 3..6 * d + 6]);
            let path = &paths[point];
            for &(i, joint_i) in path {
                let carried = f.cross(&angular(i));
                let (li, lf) = (linear(i), f);
                for &(j, joint_j) in path {
                    let d = if joint_i <= joint_j {
                        // f · (A_i × L_j)
                        carried.dot(&linear(j))
                    } else {
                        // f · (A_j × L_i)
                        lf.dot(&angular(j).cross(&li))
                    };
                    here[i * nv + j] -= d;
                }
            }
        }
    }
}

/// `B(Δ v)`.
pub(super) fn inverse_right(v: &[f64], dt: f64) -> Mat3 {
    rotation::right_jacobian_inverse(&(Vec3::new(v[0], v[1], v[2]) * dt))
}

/// Degrees of freedom from the root to a body, root first.
fn path(model: &Model, body: BodyId) -> Vec<(usize, usize)> {
    let mut out = Vec::new();
    let mut at = Some(body);
    while let Some(b) = at {
        for (k, joint) in model.joints().iter().enumerate().filter(|(_, j)| j.body == b) {
            for d in 0..joint.kind.nv() {
                let moves = usize::from(joint.kind == JointKind::Free && d >= 3);
                out.push((joint.v + d, 2 * k + moves));
            }
        }
        at = model.bodies()[b.0].parent.map(BodyId);
    }
    out.sort_unstable();
    out
}
