//! Why a step could not be taken.

use crate::body_change::BodyChangeError;

/// Why a step could not be taken. All actors are as they were before it.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum StepError {
    /// Settings that cannot be, or not together.
    #[error("settings: {0}")]
    Settings(String),
    /// A planned change that cannot be.
    #[error(transparent)]
    Body(#[from] BodyChangeError),
    /// Wrong number of actuations or torques.
    #[error("{what}: {got} given, {want} needed")]
    Size {
        /// What was counted.
        what: String,
        /// How many there were.
        got: usize,
        /// How many there should be.
        want: usize,
    },
    /// A torque law that leaves the contacts no forces.
    #[error(
        "step {step} (t = {time:.4} s): with the laws of torque that were given the contact problem has no solution"
    )]
    NoSolution {
        /// Index of the step.
        step: u64,
        /// Time at its beginning, s.
        time: f64,
    },
    /// A number that is none.
    #[error("step {step} (t = {time:.4} s): {what} is not a finite number")]
    NotFinite {
        /// Index of the step.
        step: u64,
        /// Time at its beginning, s.
        time: f64,
        /// Which number.
        what: String,
    },
    /// A body that flies apart.
    #[error(
        "step {step} (t = {time:.4} s): {what} would be {value:.1e}, beyond {most:.0e} m/s or rad/s: nothing that follows would mean anything"
    )]
    TooFast {
        /// Index of the step.
        step: u64,
        /// Time at its beginning, s.
        time: f64,
        /// Which number.
        what: String,
        /// Its value.
        value: f64,
        /// The greatest that is computed with.
        most: f64,
    },
    /// A torque on a free root: it would push the character from nowhere.
    #[error(
        "actor \"{actor}\": torque {value} on degree of freedom {dof} of its free joint; only pushes may act there"
    )]
    RootTorque {
        /// Name of the actor.
        actor: String,
        /// Degree of freedom.
        dof: usize,
        /// The torque, N or N·m.
        value: f64,
    },
}
