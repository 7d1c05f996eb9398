//! From the library's coordinates (MuJoCo's) to Pinocchio's, derivatives included.
//!
//! The two differ for free joints only: Pinocchio expresses the linear velocity in body axes. With `R` the body's
//! rotation and `T = blockdiag(R, 1, …)`, hatted quantities being Pinocchio's and `l`, `ω` the linear and angular part:
//!
//! ```text
//! v = T v̂        τ = T τ̂        a = T (â + c)    c = (ω × v̂_l, 0)      δq = T δq̂
//! M̂ = Tᵀ M T     ĥ = Tᵀ (h + M T c)
//! ```
//!
//! `c` is there because `v̂_l` is counted in axes that turn. A perturbation of the body's orientation turns `T` too:
//! `δR = R [δθ]×`, so that `δ(T x) = −T [x_l]× δθ` and `δ(Tᵀ y) = [(Tᵀ y)_l]× δθ` on the linear rows. Hence, with
//! `τ̂ = Tᵀ τ(q, T v̂, T(â + c))` and `â = Tᵀ a(q, T v̂, T τ̂) − c`:
//!
//! ```text
//! ∂τ̂/∂q̂ = Tᵀ τ_q T − Tᵀ τ_v T [v̂_l]× − Tᵀ M T [â_l + c_l]× + [τ̂_l]×      ∂τ̂/∂v̂ = Tᵀ τ_v T + M̂ C
//! ∂â/∂q̂ = Tᵀ a_q T − Tᵀ a_v T [v̂_l]× − M̂⁻¹ [τ̂_l]× + [â_l + c_l]×        ∂â/∂v̂ = Tᵀ a_v T − C
//! ```
//!
//! where `[·]×` stands from the linear rows (or columns) to the angular columns and `C = ∂c/∂v̂` is `[ω]×` for the linear
//! columns and `−[v̂_l]×` for the angular ones.

use nalgebra::{DMatrix, DVector, Matrix3, Vector3};
use sinew::dynamics::spatial::{rotation, skew};
use sinew::dynamics::{JointKind, Model};

/// The free joints of a model at a configuration: first velocity index and rotation of each.
pub(crate) struct Frames {
    free: Vec<(usize, Matrix3<f64>)>,
    nv: usize,
}

impl Frames {
    pub(crate) fn new(model: &Model, q: &[f64]) -> Frames {
        let free = model.joints().iter().filter(|j| j.kind == JointKind::Free);
        let rotation = |at: usize| rotation::matrix_of_wxyz(q[at], q[at + 1], q[at + 2], q[at + 3]);
        Frames { free: free.map(|j| (j.v, rotation(j.q + 3))).collect(), nv: model.nv() }
    }

    /// `x ← T x`: Pinocchio's velocity or force to the library's.
    pub(crate) fn to_world(&self, x: &mut [f64]) {
        for (at, r) in &self.free {
            let turned = r * Vector3::from_column_slice(&x[*at..at + 3]);
            x[*at..at + 3].copy_from_slice(turned.as_slice());
        }
    }

    /// `Tᵀ x`: the library's velocity or force in Pinocchio's axes.
    pub(crate) fn to_body(&self, x: &DVector<f64>) -> DVector<f64> {
        let mut out = x.clone();
        for (at, r) in &self.free {
            out.fixed_rows_mut::<3>(*at).copy_from(&(r.transpose() * x.fixed_rows::<3>(*at)));
        }
        out
    }

    /// `A T`: columns to Pinocchio's coordinates.
    pub(crate) fn columns(&self, a: &DMatrix<f64>) -> DMatrix<f64> {
        let mut out = a.clone();
        for (at, r) in &self.free {
            out.fixed_columns_mut::<3>(*at).copy_from(&(a.fixed_columns::<3>(*at) * r));
        }
        out
    }

    /// `Tᵀ A T`: a matrix between velocities and forces.
    pub(crate) fn both(&self, a: &DMatrix<f64>) -> DMatrix<f64> {
        self.columns(&self.columns(a).transpose()).transpose()
    }

    /// `c = (ω × v̂_l, 0)`: what the turning axes add to an acceleration.
    pub(crate) fn turning(&self, v: &DVector<f64>) -> DVector<f64> {
        let mut out = DVector::zeros(self.nv);
        for (at, _) in &self.free {
            let (l, w) = (v.fixed_rows::<3>(*at), v.fixed_rows::<3>(at + 3));
            out.fixed_rows_mut::<3>(*at).copy_from(&w.cross(&l));
        }
        out
    }

    /// `C = ∂c/∂v̂`.
    fn turning_matrix(&self, v: &DVector<f64>) -> DMatrix<f64> {
        let mut out = DMatrix::zeros(self.nv, self.nv);
        for (at, _) in &self.free {
            let (l, w) = (v.fixed_rows::<3>(*at).into_owned(), v.fixed_rows::<3>(at + 3).into_owned());
            out.fixed_view_mut::<3, 3>(*at, *at).copy_from(&skew(&w));
            out.fixed_view_mut::<3, 3>(*at, at + 3).copy_from(&-skew(&l));
        }
        out
    }

    /// `[x_l]×` from the angular columns to the linear rows.
    fn skew_linear(&self, x: &DVector<f64>) -> DMatrix<f64> {
        let mut out = DMatrix::zeros(self.nv, self.nv);
        for (at, _) in &self.free {
            let l = x.fixed_rows::<3>(*at).into_owned();
            out.fixed_view_mut::<3, 3>(*at, at + 3).copy_from(&skew(&l));
        }
        out
    }

    /// `(∂τ̂/∂q̂, ∂τ̂/∂v̂)` from the library's derivatives of inverse dynamics, `M` and the hatted `v̂`, `â`, `τ̂`.
    pub(crate) fn inverse_derivatives(
        &self,
        [tau_q, tau_v, m]: [&DMatrix<f64>; 3],
        [v, a, tau]: [&DVector<f64>; 3],
    ) -> (DMatrix<f64>, DMatrix<f64>) {
        let (by_v, m) = (self.both(tau_v), self.both(m));
        let acceleration = a + self.turning(v);
        let by_q = self.both(tau_q) - &by_v * self.skew_linear(v) - &m * self.skew_linear(&acceleration)
            + self.skew_linear(tau);
        (by_q, by_v + m * self.turning_matrix(v))
    }

    /// `(∂â/∂q̂, ∂â/∂v̂)` from the library's derivatives of forward dynamics, `M⁻¹` and the hatted `v̂`, `â`, `τ̂`.
    pub(crate) fn forward_derivatives(
        &self,
        [a_q, a_v, inverse]: [&DMatrix<f64>; 3],
        [v, a, tau]: [&DVector<f64>; 3],
    ) -> (DMatrix<f64>, DMatrix<f64>) {
        let (by_v, inverse) = (self.both(a_v), self.both(inverse));
        let acceleration = a + self.turning(v);
        let by_q = self.both(a_q) - &by_v * self.skew_linear(v) - inverse * self.skew_linear(tau)
            + self.skew_linear(&acceleration);
        (by_q, by_v - self.turning_matrix(v))
    }
}
