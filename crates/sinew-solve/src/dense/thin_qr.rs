//! A thin QR factorisation V = QR that grows and shrinks column by column.
//!
//! An active-set method keeps the normals of its active constraints as the columns of V (N×k, k ≤ N) and needs, at
//! each step: the part of a new normal v that the active ones do not span, w = v − QQᵀv; its coordinates in them,
//! R⁻¹Qᵀv; and the factors of V with one column more or one column less. All of it costs O(Nk), where a full N×N
//! orthogonal factor would cost O(N²).
//!
//! - **Append**: classical Gram-Schmidt, repeated when the first pass cancelled most of ‖v‖²: "twice is enough" to
//!   make Q orthogonal to working precision. If the second pass cancels again, v lies in the span and ρ = 0 is
//!   reported.
//! - **Remove** column l: R without column l is triangular but for one subdiagonal; plane rotations of neighbouring
//!   rows make it triangular again and rotate the columns of Q along. The column rotated to the end is what the
//!   span lost.
//!
//! **Zeros.** The normal of a simple bound has few entries, and so have the first columns of Q when bounds come
//! first. For each column of Q the range of its non-zeros is kept, and all products run over these ranges (joined
//! over four columns at a time).
//!
//! Source: Daniel, Gragg, Kaufman and Stewart, Reorthogonalization and stable algorithms for updating the
//! Gram-Schmidt QR factorization, Math. Comp. 30 (1976) 772-795. Twice is enough: Parlett, The Symmetric Eigenvalue
//! Problem, 6.9.

use super::vector::{axpy, dot, gemv_add, gemv_t, givens, rotate};
use std::ops::Range;

/// Share of ‖v‖² below which what a pass left is orthogonalised again: Q is orthogonal to about ε/√share.
const CANCELLED: f64 = 0.05;

/// The factors, with room for the candidate column that [`ThinQr::project`] leaves behind.
#[derive(Clone, Debug)]
pub(crate) struct ThinQr {
    /// Length of the columns of Q in use.
    len: usize,
    /// Largest number of columns; leading dimension of R.
    most: usize,
    /// Number of columns now.
    pub(crate) count: usize,
    q: Vec<f64>,
    r: Vec<f64>,
    /// Reciprocals of the diagonal of R.
    inverse_diagonal: Vec<f64>,
    /// Where the columns of Q are other than zero.
    support: Vec<(usize, usize)>,
    /// Coordinates Qᵀv of the last projected column.
    pub(crate) d: Vec<f64>,
    /// What the span does not hold of the last projected column.
    pub(crate) w: Vec<f64>,
    /// Where w is other than zero.
    range: (usize, usize),
    again: Vec<f64>,
}

/// Lengths found by [`ThinQr::project`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Projection {
    /// ‖v‖.
    pub(crate) norm: f64,
    /// ‖w‖, zero when v lies in the span to working precision.
    pub(crate) rho: f64,
}

impl ThinQr {
    /// Room for columns of up to `len` entries, and up to `most` of them.
    pub(crate) fn with_capacity(len: usize, most: usize) -> Self {
        Self {
            len: 0,
            most,
            count: 0,
            q: vec![0.0; len * most],
            r: vec![0.0; most * most],
            inverse_diagonal: vec![0.0; most],
            support: vec![(0, 0); most],
            d: vec![0.0; most],
            w: vec![0.0; len],
            range: (0, 0),
            again: vec![0.0; most],
        }
    }

    /// Forgets all columns; later ones have `len` entries.
    pub(crate) fn clear(&mut self, len: usize) {
        self.len = len;
        self.count = 0;
    }

    /// Whether there is no room for another column.
    pub(crate) fn is_full(&self) -> bool {
        self.count == self.most.min(self.len)
    }

    /// The range of non-zeros of the columns k..k+width together.
    fn joined(&self, k: usize, width: usize) -> (usize, usize) {
        self.support[k..k + width].iter().fold((usize::MAX, 0), |(a, b), s| (a.min(s.0), b.max(s.1)))
    }

    /// out ← Qᵀx for an x that is zero outside `range`.
    fn coordinates(&self, x: &[f64], range: (usize, usize), out: &mut [f64]) {
        let n = self.len;
        for k in (0..self.count).step_by(4) {
            let width = 4.min(self.count - k);
            let (a, b) = self.joined(k, width);
            let (a, b) = (a.max(range.0), b.min(range.1));
            if a < b {
                gemv_t(&self.q[k * n + a..], n, &x[a..b], &mut out[k..k + width]);
            } else {
                out[k..k + width].fill(0.0);
            }
        }
    }

    /// y ← y + αQc.
    fn add_scaled(&self, alpha: f64, c: &[f64], y: &mut [f64]) {
        let n = self.len;
        for k in (0..self.count).step_by(4) {
            let width = 4.min(self.count - k);
            let (a, b) = self.joined(k, width);
            gemv_add(alpha, &self.q[k * n + a..], n, &c[k..k + width], &mut y[a..b]);
        }
    }

    /// y ← y + Qc.
    pub(crate) fn add_combination(&self, c: &[f64], y: &mut [f64]) {
        self.add_scaled(1.0, c, y);
    }

    /// out ← Qᵀx.
    pub(crate) fn coordinates_of(&self, x: &[f64], out: &mut [f64]) {
        self.coordinates(x, (0, self.len), out);
    }

    /// Splits v (zero outside `support`) into its coordinates `d` in the span and the rest `w`.
    pub(crate) fn project(&mut self, v: &[f64], support: Range<usize>) -> Projection {
        let (n, k) = (self.len, self.count);
        let (mut d, mut w) = (std::mem::take(&mut self.d), std::mem::take(&mut self.w));
        w[..n].copy_from_slice(&v[..n]);
        let mut range = (support.start, support.end.max(support.start));
        let square = dot(&v[range.0..range.1], &v[range.0..range.1]);
        let mut left = square;
        self.coordinates(v, range, &mut d);
        if d[..k].iter().any(|&c| c != 0.0) {
            for (s, _) in self.support[..k].iter().zip(&d).filter(|(_, d)| **d != 0.0) {
                range = (range.0.min(s.0), range.1.max(s.1));
            }
            self.add_scaled(-1.0, &d, &mut w);
            left = dot(&w[range.0..range.1], &w[range.0..range.1]);
            if left < CANCELLED * square {
                let mut again = std::mem::take(&mut self.again);
                self.coordinates(&w, range, &mut again);
                self.add_scaled(-1.0, &again, &mut w);
                axpy(1.0, &again[..k], &mut d[..k]);
                self.again = again;
                let before = left;
                left = dot(&w[range.0..range.1], &w[range.0..range.1]);
                // A second cancellation means that only rounding errors are left.
                if left < 0.25 * before {
                    left = 0.0;
                }
            }
        }
        (self.d, self.w, self.range) = (d, w, range);
        Projection { norm: square.sqrt(), rho: left.sqrt() }
    }

    /// Takes the projected column in: Q gains w/ρ, R the column (d, ρ).
    pub(crate) fn append(&mut self, rho: f64) {
        let (n, k) = (self.len, self.count);
        debug_assert!(k < self.most && rho > 0.0);
        let inverse = 1.0 / rho;
        for (q, w) in self.q[k * n..(k + 1) * n].iter_mut().zip(&self.w[..n]) {
            *q = w * inverse;
        }
        let column = &mut self.r[k * self.most..k * self.most + k + 1];
        column[..k].copy_from_slice(&self.d[..k]);
        column[k] = rho;
        self.inverse_diagonal[k] = inverse;
        self.support[k] = self.range;
        self.count = k + 1;
    }

    /// Removes column l. The coordinates `c` (and the `d` of a pending candidate) are rotated along; the last entry
    /// of each is the coordinate in the direction that the span lost.
    pub(crate) fn remove(&mut self, l: usize, c: &mut [f64]) {
        let (n, k, m) = (self.len, self.count, self.most);
        for j in l..k - 1 {
            // Column j+1 moves to j; its entry below the new diagonal goes away with a rotation of rows j and j+1.
            let (left, right) = self.r.split_at_mut((j + 1) * m);
            left[j * m..j * m + j + 2].copy_from_slice(&right[..j + 2]);
            let (cos, sin, r) = givens(self.r[j * m + j], self.r[j * m + j + 1]);
            self.r[j * m + j] = r;
            self.inverse_diagonal[j] = 1.0 / r;
            for i in j + 2..k {
                let (a, b) = (self.r[i * m + j], self.r[i * m + j + 1]);
                self.r[i * m + j] = cos * a + sin * b;
                self.r[i * m + j + 1] = cos * b - sin * a;
            }
            let (a, b) = self.joined(j, 2);
            (self.support[j], self.support[j + 1]) = ((a, b), (a, b));
            let (left, right) = self.q.split_at_mut((j + 1) * n);
            rotate(&mut left[j * n + a..j * n + b], &mut right[a..b], cos, sin);
            for v in [&mut *c, &mut self.d] {
                let (a, b) = (v[j], v[j + 1]);
                v[j] = cos * a + sin * b;
                v[j + 1] = cos * b - sin * a;
            }
        }
        self.count = k - 1;
    }

    /// After a removal: gives the candidate's part along the lost direction back to w, and returns the new ‖w‖.
    pub(crate) fn return_lost_part(&mut self) -> f64 {
        let (n, k) = (self.len, self.count);
        let (a, b) = self.support[k];
        axpy(self.d[k], &self.q[k * n + a..k * n + b], &mut self.w[a..b]);
        self.range = (self.range.0.min(a), self.range.1.max(b));
        dot(&self.w[..n], &self.w[..n]).sqrt()
    }

    /// x ← R⁻¹x.
    pub(crate) fn solve_r(&self, x: &mut [f64]) {
        for j in (0..self.count).rev() {
            let v = x[j] * self.inverse_diagonal[j];
            x[j] = v;
            axpy(-v, &self.r[j * self.most..j * self.most + j], &mut x[..j]);
        }
    }

    /// x ← R⁻ᵀx.
    pub(crate) fn solve_r_transposed(&self, x: &mut [f64]) {
        for j in 0..self.count {
            let s = dot(&self.r[j * self.most..j * self.most + j], &x[..j]);
            x[j] = (x[j] - s) * self.inverse_diagonal[j];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Deterministic numbers in −1..1.
    fn noise(seed: &mut u64) -> f64 {
        *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (*seed >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    #[test]
    fn factors_survive_any_order_of_appending_and_removing() {
        let (n, mut seed) = (12, 1);
        let mut qr = ThinQr::with_capacity(n, n);
        qr.clear(n);
        let mut columns: Vec<Vec<f64>> = Vec::new();
        let mut c = vec![0.0; n];
        for step in 0..2000 {
            if columns.len() < n && (columns.is_empty() || noise(&mut seed) > -0.1) {
                // Some columns have few entries, some nearly depend on the last one.
                let (from, to) = if step % 3 == 0 { (step % n, (step % n + 3).min(n)) } else { (0, n) };
                let mut v: Vec<f64> = (0..n).map(|_| 0.0).collect();
                v[from..to].iter_mut().for_each(|v| *v = noise(&mut seed));
                if let (Some(last), true) = (columns.last(), step % 7 == 0) {
                    v = v.iter().zip(last).map(|(v, l)| l + 1e-6 * v).collect();
                }
                let support = if step % 7 == 0 { 0..n } else { from..to };
                let p = qr.project(&v, support);
                if p.rho > 1e-9 * p.norm && !qr.is_full() {
                    qr.append(p.rho);
                    columns.push(v);
                }
            } else {
                let l = ((noise(&mut seed) + 1.0) / 2.0 * columns.len() as f64) as usize % columns.len();
                qr.remove(l, &mut c);
                columns.remove(l);
            }
            let k = qr.count;
            for i in 0..k {
                for j in 0..k {
                    let q = dot(&qr.q[i * n..(i + 1) * n], &qr.q[j * n..(j + 1) * n]);
                    assert!((q - f64::from(i == j)).abs() < 1e-12, "step {step}");
                }
                let mut v = vec![0.0; n];
                let mut r = vec![0.0; n];
                r[..=i].copy_from_slice(&qr.r[i * qr.most..i * qr.most + i + 1]);
                qr.add_combination(&r, &mut v);
                let error = v.iter().zip(&columns[i]).fold(0.0f64, |m, (a, b)| m.max((a - b).abs()));
                assert!(error < 1e-12, "step {step}: {error:e}");
            }
        }
    }

    #[test]
    fn a_column_in_the_span_leaves_nothing() {
        let mut qr = ThinQr::with_capacity(3, 3);
        qr.clear(3);
        for v in [[1.0, 2.0, 0.0], [0.0, 1.0, 1.0]] {
            let p = qr.project(&v, 0..3);
            qr.append(p.rho);
        }
        assert!(qr.project(&[3.0, 8.0, 2.0], 0..3).rho < 1e-14);
        let mut r = qr.d.clone();
        qr.solve_r(&mut r);
        assert!((r[0] - 3.0).abs() < 1e-14 && (r[1] - 2.0).abs() < 1e-14);
    }
}
