//! Errors of the lab.

use sinew_control::{ControlError, EpisodeError, Unsuitable};
use sinew_dynamics::characters::UnknownCharacter;
use sinew_dynamics::{ModelError, Role};
use sinew_world::recording::RecordingError;
use sinew_world::terrain::TerrainError;
use sinew_world::{BodyChangeError, StepError};

/// Why a scenario cannot be played, or an experiment cannot be done.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LabError {
    /// The body does not suit the controller.
    #[error(transparent)]
    Control(#[from] ControlError),
    /// An invalid ground.
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
    /// An invalid change of the body.
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
    /// A file of results that cannot be read.
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
    /// A change of the body that cannot be made in the middle of a run.
    #[error(transparent)]
    Body(#[from] BodyChangeError),
    /// A linear Bellman problem that cannot be solved.
    #[error(transparent)]
    Bellman(#[from] sinew_solve::linear_bellman::BellmanError),
    /// World settings that contradict a need of the controller.
    #[error(transparent)]
    World(#[from] Unsuitable),
    /// An object to be held by a body without palms.
    #[error(
        "\"{model}\" has no palms to hold it with; add sites `hand_l` and `hand_r` to its hands (see docs/characters.md)"
    )]
    Palms {
        /// Name of the body.
        model: String,
    },
    /// A motion clip that cannot be read or does not fit.
    #[error("{0}")]
    Clip(String),
    /// An entry of a list in a scenario.
    #[error("{source}")]
    Entry {
        /// The name of its table: `push`, `change`, `object`.
        table: &'static str,
        /// Which one, from 0.
        nth: usize,
        /// What is wrong with it.
        source: Box<LabError>,
    },
    /// A protocol with a number out of range.
    #[error("{what} must be {wanted}, not {value}")]
    Protocol {
        /// Which number.
        what: &'static str,
        /// What it is.
        value: f64,
        /// What it may be.
        wanted: &'static str,
    },
    /// A run that fell before its first push.
    #[error("without any push it falls at {time:.3} s: {reason}")]
    FellUnpushed {
        /// When, s.
        time: f64,
        /// Why.
        reason: String,
    },
}

impl LabError {
    /// The same, of an entry of a list.
    pub(crate) fn of(self, table: &'static str, nth: usize) -> LabError {
        LabError::Entry { table, nth, source: Box::new(self) }
    }
}

impl From<EpisodeError> for LabError {
    fn from(error: EpisodeError) -> LabError {
        match error {
            EpisodeError::Control(error) => error.into(),
            EpisodeError::Step(error) => error.into(),
            EpisodeError::World(error) => error.into(),
            EpisodeError::Body(error) => error.into(),
            other => ControlError::Parameter(other.to_string()).into(),
        }
    }
}
