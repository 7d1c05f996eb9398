//! The statement of a QP, borrowed from the caller, and its measures at a point.

use super::constraints::{Constraints, Equalities, INFINITE};
use crate::dense::vector::{axpy, dot, for_each_product, gemv_t};

/// The objective.
#[derive(Clone, Copy, Debug)]
pub enum Objective<'a> {
    /// ½xᵀPx + gᵀx, P positive semidefinite (n×n, of which the lower triangle is read).
    Quadratic {
        /// P, column-major.
        hessian: &'a [f64],
        /// g.
        gradient: &'a [f64],
    },
    /// ½‖Ax − b‖², A of any shape and rank.
    LeastSquares {
        /// A (m×n), column-major.
        a: &'a [f64],
        /// b (m).
        b: &'a [f64],
    },
}

/// A convex quadratic program in slices of the caller's:
///
/// minimise the [`Objective`] subject to Ax = b, lower ≤ Cx ≤ upper, lower ≤ x ≤ upper.
///
/// Matrices are column-major. A side of ±1e20 or more, or infinite, is no side at all. A row or bound with equal
/// sides is an equality. Bounds are kept apart from the rows and cost next to nothing.
///
/// ```
/// use sinew_solve::qp::Qp;
/// // minimise ½(x² + y²) with x + y = 2, x ≤ 0.5
/// let qp = Qp::quadratic(&[1.0, 0.0, 0.0, 1.0], &[0.0, 0.0])
///     .with_equalities(&[1.0, 1.0], &[2.0])
///     .with_bounds(&[f64::NEG_INFINITY; 2], &[0.5, f64::INFINITY]);
/// assert_eq!(qp.objective_at(&[0.5, 1.5]), 1.25);
/// assert_eq!(qp.violation_at(&[0.5, 1.5]), 0.0);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Qp<'a> {
    /// Number of variables.
    pub variables: usize,
    /// The objective.
    pub objective: Objective<'a>,
    /// A of the equalities, column-major.
    pub equality_matrix: &'a [f64],
    /// b of the equalities.
    pub equality_target: &'a [f64],
    /// C of the inequality rows, column-major.
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

/// An invalid problem.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum QpError {
    /// A slice has the wrong length.
    #[error("{what} has {found} entries, expected {expected}")]
    Size {
        /// Which slice.
        what: &'static str,
        /// Its length.
        found: usize,
        /// The length that the other sizes ask for.
        expected: usize,
    },
    /// The problem is larger than the solver was made for.
    #[error("{found} {what}, but the solver was made for {capacity}")]
    TooLarge {
        /// The quantity that is too large.
        what: &'static str,
        /// How many there are.
        found: usize,
        /// How many there may be.
        capacity: usize,
    },
    /// A number is NaN or infinite where it must not be.
    #[error("entry {index} of {what} is not a finite number")]
    NotFinite {
        /// Which slice.
        what: &'static str,
        /// Place in the slice.
        index: usize,
    },
    /// A lower side lies above its upper side (or one of them is NaN).
    #[error("sides {index} of {what} are crossed: lower {lower} > upper {upper}")]
    Crossed {
        /// Rows or bounds.
        what: &'static str,
        /// Which one.
        index: usize,
        /// Its lower side.
        lower: f64,
        /// Its upper side.
        upper: f64,
    },
}

impl<'a> Qp<'a> {
    /// minimise ½xᵀPx + gᵀx; as many variables as g has entries.
    pub fn quadratic(hessian: &'a [f64], gradient: &'a [f64]) -> Self {
        Self::new(gradient.len(), Objective::Quadratic { hessian, gradient })
    }

    /// minimise ½‖Ax − b‖² over `variables` variables.
    pub fn least_squares(variables: usize, a: &'a [f64], b: &'a [f64]) -> Self {
        Self::new(variables, Objective::LeastSquares { a, b })
    }

    fn new(variables: usize, objective: Objective<'a>) -> Self {
        Self {
            variables,
            objective,
            equality_matrix: &[],
            equality_target: &[],
            inequality_matrix: &[],
            inequality_lower: &[],
            inequality_upper: &[],
            bound_lower: &[],
            bound_upper: &[],
        }
    }

    /// With Ax = b.
    pub fn with_equalities(mut self, a: &'a [f64], b: &'a [f64]) -> Self {
        (self.equality_matrix, self.equality_target) = (a, b);
        self
    }

    /// With lower ≤ Cx ≤ upper.
    pub fn with_inequalities(mut self, c: &'a [f64], lower: &'a [f64], upper: &'a [f64]) -> Self {
        (self.inequality_matrix, self.inequality_lower, self.inequality_upper) = (c, lower, upper);
        self
    }

    /// With lower ≤ x ≤ upper.
    pub fn with_bounds(mut self, lower: &'a [f64], upper: &'a [f64]) -> Self {
        (self.bound_lower, self.bound_upper) = (lower, upper);
        self
    }

    /// The objective at x.
    ///
    /// # Panics
    /// If x does not have as many entries as there are variables.
    pub fn objective_at(&self, x: &[f64]) -> f64 {
        let n = self.variables;
        assert_eq!(x.len(), n);
        match self.objective {
            Objective::Quadratic { hessian, gradient } => {
                let mut sum = dot(gradient, x);
                for j in 0..n {
                    let below = &hessian[j * n + j + 1..(j + 1) * n];
                    sum += x[j] * (0.5 * hessian[j * n + j] * x[j] + dot(below, &x[j + 1..]));
                }
                sum
            }
            Objective::LeastSquares { a, b } => {
                let mut sum = 0.0;
                for_each_product(a, b.len(), x, |i, v| sum += 0.5 * (v - b[i]) * (v - b[i]));
                sum
            }
        }
    }

    /// out ← the gradient of the objective at x.
    ///
    /// # Panics
    /// If x or out does not have as many entries as there are variables.
    pub fn gradient_at(&self, x: &[f64], out: &mut [f64]) {
        let n = self.variables;
        assert!(x.len() == n && out.len() == n);
        match self.objective {
            Objective::Quadratic { hessian, gradient } => {
                out.copy_from_slice(gradient);
                for j in 0..n {
                    let below = &hessian[j * n + j + 1..(j + 1) * n];
                    out[j] += hessian[j * n + j] * x[j] + dot(below, &x[j + 1..]);
                    axpy(x[j], below, &mut out[j + 1..]);
                }
            }
            Objective::LeastSquares { a, b } => {
                let m = b.len();
                out.fill(0.0);
                for_each_product(a, m, x, |i, v| {
                    for (j, o) in out.iter_mut().enumerate() {
                        *o += a[j * m + i] * (v - b[i]);
                    }
                });
            }
        }
    }

    /// By how much x violates the worst of the constraints.
    ///
    /// # Panics
    /// If x does not have as many entries as there are variables.
    pub fn violation_at(&self, x: &[f64]) -> f64 {
        assert_eq!(x.len(), self.variables);
        let row =
            |a: &[f64], m: usize, i: usize| x.iter().enumerate().fold(0.0, |s, (j, x)| s + a[j * m + i] * x);
        let (me, mi) = (self.equality_target.len(), self.inequality_lower.len());
        let mut worst = 0.0f64;
        for i in 0..me {
            worst = worst.max((row(self.equality_matrix, me, i) - self.equality_target[i]).abs());
        }
        for i in 0..mi {
            let v = row(self.inequality_matrix, mi, i);
            worst = worst.max(self.inequality_lower[i] - v).max(v - self.inequality_upper[i]);
        }
        for ((x, lower), upper) in x.iter().zip(self.bound_lower).zip(self.bound_upper) {
            worst = worst.max(lower - x).max(x - upper);
        }
        worst
    }

    /// Checks sizes, vectors, and that sides are in order; costs next to nothing. Matrices are looked through only
    /// when a solve meets a NaN.
    pub(crate) fn check(&self) -> Result<(), QpError> {
        let n = self.variables;
        let (me, mi) = (self.equality_target.len(), self.inequality_lower.len());
        let size = |what, found, expected| {
            if found == expected { Ok(()) } else { Err(QpError::Size { what, found, expected }) }
        };
        match self.objective {
            Objective::Quadratic { hessian, gradient } => {
                size("gradient", gradient.len(), n)?;
                size("hessian", hessian.len(), n * n)?;
            }
            Objective::LeastSquares { a, b } => size("least-squares matrix", a.len(), b.len() * n)?,
        }
        size("equality matrix", self.equality_matrix.len(), me * n)?;
        size("inequality matrix", self.inequality_matrix.len(), mi * n)?;
        size("upper sides of the inequalities", self.inequality_upper.len(), mi)?;
        if !self.bound_lower.is_empty() || !self.bound_upper.is_empty() {
            size("lower bounds", self.bound_lower.len(), n)?;
            size("upper bounds", self.bound_upper.len(), n)?;
        }
        let (what, vector) = match self.objective {
            Objective::Quadratic { gradient, .. } => ("gradient", gradient),
            Objective::LeastSquares { b, .. } => ("least-squares target", b),
        };
        find_not_finite(what, vector)?;
        find_not_finite("equality target", self.equality_target)?;
        for (what, lower, upper) in [
            ("inequalities", self.inequality_lower, self.inequality_upper),
            ("bounds", self.bound_lower, self.bound_upper),
        ] {
            for (index, (&lower, &upper)) in lower.iter().zip(upper).enumerate() {
                // Written so that a NaN is caught as well. A lower side of +∞ asks for the impossible.
                if !(lower <= upper && lower < INFINITE && upper > -INFINITE) {
                    return Err(QpError::Crossed { what, index, lower, upper });
                }
            }
        }
        Ok(())
    }

    /// Names the first number in a matrix that is not finite.
    pub(crate) fn check_matrices(&self) -> Result<(), QpError> {
        match self.objective {
            Objective::Quadratic { hessian, .. } => find_not_finite("hessian", hessian)?,
            Objective::LeastSquares { a, .. } => find_not_finite("least-squares matrix", a)?,
        }
        find_not_finite("equality matrix", self.equality_matrix)?;
        find_not_finite("inequality matrix", self.inequality_matrix)
    }

    pub(crate) fn constraints(&self) -> Constraints<'a> {
        Constraints {
            n: self.variables,
            equalities: Equalities {
                data: self.equality_matrix,
                row: 1,
                column: self.equality_target.len(),
                target: self.equality_target,
                orthonormal: false,
            },
            c: self.inequality_matrix,
            lower: self.inequality_lower,
            upper: self.inequality_upper,
            bound_lower: self.bound_lower,
            bound_upper: self.bound_upper,
            soft: None,
        }
    }
}

fn find_not_finite(what: &'static str, data: &[f64]) -> Result<(), QpError> {
    match data.iter().position(|v| !v.is_finite()) {
        Some(index) => Err(QpError::NotFinite { what, index }),
        None => Ok(()),
    }
}

/// P ← AᵀA for a column-major m×n matrix A; both triangles. Zeros at the head and tail of columns are left out, so
/// that blocks of variables that share no row cost nothing.
pub(crate) fn gram(m: usize, n: usize, a: &[f64], p: &mut [f64], support: &mut [(usize, usize)]) {
    for j in 0..n {
        let column = &a[j * m..(j + 1) * m];
        let first = column.iter().position(|&v| v != 0.0).unwrap_or(m);
        let end = column.iter().rposition(|&v| v != 0.0).map_or(first, |k| k + 1);
        support[j] = (first, end);
    }
    for j in 0..n {
        let mut i = j;
        while i < n {
            let width = 4.min(n - i);
            let (first, end) =
                support[i..i + width].iter().fold((usize::MAX, 0), |(f, e), s| (f.min(s.0), e.max(s.1)));
            let (first, end) = (first.max(support[j].0), end.min(support[j].1));
            let out = &mut p[j * n + i..j * n + i + width];
            if first < end {
                gemv_t(&a[i * m + first..], m, &a[j * m + first..j * m + end], out);
            } else {
                out.fill(0.0);
            }
            i += width;
        }
    }
    for j in 0..n {
        for i in j + 1..n {
            p[i * n + j] = p[j * n + i];
        }
    }
}
