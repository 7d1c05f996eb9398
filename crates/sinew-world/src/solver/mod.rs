//! Impulses of contacts, limits, dry friction and grips: one problem per step.
//!
//! Constraints act on *ends*: rows of an actor's operational space (a body's six, or one per degree of freedom). Between
//! them the world is the matrix `Λ = J M⁻¹ Jᵀ` of each actor, so a solver needs velocities of rows, and what an impulse on
//! a row does to all others. Impulses are found at velocity level (Stewart and Trinkle 1996): with `c⁺` the velocity after
//! the step,
//! ```text
//! contact   0 ≤ p_n ⟂ c⁺_n − bias ≥ 0,    |p_t| ≤ μ p_n,   p_t against c⁺_t where it slides
//! limit     0 ≤ p   ⟂ c⁺ − bias ≥ 0
//! dry       −F dt ≤ p ≤ F dt,  c⁺ against p at the bounds
//! grip      c⁺ = bias
//! ```

pub(crate) mod cone;
pub(crate) mod gauss_seidel;
pub(crate) mod problem;

pub(crate) use problem::{Bounded, Contact, End, Problem, Side};

/// How well a step's impulses solve its problem.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SolveReport {
    /// Sweeps over all constraints.
    pub iterations: usize,
    /// Greatest change of a constraint's velocity in the last sweep, m/s (rad/s for joints).
    pub residual: f64,
    /// Whether the residual came under the tolerance.
    pub converged: bool,
}
