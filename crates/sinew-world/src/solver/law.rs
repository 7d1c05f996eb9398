//! A torque law inside the contact problem: `τ = τ₀ + G f`, cut to the effort limits.
//!
//! Over a step the law gives the generalised impulse `G p`, with `p` the contact impulses of the actor in world axes, on top of
//! `dt τ₀`. Velocities of rows then answer a contact impulse not by `J M⁻¹ Jᵀ p` but by `J M⁻¹ (Jᵀ + G) p`: the matrix of the problem
//! is no longer symmetric; pivoting does not need symmetry. Where the law would exceed a limit in the direction `d = ±1` of a
//! degree of freedom, a further variable takes the excess away:
//! ```text
//! 0 ≤ s ⟂ dt limit − d (dt τ₀ + G p) + s ≥ 0,        dt τ = dt τ₀ + G p − d s
//! ```

use super::problem::Contact;
use sinew_dynamics::spatial::Vec3;
use sinew_dynamics::{Data, Model, OperationalSpace};

/// The law of one actor in the present step; without columns, none.
#[derive(Clone, Debug, Default)]
pub(crate) struct Law {
    /// `G`, nv × 3 per contact, column-major.
    pub(crate) gain: Vec<f64>,
    /// Contacts in the order of the actor's list, and whether its force is the impulse or the opposite.
    pub(crate) contacts: Vec<(usize, f64)>,
    /// `dt τ₀` and `dt limit`.
    pub(crate) torque: Vec<f64>,
    pub(crate) limit: Vec<f64>,
    /// `J M⁻¹`, rows × nv, and `J M⁻¹ G`, column-major.
    joints: Vec<f64>,
    answer: Vec<f64>,
    /// The law's impulse besides `dt τ₀`: `G p − d s`.
    pub(crate) impulse: Vec<f64>,
}

impl Law {
    /// Whether there is one.
    pub(crate) fn exists(&self) -> bool {
        !self.gain.is_empty()
    }

    /// Computes how the rows of a space answer joints and contacts.
    pub(crate) fn prepare(&mut self, model: &Model, data: &Data, space: &OperationalSpace, dt: f64) {
        let (nv, rows) = (model.nv(), space.rows());
        self.joints.clear();
        self.joints.resize(rows * nv, 0.0);
        self.impulse.resize(nv, 0.0);
        for (dof, column) in self.joints.chunks_exact_mut(rows.max(1)).enumerate() {
            self.impulse.fill(0.0);
            self.impulse[dof] = 1.0;
            data.half_solve_mass_matrix(model, &mut self.impulse);
            space.add_velocities(model, data, &self.impulse, column);
        }
        self.answer.clear();
        for gains in self.gain.chunks_exact(nv) {
            let start = self.answer.len();
            self.answer.resize(start + rows, 0.0);
            let out = &mut self.answer[start..];
            for (g, column) in gains.iter().zip(self.joints.chunks_exact(rows.max(1))) {
                if *g != 0.0 {
                    out.iter_mut().zip(column).for_each(|(o, c)| *o += g * c);
                }
            }
        }
        self.limit.clear();
        self.limit.extend(model.effort_limits().iter().map(|l| dt * l));
        self.impulse.fill(0.0);
    }

    /// Sum over the law's columns for an impulse along `axis` at contact `k`: `f(column, amount)`.
    fn columns(&self, k: usize, axis: &Vec3, mut f: impl FnMut(usize, f64)) {
        for (nth, (_, sign)) in self.contacts.iter().enumerate().filter(|(_, (contact, _))| *contact == k) {
            (0..3).for_each(|x| f(3 * nth + x, sign * axis[x]));
        }
    }

    /// Velocities of rows that the law adds for an impulse along `axis` at contact `k`.
    pub(crate) fn answer(&self, k: usize, axis: &Vec3, rows: usize, out: &mut Vec<f64>) {
        out.clear();
        out.resize(rows, 0.0);
        self.columns(k, axis, |column, amount| {
            let answer = &self.answer[column * rows..(column + 1) * rows];
            out.iter_mut().zip(answer).for_each(|(o, a)| *o += amount * a);
        });
    }

    /// The law's impulse on a degree of freedom for an impulse along `axis` at contact `k`.
    pub(crate) fn gives(&self, dof: usize, k: usize, axis: &Vec3) -> f64 {
        let (nv, mut sum) = (self.torque.len(), 0.0);
        self.columns(k, axis, |column, amount| sum += amount * self.gain[column * nv + dof]);
        sum
    }

    /// Velocities of rows for a unit impulse on a degree of freedom.
    pub(crate) fn joint(&self, dof: usize, rows: usize) -> &[f64] {
        &self.joints[dof * rows..(dof + 1) * rows]
    }

    /// Sets the law's impulse from those of the contacts.
    pub(crate) fn follow(&mut self, contacts: &[Contact]) {
        self.impulse.fill(0.0);
        let Law { gain, contacts: order, impulse, .. } = self;
        for ((k, sign), gains) in order.iter().zip(gain.chunks_exact(3 * impulse.len())) {
            let p = contacts[*k].frame * contacts[*k].impulse * *sign;
            for (x, column) in gains.chunks_exact(impulse.len()).enumerate() {
                impulse.iter_mut().zip(column).for_each(|(i, g)| *i += g * p[x]);
            }
        }
    }
}
