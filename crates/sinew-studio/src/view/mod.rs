//! Bodies, ground and recorded runs for drawing, in the form that the pages need.
//!
//! A recording becomes a [`scene`] ([`recorded`], [`resample`]), and a scene one self-contained HTML file ([`page`],
//! [`pack`]). Characters wear a [`skin`].

pub mod columns;
pub mod drawing;
pub mod pack;
pub mod page;
pub mod recorded;
pub mod resample;
pub mod scene;
pub mod skin;

use crate::pages;
use sinew::world::recording::RecordingError;

/// Why a run cannot be drawn.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ViewError {
    /// This build has no pages.
    #[error(transparent)]
    Missing(#[from] pages::Missing),
    /// The recording cannot be read.
    #[error(transparent)]
    Recording(#[from] RecordingError),
    /// Something in the recording cannot be drawn.
    #[error("{what}: {problem}")]
    Undrawable {
        /// What it is.
        what: String,
        /// What is wrong with it.
        problem: String,
    },
}

impl ViewError {
    fn of(what: impl Into<String>, problem: impl ToString) -> ViewError {
        ViewError::Undrawable { what: what.into(), problem: problem.to_string() }
    }
}
