//! LU factorisation with partial pivoting, `P A = L U`.
//!
//! For the square systems that are not symmetric: bases of complementarity problems, the doubling iteration of the
//! algebraic Riccati equation. Left-looking by columns: column `j` is solved against the columns before it, its
//! largest entry becomes the pivot, and the row exchange is applied to the columns on the left at once and to
//! those on the right when their turn comes. Earlier columns are subtracted four at a time, so that the column is
//! loaded and stored once for four. Cost: `2n³/3` flops, a solve `2n²`.
//!
//! Source: Golub and Van Loan, *Matrix Computations*, 4th ed., section 3.4.

use super::vector::{axpy, axpy4, dot};

/// The factors, with room for matrices of up to a given size.
///
/// ```
/// use sinew_solve::dense::Lu;
/// let mut lu = Lu::with_capacity(2);
/// assert!(lu.factor(2, &[0.0, 2.0, 1.0, 1.0]));
/// let mut x = [3.0, 5.0];
/// lu.solve(&mut x);
/// assert_eq!(x, [1.0, 3.0]);
/// ```
#[derive(Clone, Debug)]
pub struct Lu {
    n: usize,
    lu: Vec<f64>,
    /// Row exchanged with row `j` at step `j`.
    exchange: Vec<usize>,
    /// Smallest over largest pivot.
    pivot_ratio: f64,
}

impl Lu {
    /// Room for matrices of up to `n` rows.
    pub fn with_capacity(n: usize) -> Self {
        Self { n: 0, lu: vec![0.0; n * n], exchange: vec![0; n], pivot_ratio: 1.0 }
    }

    /// Factors the n × n column-major matrix `a`; `false` when it is singular (or holds a NaN), and then it must
    /// not be solved with.
    ///
    /// # Panics
    /// When `a` does not hold n² numbers, or n exceeds the capacity.
    pub fn factor(&mut self, n: usize, a: &[f64]) -> bool {
        assert_eq!(a.len(), n * n);
        self.n = n;
        self.lu[..n * n].copy_from_slice(a);
        let (mut smallest, mut largest) = (f64::INFINITY, 0.0f64);
        for j in 0..n {
            let (done, rest) = self.lu.split_at_mut(j * n);
            let column = &mut rest[..n];
            // the exchanges so far, then the columns so far
            for k in 0..j {
                column.swap(k, self.exchange[k]);
            }
            subtract(done, n, j, column);
            // the largest entry left becomes the pivot
            let mut p = j;
            for i in j + 1..n {
                if column[i].abs() > column[p].abs() {
                    p = i;
                }
            }
            let pivot = column[p];
            if !(pivot.abs() > 0.0 && pivot.is_finite()) {
                return false;
            }
            smallest = smallest.min(pivot.abs());
            largest = largest.max(pivot.abs());
            self.exchange[j] = p;
            column.swap(j, p);
            for k in 0..j {
                done.swap(k * n + j, k * n + p);
            }
            let inverse = 1.0 / pivot;
            column[j + 1..].iter_mut().for_each(|v| *v *= inverse);
        }
        self.pivot_ratio = if n == 0 { 1.0 } else { smallest / largest };
        true
    }

    /// Smallest over largest pivot: near the machine epsilon, the matrix is singular to working precision.
    pub fn pivot_ratio(&self) -> f64 {
        self.pivot_ratio
    }

    /// det A.
    pub fn determinant(&self) -> f64 {
        (0..self.n).fold(1.0, |d, j| {
            let pivot = self.lu[j * (self.n + 1)];
            if self.exchange[j] == j { d * pivot } else { -d * pivot }
        })
    }

    /// `x ← A⁻¹ x`.
    pub fn solve(&self, x: &mut [f64]) {
        let n = self.n;
        let x = &mut x[..n];
        for j in 0..n {
            x.swap(j, self.exchange[j]);
        }
        subtract(&self.lu, n, n, x);
        for j in (0..n).rev() {
            x[j] /= self.lu[j * (n + 1)];
            let (top, rest) = x.split_at_mut(j);
            axpy(-rest[0], &self.lu[j * n..j * n + j], top);
        }
    }

    /// `x ← A⁻ᵀ x`.
    pub fn solve_transposed(&self, x: &mut [f64]) {
        let n = self.n;
        let x = &mut x[..n];
        for j in 0..n {
            let above = dot(&self.lu[j * n..j * n + j], &x[..j]);
            x[j] = (x[j] - above) / self.lu[j * (n + 1)];
        }
        for j in (0..n).rev() {
            x[j] -= dot(&self.lu[j * n + j + 1..(j + 1) * n], &x[j + 1..]);
        }
        for j in (0..n).rev() {
            x.swap(j, self.exchange[j]);
        }
    }
}

/// `column ← L⁻¹ column` with the first `j` columns of the unit lower triangular `L`.
fn subtract(l: &[f64], n: usize, j: usize, column: &mut [f64]) {
    let mut k = 0;
    while k + 4 <= j {
        // the small triangle, then the rows below it
        let c = |i: usize| &l[(k + i) * n..(k + i + 1) * n];
        for i in 0..4 {
            for r in i + 1..4 {
                column[k + r] -= column[k + i] * c(i)[k + r];
            }
        }
        let (top, below) = column.split_at_mut(k + 4);
        let f = [-top[k], -top[k + 1], -top[k + 2], -top[k + 3]];
        axpy4(f, [&c(0)[k + 4..], &c(1)[k + 4..], &c(2)[k + 4..], &c(3)[k + 4..]], below);
        k += 4;
    }
    for k in k..j {
        let (top, below) = column.split_at_mut(k + 1);
        axpy(-top[k], &l[k * n + k + 1..(k + 1) * n], below);
    }
}
