//! Cholesky factorisation P = LLᵀ of a symmetric positive definite matrix, blocked, and aware of blocks of zeros.
//!
//! **Zeros.** The objective of a whole-body controller couples accelerations with accelerations and forces with
//! forces, hardly ever the two with each other, so P is block diagonal. The factor of such a matrix is block diagonal too, and so is
//! its inverse. For each column the factor keeps `extent`, one past the last row that can be other than zero: the last non-zero of
//! P below the diagonal, or what earlier columns fill in (a column that reaches row i makes every later column up to i reach
//! as far as itself). All loops stop at the extent. A matrix without zeros pays one look at its last row.
//!
//! **Blocking.** Left-looking in panels of four columns: each earlier column is loaded once per panel and used
//! four times, with pairs of earlier columns combined, so that the sums stay in registers.
//!
//! Cost: n³/6 multiply-adds when dense, a solve n².
//!
//! Source: Golub and Van Loan, Matrix Computations, 4th ed., sections 4.2 and 4.3 (profile); the panel form is 4.2.9.

use super::vector::{axpy4, gemv_t};

/// Width of a panel of columns.
const PANEL: usize = 4;

/// A Cholesky factor with its workspace; matrices of any size up to the capacity can be factored into it.
///
/// ```
/// use sinew_solve::dense::Cholesky;
/// let mut c = Cholesky::with_capacity(2);
/// c.factor(2, &[4.0, 2.0, 2.0, 3.0]).unwrap();
/// let mut x = [8.0, 7.0];
/// c.solve(&mut x);
/// assert!((x[0] - 1.25).abs() < 1e-15 && (x[1] - 1.5).abs() < 1e-15);
/// ```
#[derive(Clone, Debug)]
pub struct Cholesky {
    n: usize,
    l: Vec<f64>,
    inverse_diagonal: Vec<f64>,
    extent: Vec<usize>,
}

/// A pivot of the factorisation was not positive: the matrix is not positive definite to working precision.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("pivot {pivot:e} of column {column} is not positive")]
pub struct NotPositiveDefinite {
    /// The column where the factorisation stopped.
    pub column: usize,
    /// What was left of its diagonal entry (NaN when the data held one).
    pub pivot: f64,
}

impl Cholesky {
    /// Room for matrices of up to `n` rows.
    pub fn with_capacity(n: usize) -> Self {
        Self { n: 0, l: vec![0.0; n * n], inverse_diagonal: vec![0.0; n], extent: vec![0; n] }
    }

    /// Factors the n×n matrix `p`, of which only the lower triangle is read.
    ///
    /// # Panics
    /// If `p` does not hold n² numbers or n is above the capacity.
    pub fn factor(&mut self, n: usize, p: &[f64]) -> Result<(), NotPositiveDefinite> {
        self.factor_shifted(n, p, 0.0, 0.0)
    }

    /// Factors P + shift·I; a pivot that is not above `floor` counts as a failure.
    pub(crate) fn factor_shifted(
        &mut self,
        n: usize,
        p: &[f64],
        shift: f64,
        floor: f64,
    ) -> Result<(), NotPositiveDefinite> {
        assert_eq!(p.len(), n * n);
        self.n = n;
        let mut reach = 0;
        for j in 0..n {
            // The extent of column j, with the fill of the columns before it.
            let column = &p[j * n..(j + 1) * n];
            let filled = if reach > j { reach } else { j + 1 };
            let mut end = n;
            while end > filled && column[end - 1] == 0.0 {
                end -= 1;
            }
            reach = end;
            self.extent[j] = end;
            // With the zeros below: loops over a panel run to the extent of its last column.
            self.l[j * n + j..(j + 1) * n].copy_from_slice(&column[j..]);
            self.l[j * n + j] += shift;
        }
        let mut j = 0;
        while j < n {
            let width = PANEL.min(n - j);
            self.update_panel(j, width);
            self.factor_panel(j, width, floor)?;
            j += width;
        }
        Ok(())
    }

    /// Subtracts the contribution of all columns before j from the columns j..j+width.
    fn update_panel(&mut self, j: usize, width: usize) {
        let n = self.n;
        let (done, panel) = self.l.split_at_mut(j * n);
        // Extents never decrease, so the columns that reach the panel are the last ones.
        let first = self.extent[..j].partition_point(|&e| e <= j);
        let mut k = first;
        while k < j {
            let pair = k + 1 < j;
            let second = if pair { k + 1 } else { k };
            let end = self.extent[second];
            let (a, b) = (&done[k * n..k * n + end], &done[second * n..second * n + end]);
            if width == PANEL && end >= j + PANEL {
                let f = |c: usize| (a[j + c], if pair { b[j + c] } else { 0.0 });
                subtract_pair(panel, n, j, end, a, b, [f(0), f(1), f(2), f(3)]);
            } else {
                for c in 0..width.min(end - j) {
                    let (fa, fb) = (a[j + c], if pair { b[j + c] } else { 0.0 });
                    let target = &mut panel[c * n + j + c..c * n + end];
                    for ((t, x), y) in target.iter_mut().zip(&a[j + c..]).zip(&b[j + c..]) {
                        *t -= fa * x + fb * y;
                    }
                }
            }
            k += 2;
        }
    }

    /// Factors the columns j..j+width among themselves.
    fn factor_panel(&mut self, j: usize, width: usize, floor: f64) -> Result<(), NotPositiveDefinite> {
        let n = self.n;
        for c in j..j + width {
            let end = self.extent[c];
            let (left, right) = self.l.split_at_mut((c + 1) * n);
            let column = &mut left[c * n..c * n + end];
            let pivot = column[c];
            // Written so that a NaN fails as well.
            if !(pivot > floor && pivot < f64::INFINITY) {
                return Err(NotPositiveDefinite { column: c, pivot });
            }
            let root = pivot.sqrt();
            let inverse = 1.0 / root;
            self.inverse_diagonal[c] = inverse;
            column[c] = root;
            for v in &mut column[c + 1..] {
                *v *= inverse;
            }
            for d in c + 1..(j + width).min(end) {
                let f = column[d];
                let target = &mut right[(d - c - 1) * n + d..(d - c - 1) * n + end];
                for (t, x) in target.iter_mut().zip(&column[d..]) {
                    *t -= f * x;
                }
            }
        }
        Ok(())
    }

    /// Number of rows of the factored matrix.
    pub fn len(&self) -> usize {
        self.n
    }

    /// Whether nothing has been factored.
    pub fn is_empty(&self) -> bool {
        self.n == 0
    }

    /// Entry (i, j) of L, zero above the diagonal and outside the extents.
    pub fn get(&self, i: usize, j: usize) -> f64 {
        if i >= j && i < self.extent[j] { self.l[j * self.n + i] } else { 0.0 }
    }

    /// x ← L⁻¹x for an x that is zero before `first`; returns one past the last entry that can be other than zero.
    pub(crate) fn forward_from(&self, first: usize, x: &mut [f64]) -> usize {
        let n = self.n;
        let x = &mut x[..n];
        let mut reach = first;
        let mut j = first;
        while j < n {
            let width = PANEL.min(n - j);
            let end = self.extent[j + width - 1];
            if x[j..j + width].iter().all(|&v| v == 0.0) {
                j += width;
                continue;
            }
            reach = end;
            // The small triangle first, then the four columns below it in one sweep.
            let mut f = [0.0; PANEL];
            for c in 0..width {
                let v = x[j + c] * self.inverse_diagonal[j + c];
                x[j + c] = v;
                f[c] = -v;
                for d in c + 1..width {
                    x[j + d] -= v * self.l[(j + c) * n + j + d];
                }
            }
            // A narrower panel is the last one: nothing is below it.
            let below = j + width;
            if end > below {
                let c = |i: usize| &self.l[(j + i) * n + below..(j + i) * n + end];
                axpy4(f, [c(0), c(1), c(2), c(3)], &mut x[below..end]);
            }
            j += width;
        }
        reach
    }

    /// x ← L⁻¹x.
    pub fn forward(&self, x: &mut [f64]) {
        let first = x.iter().position(|&v| v != 0.0).unwrap_or(self.n);
        self.forward_from(first, x);
    }

    /// x ← L⁻ᵀx.
    pub fn backward(&self, x: &mut [f64]) {
        let n = self.n;
        let x = &mut x[..n];
        let mut j = n;
        while j > 0 {
            let width = if j.is_multiple_of(PANEL) { PANEL } else { j % PANEL };
            j -= width;
            let below = j + width;
            let end = self.extent[below - 1];
            let mut s = [0.0; PANEL];
            if end > below {
                gemv_t(&self.l[j * n + below..], n, &x[below..end], &mut s);
            }
            for c in (0..width).rev() {
                let mut v = x[j + c] - s[c];
                for d in c + 1..width {
                    v -= self.l[(j + c) * n + j + d] * x[j + d];
                }
                x[j + c] = v * self.inverse_diagonal[j + c];
            }
        }
    }

    /// x ← P⁻¹x.
    pub fn solve(&self, x: &mut [f64]) {
        self.forward(x);
        self.backward(x);
    }
}

/// Subtracts two earlier columns from a panel of four: panel[c] −= f[c].0·a + f[c].1·b, on and below the diagonal.
#[inline]
fn subtract_pair(
    panel: &mut [f64],
    n: usize,
    j: usize,
    end: usize,
    a: &[f64],
    b: &[f64],
    f: [(f64, f64); PANEL],
) {
    // The small triangle on the diagonal.
    for c in 0..PANEL {
        for i in j + c..j + PANEL {
            panel[c * n + i] -= f[c].0 * a[i] + f[c].1 * b[i];
        }
    }
    // The rows below it, all four columns in one sweep.
    let below = j + PANEL;
    let m = end - below;
    let (a, b) = (&a[below..end], &b[below..end]);
    let (p0, rest) = panel[below..].split_at_mut(n);
    let (p1, rest) = rest.split_at_mut(n);
    let (p2, p3) = rest.split_at_mut(n);
    let (p0, p1, p2, p3) = (&mut p0[..m], &mut p1[..m], &mut p2[..m], &mut p3[..m]);
    for i in 0..m {
        let (x, y) = (a[i], b[i]);
        p0[i] -= f[0].0 * x + f[0].1 * y;
        p1[i] -= f[1].0 * x + f[1].1 * y;
        p2[i] -= f[2].0 * x + f[2].1 * y;
        p3[i] -= f[3].0 * x + f[3].1 * y;
    }
}
