//! A warm start whose guess is right: the answer from one system of linear equations, without the factors that taking
//! constraints in and out would need.
//!
//! With the active normals V = [vᵢ] the nearest point to y₀ on all of them is y = y₀ + V u with (VᵀV) u = β − Vᵀy₀. The
//! guess is right when all multipliers of inequalities are ≥ 0 and no other constraint is violated, and both can be
//! seen from u and y alone: Q is not needed. Against taking the constraints in one by one this saves the half of the
//! orthogonalisation that makes Q, and the products come in blocks.
//!
//! VᵀV squares the condition of V. So a guess with nearly dependent normals is left to the careful way, and the point
//! is corrected once by what the active constraints miss at x. Whenever something speaks against the guess nothing is
//! decided here: the method starts from the same guess as usual.
//!
//! Source: the range-space method of Gill, Murray and Wright, Practical Optimization, 1981, 5.4.

use super::active_set::{Active, ActiveSet, Limits, Mark};
use super::constraints::Constraints;
use super::pricing::MISSED;
use super::space::Definite;
use crate::dense::vector::{axpy, gemv_add, gemv_t};
use crate::dense::{Cholesky, ROWS};

/// Share of a squared normal that must lie outside the span of those before it.
const INDEPENDENT: f64 = 1e-6;

/// Entries up to which products are made one by one.
const SHORT: usize = 8;

/// Normals of the guessed constraints and their products.
#[derive(Clone, Debug)]
pub(super) struct Guessed {
    normals: Vec<f64>,
    /// Some of them, by rows.
    rows: Vec<[f64; ROWS]>,
    support: Vec<(usize, usize)>,
    products: Vec<f64>,
    factor: Cholesky,
}

impl Guessed {
    /// Room for `most` normals of `len` entries.
    pub(super) fn with_capacity(len: usize, most: usize) -> Self {
        Self {
            normals: vec![0.0; len * most],
            rows: vec![[0.0; ROWS]; len],
            support: Vec::with_capacity(most),
            products: vec![0.0; most * most],
            factor: Cholesky::with_capacity(most),
        }
    }

    /// Turns normals in x into normals in y, several at a time.
    fn transform(&mut self, len: usize, space: &Definite) {
        for (support, normals) in
            self.support.chunks_mut(ROWS).zip(self.normals.chunks_mut((ROWS * len).max(1)))
        {
            let first = joined(support).0;
            let rows = &mut self.rows[..len];
            rows.fill([0.0; ROWS]);
            for (c, normal) in normals.chunks_exact(len).take(support.len()).enumerate() {
                rows[first..].iter_mut().zip(&normal[first..]).for_each(|(row, v)| row[c] = *v);
            }
            let end = space.factor.forward_rows(first, rows);
            for (c, normal) in normals.chunks_exact_mut(len).take(support.len()).enumerate() {
                normal[first..].iter_mut().zip(&rows[first..]).for_each(|(v, row)| *v = row[c]);
            }
            for (s, normal) in support.iter_mut().zip(normals.chunks_exact(len)) {
                s.1 = s.0
                    + normal[s.0..end.max(s.0)].iter().rposition(|v| *v != 0.0).map_or(0, |last| last + 1);
            }
        }
    }

    /// The lower triangle of VᵀV; entries where no two normals meet cost nothing.
    fn multiply(&mut self, len: usize) {
        let q = self.support.len();
        for j in 0..q {
            let (from, to) = self.support[j];
            let v = &self.normals[j * len..(j + 1) * len];
            let column = &mut self.products[j * q..(j + 1) * q];
            for i in (j..q).step_by(4) {
                let width = 4.min(q - i);
                let (a, b) = joined(&self.support[i..i + width]);
                let (a, b) = (a.max(from), b.min(to));
                let out = &mut column[i..i + width];
                if a + SHORT < b {
                    gemv_t(&self.normals[i * len + a..], len, &v[a..b], out);
                } else {
                    // the normal of a bound has few entries
                    for (out, w) in out.iter_mut().zip(self.normals[i * len..].chunks_exact(len)) {
                        *out = (a..b).map(|k| v[k] * w[k]).sum();
                    }
                }
            }
        }
    }

    /// out ← β − Vᵀy for `out` = β.
    fn subtract_products(&self, len: usize, y: &[f64], out: &mut [f64]) {
        let q = out.len();
        let mut values = [0.0; 4];
        for k in (0..q).step_by(4) {
            let width = 4.min(q - k);
            let (a, b) = joined(&self.support[k..k + width]);
            gemv_t(&self.normals[k * len + a..], len, &y[a..b], &mut values[..width]);
            axpy(-1.0, &values[..width], &mut out[k..k + width]);
        }
    }

    /// y ← y + V u.
    fn add_combination(&self, len: usize, u: &[f64], y: &mut [f64]) {
        for k in (0..u.len()).step_by(4) {
            let width = 4.min(u.len() - k);
            let (a, b) = joined(&self.support[k..k + width]);
            gemv_add(1.0, &self.normals[k * len + a..], len, &u[k..k + width], &mut y[a..b]);
        }
    }
}

/// The range that holds all ranges.
fn joined(ranges: &[(usize, usize)]) -> (usize, usize) {
    ranges.iter().fold((usize::MAX, 0), |(a, b), r| (a.min(r.0), b.max(r.1)))
}

impl ActiveSet {
    /// Solves with exactly the guessed constraints (bounds first, then rows) and the equalities active. True when that
    /// is the answer; otherwise the method has to be started.
    pub(crate) fn holds(
        &mut self,
        space: &mut Definite,
        constraints: &Constraints<'_>,
        guess: impl Iterator<Item = (usize, f64)> + Clone,
        limits: &Limits,
    ) -> bool {
        if guess.clone().next().is_none() {
            return false;
        }
        self.begin(space, constraints);
        self.tolerance = limits.feasibility;
        self.has_factors = false;
        let equalities = constraints.equality_count();
        let bounds_from = equalities + constraints.row_count();
        let bounds = guess.clone().filter(|g| g.0 >= bounds_from);
        let rows = guess.filter(|g| g.0 < bounds_from);
        let all = bounds.chain((0..equalities).map(|id| (id, 1.0))).chain(rows);
        let mut guessed = std::mem::replace(&mut self.guessed, Guessed::with_capacity(0, 0));
        let right = self.gather(&mut guessed, space, constraints, all)
            && self.solve_guessed(&mut guessed)
            && self.is_answer(&mut guessed, space, constraints, limits);
        self.guessed = guessed;
        right
    }

    /// Loads the normals and makes their constraints the active ones. False when one cannot be used.
    fn gather(
        &mut self,
        guessed: &mut Guessed,
        space: &Definite,
        constraints: &Constraints<'_>,
        all: impl Iterator<Item = (usize, f64)>,
    ) -> bool {
        let (n, len) = (constraints.n, self.len);
        guessed.support.clear();
        for (id, side) in all {
            let k = self.active.len();
            let beta = constraints.target(id, side);
            if k == n || !beta.is_finite() {
                return false;
            }
            let column = &mut guessed.normals[k * len..(k + 1) * len];
            let first = constraints.normal(id, side, &mut column[..n]);
            column[n..].fill(0.0);
            guessed.support.push((first, n));
            let locked = constraints.is_fixed(id);
            self.active.push(Active { id, side, beta, norm: 0.0, locked });
            if let Some(k) = id.checked_sub(constraints.equality_count()) {
                self.mark[k] = Mark::Active;
            }
        }
        guessed.transform(len, space);
        true
    }

    /// u and y. False when normals nearly depend on each other or a multiplier has the wrong sign.
    fn solve_guessed(&mut self, guessed: &mut Guessed) -> bool {
        let (len, q) = (self.len, self.active.len());
        guessed.multiply(len);
        for (k, active) in self.active.iter_mut().enumerate() {
            active.norm = guessed.products[k * (q + 1)].sqrt();
            self.u[k] = active.beta;
        }
        if guessed.factor.factor_above(q, &guessed.products[..q * q], INDEPENDENT).is_err() {
            return false;
        }
        guessed.subtract_products(len, &self.y0[..len], &mut self.u[..q]);
        guessed.factor.solve(&mut self.u[..q]);
        self.y[..len].copy_from_slice(&self.y0[..len]);
        guessed.add_combination(len, &self.u[..q], &mut self.y[..len]);
        self.right_signs()
    }

    fn right_signs(&self) -> bool {
        // written so that a NaN is wrong
        self.active.iter().zip(&self.u).all(|(a, u)| a.locked || *u >= 0.0)
    }

    /// Whether no other constraint is violated and the active ones are met.
    fn is_answer(
        &mut self,
        guessed: &mut Guessed,
        space: &mut Definite,
        constraints: &Constraints<'_>,
        limits: &Limits,
    ) -> bool {
        let (len, q) = (self.len, self.active.len());
        for corrected in [false, true] {
            if !self.price(space, constraints, limits, 0.0) || !self.queue.is_empty() {
                return false;
            }
            if self.misses(constraints) <= MISSED {
                return true;
            }
            if !corrected {
                guessed.factor.solve(&mut self.r[..q]);
                axpy(1.0, &self.r[..q], &mut self.u[..q]);
                guessed.add_combination(len, &self.r[..q], &mut self.y[..len]);
                if !self.right_signs() {
                    return false;
                }
            }
        }
        false
    }
}
