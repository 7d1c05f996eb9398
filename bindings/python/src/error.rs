//! Errors as exceptions, with the messages of the library.

use pyo3::exceptions::PyValueError;
use pyo3::{PyErr, create_exception};

create_exception!(
    sinew,
    SinewError,
    PyValueError,
    "What was asked for cannot be done; the message says why, and what would be right."
);

/// An error and its causes as an exception.
pub(crate) fn raised(error: impl std::error::Error) -> PyErr {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(next) = cause {
        let said = next.to_string();
        if !text.contains(&said) {
            text = format!("{text}: {said}");
        }
        cause = next.source();
    }
    refused(text)
}

/// An exception with a message.
pub(crate) fn refused(message: impl Into<String>) -> PyErr {
    SinewError::new_err(message.into())
}
