//! A parameter carried through the recursion: periodic and free initial states.
//!
//! In a periodic motion the end is tied to the beginning, which is itself unknown. Let `p` be the initial state as
//! a parameter, and let the cost at the end depend on both, `… + x_Nᵀ T p + ½ pᵀ U p + tᵀ p`. The cost to go stays
//! quadratic in (x, p),
//!
//! ```text
//! ½xᵀVx + vᵀx + xᵀTp + ½pᵀUp + tᵀp + c
//! ```
//!
//! with `V, v, c` those of the plain recursion. With `L` the factor of `Q_uu` and `E = L⁻¹ F_uᵀ T` of a stage,
//!
//! ```text
//! u = K x + k + P p,  P = −L⁻ᵀE       T ← (F_x + F_u K)ᵀ T      U ← U − EᵀE      t ← t + Tᵀ(f_0 + F_u k)
//! ```
//!
//! and at the beginning, where `x = p`, the minimiser is `p = −(V + T + Tᵀ + U)⁻¹(v + t)`. It costs about as much
//! as the plain recursion.

use super::problem::LqProblem;
use super::recursion::Riccati;
use crate::dense::gemm::{Mat, MatMut, Packing, Update};
use crate::dense::partial_cholesky::{backward, forward};
use crate::dense::vector::{dot, gemv_add};
use crate::dense::{Cholesky, NotPositiveDefinite};

/// The part of the cost to go that depends on the parameter, for parameters of as many entries as the state.
///
/// ```
/// use sinew_solve::riccati::{Border, LqProblem, Riccati};
/// // x⁺ = x + u + 1, and the end must meet the beginning: Σu = −N
/// let mut problem = LqProblem::new(1, [1; 4]);
/// for stage in &mut problem.stages {
///     (stage.fx[0], stage.fu[0], stage.f0[0], stage.luu[0], stage.lxx[0]) = (1.0, 1.0, 1.0, 1.0, 1.0);
/// }
/// let weight = 1e9; // ½·weight·(x_N − p)²
/// problem.terminal.lxx[0] = weight;
/// let mut riccati = Riccati::new(&problem);
/// riccati.backward(&problem, 0.0).unwrap();
/// let mut border = Border::new(&problem);
/// border.backward(&problem, &riccati, &[-weight], &[weight], &[0.0]);
/// let mut p = [0.0];
/// border.parameter(&riccati, &mut p).unwrap();
/// assert!(p[0].abs() < 1e-6);
/// ```
#[derive(Clone, Debug)]
pub struct Border {
    nx: usize,
    /// `P` of each stage, nu × nx.
    gains: Vec<Vec<f64>>,
    t_mat: Vec<f64>,
    u_mat: Vec<f64>,
    t: Vec<f64>,
    /// `F_uᵀT`, then `E`.
    e: Vec<f64>,
    next: Vec<f64>,
    drift: Vec<f64>,
    packing: Packing,
    system: Vec<f64>,
    cholesky: Cholesky,
}

impl Border {
    /// Workspace for problems with the sizes of `problem`.
    pub fn new(problem: &LqProblem) -> Self {
        let n = problem.nx();
        let m = problem.stages.iter().map(|s| s.nu()).max().unwrap_or(0);
        Self {
            nx: n,
            gains: problem.stages.iter().map(|s| vec![0.0; n * s.nu()]).collect(),
            t_mat: vec![0.0; n * n],
            u_mat: vec![0.0; n * n],
            t: vec![0.0; n],
            e: vec![0.0; n * m],
            next: vec![0.0; n * n],
            drift: vec![0.0; n],
            packing: Packing::new(n.max(m), n.max(m)),
            system: vec![0.0; n * n],
            cholesky: Cholesky::with_capacity(n),
        }
    }

    /// Carries the terms `T` (nx × nx), `U` (nx × nx, lower triangle) and `t` of the end back to the beginning,
    /// with the laws of a recursion that has just been run on the same problem.
    ///
    /// # Panics
    /// When the sizes differ from those given to [`Border::new`].
    pub fn backward(
        &mut self,
        problem: &LqProblem,
        riccati: &Riccati,
        t_mat: &[f64],
        u_mat: &[f64],
        t: &[f64],
    ) {
        let n = self.nx;
        self.t_mat.copy_from_slice(t_mat);
        self.u_mat.copy_from_slice(u_mat);
        self.t.copy_from_slice(t);
        for (i, (stage, law)) in problem.stages.iter().zip(&riccati.laws).enumerate().rev() {
            let m = stage.nu();
            // t: what the dynamics do by themselves
            self.drift.copy_from_slice(&stage.f0);
            gemv_add(1.0, &stage.fu, n, &law.feedforward, &mut self.drift);
            for j in 0..n {
                self.t[j] += dot(&self.t_mat[j * n..(j + 1) * n], &self.drift);
            }
            // F_uᵀT, without the controls that are held
            let e = &mut self.e[..m * n];
            let (fu, fx, t_mat) =
                (Mat::new(&stage.fu, n, m), Mat::new(&stage.fx, n, n), Mat::new(&self.t_mat, n, n));
            self.packing.product(Update::Set, fu.t(), t_mat, MatMut::new(e, m, n));
            for j in (0..m).filter(|&j| law.held[j]) {
                (0..n).for_each(|c| e[c * m + j] = 0.0);
            }
            // T
            self.packing.product(Update::Set, fx.t(), t_mat, MatMut::new(&mut self.next, n, n));
            self.packing.product(
                Update::Add,
                Mat::new(&law.gain_t, n, m),
                Mat::new(e, m, n),
                MatMut::new(&mut self.next, n, n),
            );
            std::mem::swap(&mut self.t_mat, &mut self.next);
            // E, U and the law
            e.chunks_exact_mut(m.max(1)).for_each(|c| forward(&law.factor, c));
            let e_mat = Mat::new(e, m, n);
            self.packing.product_lower(
                Update::Subtract,
                e_mat.t(),
                e_mat,
                MatMut::new(&mut self.u_mat, n, n),
            );
            self.gains[i].iter_mut().zip(&*e).for_each(|(p, e)| *p = -e);
            self.gains[i].chunks_exact_mut(m.max(1)).for_each(|c| backward(&law.factor, c));
        }
    }

    /// The parameter that minimises the whole cost when it is the initial state.
    pub fn parameter(&mut self, riccati: &Riccati, p: &mut [f64]) -> Result<(), NotPositiveDefinite> {
        let n = self.nx;
        riccati.value_hessian(0, &mut self.system);
        for j in 0..n {
            for i in j..n {
                self.system[j * n + i] +=
                    self.u_mat[j * n + i] + self.t_mat[j * n + i] + self.t_mat[i * n + j];
            }
        }
        self.cholesky.factor(n, &self.system)?;
        for ((p, v), t) in p.iter_mut().zip(riccati.value_gradient(0)).zip(&self.t) {
            *p = -(v + t);
        }
        self.cholesky.solve(p);
        Ok(())
    }

    /// `P` of stage `i`, nu × nx: adds `P p` to the control.
    pub fn gain(&self, i: usize) -> Mat<'_> {
        Mat::new(&self.gains[i], self.gains[i].len() / self.nx.max(1), self.nx)
    }

    /// `tᵀp` at the beginning.
    pub(crate) fn gradient_along(&self, p: &[f64]) -> f64 {
        dot(&self.t, p)
    }

    /// Adds `P p` of stage `i` to `u`.
    pub(crate) fn add_to(&self, i: usize, p: &[f64], u: &mut [f64]) {
        gemv_add(1.0, &self.gains[i], u.len(), p, u);
    }
}
