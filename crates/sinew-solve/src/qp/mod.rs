//! Quadratic programs: dense, convex, solved thousands of times a second.
//!
//! minimise ½xᵀPx + gᵀx, or ½‖Ax − b‖², subject to equalities, two-sided inequality rows and two-sided bounds. P
//! may be semidefinite and A of any rank. The method is a dual active-set method (see `active_set` in the source
//! for the algorithm): exact to rounding, warm-started from an active set, and with a proof in hand when it says
//! that a problem is infeasible.
//!
//! ```
//! use sinew_solve::qp::{Qp, QpSize, QpSolver, QpStatus, Side};
//!
//! // The point of the half-plane x + y ≥ 2 and the box 0 ≤ x, y ≤ 1.5 nearest to (0, 3): squares of distances.
//! let size = QpSize { variables: 2, inequalities: 1, residuals: 2, ..QpSize::default() };
//! let mut solver = QpSolver::new(size);
//! let (a, b) = ([1.0, 0.0, 0.0, 1.0], [0.0, 3.0]);
//! let (c, lower, upper) = ([1.0, 1.0], [2.0], [f64::INFINITY]);
//! let qp = Qp::least_squares(2, &a, &b)
//!     .with_inequalities(&c, &lower, &upper)
//!     .with_bounds(&[0.0, 0.0], &[1.5, 1.5]);
//!
//! let solution = solver.solve(&qp)?;
//! assert_eq!(solution.status, QpStatus::Solved);
//! assert!((solution.x[0] - 0.5).abs() < 1e-12 && (solution.x[1] - 1.5).abs() < 1e-12);
//! assert_eq!(solution.working_set.bounds, [Side::Free, Side::Upper]);
//!
//! // The next problem is much like it: start from the active set of this one.
//! let b = [0.1, 2.9];
//! let next = Qp::least_squares(2, &a, &b)
//!     .with_inequalities(&c, &lower, &upper)
//!     .with_bounds(&[0.0, 0.0], &[1.5, 1.5]);
//! assert_eq!(solver.solve_warm(&next)?.iterations, 0);
//!
//! // Nothing satisfies x + y ≥ 2 when both are at most 0.5, and the certificate names all three.
//! let impossible = next.with_bounds(&[0.0, 0.0], &[0.5, 0.5]);
//! let proof = solver.solve(&impossible)?.certificate.unwrap();
//! assert!(proof.inequalities[0] > 0.0 && proof.bounds[0] < 0.0 && proof.bounds[1] < 0.0);
//! # Ok::<(), sinew_solve::qp::QpError>(())
//! ```

pub(crate) mod active_set;
pub(crate) mod constraints;
mod entering;
mod guessed;
#[cfg(feature = "serde")]
mod json;
mod pricing;
mod problem;
pub(crate) mod proximal;
pub(crate) mod routes;
mod solution;
mod solver;
pub(crate) mod space;

#[cfg(feature = "serde")]
pub use json::{OwnedQp, QpJsonError};
pub use problem::{Objective, Qp, QpError};
pub use solution::{Multipliers, QpSolution, QpStatus, Side, WorkingSet};
pub use solver::{QpParams, QpSize, QpSolver};
