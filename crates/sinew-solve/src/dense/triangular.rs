//! Triangular systems with an upper triangular matrix, column-major with leading dimension `ld`.
//!
//! Rx = b runs over columns from the last to the first (each step an axpy), Rᵀx = b from the first to the last
//! (each step a dot product), so that memory is read in order in both.

use super::vector::{axpy, dot};

/// x ← R⁻¹x for the leading `x.len()` rows and columns of R.
pub(crate) fn solve_upper(r: &[f64], ld: usize, x: &mut [f64]) {
    for j in (0..x.len()).rev() {
        let v = x[j] / r[j * ld + j];
        x[j] = v;
        axpy(-v, &r[j * ld..j * ld + j], &mut x[..j]);
    }
}

/// x ← R⁻ᵀx for the leading `x.len()` rows and columns of R.
pub(crate) fn solve_upper_transposed(r: &[f64], ld: usize, x: &mut [f64]) {
    for j in 0..x.len() {
        let s = dot(&r[j * ld..j * ld + j], &x[..j]);
        x[j] = (x[j] - s) / r[j * ld + j];
    }
}
