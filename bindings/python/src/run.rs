//! Recorded runs: the audit, and pages that show them.

use crate::error::{raised, refused};
use pyo3::prelude::*;
use sinew::world::audit::{Options, audit};
use sinew::world::recording::RecordingReader;
use sinew_studio::view::{pack::Storage, page, recorded};
use std::io::Cursor;

/// The audit of a recording, as JSON.
#[pyfunction]
pub(crate) fn verify(py: Python<'_>, recording: &[u8]) -> PyResult<String> {
    py.detach(|| {
        let mut reader = RecordingReader::new(Cursor::new(recording)).map_err(raised)?;
        let report = audit(&mut reader, &Options::default()).map_err(raised)?;
        serde_json::to_string(&report).map_err(|e| refused(e.to_string()))
    })
}

/// A page that shows a recording in any browser, offline.
#[pyfunction]
pub(crate) fn html(py: Python<'_>, recording: &[u8], name: &str) -> PyResult<String> {
    py.detach(|| {
        let reader = RecordingReader::new(Cursor::new(recording)).map_err(raised)?;
        let drawn = recorded::read(reader, name).map_err(raised)?;
        page::html(&drawn.scene, Storage::Deflated).map_err(raised)
    })
}
