//! The solver for hierarchies: its sizes and its interface. The algorithm is in
//! `levels`.

use super::problem::Hierarchy;
use super::rows::Rows;
use super::solution::{HqpSolution, HqpStatus, LevelMemory, LevelReport};
use crate::dense::padded;
use crate::qp::active_set::{ActiveSet, Limits};
use crate::qp::proximal::Proximal;
use crate::qp::routes::REFINE_RATIO;
use crate::qp::space::{Definite, Split};
use crate::qp::{QpError, WorkingSet};

/// The largest hierarchy that a solver is made for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HqpSize {
    /// Variables.
    pub variables: usize,
    /// Task rows of the largest level (of all levels together if the weighted variant is used).
    pub rows: usize,
    /// Levels.
    pub levels: usize,
    /// Equality rows that must hold.
    pub equalities: usize,
    /// Inequality rows, those that must hold and those of all levels together (bounds not counted).
    pub inequalities: usize,
    /// Inequality rows of the level that has most of them (of all levels together if the weighted variant is used).
    pub level_inequalities: usize,
}

/// Settings of the solver.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HqpParams {
    /// Violation of a constraint that is let pass, in the constraint's units. Default 1e-10.
    pub feasibility: f64,
    /// Violation that is let pass of a constraint about which the levels above leave nothing to decide. Default
    /// 1e-7.
    pub decided_feasibility: f64,
    /// Share of the longest row of a level below which what the levels above leave of its rows counts as nothing.
    /// Default 1e-8.
    pub rank: f64,
    /// Ratio of the largest to the smallest entry on the diagonal of the last level's Cholesky factor above which its solution is
    /// refined once with a gradient computed from the rows. Default 1e3.
    pub refine_above: f64,
    /// Whether solutions say by how much they miss: the levels' errors and the worst violation, else NaN. Default true.
    pub measure: bool,
    /// Most constraints taken in and out per level; 0 (the default) means ten per variable and constraint.
    pub max_iterations: usize,
}

impl Default for HqpParams {
    fn default() -> Self {
        Self {
            feasibility: 1e-10,
            decided_feasibility: 1e-7,
            rank: 1e-8,
            refine_above: REFINE_RATIO,
            measure: true,
            max_iterations: 0,
        }
    }
}

/// A solver for hierarchies of up to a given size; solving never allocates. See the example of the module.
#[derive(Clone, Debug)]
pub struct HqpSolver {
    /// Settings, free to change between solves.
    pub params: HqpParams,
    size: HqpSize,
    pub(super) core: ActiveSet,
    pub(super) definite: Definite,
    pub(super) split: Split,
    pub(super) proximal: Proximal,
    pub(super) rows: Rows,
    pub(super) target: Vec<f64>,
    pub(super) rotated: Vec<f64>,
    pub(super) hessian: Vec<f64>,
    pub(super) gradient: Vec<f64>,
    pub(super) scratch: Vec<f64>,
    /// Values of the decided directions.
    pub(super) values: Vec<f64>,
    /// All inequality rows in one matrix, and their sides as they stand at the level at hand.
    pub(super) c: Vec<f64>,
    pub(super) lower: Vec<f64>,
    pub(super) upper: Vec<f64>,
    pub(super) inverse_weight: Vec<f64>,
    pub(super) x: Vec<f64>,
    pub(super) reports: Vec<LevelReport>,
    pub(super) memory: Vec<LevelMemory>,
}

impl HqpSolver {
    /// A solver with room for hierarchies of the given size.
    pub fn new(size: HqpSize) -> Self {
        let HqpSize { variables: n, rows, levels, inequalities, level_inequalities: soft, .. } = size;
        let all_rows = rows + n;
        let memory = LevelMemory { attained: true, working_set: WorkingSet::empty(inequalities, n) };
        Self {
            params: HqpParams::default(),
            size,
            core: ActiveSet::with_capacity(n, Split::longest(n), n, inequalities, soft),
            definite: Definite::with_capacity(n),
            split: Split::with_capacity(n, all_rows),
            proximal: Proximal::with_capacity(n),
            rows: Rows::with_capacity(n, rows),
            target: vec![0.0; all_rows],
            rotated: vec![0.0; all_rows],
            hessian: vec![0.0; n * n],
            gradient: vec![0.0; n],
            scratch: vec![0.0; padded(n)],
            values: Vec::with_capacity(n),
            c: vec![0.0; inequalities * n],
            lower: vec![0.0; inequalities],
            upper: vec![0.0; inequalities],
            inverse_weight: vec![0.0; soft],
            x: vec![0.0; n],
            reports: Vec::with_capacity(levels),
            memory: vec![memory; levels.max(1)],
        }
    }

    /// Solves from scratch.
    ///
    /// # Errors
    /// When the hierarchy is invalid or larger than the solver.
    pub fn solve(&mut self, hierarchy: &Hierarchy<'_>) -> Result<HqpSolution<'_>, QpError> {
        self.forget(hierarchy);
        self.solve_from_memory(hierarchy)
    }

    /// Solves starting from what the last solve left (or what was given to [`HqpSolver::set_memory`]): which levels
    /// were attained, and the active constraints of each. For a hierarchy like the last one, with new matrices.
    ///
    /// # Errors
    /// As [`HqpSolver::solve`].
    pub fn solve_warm(&mut self, hierarchy: &Hierarchy<'_>) -> Result<HqpSolution<'_>, QpError> {
        let (rows, n) = (hierarchy.all_rows(), hierarchy.variables);
        let fits = self.memory.len() >= hierarchy.levels.len()
            && self.memory[..hierarchy.levels.len()]
                .iter()
                .all(|m| m.working_set.inequalities.len() == rows && m.working_set.bounds.len() == n);
        if !fits {
            self.forget(hierarchy);
        }
        self.solve_from_memory(hierarchy)
    }

    /// Solves the weighted problem min Σ weightₖEₖ(x) under the same constraints: one level, where a lower task can
    /// always buy a little of a higher one. For comparison.
    ///
    /// # Errors
    /// As [`HqpSolver::solve`]; also when there are not as many weights as levels.
    pub fn solve_weighted(
        &mut self,
        hierarchy: &Hierarchy<'_>,
        weights: &[f64],
    ) -> Result<HqpSolution<'_>, QpError> {
        let (found, expected) = (weights.len(), hierarchy.levels.len());
        if found != expected {
            return Err(QpError::Size { what: "weights of the levels", found, expected });
        }
        if let Some(index) = weights.iter().position(|w| !(*w > 0.0 && w.is_finite())) {
            return Err(QpError::NotFinite { what: "weights of the levels", index });
        }
        self.check(hierarchy, true)?;
        self.forget(hierarchy);
        let status = self.run_weighted(hierarchy, weights);
        self.finish(hierarchy, status)
    }

    /// The start of a warm solve.
    pub fn memory(&self) -> &[LevelMemory] {
        &self.memory
    }

    /// Sets what the next warm start begins with, for instance from a snapshot. A memory that does not fit the
    /// hierarchy is ignored then.
    pub fn set_memory(&mut self, memory: &[LevelMemory]) {
        self.memory.clear();
        self.memory.extend_from_slice(memory);
        self.memory.resize(memory.len().max(self.size.levels).max(1), LevelMemory::default());
    }

    /// A memory of nothing: all levels are expected to be attained, no constraint is active.
    fn forget(&mut self, hierarchy: &Hierarchy<'_>) {
        for memory in &mut self.memory {
            memory.attained = true;
            memory.working_set.clear(hierarchy.all_rows(), hierarchy.variables);
        }
    }

    fn solve_from_memory(&mut self, hierarchy: &Hierarchy<'_>) -> Result<HqpSolution<'_>, QpError> {
        self.check(hierarchy, false)?;
        let status = self.run(hierarchy);
        self.finish(hierarchy, status)
    }

    fn check(&self, hierarchy: &Hierarchy<'_>, together: bool) -> Result<(), QpError> {
        hierarchy.check()?;
        let levels = hierarchy.levels;
        let rows = levels.iter().map(|l| l.rows());
        let soft = levels.iter().map(|l| l.inequality_lower.len());
        let (rows, soft) = if together {
            (rows.sum(), soft.sum())
        } else {
            (rows.max().unwrap_or(0), soft.max().unwrap_or(0))
        };
        let size = &self.size;
        for (what, found, capacity) in [
            ("variables", hierarchy.variables, size.variables),
            ("levels", levels.len(), size.levels),
            ("task rows in a level", rows, size.rows),
            ("equalities", hierarchy.equality_target.len(), size.equalities),
            ("inequalities", hierarchy.all_rows(), size.inequalities),
            ("inequalities in a level", soft, size.level_inequalities),
        ] {
            if found > capacity {
                return Err(QpError::TooLarge { what, found, capacity });
            }
        }
        Ok(())
    }

    pub(super) fn limits(&self, hierarchy: &Hierarchy<'_>) -> Limits {
        let all = 2 * hierarchy.variables + hierarchy.all_rows();
        let steps = if self.params.max_iterations > 0 { self.params.max_iterations } else { 10 * all + 100 };
        let (feasibility, excuse) = (self.params.feasibility, self.params.decided_feasibility);
        Limits { feasibility, steps, excuse, dependent: self.params.rank }
    }

    fn finish(&mut self, h: &Hierarchy<'_>, status: Option<HqpStatus>) -> Result<HqpSolution<'_>, QpError> {
        let n = h.variables;
        if status.is_none() {
            // A number that is not finite turned up: in the data, or by overflow.
            h.check_matrices()?;
        }
        let status = status.unwrap_or(HqpStatus::Failed);
        if self.x[..n].iter().any(|v| !v.is_finite()) {
            self.x[..n].fill(0.0);
        }
        let x = &self.x[..n];
        let measure = self.params.measure;
        for (report, level) in self.reports.iter_mut().zip(h.levels) {
            report.error = if measure { level.error_at(x) } else { f64::NAN };
        }
        let violation = if measure { h.violation_at(x) } else { f64::NAN };
        let iterations = self.reports.iter().map(|r| r.iterations).sum();
        Ok(HqpSolution { status, x, violation, levels: &self.reports, iterations })
    }
}
