//! Motions brought to a body.

use crate::error::{raised, refused};
use crate::model::Model;
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use sinew::motion::{self, FitOptions, ImportOptions, export, reference};
use std::sync::Arc;

/// A motion on a body: a `.bvh` file, a recording or clip (`.npz`), or a built-in motion by its name.
#[pyclass(module = "sinew", frozen)]
pub(crate) struct Clip {
    clip: motion::Clip,
    warnings: Vec<String>,
}

#[pymethods]
impl Clip {
    /// Brings a motion to a body; its foot contacts are found and its feet planted.
    #[new]
    #[pyo3(signature = (source, model, *, clean = true))]
    fn new(py: Python<'_>, source: &str, model: &Model, clean: bool) -> PyResult<Clip> {
        let options = FitOptions { no_clean: !clean, ..FitOptions::default() };
        let body = Arc::clone(&model.body);
        let found = py.detach(|| reference::load(source, &body, &ImportOptions::default(), &options));
        let found = found.map_err(raised)?;
        let warnings = found.fitted.map(|fitted| fitted.warnings).unwrap_or_default();
        Ok(Clip { clip: found.clip, warnings })
    }

    fn __repr__(&self) -> String {
        format!("Clip({:?}, frames={}, rate={})", self.clip.name, self.clip.len(), self.clip.rate)
    }

    fn __len__(&self) -> usize {
        self.clip.len()
    }

    /// Its name.
    #[getter]
    fn name(&self) -> &str {
        &self.clip.name
    }

    /// Frames per second.
    #[getter]
    fn rate(&self) -> f64 {
        self.clip.rate
    }

    /// Duration, s.
    #[getter]
    fn seconds(&self) -> f64 {
        self.clip.duration()
    }

    /// What could not be done well, in words.
    #[getter]
    fn warnings(&self) -> Vec<String> {
        self.warnings.clone()
    }

    /// The body.
    #[getter]
    fn model(&self) -> Model {
        Model { body: Arc::clone(self.clip.model()) }
    }

    /// Time of every frame, s.
    #[getter]
    fn time<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_iter(py, (0..self.clip.len()).map(|k| k as f64 / self.clip.rate))
    }

    /// Configurations, a frame per row.
    #[getter]
    fn q<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let shape = [self.clip.len(), self.clip.model().nq()];
        PyArray1::from_slice(py, self.clip.as_slice()).reshape(shape)
    }

    /// The bytes of a file: `.npz` or `.bvh`.
    fn bytes<'py>(&self, py: Python<'py>, format: &str) -> PyResult<Bound<'py, PyBytes>> {
        let content = match format {
            "npz" => export::recording::bytes(&self.clip).map_err(raised)?,
            "bvh" => {
                let take = self.clip.to_take().map_err(raised)?;
                motion::bvh::write(&take, &Default::default()).map_err(raised)?.into_bytes()
            }
            "csv" => export::csv::clip(&self.clip, false).into_bytes(),
            other => return Err(refused(format!("a clip becomes npz, bvh or csv, not `{other}`"))),
        };
        Ok(PyBytes::new(py, &content))
    }
}
