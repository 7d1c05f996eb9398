//! Trajectory optimisation: differential dynamic programming (DDP), its Gauss-Newton form (iLQR) and multiple
//! shooting (FDDP).
//!
//! # The problem
//! ```text
//! minimise   Σ_{k<N} l_k(x_k, u_k) + l_N(x_N)      over x_0 … x_N (on a manifold), u_0 … u_{N−1}
//! subject to x_{k+1} = f_k(x_k, u_k),   lo_k ≤ u_k ≤ hi_k,   c(x_0, x_N) = 0,   x_0 given or free
//! ```
//!
//! A [`Problem`] supplies values (`calc`) and derivatives (`calc_diff`) node by node; states live on a manifold
//! with `⊕` ([`Problem::integrate`]) and `⊖` ([`Problem::difference`]), derivatives are taken in its tangent. The
//! condition `c` on both ends covers terminal constraints (no dependence on `x_0`) and periodic motions (`x_N ⊖
//! T(x_0) = 0` with `x_0` free).
//!
//! # One iteration
//! 1. *Linearise* about the guess: a linear-quadratic problem whose affine terms are the **gaps** `f_k(x_k, u_k) ⊖
//!    x_{k+1}` of a guess that need not be a trajectory (multiple shooting).
//! 2. *Backward*: the [Riccati recursion](crate::riccati), with `μI` added to `Q_uu`. Where controls have bounds,
//!    each stage solves a small [bounded QP](crate::box_qp) for its feed-forward; controls held at a bound get no
//!    feedback.
//! 3. *Forward*: for step lengths α = 1, ½, ¼ …: `u = u_k + αk + K(x ⊖ x_k)` and `x_{k+1} = f(x, u) ⊕ (α −
//!    1)·gap`, so that a step of length α shrinks all gaps by 1 − α, and a full step closes them. The alternative
//!    [`Rollout::Linear`] moves states and controls along the linear solution and re-opens gaps: it copes with
//!    unstable dynamics over long horizons.
//! 4. *Accept* when the merit `J + ν Σ‖gap‖₁` (with the augmented Lagrangian of `c` inside `J`) falls by a part of
//!    what the quadratic model promised; ν is raised so that the promise is never empty. Otherwise μ grows.
//!
//! Without gaps this is DDP as in the textbooks; without second derivatives of the dynamics (the default,
//! [`Settings::second_order`]) it is iLQR, whose convergence is linear or better; with them it is Newton's method,
//! and quadratic.
//!
//! Around it, the augmented Lagrangian of `c`: after each convergence `y ← y + ρc`, and ρ grows when `c` does not
//! fall fast enough.
//!
//! # Cost
//! Per iteration the derivatives of the problem, one Riccati recursion, and one to a few roll-outs. Nothing is
//! allocated after [`Ddp::new`].
//!
//! # Sources
//! Mayne, "A second-order gradient method for determining optimal trajectories of non-linear discrete-time
//! systems", Int. J. Control 3 (1966); Li and Todorov, "Iterative linear quadratic regulator design for nonlinear
//! biological movement systems", ICINCO 2004; Tassa, Mansard and Todorov, "Control-limited differential dynamic
//! programming", ICRA 2014; Mastalli et al., "Crocoddyl: an efficient and versatile framework for multi-contact
//! optimal control", ICRA 2020; penalty ν: Nocedal and Wright, *Numerical Optimization*, 2nd ed., (18.36).

mod backward;
mod boundary;
mod problem;
mod rollout;
mod settings;
mod solver;

pub use problem::{Problem, Start};
pub use settings::{Iteration, Outcome, Rollout, Settings, Status};
pub use solver::Ddp;
