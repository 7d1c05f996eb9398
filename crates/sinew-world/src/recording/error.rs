//! Errors of recordings.

use crate::npz::NpzError;
use sinew_dynamics::format::FormatError;

/// Why a run cannot be recorded or read back.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordingError {
    /// The file of arrays.
    #[error(transparent)]
    Arrays(#[from] NpzError),
    /// The text of the character.
    #[error("the recorded model: {0}")]
    Model(#[from] FormatError),
    /// The metadata of the run.
    #[error("meta: {0}")]
    Meta(String),
    /// A row does not fit the model or the other arrays.
    #[error("step {step}: {problem}")]
    Row {
        /// Which row, from 0.
        step: usize,
        /// What is wrong.
        problem: String,
    },
}
