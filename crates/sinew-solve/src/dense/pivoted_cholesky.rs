//! Cholesky with diagonal pivoting, ΠᵀPΠ = RᵀR with R of r rows: the square root of a semidefinite matrix.
//!
//! The largest remaining diagonal entry comes next, and the factorisation ends when none is above the tolerance. A
//! semidefinite matrix has nothing left then. What is left tells whether it was one: a remainder with a clearly
//! negative diagonal entry, or with an entry far off the diagonal that no semidefinite matrix could have, is
//! reported as not convex.
//!
//! Cost: nr² multiply-adds.
//!
//! Source: Higham, Analysis of the Cholesky decomposition of a semi-definite matrix, in Reliable Numerical
//! Computation (1990); LAPACK's `dpstrf`.

use super::vector::{axpy, max_abs};

/// Rounding errors of a matrix AᵀA, in units of nε times its largest entry, with a margin.
const ROUNDING: f64 = 100.0;

/// The rows of a square root S (r×n) with P = SᵀS, in the order of the variables of P.
#[derive(Clone, Debug)]
pub(crate) struct SemidefiniteRoot {
    /// Row k of S in `[k·n..(k+1)·n]`.
    pub(crate) rows: Vec<f64>,
    rest: Vec<f64>,
}

impl SemidefiniteRoot {
    pub(crate) fn with_capacity(n: usize) -> Self {
        Self { rows: vec![0.0; n * n], rest: vec![0.0; n * n] }
    }

    /// Finds S and returns its number of rows, or `None` when P (lower triangle read) is not semidefinite to
    /// working precision.
    pub(crate) fn factor(&mut self, n: usize, p: &[f64]) -> Option<usize> {
        let rest = &mut self.rest[..n * n];
        for j in 0..n {
            for i in j..n {
                rest[j * n + i] = p[j * n + i];
                rest[i * n + j] = p[j * n + i];
            }
        }
        let scale = (0..n).fold(0.0f64, |m, j| m.max(rest[j * n + j].abs()));
        let tolerance = ROUNDING * n as f64 * f64::EPSILON * scale;
        let mut rank = 0;
        while rank < n {
            let pivot = (0..n).fold(0, |b, j| if rest[j * n + j] > rest[b * n + b] { j } else { b });
            let value = rest[pivot * n + pivot];
            if value.is_nan() || value <= tolerance {
                break;
            }
            let row = &mut self.rows[rank * n..(rank + 1) * n];
            let inverse = 1.0 / value.sqrt();
            for (r, v) in row.iter_mut().zip(&rest[pivot * n..(pivot + 1) * n]) {
                *r = v * inverse;
            }
            for j in 0..n {
                axpy(-row[j], row, &mut rest[j * n..(j + 1) * n]);
            }
            // Exactly zero, so that a pivot is never taken twice.
            for j in 0..n {
                rest[pivot * n + j] = 0.0;
                rest[j * n + pivot] = 0.0;
            }
            rank += 1;
        }
        // Rounding errors of the remainder, and nothing else, may be left.
        let allowed = 100.0 * tolerance;
        let sound = max_abs(rest) <= allowed && rest.iter().all(|v| v.is_finite());
        sound.then_some(rank)
    }
}
