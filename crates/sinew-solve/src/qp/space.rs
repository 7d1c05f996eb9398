//! Coordinates in which the objective of a QP is a squared distance.
//!
//! Writing x = x̂ + By with a B such that the objective becomes ½‖y − y₀‖² + const turns the QP into: find the
//! point of a polyhedron nearest to y₀. A constraint aᵀx ≥ β becomes vᵀy ≥ β − aᵀx̂ with v = Bᵀa. The active-set
//! method works in y and asks its space for three things only: v for a given a, x for a given y, and aᵀx̂.
//!
//! - [`Definite`]: the Hessian has a Cholesky factor, P = LLᵀ; y = Lᵀx, B = L⁻ᵀ, x̂ = 0.
//! - [`Split`]: the objective ½‖Ax − b‖² sees only the row space of A, given by a complete orthogonal decomposition
//!   with ‖Ax − b‖ = ‖T Yᵀx − c‖ + const. Some directions E may be decided already (Eᵀx given: x̂ lies in their
//!   span). What is neither in E nor in Y costs nothing; these directions f get the small curvature ε² around a
//!   centre that the caller moves until it no longer matters (proximal point iteration). y = (T Yᵀx, εf), where f
//!   is kept as a vector of length n, orthogonal to E and Y: no basis of the complement is needed, because scalar
//!   products are all that the method looks at.

use crate::dense::orthonormal::Orthonormal;
use crate::dense::vector::{axpy, dot, gemv_add, gemv_t, norm};
use crate::dense::{Cholesky, CompleteOrthogonal};
use std::ops::Range;

/// The three questions of the active-set method.
pub(crate) trait Space {
    /// Number of coordinates, a multiple of four.
    fn len(&self) -> usize;
    /// v ← Bᵀa, where a is zero before `first`; returns where v can be other than zero, and the share of a that is
    /// not decided.
    fn normal(&mut self, a: &[f64], first: usize, v: &mut [f64]) -> (Range<usize>, f64);
    /// x ← x̂ + By.
    fn point(&mut self, y: &[f64], x: &mut [f64]);
    /// aᵀx̂.
    fn offset(&self, a: &[f64]) -> f64;
    /// Relative rounding error to expect in v.
    fn noise(&self) -> f64;
}

/// y = Lᵀx for P = LLᵀ.
#[derive(Clone, Debug)]
pub(crate) struct Definite {
    pub(crate) factor: Cholesky,
    scratch: Vec<f64>,
}

impl Definite {
    pub(crate) fn with_capacity(n: usize) -> Self {
        Self { factor: Cholesky::with_capacity(n), scratch: vec![0.0; crate::dense::padded(n)] }
    }

    /// y₀ ← −L⁻¹g, the unconstrained minimum of ½xᵀPx + gᵀx.
    pub(crate) fn centre(&self, g: &[f64], y0: &mut [f64]) {
        y0.fill(0.0);
        for (y, g) in y0.iter_mut().zip(g) {
            *y = -g;
        }
        self.factor.forward_padded(0, &mut y0[..self.factor.padded_len()]);
    }
}

impl Space for Definite {
    fn len(&self) -> usize {
        self.factor.padded_len()
    }

    fn normal(&mut self, a: &[f64], first: usize, v: &mut [f64]) -> (Range<usize>, f64) {
        let n = a.len();
        v[..n].copy_from_slice(a);
        v[n..self.factor.padded_len()].fill(0.0);
        (first..self.factor.forward_padded(first, v), 1.0)
    }

    fn point(&mut self, y: &[f64], x: &mut [f64]) {
        let len = self.len();
        self.scratch[..len].copy_from_slice(&y[..len]);
        self.factor.backward_padded(&mut self.scratch[..len]);
        let n = x.len();
        x.copy_from_slice(&self.scratch[..n]);
    }

    fn offset(&self, _a: &[f64]) -> f64 {
        0.0
    }

    fn noise(&self) -> f64 {
        16.0 * f64::EPSILON * (16.0 + self.factor.diagonal_ratio())
    }
}

/// y = (T Yᵀx, εf) beside decided directions.
#[derive(Clone, Debug)]
pub(crate) struct Split {
    n: usize,
    /// The decided directions E, followed by the columns of Y.
    pub(crate) basis: Orthonormal,
    /// How many columns of the basis are decided.
    decided: usize,
    /// Whether directions are left that neither E nor Y holds.
    has_free: bool,
    pub(crate) cod: CompleteOrthogonal,
    /// The part of x that the decided directions fix.
    pub(crate) x_hat: Vec<f64>,
    pub(crate) epsilon: f64,
    d: Vec<f64>,
    free: Vec<f64>,
}

/// Curvature of the free directions relative to the largest one of the objective (square root of it).
const FREE_CURVATURE: f64 = 1e-3;

/// Share of a normal below which what the objective sees of it counts as rounding errors.
const ROUNDING: f64 = 1e-13;

/// Share of a normal outside the decided directions up to which the constraint counts as decided.
const DECIDED: f64 = 1e-8;

impl Split {
    /// Room for `n` variables and objectives of up to `m` rows.
    pub(crate) fn with_capacity(n: usize, m: usize) -> Self {
        Self {
            n: 0,
            basis: Orthonormal::with_capacity(n),
            decided: 0,
            has_free: false,
            cod: CompleteOrthogonal::with_capacity(m, n),
            x_hat: vec![0.0; n],
            epsilon: 1.0,
            d: vec![0.0; n],
            free: vec![0.0; n],
        }
    }

    /// Largest number of coordinates for n variables.
    pub(crate) const fn longest(n: usize) -> usize {
        crate::dense::padded(2 * n)
    }

    /// Forgets everything; problems of `n` variables follow.
    pub(crate) fn clear(&mut self, n: usize) {
        self.n = n;
        self.basis.clear(n);
        self.decided = 0;
        self.x_hat[..n].fill(0.0);
    }

    /// Takes the objective whose rows were decomposed in `cod`. They must be free of the decided directions.
    pub(crate) fn take_objective(&mut self, scale: f64) {
        self.decided = self.basis.len();
        let n = self.n;
        for k in 0..self.cod.rank() {
            self.cod.basis(k, &mut self.free[..n]);
            // Of unit length and orthogonal to the rest up to rounding: this only polishes it.
            self.basis.push(&mut self.free[..n], 0.0);
        }
        self.has_free = self.basis.len() < n;
        let largest = self.largest_curvature();
        let scale = if scale > 0.0 { scale } else { 1.0 };
        self.epsilon = FREE_CURVATURE * if largest > 0.0 { largest } else { scale };
    }

    /// The largest entry of the diagonal of T.
    pub(crate) fn largest_curvature(&self) -> f64 {
        let (t, ld) = self.cod.triangle();
        (0..self.cod.rank()).fold(0.0, |m, k| t[k * ld + k].abs().max(m))
    }

    /// Rank of the objective.
    pub(crate) fn rank(&self) -> usize {
        self.cod.rank()
    }

    /// Where the free coordinates are in y.
    pub(crate) fn free_range(&self) -> Range<usize> {
        let r = self.rank();
        r..if self.has_free { r + self.n } else { r }
    }
}

impl Space for Split {
    fn len(&self) -> usize {
        crate::dense::padded(self.free_range().end)
    }

    fn normal(&mut self, a: &[f64], _first: usize, v: &mut [f64]) -> (Range<usize>, f64) {
        let (n, q, r) = (self.n, self.decided, self.rank());
        let len = self.len();
        v[..len].fill(0.0);
        let whole = norm(a);
        gemv_t(&self.basis.columns()[q * n..], n, a, &mut v[..r]);
        let mut seen = norm(&v[..r]);
        // Of a normal in the span of the decided directions only errors are left, which T⁻ᵀ must not blow up.
        if seen <= ROUNDING * whole {
            v[..r].fill(0.0);
            seen = 0.0;
        }
        self.cod.solve_triangle_transposed(&mut v[..r]);
        let mut left = 0.0;
        if self.has_free {
            let free = &mut v[r..r + n];
            free.copy_from_slice(a);
            left = self.basis.remove_from(free);
            let inverse = 1.0 / self.epsilon;
            for f in free {
                *f *= inverse;
            }
        }
        let share = if whole > 0.0 { (seen + left) / whole } else { 0.0 };
        if share <= DECIDED {
            v[..len].fill(0.0);
        }
        (0..len, share)
    }

    fn point(&mut self, y: &[f64], x: &mut [f64]) {
        let (n, q, r) = (self.n, self.decided, self.rank());
        x.copy_from_slice(&self.x_hat[..n]);
        self.d[..r].copy_from_slice(&y[..r]);
        self.cod.solve_triangle(&mut self.d[..r]);
        gemv_add(1.0, &self.basis.columns()[q * n..], n, &self.d[..r], x);
        if self.has_free {
            // Rounding errors of y outside the free directions mean nothing, and must not reach x.
            let free = &mut self.free[..n];
            free.copy_from_slice(&y[r..r + n]);
            self.basis.remove_from(free);
            axpy(1.0 / self.epsilon, free, x);
        }
    }

    fn offset(&self, a: &[f64]) -> f64 {
        dot(a, &self.x_hat[..self.n])
    }

    fn noise(&self) -> f64 {
        let (t, ld) = self.cod.triangle();
        let (low, high) = (0..self.rank())
            .map(|k| t[k * ld + k].abs())
            .fold((f64::INFINITY, 0.0f64), |(l, h), v| (l.min(v), h.max(v)));
        let ratio = if high > 0.0 { high / low } else { 1.0 };
        16.0 * f64::EPSILON * (16.0 + ratio)
    }
}
