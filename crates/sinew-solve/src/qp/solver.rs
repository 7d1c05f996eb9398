//! The QP solver: what it is made for, how it is called, how the outcome is reported. The ways to a solution are in
//! `routes`.

use super::active_set::{ActiveSet, Limits, Verdict};
use super::problem::{Objective, Qp, QpError};
use super::proximal::Proximal;
use super::routes::Found;
use super::solution::{Multipliers, QpSolution, QpStatus, WorkingSet};
use super::space::{Definite, Space, Split};
use crate::dense::pivoted_cholesky::SemidefiniteRoot;

/// The largest problem that a solver is made for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QpSize {
    /// Variables.
    pub variables: usize,
    /// Equality rows.
    pub equalities: usize,
    /// Inequality rows (bounds not counted).
    pub inequalities: usize,
    /// Rows of a least-squares objective; 0 when only quadratic ones come.
    pub residuals: usize,
}

/// Settings of the solver.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QpParams {
    /// Violation of a constraint that is let pass, in the constraint's units; ten times as much where its normal
    /// nearly depends on active ones. Default 1e-10.
    pub feasibility: f64,
    /// Most constraints taken in and out; 0 (the default) means ten per variable and constraint.
    pub max_iterations: usize,
}

impl Default for QpParams {
    fn default() -> Self {
        Self { feasibility: 1e-10, max_iterations: 0 }
    }
}

/// A solver for QPs of up to a given size; solving never allocates.
///
/// ```
/// use sinew_solve::qp::{Qp, QpSize, QpSolver};
/// let mut solver = QpSolver::new(QpSize { variables: 2, equalities: 1, ..QpSize::default() });
/// // minimise ½(x² + y²) with x + y = 2, x ≤ 0.5
/// let qp = Qp::quadratic(&[1.0, 0.0, 0.0, 1.0], &[0.0, 0.0])
///     .with_equalities(&[1.0, 1.0], &[2.0])
///     .with_bounds(&[f64::NEG_INFINITY; 2], &[0.5, f64::INFINITY]);
/// let solution = solver.solve(&qp)?;
/// assert!(solution.status.is_solved());
/// assert!((solution.x[0] - 0.5).abs() < 1e-12 && (solution.x[1] - 1.5).abs() < 1e-12);
/// assert!((solution.multipliers.bounds[0] + 1.0).abs() < 1e-12);
/// # Ok::<(), sinew_solve::qp::QpError>(())
/// ```
#[derive(Clone, Debug)]
pub struct QpSolver {
    /// Settings, free to change between solves.
    pub params: QpParams,
    size: QpSize,
    pub(super) core: ActiveSet,
    pub(super) definite: Definite,
    pub(super) split: Split,
    pub(super) root: SemidefiniteRoot,
    pub(super) hessian: Vec<f64>,
    pub(super) support: Vec<(usize, usize)>,
    pub(super) target: Vec<f64>,
    pub(super) proximal: Proximal,
    pub(super) scratch: Vec<f64>,
    x: Vec<f64>,
    dual: Vec<f64>,
    farkas: Vec<f64>,
    pub(super) working_set: WorkingSet,
    /// Whether the factors belong to the last problem and it was quadratic, definite and solved.
    reusable: Option<(usize, usize, usize)>,
}

impl QpSolver {
    /// A solver with room for problems of the given size.
    pub fn new(size: QpSize) -> Self {
        let QpSize { variables: n, equalities, inequalities, residuals } = size;
        let rows = residuals.max(n);
        let all = equalities + inequalities + n;
        Self {
            params: QpParams::default(),
            size,
            core: ActiveSet::with_capacity(n, Split::longest(n), equalities, inequalities, 0),
            definite: Definite::with_capacity(n),
            split: Split::with_capacity(n, rows),
            root: SemidefiniteRoot::with_capacity(n),
            hessian: vec![0.0; n * n],
            support: vec![(0, 0); n],
            target: vec![0.0; rows],
            proximal: Proximal::with_capacity(n),
            scratch: vec![0.0; crate::dense::padded(n)],
            x: vec![0.0; n],
            dual: vec![0.0; all],
            farkas: vec![0.0; all],
            working_set: WorkingSet::empty(inequalities, n),
            reusable: None,
        }
    }

    /// Solves from scratch.
    ///
    /// # Errors
    /// When the problem is invalid or larger than the solver.
    pub fn solve(&mut self, qp: &Qp<'_>) -> Result<QpSolution<'_>, QpError> {
        self.working_set.clear(qp.inequality_lower.len(), qp.variables);
        self.solve_from_working_set(qp)
    }

    /// Solves starting from the active set of the last solve (or the one given to [`QpSolver::set_working_set`]):
    /// for a problem like the last one, with new matrices. The result is the same as that of [`QpSolver::solve`] up
    /// to rounding, the way to it shorter.
    ///
    /// # Errors
    /// As [`QpSolver::solve`].
    pub fn solve_warm(&mut self, qp: &Qp<'_>) -> Result<QpSolution<'_>, QpError> {
        if self.working_set.inequalities.len() != qp.inequality_lower.len()
            || self.working_set.bounds.len() != qp.variables
        {
            self.working_set.clear(qp.inequality_lower.len(), qp.variables);
        }
        self.solve_from_working_set(qp)
    }

    /// Solves a problem with **the same matrices** (P, A, C) as the last one, which must have been quadratic,
    /// definite and solved; gradient, targets, sides and bounds may differ. All factors are reused. When there is
    /// nothing to reuse this is [`QpSolver::solve_warm`].
    ///
    /// # Errors
    /// As [`QpSolver::solve`].
    pub fn resolve(&mut self, qp: &Qp<'_>) -> Result<QpSolution<'_>, QpError> {
        let sizes = (qp.variables, qp.equality_target.len(), qp.inequality_lower.len());
        let Objective::Quadratic { gradient, .. } = qp.objective else { return self.solve_warm(qp) };
        if self.reusable.take() != Some(sizes) {
            return self.solve_warm(qp);
        }
        qp.check()?;
        let constraints = qp.constraints();
        let len = self.definite.len();
        self.definite.centre(gradient, &mut self.core.y0[..len]);
        self.core.restart(&mut self.definite, &constraints);
        let limits = self.limits(qp);
        let verdict = self.core.run(&mut self.definite, &constraints, &limits);
        let found = Found::quadratic(verdict, &self.core);
        self.finish(qp, found)
    }

    /// The active set that a warm start begins with: that of the last solve.
    pub fn working_set(&self) -> &WorkingSet {
        &self.working_set
    }

    /// Sets the active set for the next warm start, for instance from a snapshot. A set of the wrong size is
    /// ignored then.
    pub fn set_working_set(&mut self, set: &WorkingSet) {
        self.working_set.clone_from(set);
    }

    fn solve_from_working_set(&mut self, qp: &Qp<'_>) -> Result<QpSolution<'_>, QpError> {
        qp.check()?;
        self.check_capacity(qp)?;
        self.reusable = None;
        let found = match qp.objective {
            Objective::Quadratic { hessian, gradient } => self.solve_quadratic(qp, hessian, gradient),
            Objective::LeastSquares { a, b } => self.solve_least_squares(qp, a, b),
        };
        self.finish(qp, found)
    }

    fn check_capacity(&self, qp: &Qp<'_>) -> Result<(), QpError> {
        let residuals = match qp.objective {
            Objective::Quadratic { .. } => 0,
            Objective::LeastSquares { b, .. } => b.len(),
        };
        for (what, found, capacity) in [
            ("variables", qp.variables, self.size.variables),
            ("equalities", qp.equality_target.len(), self.size.equalities),
            ("inequalities", qp.inequality_lower.len(), self.size.inequalities),
            ("least-squares rows", residuals, self.size.residuals),
        ] {
            if found > capacity {
                return Err(QpError::TooLarge { what, found, capacity });
            }
        }
        Ok(())
    }

    pub(super) fn limits(&self, qp: &Qp<'_>) -> Limits {
        let all = qp.variables + qp.equality_target.len() + qp.inequality_lower.len();
        let steps = if self.params.max_iterations > 0 { self.params.max_iterations } else { 10 * all + 100 };
        let feasibility = self.params.feasibility;
        Limits { feasibility, steps, excuse: 10.0 * feasibility, dependent: 0.0 }
    }

    /// Puts the outcome into the form in which it is returned.
    fn finish(&mut self, qp: &Qp<'_>, found: Found) -> Result<QpSolution<'_>, QpError> {
        let Found { verdict, status, objective, iterations, reusable } = found;
        if verdict == Verdict::NotFinite {
            qp.check_matrices()?;
        }
        let (n, me, mi) = (qp.variables, qp.equality_target.len(), qp.inequality_lower.len());
        let constraints = qp.constraints();
        self.x[..n].copy_from_slice(&self.core.x[..n]);
        let solved = status == QpStatus::Solved;
        let all = me + mi + n;
        // Multipliers, and the sides that they belong to.
        self.dual[..all].fill(0.0);
        self.working_set.clear(mi, n);
        if verdict != Verdict::NotFinite {
            let dual = &mut self.dual;
            self.core.multipliers(|id, side, u| dual[id] = side * u);
            self.core.write_working_set(&constraints, &mut self.working_set);
        }
        let infeasible = status == QpStatus::Infeasible;
        if infeasible {
            self.farkas[..all].fill(0.0);
            let farkas = &mut self.farkas;
            self.core.certificate(|id, weight| farkas[id] += weight);
        }
        let mut violation = if solved { self.core.violation(&constraints) } else { f64::NAN };
        if status == QpStatus::Unfinished {
            self.nearest_feasible(qp);
            self.x[..n].copy_from_slice(&self.core.x[..n]);
        }
        if !solved {
            // Data that overflowed has no better point than the origin.
            if self.x[..n].iter().any(|v| !v.is_finite()) {
                self.x[..n].fill(0.0);
            }
            violation = qp.violation_at(&self.x[..n]);
        }
        self.reusable = (reusable && solved).then_some((n, me, mi));
        Ok(QpSolution {
            status,
            x: &self.x[..n],
            objective: objective.unwrap_or_else(|| qp.objective_at(&self.x[..n])),
            violation,
            multipliers: Multipliers::split(&self.dual[..all], me, mi),
            working_set: &self.working_set,
            iterations,
            certificate: infeasible.then(|| Multipliers::split(&self.farkas[..all], me, mi)),
        })
    }
}
