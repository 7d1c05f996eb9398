//! The statement of a hierarchy of least-squares problems, borrowed from the caller.

use crate::dense::vector::{dot, for_each_product};
use crate::qp::{Qp, QpError};

/// Rows that ask for Ax = b, as well as possible: weight·‖Ax − b‖².
#[derive(Clone, Copy, Debug)]
pub struct Task<'a> {
    /// A (m×n), column-major, or row after row.
    pub a: &'a [f64],
    /// Whether A is given row after row, as objectives usually are.
    pub by_rows: bool,
    /// b (m).
    pub b: &'a [f64],
    /// Weight α of the squared error within the level; ≥ 0.
    pub weight: f64,
}

impl<'a> Task<'a> {
    /// A task of weight 1.
    pub fn new(a: &'a [f64], b: &'a [f64]) -> Self {
        Self { a, b, by_rows: false, weight: 1.0 }
    }

    /// The same with A row after row.
    ///
    /// ```
    /// use sinew_solve::hqp::{Level, Task};
    /// let (columns, rows) = ([1.0, 3.0, 2.0, 4.0], [1.0, 2.0, 3.0, 4.0]);
    /// let error = |task: Task<'_>| Level::new(&[task]).error_at(&[5.0, 6.0]);
    /// assert_eq!(error(Task::new(&columns, &[0.5; 2])), error(Task::by_rows(&rows, &[0.5; 2])));
    /// ```
    pub fn by_rows(a: &'a [f64], b: &'a [f64]) -> Self {
        Self { by_rows: true, ..Self::new(a, b) }
    }

    /// With another weight.
    pub fn with_weight(mut self, weight: f64) -> Self {
        self.weight = weight;
        self
    }
}

/// One level: Σ weight·‖Ax − b‖² over its tasks, plus Σ dampingⱼxⱼ², plus the squared violation of its
/// inequalities.
#[derive(Clone, Copy, Debug, Default)]
pub struct Level<'a> {
    /// The tasks.
    pub tasks: &'a [Task<'a>],
    /// A small weight per variable that keeps free ones near zero; empty when there is none. Meant for the last
    /// level.
    pub damping: &'a [f64],
    /// C of inequalities lower ≤ Cx ≤ upper that hold as well as the levels above allow, column-major.
    pub inequality_matrix: &'a [f64],
    /// Lower sides.
    pub inequality_lower: &'a [f64],
    /// Upper sides.
    pub inequality_upper: &'a [f64],
}

impl<'a> Level<'a> {
    /// A level made of tasks.
    pub fn new(tasks: &'a [Task<'a>]) -> Self {
        Self { tasks, ..Self::default() }
    }

    /// With Σ dampingⱼxⱼ².
    pub fn with_damping(mut self, damping: &'a [f64]) -> Self {
        self.damping = damping;
        self
    }

    /// With inequalities of this level's rank: lower levels must not make them worse, higher ones come first.
    pub fn with_inequalities(mut self, c: &'a [f64], lower: &'a [f64], upper: &'a [f64]) -> Self {
        (self.inequality_matrix, self.inequality_lower, self.inequality_upper) = (c, lower, upper);
        self
    }

    /// Number of task rows.
    pub(crate) fn rows(&self) -> usize {
        self.tasks.iter().map(|t| t.b.len()).sum()
    }

    /// The level's error E(x), the sum that it wants as small as possible.
    ///
    /// # Panics
    /// If x does not have as many entries as the tasks have columns.
    pub fn error_at(&self, x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for task in self.tasks {
            let mut add = |i: usize, v: f64| {
                let r = v - task.b[i];
                sum += task.weight * r * r;
            };
            if task.by_rows {
                let rows = task.a.chunks_exact(x.len().max(1)).take(task.b.len());
                rows.enumerate().for_each(|(i, row)| add(i, dot(row, x)));
            } else {
                for_each_product(task.a, task.b.len(), x, add);
            }
        }
        for (d, x) in self.damping.iter().zip(x) {
            sum += d * x * x;
        }
        for_each_product(self.inequality_matrix, self.inequality_lower.len(), x, |i, v| {
            let violation = (self.inequality_lower[i] - v).max(v - self.inequality_upper[i]).max(0.0);
            sum += violation * violation;
        });
        sum
    }
}

/// A hierarchy: constraints that must hold, and levels of which each is minimised among the minimisers of all
/// levels above.
///
/// ```
/// use sinew_solve::hqp::{Hierarchy, Level, Task};
/// let first = [Task::new(&[1.0, 1.0], &[2.0])];
/// let second = [Task::new(&[1.0, 0.0, 0.0, 1.0], &[0.0, 4.0])];
/// let levels = [Level::new(&first), Level::new(&second)];
/// let hierarchy = Hierarchy::new(2, &levels).with_bounds(&[0.0, 0.0], &[9.0, 9.0]);
/// assert_eq!(hierarchy.levels[1].error_at(&[-1.0, 3.0]), 2.0);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Hierarchy<'a> {
    /// Number of variables.
    pub variables: usize,
    /// The levels, the most important first.
    pub levels: &'a [Level<'a>],
    /// A of the equalities that must hold, column-major.
    pub equality_matrix: &'a [f64],
    /// b of the equalities.
    pub equality_target: &'a [f64],
    /// C of the inequality rows that must hold, column-major.
    pub inequality_matrix: &'a [f64],
    /// Lower sides of the rows.
    pub inequality_lower: &'a [f64],
    /// Upper sides of the rows.
    pub inequality_upper: &'a [f64],
    /// Lower bounds of the variables; empty when none has any.
    pub bound_lower: &'a [f64],
    /// Upper bounds of the variables; empty when none has any.
    pub bound_upper: &'a [f64],
}

impl<'a> Hierarchy<'a> {
    /// Levels without constraints.
    pub fn new(variables: usize, levels: &'a [Level<'a>]) -> Self {
        Self {
            variables,
            levels,
            equality_matrix: &[],
            equality_target: &[],
            inequality_matrix: &[],
            inequality_lower: &[],
            inequality_upper: &[],
            bound_lower: &[],
            bound_upper: &[],
        }
    }

    /// With Ax = b, which must hold.
    pub fn with_equalities(mut self, a: &'a [f64], b: &'a [f64]) -> Self {
        (self.equality_matrix, self.equality_target) = (a, b);
        self
    }

    /// With lower ≤ Cx ≤ upper, which must hold.
    pub fn with_inequalities(mut self, c: &'a [f64], lower: &'a [f64], upper: &'a [f64]) -> Self {
        (self.inequality_matrix, self.inequality_lower, self.inequality_upper) = (c, lower, upper);
        self
    }

    /// With lower ≤ x ≤ upper, which must hold.
    pub fn with_bounds(mut self, lower: &'a [f64], upper: &'a [f64]) -> Self {
        (self.bound_lower, self.bound_upper) = (lower, upper);
        self
    }

    /// By how much x violates the worst of the constraints that must hold.
    ///
    /// # Panics
    /// If x does not have as many entries as there are variables.
    pub fn violation_at(&self, x: &[f64]) -> f64 {
        self.constraints_only().violation_at(x)
    }

    /// The constraints as a QP without objective.
    fn constraints_only(&self) -> Qp<'a> {
        Qp::least_squares(self.variables, &[], &[])
            .with_equalities(self.equality_matrix, self.equality_target)
            .with_inequalities(self.inequality_matrix, self.inequality_lower, self.inequality_upper)
            .with_bounds(self.bound_lower, self.bound_upper)
    }

    /// Number of inequality rows of all kinds, bounds not counted.
    pub(crate) fn all_rows(&self) -> usize {
        self.inequality_lower.len() + self.levels.iter().map(|l| l.inequality_lower.len()).sum::<usize>()
    }

    /// Checks sizes and that sides are in order.
    pub(crate) fn check(&self) -> Result<(), QpError> {
        let n = self.variables;
        self.constraints_only().check()?;
        for level in self.levels {
            for task in level.tasks {
                Qp::least_squares(n, task.a, task.b).check()?;
                if !(task.weight >= 0.0 && task.weight.is_finite()) {
                    return Err(QpError::NotFinite { what: "task weight", index: 0 });
                }
            }
            if !level.damping.is_empty() && level.damping.len() != n {
                let found = level.damping.len();
                return Err(QpError::Size { what: "damping", found, expected: n });
            }
            if let Some(index) = level.damping.iter().position(|d| !(*d >= 0.0 && d.is_finite())) {
                return Err(QpError::NotFinite { what: "damping", index });
            }
            Qp::least_squares(n, &[], &[])
                .with_inequalities(level.inequality_matrix, level.inequality_lower, level.inequality_upper)
                .check()?;
        }
        Ok(())
    }

    /// Names the first number in a matrix that is not finite.
    pub(crate) fn check_matrices(&self) -> Result<(), QpError> {
        let n = self.variables;
        let levels = self.levels.iter().flat_map(|l| {
            let tasks = l.tasks.iter().map(move |t| Qp::least_squares(n, t.a, t.b));
            let rows = Qp::least_squares(n, &[], &[]).with_inequalities(
                l.inequality_matrix,
                l.inequality_lower,
                l.inequality_upper,
            );
            tasks.chain([rows])
        });
        std::iter::once(self.constraints_only()).chain(levels).try_for_each(|qp| qp.check_matrices())
    }
}
