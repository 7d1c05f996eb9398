//! The discrete algebraic Riccati equation, by doubling.
//!
//! The stabilising solution `X` of
//!
//! ```text
//! X = AᵀXA − (AᵀXB + S)(R + BᵀXB)⁻¹(BᵀXA + Sᵀ) + Q
//! ```
//!
//! is the Hessian of the cost to go over an infinite horizon, and `u = Kx`, `K = −(R + BᵀXB)⁻¹(BᵀXA + Sᵀ)`, the
//! law that stabilises `x⁺ = Ax + Bu`. The cross term is removed first, `A ← A − BR⁻¹Sᵀ`, `Q ← Q − SR⁻¹Sᵀ`; then,
//! with `G = BR⁻¹Bᵀ` and `H = Q`,
//!
//! ```text
//! W = I + G H,   A ← A W⁻¹ A,   G ← G + A W⁻¹ G Aᵀ,   H ← H + Aᵀ H W⁻¹ A
//! ```
//!
//! covers 2, 4, 8 … steps of the recursion at a time: `H → X` quadratically, and `A` → 0, when (A, B) can be
//! stabilised and (A, Q) has no undetectable mode on the unit circle. Cost: about `12 n³` flops per doubling, some
//! ten doublings.
//!
//! Source: Chu, Fan, Lin and Wang, "Structure-preserving algorithms for periodic discrete-time algebraic Riccati
//! equations", Int. J. Control 77 (2004) 767-788.

use super::recursion::mirror;
use crate::dense::gemm::{Mat, MatMut, Packing, Update};
use crate::dense::{Cholesky, Lu, max_abs};

/// How the iteration ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DareStatus {
    /// `X` is the stabilising solution.
    Solved,
    /// `X` solves the equation, but the closed loop keeps a mode on the unit circle.
    Marginal,
    /// `R` is not positive definite.
    NotConvex,
    /// No stabilising solution was found: (A, B) cannot be stabilised, or the data is not finite.
    Diverged,
}

/// The infinite-horizon law.
#[derive(Clone, Debug)]
pub struct Dare {
    /// How the iteration ended; `x` and `gain` mean something after `Solved` and `Marginal` only.
    pub status: DareStatus,
    /// `X`, nx × nx, column-major.
    pub x: Vec<f64>,
    /// `K`, nu × nx, column-major; `u = Kx`.
    pub gain: Vec<f64>,
    /// Largest entry of the equation's residual, relative to the largest of `X`.
    pub residual: f64,
    /// Doublings.
    pub iterations: usize,
}

/// Doublings after which a mode that has not decayed counts as lying on the unit circle.
const MAX_DOUBLINGS: usize = 60;

/// Solves the discrete algebraic Riccati equation. Matrices are column-major: `a`, `q` nx × nx, `b` and `s` (if
/// any) nx × nu, `r` nu × nu.
///
/// ```
/// use sinew_solve::riccati::{DareStatus, dare};
/// let law = dare(1, 1, &[1.0], &[1.0], &[1.0], &[1.0], None);
/// assert_eq!(law.status, DareStatus::Solved);
/// let golden = (1.0 + 5f64.sqrt()) / 2.0;
/// assert!((law.x[0] - golden).abs() < 1e-14 && (law.gain[0] + golden - 1.0).abs() < 1e-14);
/// ```
///
/// # Panics
/// When a slice has the wrong length.
pub fn dare(nx: usize, nu: usize, a: &[f64], b: &[f64], q: &[f64], r: &[f64], s: Option<&[f64]>) -> Dare {
    let (n, m) = (nx, nu);
    assert!(a.len() == n * n && b.len() == n * m && q.len() == n * n && r.len() == m * m, "sizes of a DARE");
    assert!(s.is_none_or(|s| s.len() == n * m), "sizes of a DARE");
    let mut out = Dare {
        status: DareStatus::Diverged,
        x: vec![0.0; n * n],
        gain: vec![0.0; m * n],
        residual: f64::NAN,
        iterations: 0,
    };
    let mut cholesky = Cholesky::with_capacity(m);
    if cholesky.factor(m, r).is_err() {
        out.status = DareStatus::NotConvex;
        return out;
    }
    // G = (BL⁻ᵀ)(BL⁻ᵀ)ᵀ, and the cross term out of A and Q
    let product = |update: Update<'_>, a: Mat<'_>, b: Mat<'_>, c: &mut [f64]| {
        let (rows, cols) = (a.rows(), b.cols());
        Packing::new(rows, a.cols()).product(update, a, b, MatMut::new(c, rows, cols));
    };
    let bw = whitened(&mut cholesky, b, n, m);
    let (mut a_k, mut h, mut g) = (a.to_vec(), q.to_vec(), vec![0.0; n * n]);
    product(Update::Set, Mat::new(&bw, m, n).t(), Mat::new(&bw, m, n), &mut g);
    if let Some(s) = s {
        let sw = whitened(&mut cholesky, s, n, m);
        let sw = Mat::new(&sw, m, n);
        product(Update::Subtract, Mat::new(&bw, m, n).t(), sw, &mut a_k);
        product(Update::Subtract, sw.t(), sw, &mut h);
    }
    // doubling
    let square = || vec![0.0; n * n];
    let (mut w, mut wa, mut wg, mut t) = (square(), square(), square(), square());
    let mut lu = Lu::with_capacity(n);
    let mut settled = false;
    for k in 0..MAX_DOUBLINGS {
        product(Update::Set, Mat::new(&g, n, n), Mat::new(&h, n, n), &mut w);
        (0..n).for_each(|i| w[i * (n + 1)] += 1.0);
        if !lu.factor(n, &w) {
            return out;
        }
        wa.copy_from_slice(&a_k);
        wa.chunks_exact_mut(n.max(1)).for_each(|c| lu.solve(c));
        wg.copy_from_slice(&g);
        wg.chunks_exact_mut(n.max(1)).for_each(|c| lu.solve(c));
        // H + Aᵀ H W⁻¹A
        product(Update::Set, Mat::new(&h, n, n), Mat::new(&wa, n, n), &mut t);
        product(Update::Set, Mat::new(&a_k, n, n).t(), Mat::new(&t, n, n), &mut w);
        let change = max_abs(&w);
        h.iter_mut().zip(&w).for_each(|(h, d)| *h += d);
        symmetrise(&mut h, n);
        // G + A W⁻¹G Aᵀ
        product(Update::Set, Mat::new(&a_k, n, n), Mat::new(&wg, n, n), &mut t);
        product(Update::Add, Mat::new(&t, n, n), Mat::new(&a_k, n, n).t(), &mut g);
        symmetrise(&mut g, n);
        // A W⁻¹A
        product(Update::Set, Mat::new(&a_k, n, n), Mat::new(&wa, n, n), &mut t);
        std::mem::swap(&mut a_k, &mut t);
        out.iterations = k + 1;
        if !(change.is_finite() && h.iter().chain(&a_k).all(|v| v.is_finite())) {
            return out;
        }
        if change <= 1e-15 * max_abs(&h) {
            settled = true;
            break;
        }
    }
    if !settled {
        return out;
    }
    let decayed = max_abs(&a_k) < 1e-3;
    out.status = if decayed { DareStatus::Solved } else { DareStatus::Marginal };
    out.x = h;
    law(&mut out, n, m, a, b, q, r, s);
    out
}

/// The gain of `X`, and the residual of the equation with the data as given.
fn law(out: &mut Dare, n: usize, m: usize, a: &[f64], b: &[f64], q: &[f64], r: &[f64], s: Option<&[f64]>) {
    let mut packing = Packing::new(n.max(m), n.max(m));
    let (a, b, x) = (Mat::new(a, n, n), Mat::new(b, n, m), Mat::new(&out.x, n, n));
    let (mut xa, mut xb) = (vec![0.0; n * n], vec![0.0; n * m]);
    packing.product(Update::Set, x, a, MatMut::new(&mut xa, n, n));
    packing.product(Update::Set, x, b, MatMut::new(&mut xb, n, m));
    let (mut huu, mut hux) = (r.to_vec(), s.map_or_else(|| vec![0.0; m * n], |s| transposed(s, n, m)));
    packing.product(Update::Add, b.t(), Mat::new(&xb, n, m), MatMut::new(&mut huu, m, m));
    packing.product(Update::Add, b.t(), Mat::new(&xa, n, n), MatMut::new(&mut hux, m, n));
    let mut cholesky = Cholesky::with_capacity(m);
    if cholesky.factor(m, &huu).is_err() {
        out.status = DareStatus::Diverged;
        return;
    }
    out.gain.copy_from_slice(&hux);
    for column in out.gain.chunks_exact_mut(m.max(1)) {
        cholesky.solve(column);
        column.iter_mut().for_each(|v| *v = -*v);
    }
    // Q + AᵀXA + Hᵀ_ux K − X
    let mut residual = q.to_vec();
    mirror(&mut residual, n);
    packing.product(Update::Add, a.t(), Mat::new(&xa, n, n), MatMut::new(&mut residual, n, n));
    packing.product(
        Update::Add,
        Mat::new(&hux, m, n).t(),
        Mat::new(&out.gain, m, n),
        MatMut::new(&mut residual, n, n),
    );
    residual.iter_mut().zip(&out.x).for_each(|(r, x)| *r -= x);
    out.residual = max_abs(&residual) / max_abs(&out.x).max(f64::MIN_POSITIVE);
}

/// `L⁻¹Bᵀ`, m × n, with the factor `L` of `R`.
fn whitened(cholesky: &mut Cholesky, b: &[f64], n: usize, m: usize) -> Vec<f64> {
    let mut w = transposed(b, n, m);
    w.chunks_exact_mut(m.max(1)).for_each(|row| cholesky.forward(row));
    w
}

/// The transpose of an n × m matrix.
fn transposed(a: &[f64], n: usize, m: usize) -> Vec<f64> {
    let a = Mat::new(a, n, m);
    (0..n * m).map(|k| a.get(k / m, k % m)).collect()
}

/// The mean of a matrix and its transpose.
fn symmetrise(a: &mut [f64], n: usize) {
    for j in 0..n {
        for i in j + 1..n {
            let mean = 0.5 * (a[j * n + i] + a[i * n + j]);
            (a[j * n + i], a[i * n + j]) = (mean, mean);
        }
    }
}
