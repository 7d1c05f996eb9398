//! Householder reflections, and the QR factorisation A = QR made of them.
//!
//! H = I − τvvᵀ with v₀ = 1 maps a given vector x to βe₁, β = −sign(x₀)‖x‖: the sign avoids cancellation. A matrix
//! is made triangular column by column; the vectors v are kept in the zeros that they make, R on and above the
//! diagonal. Q is never formed unless asked for; Qᵀb is one reflection after the other.
//!
//! Cost: n²(m − n/3) multiply-adds for an m×n matrix with m ≥ n.
//!
//! Source: Golub and Van Loan, Matrix Computations, 4th ed., sections 5.1 and 5.2.

use super::triangular::solve_upper;
use super::vector::{axpy, dot, gemv_t};

/// Turns x into (β, v₁, v₂, …) and returns τ; τ = 0 (no reflection) when x is already a multiple of e₁.
pub(crate) fn make_reflector(x: &mut [f64]) -> f64 {
    let Some((&mut head, tail)) = x.split_first_mut() else { return 0.0 };
    let square = dot(tail, tail);
    if square == 0.0 {
        return 0.0;
    }
    let length = (head * head + square).sqrt();
    let beta = if head > 0.0 { -length } else { length };
    let inverse = 1.0 / (head - beta);
    for v in tail {
        *v *= inverse;
    }
    x[0] = beta;
    (beta - head) / beta
}

/// Applies I − τvvᵀ to the columns of `a` (leading dimension `ld`, `count` of them), on the rows that v covers. v₀
/// must hold 1.
pub(crate) fn reflect(v: &[f64], tau: f64, a: &mut [f64], ld: usize, count: usize) {
    if tau == 0.0 {
        return;
    }
    let m = v.len();
    let mut k = 0;
    while k < count {
        let width = 4.min(count - k);
        let mut s = [0.0; 4];
        gemv_t(&a[k * ld..], ld, v, &mut s[..width]);
        for c in 0..width {
            axpy(-tau * s[c], v, &mut a[(k + c) * ld..(k + c) * ld + m]);
        }
        k += width;
    }
}

/// A QR factorisation with its workspace, for matrices of up to the given size.
///
/// ```
/// use sinew_solve::dense::Qr;
/// // The line through (0, 1), (1, 3), (2, 5): y = 1 + 2t.
/// let mut qr = Qr::with_capacity(3, 2);
/// qr.factor(3, 2, &[1.0, 1.0, 1.0, 0.0, 1.0, 2.0]);
/// let mut b = [1.0, 3.0, 5.0];
/// qr.apply_transpose(&mut b);
/// qr.solve_upper(&mut b[..2]);
/// assert!((b[0] - 1.0).abs() < 1e-14 && (b[1] - 2.0).abs() < 1e-14);
/// ```
#[derive(Clone, Debug)]
pub struct Qr {
    m: usize,
    n: usize,
    a: Vec<f64>,
    tau: Vec<f64>,
}

impl Qr {
    /// Room for matrices of up to `m` rows and `n` columns.
    pub fn with_capacity(m: usize, n: usize) -> Self {
        Self { m: 0, n: 0, a: vec![0.0; m * n], tau: vec![0.0; n] }
    }

    /// Factors the m×n matrix `a`, m ≥ n.
    ///
    /// # Panics
    /// If m < n or the sizes do not fit.
    pub fn factor(&mut self, m: usize, n: usize, a: &[f64]) {
        assert!(m >= n && a.len() == m * n);
        self.prepare(m, n).copy_from_slice(a);
        self.factor_prepared();
    }

    /// The storage for an m×n matrix, to be filled before [`Qr::factor_prepared`].
    pub(crate) fn prepare(&mut self, m: usize, n: usize) -> &mut [f64] {
        (self.m, self.n) = (m, n);
        &mut self.a[..m * n]
    }

    /// Factors what was written into the storage.
    pub(crate) fn factor_prepared(&mut self) {
        let (m, n) = (self.m, self.n);
        for j in 0..n {
            let (left, right) = self.a[..m * n].split_at_mut((j + 1) * m);
            let column = &mut left[j * m + j..];
            self.tau[j] = make_reflector(column);
            if j + 1 < n {
                let beta = std::mem::replace(&mut column[0], 1.0);
                reflect(column, self.tau[j], &mut right[j..], m, n - j - 1);
                column[0] = beta;
            }
        }
    }

    /// Entry (i, j) of R.
    pub fn r(&self, i: usize, j: usize) -> f64 {
        if i <= j { self.a[j * self.m + i] } else { 0.0 }
    }

    /// R with what is stored below its diagonal, and the leading dimension.
    pub(crate) fn triangle(&self) -> (&[f64], usize) {
        (&self.a[..self.m * self.n], self.m)
    }

    /// b ← Qᵀb.
    ///
    /// # Panics
    /// If b does not have m entries.
    pub fn apply_transpose(&self, b: &mut [f64]) {
        assert_eq!(b.len(), self.m);
        for j in 0..self.n {
            self.reflect_vector(j, b);
        }
    }

    /// b ← Qb.
    ///
    /// # Panics
    /// If b does not have m entries.
    pub fn apply(&self, b: &mut [f64]) {
        assert_eq!(b.len(), self.m);
        for j in (0..self.n).rev() {
            self.reflect_vector(j, b);
        }
    }

    fn reflect_vector(&self, j: usize, b: &mut [f64]) {
        reflect_stored(&self.a[j * self.m + j..(j + 1) * self.m], self.tau[j], &mut b[j..]);
    }

    /// x ← R⁻¹x. Infinite or NaN when R is singular: [`super::PivotedQr`] is for matrices that may be.
    pub fn solve_upper(&self, x: &mut [f64]) {
        solve_upper(&self.a, self.m, &mut x[..self.n]);
    }
}

/// Applies the reflection stored in a column (β in place of v₀ = 1) to one vector.
pub(crate) fn reflect_stored(v: &[f64], tau: f64, b: &mut [f64]) {
    let f = tau * (b[0] + dot(&v[1..], &b[1..]));
    b[0] -= f;
    axpy(-f, &v[1..], &mut b[1..]);
}
