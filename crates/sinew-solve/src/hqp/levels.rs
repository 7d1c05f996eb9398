//! The algorithm of a hierarchy: level by level.
//!
//! **Decided directions.** An orthonormal basis E of what the equalities and the levels above have decided grows
//! from level to level, with the values Eᵀx = v; x̂ = Ev. A level sees its rows with E taken out, Ā = A(I − EEᵀ),
//! and b̄ = b − Ax̂. A complete orthogonal decomposition of Ā tells its rank (what is shorter than a share of the
//! **unprojected** rows counts as zero: a level that is covered from above has rounding errors only, and no entry
//! of Ā says so) and the value c of Yᵀx that is best when no inequality is in the way.
//!
//! **Attained levels.** Inequalities hold back few levels in practice. So a level that was attained at the last
//! time step (all of them, at the first) is **assumed** to be: its directions Y are decided with the values c, at
//! the cost of the decomposition alone. When a level is then optimised under the inequalities and a feasible point
//! exists, that point proves the assumptions right: every assumed level is at its best value without inequalities,
//! it cannot do better with them. The inequalities of an assumed level have no slack then: a feasible point shows that they hold, too.
//! If no feasible point exists, the assumed levels are optimised one by one. The result is the same in either case.
//!
//! **Optimising a level**: min ‖T Yᵀx − c‖ subject to all inequalities that count so far, in the coordinates of
//! `qp::space::Split`, by the dual active-set method with proximal rounds for the directions that the level does not see.
//! Then Y is decided with the values reached, and so are the normals of all constraints with a positive multiplier:
//! moving away from these would cost the level. (With λ > 0, any z with Āz = 0 has Σλᵢgᵢᵀz = 0 and gᵢᵀz ≥ 0, so
//! gᵢᵀz = 0.) The inequalities of the level itself carry a slack in its error; their sides are moved to the values
//! reached.
//!
//! **The last level** usually sees all variables (a pose, some damping). Then no decomposition is needed: Cholesky
//! of its Gram matrix gives the coordinates, and the decided directions enter as equalities. Pose and force
//! variables make that matrix block diagonal, and identity rows are nearly free. When it is badly conditioned, the
//! last level takes the same way as the others.

use super::problem::Hierarchy;
use super::solution::{HqpStatus, LevelOutcome, LevelReport};
use super::solver::HqpSolver;
use crate::dense::vector::{axpy, dot, norm};
use crate::qp::active_set::{Limits, Verdict};
use crate::qp::constraints::{Constraints, Equalities, Soft};
use crate::qp::routes::{GRAM_RATIO, SEMIDEFINITE, guess};
use crate::qp::space::Space;

/// Share of all forces of a level above which a constraint is held in place for the levels below.
const FORCE: f64 = 1e-9;
/// Relative distance from the best value up to which a level counts as attained.
const ATTAINED: f64 = 1e-9;

/// How one pass over the levels ended.
enum Pass {
    Done,
    /// Levels that were assumed to be attained are not all: try again without assuming.
    Again,
    /// The level could not be finished (`None`: the equalities contradict each other).
    Stopped(Option<usize>, Verdict),
}

impl HqpSolver {
    /// Works through the levels. `None` when a number is not finite.
    pub(super) fn run(&mut self, h: &Hierarchy<'_>) -> Option<HqpStatus> {
        let soft_rows = h.all_rows() > h.inequality_lower.len();
        if soft_rows {
            self.gather_rows(h);
        }
        self.core.x[..h.variables].fill(0.0);
        loop {
            self.reports.clear();
            self.reports.resize(h.levels.len(), LevelReport::default());
            self.reset_sides(h);
            match self.pass(h) {
                Pass::Done => return Some(HqpStatus::Solved),
                Pass::Again => {}
                Pass::Stopped(_, Verdict::NotFinite) => return None,
                Pass::Stopped(Some(k), _) if k > 0 => return Some(HqpStatus::Partial),
                Pass::Stopped(_, Verdict::Infeasible) => return Some(HqpStatus::Infeasible),
                Pass::Stopped(..) => return Some(HqpStatus::Failed),
            }
        }
    }

    /// One pass over the levels.
    fn pass(&mut self, h: &Hierarchy<'_>) -> Pass {
        let (n, count) = (h.variables, h.levels.len());
        self.split.clear(n);
        self.values.clear();
        let verdict = self.take_equalities(h);
        if verdict != Verdict::Optimal {
            return Pass::Stopped(None, verdict);
        }
        let limits = self.limits(h);
        // Levels below this number are proven.
        let mut proven = 0;
        for k in 0..count {
            let last = k + 1 == count;
            self.rows.clear(n);
            self.rows.add(&h.levels[k], 1.0);
            let soft = h.levels[k].inequality_lower.len();
            let verdict = if last && soft == 0 && self.gram_is_sound(n) {
                self.reports[k].rank = n - self.split.basis.len();
                self.optimise_last(h, &limits, k)
            } else if !self.decompose(n) {
                Verdict::NotFinite
            } else {
                let rank = self.split.rank();
                self.reports[k].rank = rank;
                let full = self.split.basis.len() == n;
                if self.memory[k].attained && !last && !full {
                    self.assume(h, k);
                    continue;
                }
                self.optimise(h, &limits, k)
            };
            if verdict != Verdict::Optimal {
                if proven < k && verdict != Verdict::NotFinite {
                    for memory in &mut self.memory[proven..k] {
                        memory.attained = false;
                    }
                    return Pass::Again;
                }
                self.reports[k].outcome = LevelOutcome::Failed;
                return Pass::Stopped(Some(k), verdict);
            }
            self.x[..n].copy_from_slice(&self.core.x[..n]);
            proven = k + 1;
            if !last {
                self.decide(h, k);
            }
        }
        if count == 0 {
            return self.pass_without_levels(h, &limits);
        }
        Pass::Done
    }

    /// No level at all: any feasible point.
    fn pass_without_levels(&mut self, h: &Hierarchy<'_>, limits: &Limits) -> Pass {
        self.rows.clear(h.variables);
        self.decompose(h.variables);
        match self.optimise(h, limits, 0) {
            Verdict::Optimal => {
                self.x[..h.variables].copy_from_slice(&self.core.x[..h.variables]);
                Pass::Done
            }
            verdict => Pass::Stopped(None, verdict),
        }
    }

    /// The weighted variant: all levels as one.
    pub(super) fn run_weighted(&mut self, h: &Hierarchy<'_>, weights: &[f64]) -> Option<HqpStatus> {
        let n = h.variables;
        self.reports.clear();
        self.reports.resize(h.levels.len(), LevelReport::default());
        self.gather_rows(h);
        self.reset_sides(h);
        self.core.x[..n].fill(0.0);
        self.split.clear(n);
        self.values.clear();
        match self.take_equalities(h) {
            Verdict::Optimal => {}
            Verdict::NotFinite => return None,
            _ => return Some(HqpStatus::Infeasible),
        }
        self.rows.clear(n);
        let mut soft = 0;
        for (level, weight) in h.levels.iter().zip(weights) {
            self.rows.add(level, *weight);
            for _ in 0..level.inequality_lower.len() {
                self.inverse_weight[soft] = 1.0 / weight.sqrt();
                soft += 1;
            }
        }
        let first = h.inequality_lower.len();
        self.open_sides(h, first..first + soft);
        let limits = self.limits(h);
        let verdict = if soft == 0 && self.gram_is_sound(n) {
            self.optimise_last(h, &limits, 0)
        } else if !self.decompose(n) {
            Verdict::NotFinite
        } else {
            self.optimise_with(h, &limits, 0, first, soft)
        };
        self.x[..n].copy_from_slice(&self.core.x[..n]);
        if let Some(first) = self.reports.first().copied() {
            self.reports[1..].fill(LevelReport { iterations: 0, ..first });
        }
        match verdict {
            Verdict::Optimal => Some(HqpStatus::Solved),
            Verdict::Infeasible => Some(HqpStatus::Infeasible),
            Verdict::Unfinished => Some(HqpStatus::Failed),
            Verdict::NotFinite => None,
        }
    }

    /// Decides the directions of the equalities.
    fn take_equalities(&mut self, h: &Hierarchy<'_>) -> Verdict {
        let (n, m) = (h.variables, h.equality_target.len());
        for i in 0..m {
            let a = &mut self.scratch[..n];
            for (j, a) in a.iter_mut().enumerate() {
                *a = h.equality_matrix[j * m + i];
            }
            let (length, reached) = (norm(a), dot(a, &self.split.x_hat[..n]));
            let missing = h.equality_target[i] - reached;
            if !(length.is_finite() && missing.is_finite()) {
                return Verdict::NotFinite;
            }
            if let Some(left) = self.split.basis.push(a, self.params.rank * length) {
                self.add_value(n, missing / left);
            } else if missing.abs() > self.params.decided_feasibility * (1.0 + h.equality_target[i].abs()) {
                return Verdict::Infeasible;
            }
        }
        Verdict::Optimal
    }

    /// Gives the newest decided direction its value.
    fn add_value(&mut self, n: usize, value: f64) {
        let column = self.split.basis.column(self.values.len());
        axpy(value, column, &mut self.split.x_hat[..n]);
        self.values.push(value);
    }

    /// Decomposes the level's rows with the decided directions taken out; `rotated` gets the best values T Yᵀx.
    /// False when a number is not finite.
    fn decompose(&mut self, n: usize) -> bool {
        self.rows.unfold_damping();
        let m = self.rows.count;
        let Some(longest) = self.rows.longest() else { return false };
        let threshold = self.params.rank * longest;
        let storage = self.split.cod.prepare_transposed(m, n);
        for i in 0..m {
            let row = &mut storage[i * n..(i + 1) * n];
            row.copy_from_slice(self.rows.row(i));
            self.split.basis.remove_from(row);
        }
        self.rows.residual(&self.split.x_hat[..n], &mut self.target);
        self.split.cod.factor_prepared(threshold);
        self.split.cod.rotate_target(&self.target[..m], &mut self.rotated[..m]);
        self.split.take_objective(1.0);
        true
    }

    /// Decides the level's directions with the best values; its inequalities hold from now on.
    fn assume(&mut self, h: &Hierarchy<'_>, k: usize) {
        let first = h.inequality_lower.len() + above(h, k);
        self.open_sides(h, first..first + h.levels[k].inequality_lower.len());
        let (n, r) = (self.rows.variables(), self.split.rank());
        self.split.cod.solve_triangle(&mut self.rotated);
        for i in 0..r {
            self.add_value(n, self.rotated[i]);
        }
        self.reports[k].outcome = if r == 0 { LevelOutcome::Decided } else { LevelOutcome::Attained };
    }

    /// Minimises a level under all inequalities that count so far.
    fn optimise(&mut self, h: &Hierarchy<'_>, limits: &Limits, k: usize) -> Verdict {
        let soft = h.levels.get(k).map_or(0, |l| l.inequality_lower.len());
        let first = h.inequality_lower.len() + above(h, k);
        self.inverse_weight[..soft].fill(1.0);
        self.open_sides(h, first..first + soft);
        self.optimise_with(h, limits, k, first, soft)
    }

    fn optimise_with(
        &mut self,
        h: &Hierarchy<'_>,
        limits: &Limits,
        k: usize,
        first: usize,
        soft: usize,
    ) -> Verdict {
        let n = h.variables;
        let r = self.split.rank();
        let (c, lower, upper) = inequalities(h, &self.c, &self.lower, &self.upper);
        let constraints = Constraints {
            n,
            equalities: Equalities { data: &[], row: 0, column: 0, target: &[], orthonormal: false },
            c,
            lower,
            upper,
            bound_lower: h.bound_lower,
            bound_upper: h.bound_upper,
            soft: (soft > 0).then_some(Soft { first, inverse_weight: &self.inverse_weight[..soft] }),
        };
        let guess = guess(&self.memory[k].working_set, &constraints);
        self.proximal.linear[..n].fill(0.0);
        let (core, split) = (&mut self.core, &mut self.split);
        let rounds = self.proximal.run(core, split, &constraints, guess, limits, &self.rotated);
        if let Some(report) = self.reports.get_mut(k) {
            report.iterations += rounds.steps;
            let scale = 1.0 + norm(&self.rotated[..r]);
            let attained = self.core.distance(r, soft) <= ATTAINED * scale;
            report.outcome = match attained {
                true if r == 0 && soft == 0 => LevelOutcome::Decided,
                true => LevelOutcome::Attained,
                false => LevelOutcome::Limited,
            };
            self.memory[k].attained = attained;
        }
        self.core.write_working_set(&constraints, &mut self.memory[k].working_set);
        // An unreachable target along a direction without cost can move the point so far that the rounds end early. The
        // present point satisfies all constraints and is nearly optimal, so the level keeps it.
        if rounds.feasible { Verdict::Optimal } else { rounds.verdict }
    }

    /// Whether the last level alone determines all variables well enough for its Gram matrix to be used.
    fn gram_is_sound(&mut self, n: usize) -> bool {
        if self.rows.count < n && !self.rows.damped {
            return false;
        }
        self.rows.gram(&mut self.hessian[..n * n], &mut self.gradient[..n]);
        self.definite.factor.factor_above(n, &self.hessian[..n * n], SEMIDEFINITE).is_ok()
            && self.definite.factor.diagonal_ratio() < GRAM_RATIO
    }

    /// Minimises the last level in the coordinates of its Gram matrix, with the decided directions as equalities.
    fn optimise_last(&mut self, h: &Hierarchy<'_>, limits: &Limits, k: usize) -> Verdict {
        let n = h.variables;
        let (c, lower, upper) = inequalities(h, &self.c, &self.lower, &self.upper);
        let equalities = Equalities {
            data: self.split.basis.columns(),
            row: n,
            column: 1,
            target: &self.values,
            orthonormal: true,
        };
        let (bound_lower, bound_upper) = (h.bound_lower, h.bound_upper);
        let constraints =
            Constraints { n, equalities, c, lower, upper, bound_lower, bound_upper, soft: None };
        let (core, definite) = (&mut self.core, &mut self.definite);
        let len = definite.len();
        definite.centre(&self.gradient[..n], &mut core.y0[..len]);
        let guess = guess(&self.memory[k].working_set, &constraints);
        let mut verdict = core.start(definite, &constraints, guess, limits);
        if verdict == Verdict::Optimal {
            verdict = core.run(definite, &constraints, limits);
        }
        let mut steps = core.steps;
        if verdict == Verdict::Optimal && definite.factor.diagonal_ratio() > self.params.refine_above {
            // Move y₀ by what the gradient, computed from the rows themselves, lacks.
            self.rows.gradient(&core.x[..n], &mut self.gradient[..n]);
            let (gradient, normal) = (&mut self.gradient[..n], &mut self.scratch[..n]);
            core.multipliers(|id, side, u| {
                constraints.normal(id, -side * u, normal);
                axpy(1.0, normal, gradient);
            });
            definite.centre(&self.gradient[..n], &mut self.scratch[..len]);
            axpy(1.0, &self.scratch[..len], &mut core.y0[..len]);
            core.restart(definite, &constraints);
            verdict = core.run(definite, &constraints, limits);
            steps += core.steps;
        }
        self.reports[k].iterations += steps;
        let decided = constraints.equality_count();
        let all = core.sum_of_forces();
        let limited = (0..core.active.len())
            .any(|place| core.active[place].id >= decided && core.force(place) > FORCE * all);
        self.reports[k].outcome = if limited { LevelOutcome::Limited } else { LevelOutcome::Attained };
        self.memory[k].attained = !limited;
        core.write_working_set(&constraints, &mut self.memory[k].working_set);
        verdict
    }

    /// After a level was optimised: its directions keep the values reached, and so do the constraints that hold it
    /// back.
    fn decide(&mut self, h: &Hierarchy<'_>, k: usize) {
        let n = h.variables;
        while self.values.len() < self.split.basis.len() {
            let value = dot(self.split.basis.column(self.values.len()), &self.x[..n]);
            self.add_value(n, value);
        }
        // The level's own inequalities may stay as far off as they are, not farther.
        let first = h.inequality_lower.len() + above(h, k);
        let rows = h.all_rows();
        for i in first..first + h.levels[k].inequality_lower.len() {
            let v = (0..n).fold(0.0, |s, j| s + self.c[j * rows + i] * self.x[j]);
            self.lower[i] = self.lower[i].min(v);
            self.upper[i] = self.upper[i].max(v);
        }
        if self.reports[k].outcome != LevelOutcome::Limited {
            return;
        }
        let all = self.core.sum_of_forces();
        for place in 0..self.core.active.len() {
            if self.core.force(place) <= FORCE * all {
                continue;
            }
            let id = self.core.active[place].id;
            let a = &mut self.scratch[..n];
            if id >= rows {
                a.fill(0.0);
                a[id - rows] = 1.0;
            } else {
                let c = if rows > h.inequality_lower.len() { &self.c[..] } else { h.inequality_matrix };
                for (j, a) in a.iter_mut().enumerate() {
                    *a = c[j * rows + id];
                }
            }
            let length = norm(a);
            if self.split.basis.push(a, self.params.rank * length).is_some() {
                let value = dot(self.split.basis.column(self.values.len()), &self.x[..n]);
                self.add_value(n, value);
            }
        }
    }

    /// Copies the rows that must hold and those of the levels into one matrix.
    fn gather_rows(&mut self, h: &Hierarchy<'_>) {
        let (n, rows) = (h.variables, h.all_rows());
        let mut first = 0;
        let blocks = std::iter::once((h.inequality_matrix, h.inequality_lower.len()))
            .chain(h.levels.iter().map(|l| (l.inequality_matrix, l.inequality_lower.len())));
        for (matrix, m) in blocks {
            for j in 0..n {
                self.c[j * rows + first..j * rows + first + m].copy_from_slice(&matrix[j * m..(j + 1) * m]);
            }
            first += m;
        }
    }

    /// Sides before the first level: those that must hold as they are, those of the levels open.
    fn reset_sides(&mut self, h: &Hierarchy<'_>) {
        let (hard, rows) = (h.inequality_lower.len(), h.all_rows());
        if rows > hard {
            self.lower[..hard].copy_from_slice(h.inequality_lower);
            self.upper[..hard].copy_from_slice(h.inequality_upper);
            self.lower[hard..rows].fill(f64::NEG_INFINITY);
            self.upper[hard..rows].fill(f64::INFINITY);
        }
    }

    /// Lets the inequalities of a level, numbered through, count.
    fn open_sides(&mut self, h: &Hierarchy<'_>, range: std::ops::Range<usize>) {
        let mut first = h.inequality_lower.len();
        for level in h.levels {
            for (i, (l, u)) in level.inequality_lower.iter().zip(level.inequality_upper).enumerate() {
                if range.contains(&(first + i)) {
                    (self.lower[first + i], self.upper[first + i]) = (*l, *u);
                }
            }
            first += level.inequality_lower.len();
        }
    }
}

/// Number of inequality rows of the levels above one.
fn above(h: &Hierarchy<'_>, k: usize) -> usize {
    h.levels[..k].iter().map(|l| l.inequality_lower.len()).sum()
}

/// The inequality rows and their sides as they stand: gathered ones when levels have rows of their own.
fn inequalities<'a>(
    h: &Hierarchy<'a>,
    c: &'a [f64],
    lower: &'a [f64],
    upper: &'a [f64],
) -> (&'a [f64], &'a [f64], &'a [f64]) {
    let rows = h.all_rows();
    if rows == h.inequality_lower.len() {
        (h.inequality_matrix, h.inequality_lower, h.inequality_upper)
    } else {
        (&c[..rows * h.variables], &lower[..rows], &upper[..rows])
    }
}
