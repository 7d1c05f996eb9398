//! Complementarity with bounds, by Lemke's method.
//!
//! ```text
//! w = M z + q,   lo ≤ z ≤ hi,     z_i = lo_i ⇒ w_i ≥ 0,     z_i = hi_i ⇒ w_i ≤ 0,     lo_i < z_i < hi_i ⇒ w_i = 0
//! ```
//!
//! Joint limits are `[0, ∞)`, motors `[−τ, τ]`, equations `(−∞, ∞)`. The problem becomes an LCP without bounds in
//! three steps:
//!
//! 1. *Equations* (both bounds infinite) are solved for their unknowns: `z_F = −M_FF⁻¹(q_F + M_FB z_B)`, which
//!    needs a regular `M_FF`.
//! 2. The others are measured from a finite bound, `s = z − lo` or, without a lower bound, `s = hi − z`, so that
//!    `s ≥ 0`.
//! 3. Where the other bound is finite too, at the distance `d`, its force `y ≥ 0` joins the unknowns: `w = M s + q
//!    + y`, and `0 ≤ y ⊥ d − s ≥ 0`.
//!
//! Source: Cottle, Pang and Stone, *The Linear Complementarity Problem*, 1992, section 1.4.

use super::lemke::{Lemke, LemkeReport, LemkeStatus};
use crate::dense::Lu;
use crate::dense::vector::{axpy, dot, gemv_add};

/// How far `z` is from solving the problem with bounds: the largest `|z_i − mid(lo_i, z_i − w_i, hi_i)|`, with `w
/// = M z + q` written to `w`.
///
/// ```
/// // pushed down with 3, held up by a motor of strength 1
/// let mut w = [0.0];
/// let residual = sinew_solve::lcp::boxed_residual(&[2.0], &[-3.0], &[-1.0], &[1.0], &[1.0], &mut w);
/// assert_eq!((residual, w), (0.0, [-1.0]));
/// ```
///
/// # Panics
/// When the sizes differ.
pub fn boxed_residual(m: &[f64], q: &[f64], lo: &[f64], hi: &[f64], z: &[f64], w: &mut [f64]) -> f64 {
    let n = z.len();
    assert!(m.len() == n * n && [q.len(), lo.len(), hi.len(), w.len()] == [n; 4], "sizes of an LCP");
    w.copy_from_slice(q);
    gemv_add(1.0, m, n, z, w);
    let mut worst = 0.0;
    for i in 0..n {
        let error = (z[i] - (z[i] - w[i]).max(lo[i]).min(hi[i])).abs();
        // a NaN is the worst of all
        worst = if error <= worst { worst } else { error };
    }
    worst
}

/// Workspace for problems of up to a given size.
///
/// ```
/// use sinew_solve::lcp::{BoxedLemke, LemkeStatus};
/// let mut solver = BoxedLemke::new(2);
/// let mut z = [0.0; 2];
/// // the first at its upper bound, the second free
/// let inf = f64::INFINITY;
/// let report = solver.solve(&[2.0, 1.0, 1.0, 2.0], &[-9.0, 1.0], &[0.0, -inf], &[1.0, inf], &mut z);
/// assert_eq!(report.status, LemkeStatus::Solved);
/// assert_eq!(z, [1.0, -1.0]);
/// ```
#[derive(Clone, Debug)]
pub struct BoxedLemke {
    lemke: Lemke,
    /// Indices with an equation; indices with a bound; positions in the latter that have two.
    free: Vec<usize>,
    bounded: Vec<usize>,
    twice: Vec<usize>,
    /// +1 when measured from the lower bound, −1 from the upper one.
    sign: Vec<f64>,
    lu: Lu,
    block: Vec<f64>,
    /// `M_FF⁻¹ M_FB` and, last, `M_FF⁻¹ (q_F + M_FB·bound)`.
    eliminated: Vec<f64>,
    matrix: Vec<f64>,
    rhs: Vec<f64>,
    unknown: Vec<f64>,
    start: Vec<f64>,
    w: Vec<f64>,
}

impl BoxedLemke {
    /// Room for `n` unknowns.
    pub fn new(n: usize) -> Self {
        Self::with_room(n, n)
    }

    /// Room for `n` unknowns, `twice` of them with two finite bounds: `4 (n + twice)² + 3 n²` numbers.
    ///
    /// ```
    /// use sinew_solve::lcp::{BoxedLemke, LemkeStatus};
    /// let mut solver = BoxedLemke::with_room(2, 1);
    /// let (mut z, inf) = ([0.0; 2], f64::INFINITY);
    /// let report = solver.solve(&[2.0, 1.0, 1.0, 2.0], &[-9.0, -3.0], &[0.0; 2], &[1.0, inf], &mut z);
    /// assert_eq!((report.status, z), (LemkeStatus::Solved, [1.0, 1.0]));
    /// ```
    pub fn with_room(n: usize, twice: usize) -> Self {
        let pairs = n + twice;
        Self {
            lemke: Lemke::new(pairs),
            free: Vec::with_capacity(n),
            bounded: Vec::with_capacity(n),
            twice: Vec::with_capacity(twice),
            sign: vec![0.0; n],
            lu: Lu::with_capacity(n),
            block: vec![0.0; n * n],
            eliminated: vec![0.0; n * (n + 1)],
            matrix: vec![0.0; pairs * pairs],
            rhs: vec![0.0; pairs],
            unknown: vec![0.0; pairs],
            start: vec![0.0; n],
            w: vec![0.0; n],
        }
    }

    /// Solves for `z`; `m` is n × n, column-major, bounds may be infinite.
    ///
    /// # Panics
    /// When the sizes differ or exceed the capacity, or a lower bound is above its upper one.
    pub fn solve(&mut self, m: &[f64], q: &[f64], lo: &[f64], hi: &[f64], z: &mut [f64]) -> LemkeReport {
        let n = z.len();
        assert!(m.len() == n * n && [q.len(), lo.len(), hi.len()] == [n; 3], "sizes of an LCP");
        self.sort(lo, hi);
        let mut report = if self.eliminate(m, q, n) {
            self.assemble(m, q, lo, hi);
            let size = self.bounded.len() + self.twice.len();
            let report =
                self.lemke.solve(&self.matrix[..size * size], &self.rhs[..size], &mut self.unknown[..size]);
            self.expand(lo, hi, z);
            report
        } else {
            z.fill(0.0);
            LemkeReport { status: LemkeStatus::Numerical, pivots: 0, residual: f64::NAN }
        };
        report.residual = boxed_residual(m, q, lo, hi, z, &mut self.w[..n]);
        report
    }

    /// Sorts the unknowns by their bounds.
    fn sort(&mut self, lo: &[f64], hi: &[f64]) {
        self.free.clear();
        self.bounded.clear();
        self.twice.clear();
        for i in 0..lo.len() {
            assert!(lo[i] <= hi[i], "bounds {} and {} of unknown {i}", lo[i], hi[i]);
            if lo[i].is_infinite() && hi[i].is_infinite() {
                self.start[i] = 0.0;
                self.free.push(i);
                continue;
            }
            if lo[i].is_finite() && hi[i].is_finite() {
                self.twice.push(self.bounded.len());
            }
            self.sign[self.bounded.len()] = if lo[i].is_finite() { 1.0 } else { -1.0 };
            self.start[i] = if lo[i].is_finite() { lo[i] } else { hi[i] };
            self.bounded.push(i);
        }
    }

    /// Solves the equations for their unknowns; `false` when they are singular. Also leaves `M·start + q` in `w`.
    fn eliminate(&mut self, m: &[f64], q: &[f64], n: usize) -> bool {
        self.w[..n].copy_from_slice(q);
        gemv_add(1.0, m, n, &self.start[..n], &mut self.w[..n]);
        let (f, b) = (self.free.len(), self.bounded.len());
        for (c, &j) in self.free.iter().enumerate() {
            for (r, &i) in self.free.iter().enumerate() {
                self.block[c * f + r] = m[j * n + i];
            }
        }
        if !self.lu.factor(f, &self.block[..f * f]) {
            return false;
        }
        for c in 0..=b {
            let column = &mut self.eliminated[c * f..(c + 1) * f];
            for (r, &i) in self.free.iter().enumerate() {
                column[r] = if c < b { m[self.bounded[c] * n + i] } else { self.w[i] };
            }
            self.lu.solve(column);
        }
        true
    }

    /// The LCP over (s, y).
    fn assemble(&mut self, m: &[f64], q: &[f64], lo: &[f64], hi: &[f64]) {
        let (n, f, b) = (q.len(), self.free.len(), self.bounded.len());
        let size = b + self.twice.len();
        self.matrix[..size * size].fill(0.0);
        for (r, &i) in self.bounded.iter().enumerate() {
            // row i of M over the eliminated unknowns
            for (k, &j) in self.free.iter().enumerate() {
                self.block[k] = m[j * n + i];
            }
            let coupling = &self.block[..f];
            for (c, &j) in self.bounded.iter().enumerate() {
                let entry = m[j * n + i] - dot(coupling, &self.eliminated[c * f..(c + 1) * f]);
                self.matrix[c * size + r] = self.sign[r] * self.sign[c] * entry;
            }
            self.rhs[r] = self.sign[r] * (self.w[i] - dot(coupling, &self.eliminated[b * f..(b + 1) * f]));
        }
        for (k, &r) in self.twice.iter().enumerate() {
            self.matrix[(b + k) * size + r] = 1.0;
            self.matrix[r * size + b + k] = -1.0;
            self.rhs[b + k] = hi[self.bounded[r]] - lo[self.bounded[r]];
        }
    }

    /// From (s, y) back to z.
    fn expand(&mut self, lo: &[f64], hi: &[f64], z: &mut [f64]) {
        let (n, f, b) = (z.len(), self.free.len(), self.bounded.len());
        z.copy_from_slice(&self.start[..n]);
        // z_F = −M_FF⁻¹(q_F + M_FB·bound) − M_FF⁻¹M_FB (±s)
        let equations = &mut self.w[..f];
        equations.iter_mut().zip(&self.eliminated[b * f..]).for_each(|(e, c)| *e = -c);
        for (r, &i) in self.bounded.iter().enumerate() {
            let move_by = self.sign[r] * self.unknown[r];
            z[i] = (z[i] + move_by).max(lo[i]).min(hi[i]);
            axpy(-move_by, &self.eliminated[r * f..(r + 1) * f], equations);
        }
        for (k, &i) in self.free.iter().enumerate() {
            z[i] = equations[k];
        }
    }
}
