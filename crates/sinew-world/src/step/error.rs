//! Why a step could not be taken.

use crate::body_change::BodyChangeError;

/// Why a step could not be taken. All actors are as they were before it.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum StepError {
    /// Invalid settings, or an invalid combination.
    #[error("settings: {0}")]
    Settings(String),
    /// A planned change of the body that is impossible.
    #[error(transparent)]
    Body(#[from] BodyChangeError),
    /// Wrong number of actuations or torques.
    #[error("{what}: {got} given, {want} needed")]
    Size {
        /// The quantity.
        what: String,
        /// The given number.
        got: usize,
        /// The expected number.
        want: usize,
    },
    /// Torque laws for which the contact problem has no solution.
    #[error("step {step} (t = {time:.4} s): with the given torque laws the contact problem has no solution")]
    NoSolution {
        /// Index of the step.
        step: u64,
        /// Time at its beginning, s.
        time: f64,
    },
    /// A number that is not finite.
    #[error("step {step} (t = {time:.4} s): {what} is not a finite number")]
    NotFinite {
        /// Index of the step.
        step: u64,
        /// Time at its beginning, s.
        time: f64,
        /// Which number.
        what: String,
    },
    /// A velocity beyond all bounds.
    #[error(
        "step {step} (t = {time:.4} s): {what} would be {value:.1e}, beyond {most:.0e} m/s or rad/s; the simulation has diverged: check forces, masses and the time step"
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
    /// A torque on a free root, which would be an external force.
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
