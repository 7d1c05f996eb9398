//! QR with column pivoting, AΠ = QR: finds how many independent columns a matrix has.
//!
//! At each step the column with the longest remainder comes next, so the diagonal of R never grows and its first
//! entry at or below a threshold tells the rank. Remainder lengths are down-dated (‖a‖² − r²), which loses digits
//! when little is left: as in LAPACK's `dgeqp3`, a length is computed afresh when less than √ε of it survived; in
//! addition all of them are computed afresh **before the rank is decided**, so that the decision never rests on
//! cancelled digits.
//!
//! The threshold is absolute: what counts as zero depends on where the matrix came from (a level of a hierarchy
//! that is covered by the ones above has only rounding errors left, and none of its own entries says so).
//!
//! Cost: nr(m − r/2)·2 multiply-adds at rank r.
//!
//! Source: Businger and Golub, Numer. Math. 7 (1965) 269-276; the safeguard: Drmač and Bujanović, ACM TOMS 35
//! (2008).

use super::householder::{make_reflector, reflect, reflect_stored};
use super::vector::norm;

/// Share of a length below which it is computed afresh.
const LOST: f64 = 1.5e-8;

/// A pivoted QR factorisation with its workspace, for matrices of up to the given size.
///
/// ```
/// use sinew_solve::dense::PivotedQr;
/// let mut qr = PivotedQr::with_capacity(3, 3);
/// // The third column is the sum of the first two.
/// let rank = qr.factor(3, 3, &[1.0, 0.0, 1.0, 0.0, 2.0, 1.0, 1.0, 2.0, 2.0], 1e-12);
/// assert_eq!(rank, 2);
/// ```
#[derive(Clone, Debug)]
pub struct PivotedQr {
    m: usize,
    n: usize,
    rank: usize,
    a: Vec<f64>,
    tau: Vec<f64>,
    order: Vec<usize>,
    length: Vec<f64>,
    reference: Vec<f64>,
}

impl PivotedQr {
    /// Room for matrices of up to `m` rows and `n` columns.
    pub fn with_capacity(m: usize, n: usize) -> Self {
        Self {
            m: 0,
            n: 0,
            rank: 0,
            a: vec![0.0; m * n],
            tau: vec![0.0; n.min(m)],
            order: vec![0; n],
            length: vec![0.0; n],
            reference: vec![0.0; n],
        }
    }

    /// Factors the m×n matrix `a` and returns its rank: the number of steps whose remainder is longer than
    /// `threshold`.
    ///
    /// # Panics
    /// If the sizes do not fit.
    pub fn factor(&mut self, m: usize, n: usize, a: &[f64], threshold: f64) -> usize {
        self.prepare(m, n).copy_from_slice(a);
        self.factor_prepared(threshold)
    }

    /// The storage for an m×n matrix, to be filled before [`PivotedQr::factor_prepared`].
    pub(crate) fn prepare(&mut self, m: usize, n: usize) -> &mut [f64] {
        (self.m, self.n) = (m, n);
        &mut self.a[..m * n]
    }

    /// Factors what was written into the storage.
    pub(crate) fn factor_prepared(&mut self, threshold: f64) -> usize {
        let (m, n) = (self.m, self.n);
        for j in 0..n {
            self.order[j] = j;
            self.measure(j, 0);
        }
        self.rank = 0;
        for k in 0..m.min(n) {
            let mut best = self.longest(k);
            // Never decide on down-dated lengths.
            if self.length[best] <= 2.0 * threshold {
                for j in k..n {
                    self.measure(j, k);
                }
                best = self.longest(k);
            }
            if self.length[best].is_nan() || self.length[best] <= threshold {
                break;
            }
            self.swap_columns(k, best);
            let (left, right) = self.a[..m * n].split_at_mut((k + 1) * m);
            let column = &mut left[k * m + k..];
            self.tau[k] = make_reflector(column);
            if k + 1 < n {
                let beta = std::mem::replace(&mut column[0], 1.0);
                reflect(column, self.tau[k], &mut right[k..], m, n - k - 1);
                column[0] = beta;
            }
            for j in k + 1..n {
                let gone = self.a[j * m + k];
                let square = self.length[j] * self.length[j] - gone * gone;
                self.length[j] = square.max(0.0).sqrt();
                if self.length[j] <= LOST.sqrt() * self.reference[j] {
                    self.measure(j, k + 1);
                }
            }
            self.rank = k + 1;
        }
        self.rank
    }

    fn measure(&mut self, j: usize, from: usize) {
        let v = norm(&self.a[j * self.m + from..(j + 1) * self.m]);
        self.length[j] = v;
        self.reference[j] = v;
    }

    fn longest(&self, from: usize) -> usize {
        (from..self.n).fold(from, |best, j| if self.length[j] > self.length[best] { j } else { best })
    }

    fn swap_columns(&mut self, k: usize, best: usize) {
        if k != best {
            let m = self.m;
            let (left, right) = self.a.split_at_mut(best * m);
            left[k * m..(k + 1) * m].swap_with_slice(&mut right[..m]);
            self.order.swap(k, best);
            self.length.swap(k, best);
            self.reference.swap(k, best);
        }
    }

    /// The rank found.
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// Which column of A stands at each place: column k of AΠ is column `order()[k]` of A.
    pub fn order(&self) -> &[usize] {
        &self.order[..self.n]
    }

    /// Entry (i, j) of R, i below the rank.
    pub fn r(&self, i: usize, j: usize) -> f64 {
        if i <= j { self.a[j * self.m + i] } else { 0.0 }
    }

    /// b ← Qb.
    ///
    /// # Panics
    /// If b does not have m entries.
    pub fn apply(&self, b: &mut [f64]) {
        assert_eq!(b.len(), self.m);
        for k in (0..self.rank).rev() {
            reflect_stored(&self.a[k * self.m + k..(k + 1) * self.m], self.tau[k], &mut b[k..]);
        }
    }

    /// b ← Qᵀb.
    ///
    /// # Panics
    /// If b does not have m entries.
    pub fn apply_transpose(&self, b: &mut [f64]) {
        assert_eq!(b.len(), self.m);
        for k in 0..self.rank {
            reflect_stored(&self.a[k * self.m + k..(k + 1) * self.m], self.tau[k], &mut b[k..]);
        }
    }
}
