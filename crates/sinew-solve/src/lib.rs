//! Dense optimisation for control: the engine under every controller, and plain mathematics that knows nothing of
//! bodies.
//!
//! Whole-body control solves small dense problems thousands of times a second, nearly degenerate ones at every
//! change of contact. The solvers here are made for that: workspaces are made once and solving never allocates, the
//! same input gives the same bits, a warm start needs only what a snapshot can hold, and every outcome is a status with
//! its residual, never a panic.
//!
//! | module | what |
//! | --- | --- |
//! | [`banded`], [`block_tridiagonal`] | systems with structure along time |
//! | [`box_qp`] | quadratic programs with bounds only |
//! | [`chain`] | trajectories under constraints: Gauss–Newton in an augmented Lagrangian, open or cyclic |
//! | [`cmaes`], [`sweep`] | search without derivatives, and sweeps over parameters |
//! | [`ddp`] | trajectory optimisation (DDP, iLQR, FDDP) on manifolds, with bounds and boundary conditions |
//! | [`dense`] | factorisations and products on plain column-major slices |
//! | [`eigen`] | symmetric and generalised eigenproblems |
//! | [`hqp`] | prioritised (lexicographic) least squares with inequalities |
//! | [`lcp`] | complementarity: Lemke, bounds, friction cones by Gauss-Seidel and Newton |
//! | [`levenberg_marquardt`] | nonlinear least squares with bounds |
//! | [`linear_bellman`] | stochastic control problems that become linear: grids, closed forms, combination of controllers |
//! | [`qp`] | convex quadratic programs by a dual active-set method |
//! | [`riccati`] | linear-quadratic control over a horizon, and without end |
#![forbid(unsafe_code)]

pub mod banded;
pub mod block_tridiagonal;
pub mod box_qp;
pub mod chain;
pub mod cmaes;
pub mod ddp;
pub mod dense;
pub mod eigen;
pub mod hqp;
pub mod lcp;
pub mod levenberg_marquardt;
pub mod linear_bellman;
pub mod qp;
pub mod riccati;
pub mod sweep;
