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
//! | [`dense`] | factorisations on plain column-major slices |
//! | [`hqp`] | prioritised (lexicographic) least squares with inequalities |
//! | [`qp`] | convex quadratic programs by a dual active-set method |
#![forbid(unsafe_code)]

pub mod dense;
pub mod hqp;
pub mod qp;
