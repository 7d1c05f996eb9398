//! The ways from a QP to its solution.
//!
//! | objective | coordinates |
//! | --- | --- |
//! | P positive definite | Cholesky of P |
//! | ½‖Ax − b‖², A well conditioned | Cholesky of AᵀA, then a step of refinement with the residual of A itself |
//! | ½‖Ax − b‖², A of any rank | complete orthogonal decomposition of A, proximal point rounds in its null space |
//! | P semidefinite | the same with a square root of P from pivoted Cholesky |
//!
//! **Refinement** (corrected semi-normal equations): AᵀA squares the condition of A, so the gradient Aᵀ(Ax − b) −
//! Σuᵢaᵢ at the solution is not quite zero; y₀ is moved by what it lacks, and the result is as good as that of an
//! orthogonal factorisation. (Björck, Linear Algebra Appl. 88/89, 1987.)

use super::active_set::{ActiveSet, Verdict};
use super::constraints::Constraints;
use super::problem::{Qp, gram};
use super::solution::{QpStatus, Side, WorkingSet};
use super::solver::QpSolver;
use super::space::Space;
use crate::dense::vector::{axpy, dot, norm};

/// Share of a diagonal entry of P below which what is left of it as a pivot may be rounding: a pivot that small
/// lets errors of ε/share into later ones, so the share must be above √ε for these to be noticed. P then takes the
/// careful way of semidefinite matrices.
pub(crate) const SEMIDEFINITE: f64 = 1e-7;
/// Share of the gradient below which what P does not see of it counts as rounding.
const LINEAR: f64 = 1e-10;
/// Ratio of the diagonal of the Cholesky factor of AᵀA above which a least-squares problem is solved by orthogonal
/// decomposition.
pub(crate) const GRAM_RATIO: f64 = 1e4;
/// Ratio above which the solution from AᵀA is refined.
pub(crate) const REFINE_RATIO: f64 = 1e3;
/// Rank decisions of least-squares objectives, relative to the longest row.
const RANK: f64 = 1e-11;

/// What a route found.
pub(super) struct Found {
    pub(super) verdict: Verdict,
    pub(super) status: QpStatus,
    /// The objective, where it came for free.
    pub(super) objective: Option<f64>,
    pub(super) iterations: usize,
    /// Whether the factors can serve another problem with the same matrices.
    pub(super) reusable: bool,
}

impl Found {
    fn new(verdict: Verdict, iterations: usize) -> Self {
        let status = match verdict {
            Verdict::Optimal => QpStatus::Solved,
            Verdict::Infeasible => QpStatus::Infeasible,
            Verdict::Unfinished | Verdict::NotFinite => QpStatus::Unfinished,
        };
        Self { verdict, status, objective: None, iterations, reusable: false }
    }

    /// ½xᵀPx + gᵀx = ½yᵀy − y₀ᵀy in the coordinates of the Cholesky factor.
    pub(super) fn quadratic(verdict: Verdict, core: &ActiveSet) -> Self {
        let objective = (verdict == Verdict::Optimal).then(|| core.half_square_minus_product());
        Self { objective, reusable: true, ..Self::new(verdict, core.steps) }
    }
}

/// The working set as (number, side), bounds first.
pub(crate) fn guess<'a>(
    set: &'a WorkingSet,
    c: &Constraints<'_>,
) -> impl Iterator<Item = (usize, f64)> + Clone + 'a {
    let (rows_from, bounds_from) = (c.equality_count(), c.equality_count() + c.row_count());
    let bounded = c.bound_lower.len();
    let active = |from: usize, sides: &'a [Side]| {
        let numbered = sides.iter().enumerate().filter(|(_, s)| **s != Side::Free);
        numbered.map(move |(k, s)| (from + k, s.sign()))
    };
    active(bounds_from, &set.bounds[..bounded]).chain(active(rows_from, &set.inequalities))
}

impl QpSolver {
    pub(super) fn solve_quadratic(&mut self, qp: &Qp<'_>, hessian: &[f64], gradient: &[f64]) -> Found {
        let n = qp.variables;
        if self.definite.factor.factor_above(n, hessian, SEMIDEFINITE).is_ok() {
            let len = self.definite.len();
            self.definite.centre(gradient, &mut self.core.y0[..len]);
            let verdict = self.run_definite(qp);
            return Found::quadratic(verdict, &self.core);
        }
        // Semidefinite: ½xᵀPx = ½‖Sx‖², and the gradient splits into what S sees and what it does not.
        let Some(rank) = self.root.factor(n, hessian) else {
            let sound = hessian.iter().all(|v| v.is_finite());
            let verdict = if sound { Verdict::Unfinished } else { Verdict::NotFinite };
            self.core.x[..n].fill(0.0);
            return Found { status: QpStatus::NotConvex, ..Found::new(verdict, 0) };
        };
        let largest = (0..n).fold(0.0f64, |m, j| m.max(hessian[j * n + j]));
        self.split.clear(n);
        self.split.cod.prepare_transposed(rank, n).copy_from_slice(&self.root.rows[..rank * n]);
        self.split.cod.factor_prepared(RANK * largest.sqrt());
        self.split.take_objective(norm(gradient).sqrt());
        // The head of y₀ is −T⁻ᵀYᵀg.
        let r = self.split.rank();
        self.split.basis.coordinates(gradient, &mut self.target);
        for t in &mut self.target[..r] {
            *t = -*t;
        }
        self.split.cod.solve_triangle_transposed(&mut self.target);
        self.proximal.linear[..n].copy_from_slice(gradient);
        let outside = self.split.basis.remove_from(&mut self.proximal.linear[..n]);
        if outside <= LINEAR * norm(gradient) {
            self.proximal.linear[..n].fill(0.0);
        }
        self.run_split(qp)
    }

    pub(super) fn solve_least_squares(&mut self, qp: &Qp<'_>, a: &[f64], b: &[f64]) -> Found {
        let (m, n) = (b.len(), qp.variables);
        if m >= n {
            gram(m, n, a, &mut self.hessian[..n * n], &mut self.support);
            let floor = 1.0 / (GRAM_RATIO * GRAM_RATIO);
            let factored = self.definite.factor.factor_above(n, &self.hessian[..n * n], floor);
            if factored.is_ok() && self.definite.factor.diagonal_ratio() < GRAM_RATIO {
                for j in 0..n {
                    self.proximal.linear[j] = -dot(&a[j * m..(j + 1) * m], b);
                }
                let len = self.definite.len();
                self.definite.centre(&self.proximal.linear[..n], &mut self.core.y0[..len]);
                let mut verdict = self.run_definite(qp);
                if verdict == Verdict::Optimal && self.definite.factor.diagonal_ratio() > REFINE_RATIO {
                    verdict = self.refine(qp);
                }
                return Found::new(verdict, self.core.steps);
            }
        }
        self.split.clear(n);
        let rows = self.split.cod.prepare_transposed(m, n);
        let (mut longest, mut all) = (0.0f64, 0.0);
        for i in 0..m {
            for j in 0..n {
                rows[i * n + j] = a[j * m + i];
            }
            let length = norm(&rows[i * n..(i + 1) * n]);
            longest = longest.max(length);
            all += length;
        }
        if !all.is_finite() {
            self.core.x[..n].fill(0.0);
            return Found::new(Verdict::NotFinite, 0);
        }
        self.split.cod.factor_prepared(RANK * longest);
        self.split.take_objective(1.0);
        self.split.cod.rotate_target(b, &mut self.target[..m]);
        self.proximal.linear[..n].fill(0.0);
        self.run_split(qp)
    }

    /// Runs the method in the coordinates of the Cholesky factor, from the working set.
    fn run_definite(&mut self, qp: &Qp<'_>) -> Verdict {
        let constraints = qp.constraints();
        let limits = self.limits(qp);
        let guess = guess(&self.working_set, &constraints);
        if self.core.holds(&mut self.definite, &constraints, guess.clone(), &limits) {
            return Verdict::Optimal;
        }
        match self.core.start(&mut self.definite, &constraints, guess, &limits) {
            Verdict::Optimal => self.core.run(&mut self.definite, &constraints, &limits),
            other => other,
        }
    }

    /// Moves y₀ by −L⁻¹ρ, ρ what the gradient at x lacks of being a combination of the active normals, and runs
    /// again.
    fn refine(&mut self, qp: &Qp<'_>) -> Verdict {
        let (n, len) = (qp.variables, self.definite.len());
        let (constraints, limits) = (qp.constraints(), self.limits(qp));
        qp.gradient_at(&self.core.x[..n], &mut self.proximal.linear[..n]);
        let (linear, normal) = (&mut self.proximal.linear[..n], &mut self.scratch[..n]);
        self.core.multipliers(|id, side, u| {
            constraints.normal(id, -side * u, normal);
            axpy(1.0, normal, linear);
        });
        self.definite.centre(&self.proximal.linear[..n], &mut self.scratch[..len]);
        axpy(1.0, &self.scratch[..len], &mut self.core.y0[..len]);
        let steps = self.core.steps;
        self.core.restart(&mut self.definite, &constraints);
        let verdict = self.core.run(&mut self.definite, &constraints, &limits);
        self.core.steps += steps;
        verdict
    }

    /// Solves in the coordinates of an orthogonal decomposition. `target` holds the head of y₀, the linear term is
    /// set.
    fn run_split(&mut self, qp: &Qp<'_>) -> Found {
        let (constraints, limits) = (qp.constraints(), self.limits(qp));
        let guess = guess(&self.working_set, &constraints);
        let rounds =
            self.proximal.run(&mut self.core, &mut self.split, &constraints, guess, &limits, &self.target);
        let found = Found::new(rounds.verdict, rounds.steps);
        if rounds.unbounded { Found { status: QpStatus::Unbounded, ..found } } else { found }
    }

    /// After a solve that did not finish: leaves in the core the feasible point nearest to where it stood, if one
    /// is found.
    pub(super) fn nearest_feasible(&mut self, qp: &Qp<'_>) {
        let n = qp.variables;
        let (constraints, mut limits) = (qp.constraints(), self.limits(qp));
        // The caller's limit was for the solution; this is for safety.
        limits.steps = limits.steps.max(100 + 10 * (n + constraints.row_count()));
        let last = &mut self.proximal.linear[..n];
        for (l, x) in last.iter_mut().zip(&self.core.x) {
            *l = if x.is_finite() { -x } else { 0.0 };
        }
        self.hessian[..n * n].fill(0.0);
        for j in 0..n {
            self.hessian[j * n + j] = 1.0;
        }
        let factored = self.definite.factor.factor(n, &self.hessian[..n * n]);
        debug_assert!(factored.is_ok());
        let len = self.definite.len();
        self.definite.centre(&self.proximal.linear[..n], &mut self.core.y0[..len]);
        if self.core.start(&mut self.definite, &constraints, std::iter::empty(), &limits) == Verdict::Optimal
        {
            self.core.run(&mut self.definite, &constraints, &limits);
        }
    }
}
