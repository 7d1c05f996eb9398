//! Lemke's method with lexicographic pivoting.
//!
//! # Method
//! An artificial variable `z_0 ≥ 0` covers the negative part of `q`: `w = q + M z + d z_0`, `d > 0`. With `z_0`
//! large enough `z = 0` is feasible. From there the method walks along edges on which all pairs but one stay
//! complementary: the variable that enters is the complement of the one that left. It ends when `z_0` leaves (a
//! solution) or nothing blocks the variable that enters (a *ray*). For copositive-plus and for copositive matrices
//! with a feasibility condition, that is for contact problems with friction, a ray means that there is no
//! solution.
//!
//! # Degeneracy
//! Redundant contacts make ties in the ratio test, and ties can make the method cycle. The lexicographic rule
//! compares not only the right-hand side but, among rows that tie, the rows of the basis inverse: as if `q` were
//! perturbed by (ε, ε², ε³ …). Then no basis is met twice.
//!
//! # Numbers
//! Rows and columns are first scaled by powers of two to entries of about one: that costs no rounding, and units of
//! force and velocity stop mattering. The dictionary (basic variables as functions of the others) has n rows, and a
//! column for each non-basic variable; a pivot changes it by a rank-one term, `n²` multiply-adds. The rounding errors
//! of many pivots do not reach the answer: only the set of basic variables is taken from the dictionary, the numbers
//! are solved anew from `M` and `q`, with one step of iterative refinement.
//!
//! Source: Cottle, Pang and Stone, *The Linear Complementarity Problem*, 1992, sections 4.4 and 4.9.

use crate::dense::scale::power_of_two;
use crate::dense::vector::{axpy, gemv_add};
use crate::dense::{Lu, max_abs};

/// How a solve ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LemkeStatus {
    /// A complementary solution.
    Solved,
    /// Nothing blocks the entering variable: for contact problems, there is no solution.
    Ray,
    /// The cap on pivots was met.
    PivotLimit,
    /// The final basis is singular to working precision, or the data is not finite.
    Numerical,
}

/// The end of a solve.
#[derive(Clone, Copy, Debug)]
pub struct LemkeReport {
    /// How it ended. Only after `Solved` is `z` a solution; otherwise it is what the last dictionary says, without
    /// `z_0`.
    pub status: LemkeStatus,
    /// Pivots made.
    pub pivots: usize,
    /// Largest `|min(z_i, w_i)|` of the answer, in the units of the problem.
    pub residual: f64,
}

/// Workspace for problems of up to a given size.
///
/// ```
/// use sinew_solve::lcp::{Lemke, LemkeStatus};
/// let mut lemke = Lemke::new(2);
/// let mut z = [0.0; 2];
/// let report = lemke.solve(&[2.0, 1.0, 1.0, 2.0], &[-5.0, -6.0], &mut z);
/// assert_eq!(report.status, LemkeStatus::Solved);
/// assert!((z[0] - 4.0 / 3.0).abs() < 1e-15 && (z[1] - 7.0 / 3.0).abs() < 1e-15);
/// ```
#[derive(Clone, Debug)]
pub struct Lemke {
    /// Cap on pivots; 0 stands for 50 + 10 n.
    pub max_pivots: usize,
    n: usize,
    /// Column `c` of the dictionary: change of the basic variables with the non-basic variable `c`; n × (n + 1).
    table: Vec<f64>,
    /// Values of the basic variables.
    value: Vec<f64>,
    /// Variable of each row and column: 0..n for w, n..2n for z, 2n for z_0.
    basic: Vec<usize>,
    other: Vec<usize>,
    /// Row (below n) or column (n and above) of each variable.
    place: Vec<usize>,
    row_scale: Vec<f64>,
    col_scale: Vec<f64>,
    column: Vec<f64>,
    ties: Vec<usize>,
    lu: Lu,
    system: Vec<f64>,
    rhs: Vec<f64>,
    chosen: Vec<usize>,
    w: Vec<f64>,
}

/// Smallest pivot, beside entries of about one.
const PIVOT: f64 = 1e-10;
/// Ratios closer than this tie. Far above the rounding errors of many pivots: a tie that is missed can lead off
/// the path, and the method then ends in a false ray, while a false tie does no harm.
const TIE: f64 = 1e-9;
/// A solution with a residual above this, relative to `q` and `M z`, is tried again.
const ACCEPT: f64 = 1e-10;

impl Lemke {
    /// Room for `n` pairs.
    pub fn new(n: usize) -> Self {
        Self {
            max_pivots: 0,
            n: 0,
            table: vec![0.0; n * (n + 1)],
            value: vec![0.0; n],
            basic: vec![0; n],
            other: vec![0; n + 1],
            place: vec![0; 2 * n + 1],
            row_scale: vec![0.0; n],
            col_scale: vec![0.0; n],
            column: vec![0.0; n],
            ties: Vec::with_capacity(n),
            lu: Lu::with_capacity(n),
            system: vec![0.0; n * n],
            rhs: vec![0.0; n],
            chosen: Vec::with_capacity(n),
            w: vec![0.0; n],
        }
    }

    /// Solves for `z`; `m` is n × n, column-major.
    ///
    /// # Panics
    /// When the sizes differ, or exceed the capacity.
    pub fn solve(&mut self, m: &[f64], q: &[f64], z: &mut [f64]) -> LemkeReport {
        let n = z.len();
        assert!(m.len() == n * n && q.len() == n && n <= self.value.len(), "sizes of an LCP");
        z.fill(0.0);
        if !(m.iter().chain(q).all(|v| v.is_finite())) {
            return LemkeReport { status: LemkeStatus::Numerical, pivots: 0, residual: f64::NAN };
        }
        let mut report = self.attempt(m, q, z, 0);
        // rounding can break a path among redundant contacts; another covering vector leads to another path
        let size = max_abs(q).max(max_abs(z));
        if report.status != LemkeStatus::Solved || report.residual > ACCEPT * size {
            let first = report.pivots;
            report = self.attempt(m, q, z, 1);
            report.pivots += first;
        }
        report
    }

    /// One walk from the beginning, with one of two covering vectors.
    fn attempt(&mut self, m: &[f64], q: &[f64], z: &mut [f64], variant: usize) -> LemkeReport {
        z.fill(0.0);
        self.start(m, q, variant);
        let (status, pivots) = self.walk();
        let status = self.answer(m, q, z, status);
        let residual = super::residual(m, q, z, &mut self.w[..q.len()]);
        LemkeReport { status, pivots, residual }
    }

    /// The scaled dictionary with all w basic.
    fn start(&mut self, m: &[f64], q: &[f64], variant: usize) {
        let n = q.len();
        self.n = n;
        self.scale(m);
        for j in 0..n {
            for i in 0..n {
                self.table[j * n + i] = m[j * n + i] * self.row_scale[i] * self.col_scale[j];
            }
        }
        for (i, d) in self.table[n * n..n * (n + 1)].iter_mut().enumerate() {
            *d = 1.0 + (variant * (i % 8)) as f64 / 8.0;
        }
        // q as a whole may be scaled as well: it only scales z
        let size = (0..n).fold(0.0, |s: f64, i| s.max((q[i] * self.row_scale[i]).abs()));
        let unit = if size > 0.0 { power_of_two(1.0 / size) } else { 1.0 };
        for i in 0..n {
            self.value[i] = q[i] * self.row_scale[i] * unit;
            self.basic[i] = i;
            self.other[i] = n + i;
            self.place[i] = i;
            self.place[n + i] = n + i;
        }
        self.other[n] = 2 * n;
        self.place[2 * n] = 2 * n;
    }

    /// Powers of two that bring the largest entries of rows and columns near one.
    fn scale(&mut self, m: &[f64]) {
        let n = self.n;
        self.row_scale[..n].fill(1.0);
        self.col_scale[..n].fill(1.0);
        for _ in 0..3 {
            self.column[..n].fill(0.0);
            for j in 0..n {
                let mut largest = 0.0f64;
                for i in 0..n {
                    let entry = (m[j * n + i] * self.row_scale[i] * self.col_scale[j]).abs();
                    largest = largest.max(entry);
                    self.column[i] = self.column[i].max(entry);
                }
                self.rhs[j] = largest;
            }
            for i in 0..n {
                // square roots, so that rows and columns meet half-way
                self.row_scale[i] *=
                    if self.column[i] > 0.0 { power_of_two(1.0 / self.column[i].sqrt()) } else { 1.0 };
                self.col_scale[i] *=
                    if self.rhs[i] > 0.0 { power_of_two(1.0 / self.rhs[i].sqrt()) } else { 1.0 };
            }
        }
    }

    /// Pivots until the end.
    fn walk(&mut self) -> (LemkeStatus, usize) {
        let n = self.n;
        let limit = if self.max_pivots == 0 { 50 + 10 * n } else { self.max_pivots };
        // z_0 enters against the w that it must lift most; lexicographically the last of equals
        let lift = |i: usize| self.value[i] / self.table[n * n + i];
        let Some(mut row) = (0..n).rev().min_by(|&a, &b| lift(a).total_cmp(&lift(b))) else {
            return (LemkeStatus::Solved, 0);
        };
        if self.value[row] >= 0.0 {
            return (LemkeStatus::Solved, 0);
        }
        let mut column = n;
        for pivots in 1..=limit {
            let left = self.basic[row];
            self.exchange(row, column);
            if left == 2 * n {
                return (LemkeStatus::Solved, pivots);
            }
            // the complement of what left enters
            let enters = if left < n { left + n } else { left - n };
            column = self.place[enters] - n;
            if let Some(leaves) = self.leaving_row(column) {
                row = leaves;
                continue;
            }
            return (LemkeStatus::Ray, pivots);
        }
        (LemkeStatus::PivotLimit, limit)
    }

    /// The basic variable that first falls to zero when the variable of `column` grows; lexicographic among ties.
    fn leaving_row(&mut self, column: usize) -> Option<usize> {
        let n = self.n;
        let entering = &self.table[column * n..(column + 1) * n];
        let mut least = f64::INFINITY;
        for (t, v) in entering.iter().zip(&self.value) {
            if *t < -PIVOT {
                least = least.min(v.max(0.0) / -t);
            }
        }
        if least == f64::INFINITY {
            return None;
        }
        self.ties.clear();
        for (i, t) in entering.iter().enumerate() {
            if *t < -PIVOT && self.value[i].max(0.0) / -t <= least + TIE * (1.0 + least) {
                // when z_0 can leave, it does: that is the end
                if self.basic[i] == 2 * n {
                    return Some(i);
                }
                self.ties.push(i);
            }
        }
        // columns of the perturbation, one after the other, until one row is left
        let mut i = 0;
        while self.ties.len() > 1 && i < n {
            let place = self.place[i];
            let (table, ties) = (&self.table, &mut self.ties);
            let ratio = |r: usize| {
                let perturbation =
                    if place < n { f64::from(u8::from(place == r)) } else { -table[(place - n) * n + r] };
                perturbation / -table[column * n + r]
            };
            let least = ties.iter().fold(f64::INFINITY, |m, &r| m.min(ratio(r)));
            ties.retain(|&r| ratio(r) <= least + TIE * (1.0 + least.abs()));
            i += 1;
        }
        self.ties.first().copied()
    }

    /// Exchanges the basic variable of `row` with the non-basic one of `column`.
    fn exchange(&mut self, row: usize, column: usize) {
        let n = self.n;
        let pivot = self.table[column * n + row];
        let inverse = 1.0 / pivot;
        self.column[..n].copy_from_slice(&self.table[column * n..(column + 1) * n]);
        self.column[row] = 0.0;
        let entering = &self.column[..n];
        for (c, target) in self.table[..n * (n + 1)].chunks_exact_mut(n).enumerate() {
            if c == column {
                continue;
            }
            let factor = -target[row] * inverse;
            if factor != 0.0 {
                axpy(factor, entering, target);
            }
            target[row] = factor;
        }
        let factor = -self.value[row] * inverse;
        axpy(factor, entering, &mut self.value[..n]);
        self.value[row] = factor;
        let target = &mut self.table[column * n..(column + 1) * n];
        target.iter_mut().for_each(|v| *v *= inverse);
        target[row] = inverse;
        // book-keeping
        let (left, entered) = (self.basic[row], self.other[column]);
        (self.basic[row], self.other[column]) = (entered, left);
        (self.place[entered], self.place[left]) = (row, n + column);
    }

    /// Solves for the basic z from the data: `M_cc z_c = −q_c` over the chosen pairs.
    fn answer(&mut self, m: &[f64], q: &[f64], z: &mut [f64], status: LemkeStatus) -> LemkeStatus {
        let n = self.n;
        self.chosen.clear();
        self.chosen.extend((0..n).filter(|&i| self.place[n + i] < n));
        let k = self.chosen.len();
        for (b, &j) in self.chosen.iter().enumerate() {
            for (a, &i) in self.chosen.iter().enumerate() {
                self.system[b * k + a] = m[j * n + i] * self.row_scale[i] * self.col_scale[j];
            }
        }
        if !self.lu.factor(k, &self.system[..k * k]) || self.lu.pivot_ratio() < 1e-15 {
            return if status == LemkeStatus::Solved { LemkeStatus::Numerical } else { status };
        }
        // one solve, and one refinement with the residual of the original equations
        for _ in 0..2 {
            self.w[..n].copy_from_slice(q);
            gemv_add(1.0, m, n, z, &mut self.w[..n]);
            for (a, &i) in self.chosen.iter().enumerate() {
                self.rhs[a] = -self.w[i] * self.row_scale[i];
            }
            self.lu.solve(&mut self.rhs[..k]);
            for (a, &i) in self.chosen.iter().enumerate() {
                z[i] += self.rhs[a] * self.col_scale[i];
            }
        }
        if max_abs(z).is_finite() { status } else { LemkeStatus::Numerical }
    }
}
