//! Errors of a session.

use sinew::control::{ControlError, EpisodeError};
use sinew::dynamics::ModelError;
use sinew::dynamics::characters::UnknownCharacter;
use sinew::lab::{LabError, ScenarioError};
use sinew::world::terrain::TerrainError;
use sinew::world::{BodyChangeError, RestoreError};

/// Why a message of the page was refused. The session is then unchanged.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SessionError {
    /// An unknown name.
    #[error("there is no {what} `{name}`; known: {known}")]
    Unknown {
        /// Kind of name.
        what: &'static str,
        /// What was asked for.
        name: String,
        /// Known names.
        known: String,
    },
    /// A value that is not allowed.
    #[error("{0}")]
    Refused(&'static str),
    /// A message that is too long or cannot be read.
    #[error("{0}")]
    Message(String),
    /// A file that cannot be used.
    #[error("{name}: {problem}")]
    File {
        /// Its name.
        name: String,
        /// The problem.
        problem: String,
    },
    /// A scenario that cannot be read.
    #[error(transparent)]
    Scenario(#[from] ScenarioError),
    /// A scenario that cannot be set up.
    #[error(transparent)]
    Lab(#[from] LabError),
    /// A run that cannot continue.
    #[error(transparent)]
    Episode(#[from] EpisodeError),
    /// A state of another world.
    #[error(transparent)]
    Restore(#[from] RestoreError),
    /// The system has no thread left.
    #[error("no thread: {0}")]
    Thread(#[from] std::io::Error),
}

impl SessionError {
    /// An unknown name, with the known ones.
    pub fn unknown<N: AsRef<str>>(
        what: &'static str,
        name: &str,
        known: impl IntoIterator<Item = N>,
    ) -> SessionError {
        let known: Vec<String> = known.into_iter().map(|name| name.as_ref().to_owned()).collect();
        SessionError::Unknown { what, name: name.to_owned(), known: known.join(", ") }
    }

    /// A file cannot be used.
    pub fn file(name: &str, problem: impl ToString) -> SessionError {
        SessionError::File { name: name.to_owned(), problem: problem.to_string() }
    }
}

/// Errors of lower crates, which errors of the lab and of episodes already contain.
macro_rules! gathered {
    ($($error:ty => $by:ty),* $(,)?) => {
        $(impl From<$error> for SessionError {
            fn from(error: $error) -> SessionError {
                <$by>::from(error).into()
            }
        })*
    };
}
gathered! {
    ControlError => EpisodeError,
    BodyChangeError => EpisodeError,
    ModelError => LabError,
    TerrainError => LabError,
    UnknownCharacter => LabError,
}
