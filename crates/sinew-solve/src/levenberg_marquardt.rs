//! Non-linear least squares with bounds, by the method of Levenberg and Marquardt: inverse kinematics, fitting,
//! calibration.
//!
//! # Method
//! Minimise `½‖r(x)‖²`. Each step solves the linear least-squares problem `r + J δ` with damping, within the
//! bounds of the step,
//!
//! ```text
//! minimise ½‖r + J δ‖² + ½λ‖δ‖²   subject to   lo ≤ δ ≤ hi
//! ```
//!
//! as a [bounded QP](crate::box_qp). The step is taken when the cost falls; the damping λ follows the ratio of
//! actual to promised decrease: it vanishes near a solution, where the method becomes Gauss-Newton's and quadratic
//! if the residual vanishes, and grows where the linear model misleads, so that a target out of reach or a
//! singular pose does no harm. `x` may live on a manifold: only [`LeastSquares::integrate`] adds to it, and the
//! bounds are those of the step.
//!
//! Cost per iteration: `mn²` for `JᵀJ` and `n³/3` per round of the QP, which is one where no bound is met. Nothing
//! is allocated after [`LevenbergMarquardt::new`].
//!
//! Source: Madsen, Nielsen and Tingleff, *Methods for non-linear least squares problems*, 2nd ed., 2004, section
//! 3.2.

use crate::box_qp::{BoxQp, BoxQpStatus};
use crate::dense::gemm::{Mat, MatMut, Packing, Update};
use crate::dense::vector::gemv_t;
use crate::dense::{dot, max_abs};

/// Least damping, relative to the largest diagonal entry of `JᵀJ`: keeps the factorisation away from singular
/// matrices.
const LEAST_DAMPING: f64 = 1e-13;

/// A residual to be made small.
pub trait LeastSquares {
    /// Numbers in `x`.
    fn nx(&self) -> usize;

    /// Numbers in a step; as many as `nx` in a vector space.
    fn ndx(&self) -> usize {
        self.nx()
    }

    /// Number of residuals.
    fn residuals(&self) -> usize;

    /// Writes the residuals at `x`.
    fn calc(&mut self, x: &[f64], r: &mut [f64]);

    /// Writes the derivatives of the residuals, `residuals` × `ndx`, column-major, at the `x` where `calc` was
    /// called last.
    fn calc_diff(&mut self, x: &[f64], jacobian: &mut [f64]);

    /// `out = x ⊕ dx`
    fn integrate(&self, x: &[f64], dx: &[f64], out: &mut [f64]) {
        out.iter_mut().zip(x.iter().zip(dx)).for_each(|(o, (x, d))| *o = x + d);
    }

    /// Writes how far each component of a step from `x` may go; infinite by default.
    fn step_bounds(&self, x: &[f64], lo: &mut [f64], hi: &mut [f64]) {
        let _ = x;
        lo.fill(f64::NEG_INFINITY);
        hi.fill(f64::INFINITY);
    }
}

/// Tolerances and limits.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Cap on steps tried.
    pub max_iterations: usize,
    /// Solved when no component of the gradient `Jᵀr` that a bound does not hold is larger.
    pub gradient_tolerance: f64,
    /// Ended when a step is smaller than this part of `x`.
    pub step_tolerance: f64,
    /// Ended when `½‖r‖²` is at most this.
    pub cost_tolerance: f64,
    /// First damping, relative to the largest diagonal entry of `JᵀJ`.
    pub damping: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            max_iterations: 100,
            gradient_tolerance: 1e-10,
            step_tolerance: 1e-12,
            cost_tolerance: 0.0,
            damping: 1e-3,
        }
    }
}

/// How a solve ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The gradient vanishes: a minimum, perhaps a local one.
    Converged,
    /// Steps became smaller than the tolerance.
    SmallStep,
    /// The cost is as small as asked for.
    SmallCost,
    /// The cap on steps was met.
    IterationLimit,
    /// Residuals or derivatives are not finite.
    NotFinite,
}

/// The end of a solve.
#[derive(Clone, Copy, Debug)]
pub struct Outcome {
    /// How it ended.
    pub status: Status,
    /// Steps tried.
    pub iterations: usize,
    /// `½‖r‖²` at the answer.
    pub cost: f64,
    /// Largest component of the gradient that a bound does not hold.
    pub gradient: f64,
}

/// Workspace for problems of one size.
///
/// ```
/// use sinew_solve::levenberg_marquardt::{LeastSquares, LevenbergMarquardt, Settings, Status};
///
/// /// A planar arm of two unit links reaches for a point.
/// struct Reach([f64; 2]);
///
/// impl LeastSquares for Reach {
///     fn nx(&self) -> usize { 2 }
///     fn residuals(&self) -> usize { 2 }
///     fn calc(&mut self, x: &[f64], r: &mut [f64]) {
///         r[0] = libm::cos(x[0]) + libm::cos(x[0] + x[1]) - self.0[0];
///         r[1] = libm::sin(x[0]) + libm::sin(x[0] + x[1]) - self.0[1];
///     }
///     fn calc_diff(&mut self, x: &[f64], j: &mut [f64]) {
///         let (s, c) = (libm::sin(x[0] + x[1]), libm::cos(x[0] + x[1]));
///         j.copy_from_slice(&[-libm::sin(x[0]) - s, libm::cos(x[0]) + c, -s, c]);
///     }
/// }
///
/// let mut solver = LevenbergMarquardt::new(2, 2, 2, Settings::default());
/// let mut x = [0.3, 0.3];
/// let outcome = solver.solve(&mut Reach([0.5, 1.2]), &mut x);
/// assert_eq!(outcome.status, Status::Converged);
/// assert!(outcome.cost < 1e-20);
/// ```
#[derive(Clone, Debug)]
pub struct LevenbergMarquardt {
    /// Tolerances and limits; may be changed between solves.
    pub settings: Settings,
    n: usize,
    m: usize,
    jacobian: Vec<f64>,
    residual: Vec<f64>,
    trial_residual: Vec<f64>,
    hessian: Vec<f64>,
    damped: Vec<f64>,
    gradient: Vec<f64>,
    step: Vec<f64>,
    trial: Vec<f64>,
    lo: Vec<f64>,
    hi: Vec<f64>,
    packing: Packing,
    qp: BoxQp,
}

impl LevenbergMarquardt {
    /// Room for `nx` numbers in `x`, `ndx` in a step, and `m` residuals.
    pub fn new(nx: usize, ndx: usize, m: usize, settings: Settings) -> Self {
        let zeros = |n| vec![0.0; n];
        Self {
            settings,
            n: ndx,
            m,
            jacobian: zeros(m * ndx),
            residual: zeros(m),
            trial_residual: zeros(m),
            hessian: zeros(ndx * ndx),
            damped: zeros(ndx * ndx),
            gradient: zeros(ndx),
            step: zeros(ndx),
            trial: zeros(nx),
            lo: zeros(ndx),
            hi: zeros(ndx),
            packing: Packing::new(ndx, m),
            qp: BoxQp::new(ndx),
        }
    }

    /// Improves `x` until the sum of squares is a minimum.
    ///
    /// # Panics
    /// When the sizes of the problem differ from those given to [`LevenbergMarquardt::new`].
    pub fn solve<P: LeastSquares>(&mut self, problem: &mut P, x: &mut [f64]) -> Outcome {
        let (n, m) = (self.n, self.m);
        let sizes = [problem.nx(), problem.ndx(), problem.residuals(), x.len()];
        assert_eq!(sizes, [self.trial.len(), n, m, self.trial.len()], "sizes of a least-squares problem");
        problem.calc(x, &mut self.residual);
        let mut cost = 0.5 * dot(&self.residual, &self.residual);
        let (mut damping, mut factor, mut iterations) = (f64::NAN, 2.0, 0);
        let (status, gradient) = loop {
            // linear model at x
            problem.calc_diff(x, &mut self.jacobian);
            gemv_t(&self.jacobian, m, &self.residual, &mut self.gradient);
            if !(cost + dot(&self.gradient, &self.gradient)).is_finite() {
                break (Status::NotFinite, f64::NAN);
            }
            let j = Mat::new(&self.jacobian, m, n);
            self.packing.product_lower(Update::Set, j.t(), j, MatMut::new(&mut self.hessian, n, n));
            problem.step_bounds(x, &mut self.lo, &mut self.hi);
            let gradient = self.free_gradient();
            if gradient <= self.settings.gradient_tolerance {
                break (Status::Converged, gradient);
            }
            if cost <= self.settings.cost_tolerance {
                break (Status::SmallCost, gradient);
            }
            let largest = (0..n).fold(0.0, |s: f64, i| s.max(self.hessian[i * (n + 1)]));
            if damping.is_nan() {
                damping = self.settings.damping * largest;
            }
            // damping until the cost falls
            let accepted = loop {
                if iterations >= self.settings.max_iterations {
                    break Err(Status::IterationLimit);
                }
                iterations += 1;
                let used = damping.max(LEAST_DAMPING * largest);
                let Some(promised) = self.damped_step(used) else {
                    damping = used * factor;
                    factor *= 2.0;
                    continue;
                };
                if max_abs(&self.step)
                    <= self.settings.step_tolerance * (max_abs(x) + self.settings.step_tolerance)
                {
                    break Err(Status::SmallStep);
                }
                problem.integrate(x, &self.step, &mut self.trial);
                problem.calc(&self.trial, &mut self.trial_residual);
                let trial = 0.5 * dot(&self.trial_residual, &self.trial_residual);
                // written so that a NaN is no decrease
                if trial < cost {
                    let ratio = (cost - trial) / promised;
                    let shrink = 2.0 * ratio - 1.0;
                    damping *= (1.0 - shrink * shrink * shrink).max(1.0 / 3.0);
                    factor = 2.0;
                    break Ok(trial);
                }
                damping = used * factor;
                factor *= 2.0;
            };
            match accepted {
                Ok(trial) => {
                    cost = trial;
                    x.copy_from_slice(&self.trial);
                    std::mem::swap(&mut self.residual, &mut self.trial_residual);
                }
                Err(status) => break (status, gradient),
            }
        };
        Outcome { status, iterations, cost, gradient }
    }

    /// Solves the damped problem; returns the decrease that the linear model promises, or nothing when rounding
    /// spoils the factorisation.
    fn damped_step(&mut self, damping: f64) -> Option<f64> {
        let n = self.n;
        self.damped.copy_from_slice(&self.hessian);
        (0..n).for_each(|i| self.damped[i * (n + 1)] += damping);
        self.step.fill(0.0);
        let status = self.qp.solve(&self.damped, &self.gradient, &self.lo, &self.hi, &mut self.step);
        // ½δᵀ(λδ − Jᵀr): exact without bounds, less than the true promise with them
        let promised = 0.5 * (damping * dot(&self.step, &self.step) - dot(&self.gradient, &self.step));
        (status != BoxQpStatus::NotConvex).then_some(promised.max(f64::MIN_POSITIVE))
    }

    /// Largest component of the gradient along which a step is free to go.
    fn free_gradient(&self) -> f64 {
        let free = |i: usize| if self.gradient[i] > 0.0 { self.lo[i] < 0.0 } else { self.hi[i] > 0.0 };
        (0..self.n).filter(|&i| free(i)).fold(0.0, |s: f64, i| s.max(self.gradient[i].abs()))
    }
}
