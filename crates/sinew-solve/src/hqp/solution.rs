//! What the solution of a hierarchy holds.

use crate::qp::WorkingSet;

/// How a solve ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum HqpStatus {
    /// All levels were minimised in their order.
    Solved,
    /// A level could not be finished; x is the best point of the levels above it, and all constraints hold. The
    /// level is named in [`HqpSolution::levels`].
    Partial,
    /// The constraints that must hold contradict each other; x is of no use.
    Infeasible,
    /// Not even a feasible point was found, for numerical reasons; x is of no use.
    Failed,
}

impl HqpStatus {
    /// Whether all levels were minimised.
    pub fn is_solved(self) -> bool {
        self == HqpStatus::Solved
    }
}

/// The result of a level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LevelOutcome {
    /// Reached as much as the levels above leave to it; no inequality stood in the way.
    Attained,
    /// Inequalities held it back.
    Limited,
    /// The levels above had decided everything that it asks for.
    Decided,
    /// Could not be finished.
    Failed,
    /// Not looked at.
    #[default]
    Skipped,
}

/// Report on a level.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LevelReport {
    /// Its outcome.
    pub outcome: LevelOutcome,
    /// Number of directions that the level decided.
    pub rank: usize,
    /// Its error E(x) at the solution (see [`super::Level::error_at`]).
    pub error: f64,
    /// Constraints taken in and out for it; 0 for a level that needed no optimisation of its own.
    pub iterations: usize,
}

/// What a level leaves for the next time step: all that a warm start needs, and all that a snapshot has to hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LevelMemory {
    /// Whether no inequality stood in the level's way.
    pub attained: bool,
    /// Active constraints of the level's own optimisation. Rows are numbered through: those that must hold, then
    /// those of the levels.
    pub working_set: WorkingSet,
}

/// The outcome of a solve, in the solver's storage.
#[derive(Clone, Copy, Debug)]
pub struct HqpSolution<'a> {
    /// How it ended.
    pub status: HqpStatus,
    /// The point.
    pub x: &'a [f64],
    /// By how much x violates the worst constraint that must hold.
    pub violation: f64,
    /// One report per level.
    pub levels: &'a [LevelReport],
    /// Constraints taken in and out, over all levels.
    pub iterations: usize,
}
