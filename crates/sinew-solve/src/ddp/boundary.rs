//! Conditions on both ends, by an augmented Lagrangian.
//!
//! `c(x_0, x_N) = 0` enters the cost as `yᵀc + ½ρ‖c‖²`. With the derivatives `C_0, C_N` of `c` and `z = y + ρc`
//! its Gauss-Newton form in the tangents `(p, ξ)` of the two ends is
//!
//! ```text
//! zᵀ(C_0 p + C_N ξ) + ½ρ‖C_0 p + C_N ξ‖²
//! ```
//!
//! which adds `ρC_NᵀC_N` to the Hessian at the end, couples the ends by `T = ρC_NᵀC_0`, and leaves `U = ρC_0ᵀC_0`
//! and `t = C_0ᵀz` on the first state alone: the terms that [`Border`](crate::riccati::Border) carries back.
//! Source: Nocedal and Wright, *Numerical Optimization*, 2nd ed., section 17.3.

use super::problem::Problem;
use crate::dense::gemm::{Mat, MatMut, Packing, Update};
use crate::dense::{dot, max_abs};
use crate::riccati::Terminal;

/// Multipliers, weight and derivatives of the conditions.
#[derive(Clone, Debug)]
pub(super) struct Boundary {
    n: usize,
    pub(super) multipliers: Vec<f64>,
    pub(super) penalty: f64,
    pub(super) value: Vec<f64>,
    /// Violation when the multipliers were last changed.
    last_violation: f64,
    by_first: Vec<f64>,
    by_last: Vec<f64>,
    shifted: Vec<f64>,
    packing: Packing,
    /// `T`, `U` and `t`.
    pub(super) coupling: Vec<f64>,
    pub(super) first_hessian: Vec<f64>,
    pub(super) first_gradient: Vec<f64>,
}

impl Boundary {
    pub(super) fn new(conditions: usize, n: usize) -> Self {
        Self {
            n,
            multipliers: vec![0.0; conditions],
            penalty: 0.0,
            value: vec![0.0; conditions],
            last_violation: f64::INFINITY,
            by_first: vec![0.0; conditions * n],
            by_last: vec![0.0; conditions * n],
            shifted: vec![0.0; conditions],
            packing: Packing::new(n, conditions),
            coupling: vec![0.0; n * n],
            first_hessian: vec![0.0; n * n],
            first_gradient: vec![0.0; n],
        }
    }

    /// Forgets the multipliers.
    pub(super) fn reset(&mut self, penalty: f64) {
        self.multipliers.fill(0.0);
        self.penalty = penalty;
        self.last_violation = f64::INFINITY;
    }

    /// Evaluates the conditions; returns their part of the cost.
    pub(super) fn calc<P: Problem>(&mut self, problem: &P, first: &[f64], last: &[f64]) -> f64 {
        if self.value.is_empty() {
            return 0.0;
        }
        problem.boundary(first, last, &mut self.value);
        self.cost()
    }

    /// `yᵀc + ½ρ‖c‖²`
    pub(super) fn cost(&self) -> f64 {
        dot(&self.multipliers, &self.value) + 0.5 * self.penalty * dot(&self.value, &self.value)
    }

    pub(super) fn violation(&self) -> f64 {
        max_abs(&self.value)
    }

    /// Adds the terms of the end to `end`, and keeps those of the beginning.
    pub(super) fn expand<P: Problem>(
        &mut self,
        problem: &P,
        first: &[f64],
        last: &[f64],
        end: &mut Terminal,
    ) {
        let (n, m, rho) = (self.n, self.value.len(), self.penalty);
        if m == 0 {
            return;
        }
        problem.boundary(first, last, &mut self.value);
        problem.boundary_diff(first, last, &mut self.by_first, &mut self.by_last);
        for (z, (y, c)) in self.shifted.iter_mut().zip(self.multipliers.iter().zip(&self.value)) {
            *z = y + rho * c;
        }
        for j in 0..n {
            end.lx[j] += dot(&self.by_last[j * m..(j + 1) * m], &self.shifted);
            self.first_gradient[j] = dot(&self.by_first[j * m..(j + 1) * m], &self.shifted);
        }
        let (first, last) = (Mat::new(&self.by_first, m, n), Mat::new(&self.by_last, m, n));
        self.packing.product(Update::Set, last.t(), first, MatMut::new(&mut self.coupling, n, n));
        self.packing.product(Update::Set, first.t(), first, MatMut::new(&mut self.first_hessian, n, n));
        self.coupling.iter_mut().chain(&mut self.first_hessian).for_each(|v| *v *= rho);
        // ρC_NᵀC_N through scaled copies of the derivatives
        let root = rho.sqrt();
        self.by_last.iter_mut().for_each(|v| *v *= root);
        let last = Mat::new(&self.by_last, m, n);
        self.packing.product_lower(Update::Add, last.t(), last, MatMut::new(&mut end.lxx, n, n));
    }

    /// First-order update of the multipliers; the weight grows when the violation has not fallen to a quarter.
    pub(super) fn update(&mut self, max_penalty: f64) {
        for (y, c) in self.multipliers.iter_mut().zip(&self.value) {
            *y += self.penalty * c;
        }
        let violation = self.violation();
        if violation > 0.25 * self.last_violation {
            self.penalty = (10.0 * self.penalty).min(max_penalty);
        }
        self.last_violation = violation;
    }
}
