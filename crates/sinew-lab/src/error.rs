//! What can go wrong in the lab.

use sinew_control::ControlError;
use sinew_dynamics::characters::UnknownCharacter;
use sinew_dynamics::{ModelError, Role};
use sinew_world::StepError;
use sinew_world::recording::RecordingError;
use sinew_world::terrain::TerrainError;

/// Why a scenario cannot be played, or an experiment not be done.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LabError {
    /// The body does not suit the controller.
    #[error(transparent)]
    Control(#[from] ControlError),
    /// The ground makes no sense.
    #[error(transparent)]
    Terrain(#[from] TerrainError),
    /// The world could not be stepped.
    #[error(transparent)]
    Step(#[from] StepError),
    /// The recording could not be written.
    #[error("the recording: {0}")]
    Recording(#[from] RecordingError),
    /// There is no such character.
    #[error(transparent)]
    Character(#[from] UnknownCharacter),
    /// A changed body that makes no sense.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// A file could not be written or read.
    #[error("`{path}`: {source}")]
    File {
        /// Which one.
        path: String,
        /// Why.
        source: std::io::Error,
    },
    /// A file of results that cannot be understood.
    #[error("`{path}` holds no results of an experiment: {problem}")]
    Results {
        /// Which one.
        path: String,
        /// Why.
        problem: String,
    },
    /// A push or change of a part that the body does not have.
    #[error("\"{model}\" has no {role}")]
    Part {
        /// Name of the body.
        model: String,
        /// The part.
        role: Role,
    },
    /// A parameter that no gait has.
    #[error("a gait has no parameter `{name}`")]
    Parameter {
        /// Its name.
        name: &'static str,
    },
    /// A protocol whose numbers make no sense.
    #[error("{what} must be {wanted}, not {value}")]
    Protocol {
        /// Which number.
        what: &'static str,
        /// What it is.
        value: f64,
        /// What it may be.
        wanted: &'static str,
    },
    /// A run that must not fall before anything happens to it did.
    #[error("without any push it falls at {time:.3} s: {reason}")]
    FellUnpushed {
        /// When, s.
        time: f64,
        /// Why.
        reason: String,
    },
}
