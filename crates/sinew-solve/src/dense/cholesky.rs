//! Cholesky factorisation P = LLᵀ of a symmetric positive definite matrix, blocked, and aware of blocks of zeros.
//!
//! **Zeros.** The objective of a whole-body controller couples accelerations with accelerations and forces with
//! forces, hardly ever the two with each other, so P is block diagonal. The factor of such a matrix is block
//! diagonal too, and so is its inverse. For each column the factor keeps `extent`, one past the last row that can
//! be other than zero: the last non-zero of P below the diagonal, or what earlier columns fill in (a column that
//! reaches row i makes every later column up to i reach as far as itself). All loops stop at the extent. A matrix
//! without zeros pays one look at its last row.
//!
//! **Blocking.** Left-looking in panels of four columns. Of a panel a few rows at a time receive the products of all
//! earlier columns, summed in registers, each element over the columns in order. Rows come in fours as well: the storage
//! is padded with ones on the diagonal to a multiple of four, and extents are rounded up to one, so that no loop has a
//! remainder.
//!
//! Cost: n³/6 multiply-adds when dense, a solve n².
//!
//! Source: Golub and Van Loan, Matrix Computations, 4th ed., sections 4.2 and 4.3 (profile); the panel form is
//! 4.2.9.

use super::panel::{PANEL, Triangle, factor_panel, four_columns};
use super::vector::{axpy4, dot4};

/// Rows of a tile whose sums stay in registers; also the number of right-hand sides that are solved at once.
pub(crate) const ROWS: usize = if cfg!(target_feature = "avx") { 8 } else { PANEL };

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
    /// Per panel, the first panel that reaches its rows.
    start: Vec<usize>,
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
            start: vec![0; p / PANEL],
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

    /// Finds the extents, and copies the lower triangle of P up to them into the padded storage.
    fn load(&mut self, n: usize, p: &[f64]) {
        let ld = padded(n);
        (self.n, self.ld) = (n, ld);
        let mut reach = 0;
        for (panel, columns) in self.l[..ld * ld].chunks_exact_mut((PANEL * ld).max(1)).enumerate() {
            let first = panel * PANEL;
            let last = n.min(first + PANEL);
            for j in first..last {
                // past the last non-zero of P, or as far as the columns before fill in
                let least = reach.max(j + 1);
                reach = least + length_without_zeros(&p[j * n + least..(j + 1) * n]);
            }
            let extent = padded(reach.max(last));
            self.extent[panel] = extent;
            // extents never decrease, and so do not the panels that still reach this one
            let before = if panel == 0 { 0 } else { self.start[panel - 1] };
            self.start[panel] = before + self.extent[before..panel].partition_point(|&e| e <= first);
            for (j, column) in (first..first + PANEL).zip(columns.chunks_exact_mut(ld)) {
                let end = extent.min(n);
                if j < n {
                    column[j..end].copy_from_slice(&p[j * n + j..j * n + end]);
                } else {
                    column[j] = 1.0;
                }
                column[end.max(j + 1)..extent].fill(0.0);
            }
        }
    }

    /// Subtracts the contribution of all earlier columns from a panel.
    fn update_panel(&mut self, panel: usize) {
        let (ld, j) = (self.ld, panel * PANEL);
        let (done, rest) = self.l.split_at_mut(j * ld);
        let mut columns = four_columns(rest, ld, ld);
        let mut i = j;
        for k in self.start[panel]..panel {
            // rows that no panel before k reaches
            let (done, end) = (&done[k * PANEL * ld..], self.extent[k]);
            while i + ROWS <= end {
                subtract_tile::<ROWS>(done, ld, i, j, &mut columns);
                i += ROWS;
            }
            while i < end {
                subtract_tile::<PANEL>(done, ld, i, j, &mut columns);
                i += PANEL;
            }
        }
    }

    /// Factors the columns of a panel among themselves.
    fn factor_panel(&mut self, panel: usize) -> Result<(), NotPositiveDefinite> {
        let (ld, j) = (self.ld, panel * PANEL);
        let columns = four_columns(&mut self.l[j * ld + j..], ld, self.extent[panel] - j);
        let floor = std::array::from_fn(|c| self.inverse_diagonal[j + c]);
        let Triangle { t, inverse } = factor_panel(columns, floor)
            .map_err(|(column, pivot)| NotPositiveDefinite { column: j + column, pivot })?;
        self.inverse_diagonal[j..j + PANEL].copy_from_slice(&inverse);
        self.inverse_triangle[panel] = invert(&t, &inverse);
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
        if i >= j && i < self.extent[j / PANEL] { self.l[j * self.ld + i] } else { 0.0 }
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
        for (panel, extent) in self.extent[..self.ld / PANEL].iter_mut().enumerate() {
            for j in panel * PANEL..(panel + 1) * PANEL {
                self.l[j * self.ld + *extent..(j + 1) * self.ld].fill(0.0);
            }
            *extent = self.ld;
        }
        self.start[..self.ld / PANEL].fill(0);
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
            let [a, b, c, d] = times_triangle(t, &[head[0], head[1], head[2], head[3]]);
            head.copy_from_slice(&[a, b, c, d]);
            axpy4([-a, -b, -c, -d], [&c0[PANEL..], &c1[PANEL..], &c2[PANEL..], &c3[PANEL..]], below);
        }
        reach
    }

    /// X ← L⁻¹X for several padded columns at once, given by rows, all zero before `first`; returns one past the last
    /// row that can be other than zero. One column alone spends most of its time waiting for its own last entries.
    pub(crate) fn forward_rows(&self, first: usize, x: &mut [[f64; ROWS]]) -> usize {
        let ld = self.ld;
        let mut reach = first;
        for panel in first / PANEL..ld / PANEL {
            // what the unknowns before contribute to the panel's four rows
            let (j, from) = (panel * PANEL, self.start[panel].max(first / PANEL) * PANEL);
            let mut sum = [[0.0; ROWS]; PANEL];
            for (l, x) in self.l[from * ld..j * ld].chunks_exact(ld).zip(&x[from..j]) {
                let Some(l) = l[j..].first_chunk::<PANEL>() else { unreachable!("columns are padded") };
                for (s, l) in sum.iter_mut().zip(l) {
                    (0..ROWS).for_each(|c| s[c] += l * x[c]);
                }
            }
            let t = &self.inverse_triangle[panel];
            let b: [[f64; ROWS]; PANEL] =
                std::array::from_fn(|r| std::array::from_fn(|c| x[j + r][c] - sum[r][c]));
            for r in 0..PANEL {
                let mut solved = [0.0; ROWS];
                for k in 0..=r {
                    (0..ROWS).for_each(|c| solved[c] += t[r][k] * b[k][c]);
                }
                x[j + r] = solved;
            }
            if b != [[0.0; ROWS]; PANEL] {
                reach = j + PANEL;
            }
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

/// Subtracts `Σ_k l[i.., k] l[j.., k]` over the columns of `done` from a tile of a panel.
#[inline(always)]
fn subtract_tile<const R: usize>(
    done: &[f64],
    ld: usize,
    i: usize,
    j: usize,
    columns: &mut [&mut [f64]; PANEL],
) {
    let mut sum = [[0.0; R]; PANEL];
    for column in done.chunks_exact(ld) {
        let (Some(a), Some(b)) = (column[i..].first_chunk::<R>(), column[j..].first_chunk::<PANEL>()) else {
            unreachable!("columns are padded")
        };
        for (s, b) in sum.iter_mut().zip(b) {
            (0..R).for_each(|r| s[r] += a[r] * b);
        }
    }
    for (column, sum) in columns.iter_mut().zip(&sum) {
        column[i..i + R].iter_mut().zip(sum).for_each(|(c, s)| *c -= s);
    }
}

/// Length of a slice without the zeros at its end.
fn length_without_zeros(x: &[f64]) -> usize {
    const STEP: usize = 8;
    let mut end = x.len();
    // many at a time: both zeros have no bit but the first
    while end >= STEP && x[end - STEP..end].iter().fold(0, |b, v| b | v.to_bits() << 1) == 0 {
        end -= STEP;
    }
    x[..end].iter().rposition(|v| *v != 0.0).map_or(0, |last| last + 1)
}

/// The product of a small lower triangle, by rows, with four numbers.
#[inline]
fn times_triangle(t: &[[f64; PANEL]; PANEL], x: &[f64; PANEL]) -> [f64; PANEL] {
    let a = t[0][0] * x[0];
    let b = t[1][0] * x[0] + t[1][1] * x[1];
    let c = (t[2][0] * x[0] + t[2][1] * x[1]) + t[2][2] * x[2];
    let d = (t[3][0] * x[0] + t[3][1] * x[1]) + (t[3][2] * x[2] + t[3][3] * x[3]);
    [a, b, c, d]
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
