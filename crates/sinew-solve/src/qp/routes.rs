//! The ways from a QP to its solution.
//!
//! | objective | coordinates |
//! | --- | --- |
//! | P positive definite | Cholesky of P |
//! | ½‖Ax − b‖², A well conditioned | Cholesky of AᵀA, then a step of refinement with the residual of A itself |
//! | ½‖Ax − b‖², A of any rank | complete orthogonal decomposition of A, proximal point rounds in its null space |
//! | P semidefinite | the same with a square root of P from pivoted Cholesky |
//!
//! **Refinement** (corrected semi-normal equations): AᵀA squares the condition of A, so the gradient Aᵀ(Ax − b) − Σuᵢaᵢ at
//! the solution is not quite zero; y₀ is moved by what it lacks, and the result is as good as that of an orthogonal
//! factorisation. (Björck, Linear Algebra Appl. 88/89, 1987.)
//!
//! **Proximal point**: the null space of the objective gets a small curvature ε² around a centre, the problem is solved, and the centre
//! moves to the solution, until the pull ε²‖f − centre‖ is lost in rounding. Two or three rounds are usual, and all but the first
//! reuse the factors. (Rockafellar, SIAM J. Control Optim. 14, 1976; in an active-set QP: Arnström et al. 2022.) When the centre runs
//! away along a direction that no constraint limits, the problem is unbounded.

use super::active_set::{ActiveSet, Verdict};
use super::constraints::{Constraints, INFINITE};
use super::problem::{Qp, gram};
use super::solution::{QpStatus, Side, WorkingSet};
use super::solver::QpSolver;
use super::space::Space;
use crate::dense::vector::{axpy, dot, max_abs, norm};

/// Share of a diagonal entry of P below which what is left of it as a pivot may be rounding: a pivot that small lets errors of
/// ε/share into later ones, so the share must be above √ε for these to be noticed. P then takes the careful way of semidefinite matrices.
const SEMIDEFINITE: f64 = 1e-7;
/// Share of the gradient below which what P does not see of it counts as rounding.
const LINEAR: f64 = 1e-10;
/// Ratio of the diagonal of the Cholesky factor of AᵀA above which a least-squares problem is solved by orthogonal decomposition.
const GRAM_RATIO: f64 = 1e4;
/// Ratio above which the solution from AᵀA is refined.
const REFINE_RATIO: f64 = 30.0;
/// Rank decisions of least-squares objectives, relative to the longest row.
const RANK: f64 = 1e-11;
/// Most proximal point rounds.
const ROUNDS: usize = 100;
/// Pull of the centre, relative to the size of the gradient's terms, that is let pass.
const PULL: f64 = 1e-12;
/// Rounds with the same pull before moves are stretched.
const REPEATED: usize = 6;
/// The same for a pull that no longer shrinks: what is left is rounding.
const STUCK_PULL: f64 = 1e-9;

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
fn guess<'a>(set: &'a WorkingSet, c: &Constraints<'_>) -> impl Iterator<Item = (usize, f64)> + Clone + 'a {
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
            let verdict = if max_abs(hessian).is_finite() { Verdict::Unfinished } else { Verdict::NotFinite };
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
        self.linear[..n].copy_from_slice(gradient);
        let outside = self.split.basis.remove_from(&mut self.linear[..n]);
        if outside <= LINEAR * norm(gradient) {
            self.linear[..n].fill(0.0);
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
                    self.linear[j] = -dot(&a[j * m..(j + 1) * m], b);
                }
                let len = self.definite.len();
                self.definite.centre(&self.linear[..n], &mut self.core.y0[..len]);
                let mut verdict = self.run_definite(qp);
                if verdict == Verdict::Optimal && self.definite.factor.diagonal_ratio() > REFINE_RATIO {
                    verdict = self.refine(qp);
                }
                return Found::new(verdict, self.core.steps);
            }
        }
        self.split.clear(n);
        let rows = self.split.cod.prepare_transposed(m, n);
        let mut longest = 0.0f64;
        for i in 0..m {
            for j in 0..n {
                rows[i * n + j] = a[j * m + i];
            }
            longest = longest.max(norm(&rows[i * n..(i + 1) * n]));
        }
        self.split.cod.factor_prepared(RANK * longest);
        self.split.take_objective(1.0);
        self.split.cod.rotate_target(b, &mut self.target[..m]);
        self.linear[..n].fill(0.0);
        self.run_split(qp)
    }

    /// Runs the method in the coordinates of the Cholesky factor, from the working set.
    fn run_definite(&mut self, qp: &Qp<'_>) -> Verdict {
        let constraints = qp.constraints();
        let limits = self.limits(qp);
        let guess = guess(&self.working_set, &constraints);
        match self.core.start(&mut self.definite, &constraints, guess, &limits) {
            Verdict::Optimal => self.core.run(&mut self.definite, &constraints, &limits),
            other => other,
        }
    }

    /// Moves y₀ by −L⁻¹ρ, ρ what the gradient at x lacks of being a combination of the active normals, and runs again.
    fn refine(&mut self, qp: &Qp<'_>) -> Verdict {
        let (n, len) = (qp.variables, self.definite.len());
        let (constraints, limits) = (qp.constraints(), self.limits(qp));
        qp.gradient_at(&self.core.x[..n], &mut self.linear[..n]);
        let (linear, normal) = (&mut self.linear[..n], &mut self.centre[..n]);
        self.core.multipliers(|id, side, u| {
            constraints.normal(id, -side * u, normal);
            axpy(1.0, normal, linear);
        });
        self.definite.centre(&self.linear[..n], &mut self.centre[..len]);
        axpy(1.0, &self.centre[..len], &mut self.core.y0[..len]);
        let steps = self.core.steps;
        self.core.restart(&mut self.definite, &constraints);
        let verdict = self.core.run(&mut self.definite, &constraints, &limits);
        self.core.steps += steps;
        verdict
    }

    /// Proximal point rounds in the coordinates of an orthogonal decomposition. `target` holds the head of y₀, `linear` the gradient
    /// in the null space of the objective.
    fn run_split(&mut self, qp: &Qp<'_>) -> Found {
        let n = qp.variables;
        let (constraints, limits) = (qp.constraints(), self.limits(qp));
        let (r, free, len, epsilon) =
            (self.split.rank(), self.split.free_range(), self.split.len(), self.split.epsilon);
        let size = self.split.largest_curvature();
        self.core.y0[..len].fill(0.0);
        self.core.y0[..r].copy_from_slice(&self.target[..r]);
        self.centre[..n].fill(0.0);
        let (mut steps, mut last, mut repeated, mut stretch) = (0, f64::INFINITY, 0, 0.0);
        for round in 0..ROUNDS {
            // The free coordinates aim at the centre, less the pull of the gradient.
            if !free.is_empty() {
                let y0 = &mut self.core.y0[free.clone()];
                y0.copy_from_slice(&self.centre[..n]);
                axpy(-1.0 / epsilon, &self.linear[..n], y0);
            }
            let mut verdict = Verdict::Optimal;
            if round == 0 {
                let guess = guess(&self.working_set, &constraints);
                verdict = self.core.start(&mut self.split, &constraints, guess, &limits);
            } else {
                self.core.restart(&mut self.split, &constraints);
            }
            if verdict == Verdict::Optimal {
                verdict = self.core.run(&mut self.split, &constraints, &limits);
            }
            steps += self.core.steps;
            if size == 0.0 && max_abs(&self.linear[..n]) == 0.0 {
                // Nothing to minimise: any feasible point will do, and no force is needed to hold it.
                self.core.u.fill(0.0);
                return Found::new(verdict, steps);
            }
            if verdict != Verdict::Optimal || free.is_empty() {
                return Found::new(verdict, steps);
            }
            // How far did the free coordinates go from the centre?
            let reached = &self.core.y[free.clone()];
            for (c, y) in self.centre[..n].iter_mut().zip(reached) {
                *c = y - *c;
            }
            let moved = norm(&self.centre[..n]);
            let heads = norm(&self.core.y[..r]) + norm(&self.core.y0[..r]);
            let terms = size * heads
                + norm(&self.linear[..n])
                + epsilon * (self.core.sum_of_forces() + norm(&self.core.y[free.clone()]));
            let pull = epsilon * moved / terms;
            let stuck = pull > 0.5 * last && pull <= STUCK_PULL;
            if terms == 0.0 || pull <= PULL || stuck {
                return Found::new(Verdict::Optimal, steps);
            }
            if round > 0 && self.is_way_out(&constraints) {
                return Found { status: QpStatus::Unbounded, ..Found::new(Verdict::Unfinished, steps) };
            }
            // A move that repeats itself will go on for a while: stretch it. `centre` holds the move, y where it led.
            repeated = if pull > 0.9 * last && pull < 1.1 * last { repeated + 1 } else { 0 };
            stretch = if repeated >= REPEATED { 4.0 * stretch + 1.0 } else { 0.0 };
            for (c, y) in self.centre[..n].iter_mut().zip(&self.core.y[free.clone()]) {
                *c = y + stretch * *c;
            }
            last = pull;
        }
        Found::new(Verdict::Unfinished, steps)
    }

    /// Whether the last move of the centre (in `centre`), a direction of no curvature, lowers the objective and meets no constraint ever.
    fn is_way_out(&self, constraints: &Constraints<'_>) -> bool {
        let n = constraints.n;
        let d = &self.centre[..n];
        let length = norm(d);
        let gradient = norm(&self.linear[..n]);
        if gradient == 0.0 || dot(&self.linear[..n], d) > -1e-9 * gradient * length {
            return false;
        }
        let small = 1e-9 * length;
        let (e, rows) = (&constraints.equalities, constraints.row_count());
        let equal = (0..constraints.equality_count()).all(|i| {
            let (s, a) = (0..n).fold((0.0, 0.0), |(s, a), j| {
                let v = e.data[i * e.row + j * e.column];
                (s + v * d[j], a + v * v)
            });
            s.abs() <= small * a.sqrt()
        });
        let open = |lower: f64, upper: f64, v: f64, small: f64| {
            (lower <= -INFINITE || v >= -small) && (upper >= INFINITE || v <= small)
        };
        let rows_open = (0..rows).all(|i| {
            let (s, a) = (0..n).fold((0.0, 0.0), |(s, a), j| {
                let v = constraints.c[j * rows + i];
                (s + v * d[j], a + v * v)
            });
            open(constraints.lower[i], constraints.upper[i], s, small * a.sqrt())
        });
        let bounds = d.iter().zip(constraints.bound_lower).zip(constraints.bound_upper);
        equal && rows_open && bounds.into_iter().all(|((d, l), u)| open(*l, *u, *d, small))
    }

    /// After a solve that did not finish: leaves in the core the feasible point nearest to where it stood, if one is found.
    pub(super) fn nearest_feasible(&mut self, qp: &Qp<'_>) {
        let n = qp.variables;
        let (constraints, limits) = (qp.constraints(), self.limits(qp));
        let last = &mut self.linear[..n];
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
        self.definite.centre(&self.linear[..n], &mut self.core.y0[..len]);
        if self.core.start(&mut self.definite, &constraints, std::iter::empty(), &limits) == Verdict::Optimal
        {
            self.core.run(&mut self.definite, &constraints, &limits);
        }
    }
}
