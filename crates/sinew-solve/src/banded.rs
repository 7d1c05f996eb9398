//! Banded systems: LU with pivoting, periodic bands, and Cholesky.
//!
//! A [`Band`] has entries only near the diagonal, `−lower ≤ j − i ≤ upper`: derivatives on a grid, splines,
//! smoothing of one signal. In a *cyclic* band the indices wrap around, as on a periodic grid.
//!
//! - [`BandLu`] factors `P A = L U` with row exchanges inside the band; the upper band grows by `lower`. Cost: `2
//!   n·lower·(lower + upper)` flops, a solve `2 n·(2·lower + upper)`.
//! - A cyclic band is bordered: with the last `p = max(lower, upper)` unknowns set apart, the rest is an ordinary
//!   band `B`, and a dense p × p Schur complement `S = A₂₂ − A₂₁ B⁻¹ A₁₂` joins the ends. Cost: p more solves when
//!   factoring.
//! - [`BandCholesky`] factors a symmetric positive definite band, `A = L Lᵀ`, for half of the work.
//!
//! Source: Golub and Van Loan, *Matrix Computations*, 4th ed., section 4.3.

use crate::dense::Lu;
use crate::dense::vector::{axpy, dot};

/// A square matrix with a band of entries.
///
/// ```
/// use sinew_solve::banded::Band;
/// let mut a = Band::new(4, 1, 1).cyclic();
/// for i in 0..4 {
///     a.set(i, i, 2.0);
///     a.set(i, (i + 1) % 4, -1.0);
///     a.set((i + 1) % 4, i, -1.0);
/// }
/// let mut y = [0.0; 4];
/// a.multiply(&[1.0, 0.0, 0.0, 0.0], &mut y);
/// assert_eq!(y, [2.0, -1.0, 0.0, -1.0]);
/// ```
#[derive(Clone, Debug)]
pub struct Band {
    n: usize,
    lower: usize,
    upper: usize,
    cyclic: bool,
    /// Row after row, each from `j = i − lower` to `j = i + upper`.
    data: Vec<f64>,
}

impl Band {
    /// A band of zeros with `lower` diagonals below and `upper` above the main one.
    pub fn new(n: usize, lower: usize, upper: usize) -> Self {
        Self { n, lower, upper, cyclic: false, data: vec![0.0; n * (lower + upper + 1)] }
    }

    /// Lets the indices wrap around.
    ///
    /// # Panics
    /// When the band would meet itself: `lower + upper ≥ n`.
    pub fn cyclic(mut self) -> Self {
        assert!(self.lower + self.upper < self.n, "a cyclic band that meets itself");
        self.cyclic = true;
        self
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.n
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.n == 0
    }

    fn place(&self, i: usize, j: usize) -> Option<usize> {
        let width = self.lower + self.upper + 1;
        // distance from the first entry of the row, wrapped around if need be
        let (j, first) = (j + self.lower, i);
        let offset = if j >= first && j - first < width {
            j - first
        } else if self.cyclic && j + self.n >= first && j + self.n - first < width {
            j + self.n - first
        } else if self.cyclic && j >= first + self.n && j - first - self.n < width {
            j - first - self.n
        } else {
            return None;
        };
        Some(i * width + offset)
    }

    /// Entry (i, j); zero outside the band.
    pub fn get(&self, i: usize, j: usize) -> f64 {
        self.place(i, j).map_or(0.0, |p| self.data[p])
    }

    /// Sets entry (i, j).
    ///
    /// # Panics
    /// When it lies outside the band.
    pub fn set(&mut self, i: usize, j: usize, value: f64) {
        let Some(p) = self.place(i, j) else { panic!("entry ({i}, {j}) is outside the band") };
        self.data[p] = value;
    }

    /// Adds to entry (i, j).
    ///
    /// # Panics
    /// When it lies outside the band.
    pub fn add(&mut self, i: usize, j: usize, value: f64) {
        self.set(i, j, self.get(i, j) + value);
    }

    /// Whether the indices wrap around.
    pub fn is_cyclic(&self) -> bool {
        self.cyclic
    }

    /// Multiplies all entries.
    pub fn scale(&mut self, factor: f64) {
        self.data.iter_mut().for_each(|v| *v *= factor);
    }

    /// `y ← A x`
    pub fn multiply(&self, x: &[f64], y: &mut [f64]) {
        (0..self.n).for_each(|i| y[i] = self.row_times(i, x));
    }

    /// Row `i` times `x`.
    fn row_times(&self, i: usize, x: &[f64]) -> f64 {
        let (n, width) = (self.n, self.lower + self.upper + 1);
        let row = &self.data[i * width..(i + 1) * width];
        let mut sum = 0.0;
        for (k, a) in row.iter().enumerate() {
            let j = i + k;
            if j >= self.lower && j - self.lower < n {
                sum += a * x[j - self.lower];
            } else if self.cyclic {
                sum += a * x[(j + n - self.lower) % n];
            }
        }
        sum
    }
}

/// Room for the factors of bands of one shape.
///
/// ```
/// use sinew_solve::banded::{Band, BandLu};
/// let mut a = Band::new(3, 1, 1);
/// for i in 0..3 {
///     a.set(i, i, 2.0);
/// }
/// (0..2).for_each(|i| a.set(i, i + 1, -1.0));
/// (0..2).for_each(|i| a.set(i + 1, i, -1.0));
/// let mut lu = BandLu::new(&a);
/// assert!(lu.factor(&a));
/// let mut x = [0.0, 2.0, 0.0];
/// lu.solve(&mut x);
/// assert!((x[1] - 2.0).abs() < 1e-15);
/// ```
#[derive(Clone, Debug)]
pub struct BandLu {
    matrix: Band,
    /// Unknowns set apart in a cyclic band.
    border: usize,
    /// Column `j` holds rows `j − lower − upper` to `j + lower`.
    factors: Vec<f64>,
    exchange: Vec<usize>,
    /// `B⁻¹A₁₂`, one column per unknown set apart.
    coupling: Vec<f64>,
    schur: Vec<f64>,
    corner: Lu,
    rest: Vec<f64>,
}

impl BandLu {
    /// Room for matrices with the shape of `a`.
    pub fn new(a: &Band) -> Self {
        let border = if a.cyclic { a.lower.max(a.upper) } else { 0 };
        let n = a.n - border;
        Self {
            matrix: a.clone(),
            border,
            factors: vec![0.0; n * (2 * a.lower + a.upper + 1)],
            exchange: vec![0; n],
            coupling: vec![0.0; n * border],
            schur: vec![0.0; border * border],
            corner: Lu::with_capacity(border),
            rest: vec![0.0; a.n],
        }
    }

    /// Factors `a`; `false` when it (or, in a cyclic band, its leading part) is singular.
    ///
    /// # Panics
    /// When the shape differs from that given to [`BandLu::new`].
    pub fn factor(&mut self, a: &Band) -> bool {
        let shape = |b: &Band| (b.n, b.lower, b.upper, b.cyclic);
        assert_eq!(shape(a), shape(&self.matrix), "shape of a band");
        self.matrix.data.copy_from_slice(&a.data);
        if !self.factor_band() {
            return false;
        }
        let (n, p) = (a.n - self.border, self.border);
        if p == 0 {
            return true;
        }
        // S = A₂₂ − A₂₁ B⁻¹ A₁₂, column by column
        for c in 0..p {
            let mut column = std::mem::take(&mut self.coupling);
            let z = &mut column[c * n..(c + 1) * n];
            (0..n).for_each(|i| z[i] = a.get(i, n + c));
            self.solve_band(z);
            self.rest[..n].copy_from_slice(z);
            self.rest[n..].fill(0.0);
            for r in 0..p {
                self.schur[c * p + r] = a.get(n + r, n + c) - a.row_times(n + r, &self.rest);
            }
            self.coupling = column;
        }
        self.corner.factor(p, &self.schur)
    }

    /// `x ← A⁻¹x`
    ///
    /// # Panics
    /// When `x` has another length.
    pub fn solve(&mut self, x: &mut [f64]) {
        assert_eq!(x.len(), self.matrix.n);
        let p = self.border;
        let n = self.matrix.n - p;
        let (first, last) = x.split_at_mut(n);
        self.solve_band(first);
        if p == 0 {
            return;
        }
        self.rest[..n].copy_from_slice(first);
        self.rest[n..].fill(0.0);
        for r in 0..p {
            last[r] -= self.matrix.row_times(n + r, &self.rest);
        }
        self.corner.solve(last);
        for c in 0..p {
            axpy(-last[c], &self.coupling[c * n..(c + 1) * n], first);
        }
    }

    /// LU with row exchanges of the leading, ordinary band.
    fn factor_band(&mut self) -> bool {
        let (lower, upper) = (self.matrix.lower, self.matrix.upper);
        let n = self.matrix.n - self.border;
        let (height, diagonal) = (2 * lower + upper + 1, lower + upper);
        self.factors.fill(0.0);
        for j in 0..n {
            for i in j.saturating_sub(upper)..(j + lower + 1).min(n) {
                self.factors[j * height + diagonal + i - j] = self.matrix.get(i, j);
            }
        }
        for j in 0..n {
            let below = lower.min(n - 1 - j);
            let column = &mut self.factors[j * height + diagonal..j * height + diagonal + below + 1];
            let mut p = 0;
            (1..=below).for_each(|i| p = if column[i].abs() > column[p].abs() { i } else { p });
            self.exchange[j] = p;
            column.swap(0, p);
            if !(column[0].abs() > 0.0 && column[0].is_finite()) {
                return false;
            }
            let inverse = 1.0 / column[0];
            column[1..].iter_mut().for_each(|v| *v *= inverse);
            // the columns that the pivot row reaches
            let (head, tail) = self.factors.split_at_mut((j + 1) * height);
            let multipliers = &head[j * height + diagonal + 1..j * height + diagonal + 1 + below];
            for (k, target) in tail.chunks_exact_mut(height).take(diagonal.min(n - 1 - j)).enumerate() {
                let row = diagonal - k - 1;
                target.swap(row, row + p);
                let (top, rest) = target.split_at_mut(row + 1);
                axpy(-top[row], multipliers, &mut rest[..below]);
            }
        }
        true
    }

    fn solve_band(&self, x: &mut [f64]) {
        let (lower, upper) = (self.matrix.lower, self.matrix.upper);
        let n = x.len();
        let (height, diagonal) = (2 * lower + upper + 1, lower + upper);
        for j in 0..n {
            x.swap(j, j + self.exchange[j]);
            let below = lower.min(n - 1 - j);
            let (top, rest) = x.split_at_mut(j + 1);
            axpy(-top[j], &self.factors[j * height + diagonal + 1..][..below], &mut rest[..below]);
        }
        for j in (0..n).rev() {
            x[j] /= self.factors[j * height + diagonal];
            let above = diagonal.min(j);
            let (top, rest) = x.split_at_mut(j);
            axpy(-rest[0], &self.factors[j * height + diagonal - above..][..above], &mut top[j - above..]);
        }
    }
}

/// Room for the Cholesky factor of symmetric bands of one shape.
///
/// ```
/// use sinew_solve::banded::{Band, BandCholesky};
/// let mut a = Band::new(3, 1, 1);
/// (0..3).for_each(|i| a.set(i, i, 2.0));
/// (0..2).for_each(|i| a.set(i + 1, i, -1.0));
/// let mut cholesky = BandCholesky::new(&a);
/// assert!(cholesky.factor(&a));
/// let mut x = [0.0, 2.0, 0.0];
/// cholesky.solve(&mut x);
/// assert!((x[1] - 2.0).abs() < 1e-15);
/// ```
#[derive(Clone, Debug)]
pub struct BandCholesky {
    n: usize,
    lower: usize,
    /// Row `i` holds columns `i − lower` to `i`.
    rows: Vec<f64>,
}

impl BandCholesky {
    /// Room for matrices with the shape of `a`, which must not be cyclic.
    ///
    /// # Panics
    /// When it is.
    pub fn new(a: &Band) -> Self {
        assert!(!a.cyclic, "a cyclic band needs BandLu");
        Self { n: a.n, lower: a.lower, rows: vec![0.0; a.n * (a.lower + 1)] }
    }

    /// Factors `a`, of which the lower half is read; `false` when it is not positive definite.
    ///
    /// # Panics
    /// When the shape differs from that given to [`BandCholesky::new`].
    pub fn factor(&mut self, a: &Band) -> bool {
        assert!(a.n == self.n && a.lower == self.lower && !a.cyclic, "shape of a band");
        let (p, width) = (self.lower, self.lower + 1);
        for i in 0..self.n {
            let (done, rest) = self.rows.split_at_mut(i * width);
            let row = &mut rest[..width];
            row.fill(0.0);
            for j in i.saturating_sub(p)..=i {
                // dot product of the parts of rows i and j that overlap
                let k = j + p - i;
                let sum = if j < i {
                    let other = &done[j * width..(j + 1) * width];
                    dot(&row[..k], &other[p - k..p])
                } else {
                    dot(&row[..p], &row[..p])
                };
                let value = a.get(i, j) - sum;
                if j < i {
                    row[k] = value / done[j * width + p];
                } else {
                    if !(value > 0.0 && value.is_finite()) {
                        return false;
                    }
                    row[p] = value.sqrt();
                }
            }
        }
        true
    }

    /// `x ← A⁻¹x`
    ///
    /// # Panics
    /// When `x` has another length.
    pub fn solve(&self, x: &mut [f64]) {
        assert_eq!(x.len(), self.n);
        let (p, width) = (self.lower, self.lower + 1);
        for i in 0..self.n {
            let first = i.saturating_sub(p);
            let row = &self.rows[i * width..(i + 1) * width];
            let sum = dot(&row[p - (i - first)..p], &x[first..i]);
            x[i] = (x[i] - sum) / row[p];
        }
        for i in (0..self.n).rev() {
            let first = i.saturating_sub(p);
            let row = &self.rows[i * width..(i + 1) * width];
            x[i] /= row[p];
            let (top, rest) = x.split_at_mut(i);
            axpy(-rest[0], &row[p - (i - first)..p], &mut top[first..]);
        }
    }
}
