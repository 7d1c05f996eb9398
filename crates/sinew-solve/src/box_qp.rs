//! Quadratic programs with bounds only: minimise `½xᵀHx + gᵀx` subject to `lo ≤ x ≤ hi`, with `H` positive
//! definite.
//!
//! Projected Newton (Bertsekas, "Projected Newton methods for optimization problems with simple constraints", SIAM
//! J. Control Optim. 20, 1982; in the form of Tassa, Mansard and Todorov, "Control-limited differential dynamic
//! programming", ICRA 2014): variables that rest on a bound with the gradient pushing outwards are held, the
//! others take a Newton step, and the step is shortened along its projection onto the box until the cost falls
//! enough. The set of held variables settles after a few rounds, and then one step is exact. Each round costs a
//! Cholesky factorisation of the free block.
//!
//! Differential dynamic programming and Levenberg-Marquardt solve one of these per stage or step.

use crate::dense::{Cholesky, dot};

/// How a solve ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoxQpStatus {
    /// The gradient vanishes on the free variables.
    Solved,
    /// The free block of `H` is not positive definite.
    NotConvex,
    /// The iteration cap was met; the point is feasible and no worse than the start.
    IterationLimit,
}

/// Workspace for problems of up to a given size.
///
/// ```
/// use sinew_solve::box_qp::{BoxQp, BoxQpStatus};
/// let mut qp = BoxQp::new(2);
/// let mut x = [0.0, 0.0];
/// let status = qp.solve(&[2.0, 0.0, 0.0, 2.0], &[-4.0, -1.0], &[0.0, 0.0], &[1.0, 1.0], &mut x);
/// assert_eq!(status, BoxQpStatus::Solved);
/// assert!(x[0] == 1.0 && (x[1] - 0.5).abs() < 1e-15);
/// assert_eq!(qp.held(), [true, false]);
/// ```
#[derive(Clone, Debug)]
pub struct BoxQp {
    /// Cap on the number of rounds.
    pub max_iterations: usize,
    held: Vec<bool>,
    gradient: Vec<f64>,
    step: Vec<f64>,
    trial: Vec<f64>,
    block: Vec<f64>,
    free: Vec<usize>,
    cholesky: Cholesky,
}

impl BoxQp {
    /// Room for `n` variables.
    pub fn new(n: usize) -> Self {
        Self {
            max_iterations: 100,
            held: Vec::with_capacity(n),
            gradient: vec![0.0; n],
            step: vec![0.0; n],
            trial: vec![0.0; n],
            block: vec![0.0; n * n],
            free: Vec::with_capacity(n),
            cholesky: Cholesky::with_capacity(n),
        }
    }

    /// Which variables of the last solution rest on a bound.
    pub fn held(&self) -> &[bool] {
        &self.held
    }

    /// Minimises from the start `x`. Of `h`, n × n, the lower triangle is read; bounds may be infinite.
    ///
    /// # Panics
    /// When the sizes differ, or exceed the capacity.
    pub fn solve(&mut self, h: &[f64], g: &[f64], lo: &[f64], hi: &[f64], x: &mut [f64]) -> BoxQpStatus {
        let n = x.len();
        assert!(h.len() == n * n && g.len() == n && lo.len() == n && hi.len() == n, "sizes of a bounded QP");
        clamp(x, lo, hi);
        self.held.clear();
        self.held.resize(n, false);
        let mut cost = self.value_and_gradient(h, g, x);
        for _ in 0..self.max_iterations {
            // held: on a bound, and the gradient pushes outwards
            self.free.clear();
            for i in 0..n {
                let out =
                    (x[i] <= lo[i] && self.gradient[i] > 0.0) || (x[i] >= hi[i] && self.gradient[i] < 0.0);
                self.held[i] = out;
                if !out {
                    self.free.push(i);
                }
            }
            // Newton step on the free variables
            let m = self.free.len();
            for (b, &j) in self.free.iter().enumerate() {
                for (a, &i) in self.free.iter().enumerate().skip(b) {
                    self.block[b * m + a] = h[j * n + i];
                }
                self.step[b] = -self.gradient[j];
            }
            if self.cholesky.factor(m, &self.block[..m * m]).is_err() {
                return BoxQpStatus::NotConvex;
            }
            self.cholesky.solve(&mut self.step[..m]);
            // predicted decrease of the cost: small beside the rounding error of the cost itself
            let slope: f64 = self.free.iter().zip(&self.step).map(|(&i, s)| self.gradient[i] * s).sum();
            if -slope <= 1e-15 * (cost.abs() + f64::MIN_POSITIVE) {
                return BoxQpStatus::Solved;
            }
            let Some(next) = self.search(h, g, lo, hi, x, cost, slope) else { return BoxQpStatus::Solved };
            cost = next;
        }
        BoxQpStatus::IterationLimit
    }

    /// Shortens the projected step until the cost falls enough; `None` when rounding hides any further decrease.
    fn search(
        &mut self,
        h: &[f64],
        g: &[f64],
        lo: &[f64],
        hi: &[f64],
        x: &mut [f64],
        cost: f64,
        slope: f64,
    ) -> Option<f64> {
        let n = x.len();
        let mut length = 1.0;
        while length > 1e-12 {
            self.trial[..n].copy_from_slice(x);
            for (&i, s) in self.free.iter().zip(&self.step) {
                self.trial[i] += length * s;
            }
            clamp(&mut self.trial[..n], lo, hi);
            let trial = std::mem::take(&mut self.trial);
            let next = self.value_and_gradient(h, g, &trial[..n]);
            self.trial = trial;
            if next <= cost + 0.1 * length * slope {
                x.copy_from_slice(&self.trial[..n]);
                return Some(next);
            }
            length *= 0.6;
        }
        self.value_and_gradient(h, g, x);
        None
    }

    fn value_and_gradient(&mut self, h: &[f64], g: &[f64], x: &[f64]) -> f64 {
        let n = x.len();
        let gradient = &mut self.gradient[..n];
        gradient.fill(0.0);
        symmetric_add(h, x, gradient);
        let quadratic = 0.5 * dot(gradient, x);
        gradient.iter_mut().zip(g).for_each(|(a, b)| *a += b);
        quadratic + dot(g, x)
    }
}

fn clamp(x: &mut [f64], lo: &[f64], hi: &[f64]) {
    for (x, (lo, hi)) in x.iter_mut().zip(lo.iter().zip(hi)) {
        *x = x.max(*lo).min(*hi);
    }
}

/// `y ← y + A x` for a symmetric `A` of which the lower triangle is read.
pub(crate) fn symmetric_add(a: &[f64], x: &[f64], y: &mut [f64]) {
    let n = x.len();
    for j in 0..n {
        let below = &a[j * n + j + 1..(j + 1) * n];
        y[j] += a[j * n + j] * x[j] + dot(below, &x[j + 1..]);
        crate::dense::axpy(x[j], below, &mut y[j + 1..]);
    }
}
