//! Settings, log entries and outcomes.

/// How a step is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rollout {
    /// Through the dynamics, with feedback; gaps shrink in proportion to the step.
    Feedback,
    /// States and controls along the solution of the linear-quadratic problem; gaps re-open by the curvature of
    /// the dynamics.
    Linear,
}

/// Tolerances and limits. The defaults suit costs of order one to a thousand.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Cap on the number of iterations, over all rounds of the augmented Lagrangian.
    pub max_iterations: usize,
    /// Converged when the promised decrease of the cost is at most `tolerance · (1 + |cost|)` …
    pub tolerance: f64,
    /// … and no component of a gap is larger than this …
    pub gap_tolerance: f64,
    /// … and no condition on the ends is violated by more than this.
    pub boundary_tolerance: f64,
    /// Whether to ask the problem for the second derivatives of its dynamics (DDP instead of iLQR).
    pub second_order: bool,
    /// How a step is taken.
    pub rollout: Rollout,
    /// First value of the regularisation μ.
    pub regularisation: f64,
    /// When μ would exceed this, the solver gives up.
    pub max_regularisation: f64,
    /// Smallest step length tried before μ is raised.
    pub min_step: f64,
    /// Part of the promised decrease that a step must keep.
    pub sufficient_decrease: f64,
    /// First weight ρ of the conditions on the ends.
    pub penalty: f64,
    /// Largest ρ.
    pub max_penalty: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            max_iterations: 200,
            tolerance: 1e-10,
            gap_tolerance: 1e-9,
            boundary_tolerance: 1e-7,
            second_order: false,
            rollout: Rollout::Feedback,
            regularisation: 0.0,
            max_regularisation: 1e9,
            min_step: 1.0 / 2048.0,
            sufficient_decrease: 1e-4,
            penalty: 10.0,
            max_penalty: 1e8,
        }
    }
}

/// How a solve ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// All tolerances are met.
    Converged,
    /// The cap on iterations was met.
    IterationLimit,
    /// No step lowers the merit even with the largest regularisation, or the quadratic model stays non-convex.
    Stalled,
    /// The guess or its derivatives are not finite.
    NotFinite,
    /// The log asked to stop.
    Interrupted,
}

/// One accepted step, for logs and plots.
#[derive(Clone, Copy, Debug)]
pub struct Iteration {
    /// Counted from 0.
    pub index: usize,
    /// Cost after the step, without the terms of the augmented Lagrangian.
    pub cost: f64,
    /// Decrease of the merit that the quadratic model promised for the full step.
    pub expected: f64,
    /// Length of the step.
    pub step: f64,
    /// μ of the backward pass.
    pub regularisation: f64,
    /// Largest component of a gap after the step.
    pub gap: f64,
    /// Largest violation of a condition on the ends after the step.
    pub boundary: f64,
}

/// The end of a solve.
#[derive(Clone, Copy, Debug)]
pub struct Outcome {
    /// How it ended.
    pub status: Status,
    /// Accepted steps.
    pub iterations: usize,
    /// Cost, without the terms of the augmented Lagrangian.
    pub cost: f64,
    /// Decrease that the quadratic model still promises.
    pub expected: f64,
    /// Largest component of a gap.
    pub gap: f64,
    /// Largest violation of a condition on the ends.
    pub boundary: f64,
}
