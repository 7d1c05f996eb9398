//! What a session does not do, and why.

use sinew::control::{ControlError, EpisodeError};
use sinew::dynamics::ModelError;
use sinew::dynamics::characters::UnknownCharacter;
use sinew::lab::{LabError, ScenarioError};
use sinew::world::terrain::TerrainError;
use sinew::world::{BodyChangeError, RestoreError};

/// Why something that the page asked for was not done. Nothing has changed then.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SessionError {
    /// Something that there is not.
    #[error("there is no {what} `{name}`; known: {known}")]
    Unknown {
        /// What kind of thing.
        what: &'static str,
        /// What was asked for.
        name: String,
        /// What there is.
        known: String,
    },
    /// Something that is not as it must be.
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
        /// What is wrong with it.
        problem: String,
    },
    /// A scenario that cannot be read.
    #[error(transparent)]
    Scenario(#[from] ScenarioError),
    /// A scenario that cannot be begun.
    #[error(transparent)]
    Lab(#[from] LabError),
    /// A run that cannot go on.
    #[error(transparent)]
    Episode(#[from] EpisodeError),
    /// A state of another world.
    #[error(transparent)]
    Restore(#[from] RestoreError),
    /// A system without thread.
    #[error("no thread: {0}")]
    Thread(#[from] std::io::Error),
}

impl SessionError {
    /// There is no such thing; what there is.
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

/// Errors of the rooms below, which the lab and the episode gather already.
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
