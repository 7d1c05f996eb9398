//! Prioritised (lexicographic) least squares with inequality constraints: whole-body control by strict priorities.
//!
//! hₖ = min Eₖ(x) subject to Eᵢ(x) = hᵢ for all levels i < k and to the constraints, Eₖ = Σ weight·‖Ax − b‖².
//! Because each Eₖ is a convex quadratic, all its minimisers share one value of Aₖx, so a level, once solved, is a
//! set of equalities for the levels below: x = x̂ + (what is not decided).
//!
//! Inequalities may sit anywhere: constraints that must hold, and per level ones that hold as well as the levels
//! above allow (their violation is part of the level's error, and lower levels must not make it worse).
//!
//! ```
//! use sinew_solve::hqp::{Hierarchy, HqpSize, HqpSolver, Level, LevelOutcome, Task};
//!
//! // First x + y = 2, then, as far as that leaves room, x = 0 and y = 4; never y > 1.
//! let first = [Task::new(&[1.0, 1.0], &[2.0])];
//! let second = [Task::new(&[1.0, 0.0, 0.0, 1.0], &[0.0, 4.0])];
//! let levels = [Level::new(&first), Level::new(&second)];
//! let hierarchy = Hierarchy::new(2, &levels).with_bounds(&[f64::NEG_INFINITY; 2], &[f64::INFINITY, 1.0]);
//!
//! let mut solver = HqpSolver::new(HqpSize { variables: 2, rows: 2, levels: 2, ..HqpSize::default() });
//! let solution = solver.solve(&hierarchy)?;
//! assert!(solution.status.is_solved());
//! assert!((solution.x[0] - 1.0).abs() < 1e-12 && (solution.x[1] - 1.0).abs() < 1e-12);
//! assert_eq!(solution.levels[0].outcome, LevelOutcome::Attained);
//! assert_eq!(solution.levels[1].outcome, LevelOutcome::Limited);
//! # Ok::<(), sinew_solve::qp::QpError>(())
//! ```
//!
//! The method is in the source of `levels`; the weighted variant with one level for comparison is
//! [`HqpSolver::solve_weighted`].
//!
//! Source: de Lasa, Mordatch and Hertzmann, Feature-based locomotion controllers, SIGGRAPH 2010 (algorithm 1);
//! Kanoun, Lamiraux and Wieber, IEEE TRO 27 (2011); Escande, Mansard and Wieber, Hierarchical quadratic
//! programming, IJRR 33 (2014).

mod levels;
mod problem;
mod rows;
mod solution;
mod solver;

pub use problem::{Hierarchy, Level, Task};
pub use solution::{HqpSolution, HqpStatus, LevelMemory, LevelOutcome, LevelReport};
pub use solver::{HqpParams, HqpSize, HqpSolver};
