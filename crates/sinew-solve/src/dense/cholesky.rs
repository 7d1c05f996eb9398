//! Cholesky factorisation P = LLᵀ of a symmetric positive definite matrix, blocked, and aware of blocks of zeros.
//!
//! **Zeros.** The objective of a whole-body controller couples accelerations with accelerations and forces with
//! forces, hardly ever the two with each other, so P is block diagonal. The factor of such a matrix is block
//! diagonal too, and so is its inverse. For each column the factor keeps `extent`, one past the last row that can
//! be other than zero: the last non-zero of P below the diagonal, or what earlier columns fill in (a column that
//! reaches row i makes every later column up to i reach as far as itself). All loops stop at the extent. A matrix
//! without zeros pays one look at its last row.
//!
//! **Blocking.** Left-looking in panels of four columns: each earlier column is loaded once per panel and used four
//! times. Rows come in fours as well: the storage is padded with ones on the diagonal to a multiple of four, and
//! extents are rounded up to one, so that no loop has a remainder.
//!
//! Cost: n³/6 multiply-adds when dense, a solve n².
//!
//! Source: Golub and Van Loan, Matrix Computations, 4th ed., sections 4.2 and 4.3 (profile); the panel form is
//! 4.2.9.

use super::vector::{axpy4, dot4};

/// Width of a panel of columns, and the number of rows that a loop takes at a time.
const PANEL: usize = 4;

/// n rounded up to a whole number of panels.
pub(crate) const fn padded(n: usize) -> usize {
    n.next_multiple_of(PANEL)
}

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
    /// Padded number of rows, and leading dimension.
    ld: usize,
    l: Vec<f64>,
    inverse_diagonal: Vec<f64>,
    /// Per panel, the inverse of the small triangle on the diagonal, by rows: products wait for each other less
    /// than divisions.
    inverse_triangle: Vec<[[f64; PANEL]; PANEL]>,
    /// Per panel, the extent of its columns, a multiple of the panel's width.
    extent: Vec<usize>,
    scratch: Vec<f64>,
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
        let p = padded(n);
        Self {
            n: 0,
            ld: 0,
            l: vec![0.0; p * p],
            inverse_diagonal: vec![0.0; p],
            inverse_triangle: vec![[[0.0; PANEL]; PANEL]; p / PANEL],
            extent: vec![0; p / PANEL],
            scratch: vec![0.0; p],
        }
    }

    /// Factors the n×n matrix `p`, of which only the lower triangle is read.
    ///
    /// # Panics
    /// If `p` does not hold n² numbers or n is above the capacity.
    pub fn factor(&mut self, n: usize, p: &[f64]) -> Result<(), NotPositiveDefinite> {
        self.factor_above(n, p, 0.0)
    }

    /// Factors P; a pivot of which no more than the share `floor` of the diagonal entry is left counts as a
    /// failure.
    pub(crate) fn factor_above(
        &mut self,
        n: usize,
        p: &[f64],
        floor: f64,
    ) -> Result<(), NotPositiveDefinite> {
        assert_eq!(p.len(), n * n);
        self.load(n, p);
        for panel in 0..self.ld / PANEL {
            // Until it is factored, the storage of the reciprocals holds what a pivot must exceed.
            let j = panel * PANEL;
            for c in j..j + PANEL {
                self.inverse_diagonal[c] = floor * self.l[c * self.ld + c];
            }
            self.update_panel(panel);
            self.factor_panel(panel)?;
        }
        Ok(())
    }

    /// Copies the lower triangle of P into the padded storage and finds the extents.
    fn load(&mut self, n: usize, p: &[f64]) {
        let ld = padded(n);
        (self.n, self.ld) = (n, ld);
        let mut reach = 0;
        for j in 0..ld {
            let column = &mut self.l[j * ld + j / PANEL * PANEL..(j + 1) * ld];
            let skipped = j % PANEL;
            if j < n {
                let source = &p[j * n + j..(j + 1) * n];
                column[skipped..skipped + n - j].copy_from_slice(source);
                column[skipped + n - j..].fill(0.0);
                // Past the last non-zero of P, or as far as the columns before fill in.
                let mut end = n;
                while end > reach.max(j + 1) && source[end - 1 - j] == 0.0 {
                    end -= 1;
                }
                reach = end;
            } else {
                column.fill(0.0);
                column[skipped] = 1.0;
                reach = reach.max(j + 1);
            }
            self.extent[j / PANEL] = padded(reach);
        }
    }

    /// Subtracts the contribution of all earlier columns from a panel.
    fn update_panel(&mut self, panel: usize) {
        let (ld, j) = (self.ld, panel * PANEL);
        let (done, rest) = self.l.split_at_mut(j * ld);
        // Extents never decrease, so the panels that reach this one are the last ones.
        let first = self.extent[..panel].partition_point(|&e| e <= j);
        for k in first..panel {
            let end = self.extent[k];
            let [p0, p1, p2, p3] = four_columns(&mut rest[j..], ld, end - j);
            let [a, b, c, d] =
                std::array::from_fn(|i| &done[(k * PANEL + i) * ld + j..(k * PANEL + i) * ld + end]);
            subtract_panel(p0, p1, p2, p3, a, b, c, d);
        }
    }

    /// Factors the columns of a panel among themselves.
    fn factor_panel(&mut self, panel: usize) -> Result<(), NotPositiveDefinite> {
        let (ld, j) = (self.ld, panel * PANEL);
        let rows = self.extent[panel] - j;
        let mut columns = four_columns(&mut self.l[j * ld + j..], ld, rows);
        // The small triangle on the diagonal, column by column.
        let mut t: [[f64; PANEL]; PANEL] = std::array::from_fn(|c| std::array::from_fn(|i| columns[c][i]));
        let mut inverse = [0.0; PANEL];
        for c in 0..PANEL {
            let pivot = t[c][c];
            // Written so that a NaN fails as well.
            if !(pivot > 0.0 && pivot > self.inverse_diagonal[j + c] && pivot < f64::INFINITY) {
                return Err(NotPositiveDefinite { column: j + c, pivot });
            }
            let root = pivot.sqrt();
            t[c][c] = root;
            inverse[c] = 1.0 / root;
            for i in c + 1..PANEL {
                t[c][i] *= inverse[c];
            }
            for k in c + 1..PANEL {
                for i in k..PANEL {
                    t[k][i] -= t[c][i] * t[c][k];
                }
            }
        }
        self.inverse_diagonal[j..j + PANEL].copy_from_slice(&inverse);
        self.inverse_triangle[panel] = invert(&t, &inverse);
        // The rows below it, each solved against the triangle.
        for (c, t) in columns.iter_mut().zip(&t) {
            c[..PANEL].copy_from_slice(t);
        }
        let [p0, p1, p2, p3] = columns.map(|c| &mut c[PANEL..rows]);
        for i in 0..rows - PANEL {
            let a = p0[i] * inverse[0];
            let b = (p1[i] - t[0][1] * a) * inverse[1];
            let c = (p2[i] - t[0][2] * a - t[1][2] * b) * inverse[2];
            let d = (p3[i] - t[0][3] * a - t[1][3] * b - t[2][3] * c) * inverse[3];
            (p0[i], p1[i], p2[i], p3[i]) = (a, b, c, d);
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

    /// Number of rows with the padding.
    pub(crate) fn padded_len(&self) -> usize {
        self.ld
    }

    /// Entry (i, j) of L.
    pub fn get(&self, i: usize, j: usize) -> f64 {
        if i >= j { self.l[j * self.ld + i] } else { 0.0 }
    }

    /// Column j of L from the diagonal down, without the padding.
    pub(super) fn column_mut(&mut self, j: usize) -> &mut [f64] {
        &mut self.l[j * self.ld + j..j * self.ld + self.n]
    }

    /// To be called after the columns were changed.
    pub(super) fn renew_inverses(&mut self) {
        for panel in 0..self.ld / PANEL {
            let j = panel * PANEL;
            let t = std::array::from_fn(|c| std::array::from_fn(|i| self.get(j + i, j + c)));
            let inverse = std::array::from_fn(|c| 1.0 / self.l[(j + c) * self.ld + j + c]);
            self.inverse_diagonal[j..j + PANEL].copy_from_slice(&inverse);
            self.inverse_triangle[panel] = invert(&t, &inverse);
        }
    }

    /// Gives up the knowledge of zeros, before a change that fills them.
    pub(super) fn widen(&mut self) {
        self.extent[..self.ld / PANEL].fill(self.ld);
    }

    /// An estimate of the condition number of L, from the ratio of its diagonal entries; the true one is larger.
    pub(crate) fn diagonal_ratio(&self) -> f64 {
        let d = &self.inverse_diagonal[..self.n];
        let (low, high) = d.iter().fold((f64::INFINITY, 0.0f64), |(l, h), &v| (l.min(v), h.max(v)));
        if d.is_empty() { 1.0 } else { high / low }
    }

    /// x ← L⁻¹x for a padded x that is zero before `first`; returns one past the last entry that can be other than
    /// zero.
    pub(crate) fn forward_padded(&self, first: usize, x: &mut [f64]) -> usize {
        let ld = self.ld;
        let mut reach = first;
        for panel in first / PANEL..ld / PANEL {
            let (j, end) = (panel * PANEL, self.extent[panel]);
            let (head, below) = x[j..end].split_at_mut(PANEL);
            if head == [0.0; PANEL] {
                continue;
            }
            reach = end;
            // The small triangle first, then the four columns below it in one sweep.
            let [c0, c1, c2, c3] = self.columns(j, end);
            let t = &self.inverse_triangle[panel];
            let a = t[0][0] * head[0];
            let b = t[1][0] * head[0] + t[1][1] * head[1];
            let c = (t[2][0] * head[0] + t[2][1] * head[1]) + t[2][2] * head[2];
            let d = (t[3][0] * head[0] + t[3][1] * head[1]) + (t[3][2] * head[2] + t[3][3] * head[3]);
            head.copy_from_slice(&[a, b, c, d]);
            axpy4([-a, -b, -c, -d], [&c0[PANEL..], &c1[PANEL..], &c2[PANEL..], &c3[PANEL..]], below);
        }
        reach
    }

    /// x ← L⁻ᵀx for a padded x.
    pub(crate) fn backward_padded(&self, x: &mut [f64]) {
        for panel in (0..self.ld / PANEL).rev() {
            let (j, end) = (panel * PANEL, self.extent[panel]);
            let [c0, c1, c2, c3] = self.columns(j, end);
            let t = &self.inverse_triangle[panel];
            let (head, below) = x[j..end].split_at_mut(PANEL);
            let s = dot4([&c0[PANEL..], &c1[PANEL..], &c2[PANEL..], &c3[PANEL..]], below);
            let [a, b, c, d] = std::array::from_fn(|i| head[i] - s[i]);
            head[0] = (t[0][0] * a + t[1][0] * b) + (t[2][0] * c + t[3][0] * d);
            head[1] = (t[1][1] * b + t[2][1] * c) + t[3][1] * d;
            head[2] = t[2][2] * c + t[3][2] * d;
            head[3] = t[3][3] * d;
        }
    }

    /// The four columns of a panel from the diagonal to its extent.
    #[inline]
    fn columns(&self, j: usize, end: usize) -> [&[f64]; 4] {
        std::array::from_fn(|i| &self.l[(j + i) * self.ld + j..(j + i) * self.ld + end])
    }

    /// Runs `f` on a padded copy of x.
    fn with_padding(&mut self, x: &mut [f64], f: impl FnOnce(&Self, &mut [f64])) {
        assert_eq!(x.len(), self.n);
        let mut scratch = std::mem::take(&mut self.scratch);
        scratch[..self.n].copy_from_slice(x);
        scratch[self.n..self.ld].fill(0.0);
        f(self, &mut scratch[..self.ld]);
        x.copy_from_slice(&scratch[..self.n]);
        self.scratch = scratch;
    }

    /// x ← L⁻¹x.
    ///
    /// # Panics
    /// If x does not have as many entries as the factor has rows; so for the other solves.
    pub fn forward(&mut self, x: &mut [f64]) {
        self.with_padding(x, |c, x| {
            c.forward_padded(0, x);
        });
    }

    /// x ← L⁻ᵀx.
    pub fn backward(&mut self, x: &mut [f64]) {
        self.with_padding(x, |c, x| c.backward_padded(x));
    }

    /// x ← P⁻¹x.
    pub fn solve(&mut self, x: &mut [f64]) {
        self.with_padding(x, |c, x| {
            c.forward_padded(0, x);
            c.backward_padded(x);
        });
    }
}

/// The inverse, by rows, of a small lower triangle given by columns, with the reciprocals of its diagonal.
#[inline]
fn invert(t: &[[f64; PANEL]; PANEL], d: &[f64; PANEL]) -> [[f64; PANEL]; PANEL] {
    let mut m = [[0.0; PANEL]; PANEL];
    for c in 0..PANEL {
        m[c][c] = d[c];
        for i in c + 1..PANEL {
            let s: f64 = (c..i).map(|k| t[k][i] * m[k][c]).sum();
            m[i][c] = -s * d[i];
        }
    }
    m
}

/// Subtracts an earlier panel from a panel: p[k] −= a[k]·a + b[k]·b + c[k]·c + d[k]·d.
///
/// The columns are separate arguments so that the compiler knows that they do not overlap.
#[inline(never)]
fn subtract_panel(
    p0: &mut [f64],
    p1: &mut [f64],
    p2: &mut [f64],
    p3: &mut [f64],
    a: &[f64],
    b: &[f64],
    c: &[f64],
    d: &[f64],
) {
    let m = a.len();
    let (p0, p1, p2, p3) = (&mut p0[..m], &mut p1[..m], &mut p2[..m], &mut p3[..m]);
    let (b, c, d) = (&b[..m], &c[..m], &d[..m]);
    let f: [[f64; 4]; 4] = std::array::from_fn(|k| [a[k], b[k], c[k], d[k]]);
    for i in 0..m {
        let (x, y, z, w) = (a[i], b[i], c[i], d[i]);
        p0[i] -= (f[0][0] * x + f[0][1] * y) + (f[0][2] * z + f[0][3] * w);
        p1[i] -= (f[1][0] * x + f[1][1] * y) + (f[1][2] * z + f[1][3] * w);
        p2[i] -= (f[2][0] * x + f[2][1] * y) + (f[2][2] * z + f[2][3] * w);
        p3[i] -= (f[3][0] * x + f[3][1] * y) + (f[3][2] * z + f[3][3] * w);
    }
}

/// The first m entries of four neighbouring columns.
#[inline]
fn four_columns(a: &mut [f64], ld: usize, m: usize) -> [&mut [f64]; 4] {
    let (p0, rest) = a.split_at_mut(ld);
    let (p1, rest) = rest.split_at_mut(ld);
    let (p2, p3) = rest.split_at_mut(ld);
    [&mut p0[..m], &mut p1[..m], &mut p2[..m], &mut p3[..m]]
}
