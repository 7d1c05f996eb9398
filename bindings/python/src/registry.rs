//! What there is: characters, controllers, motions.

use crate::error::refused;
use pyo3::prelude::*;
use sinew::control::Registry;
use sinew::dynamics::characters as bodies;
use sinew::motion::motions as built_in;
use sinew_studio::protocol::catalogue::SystemOf;

/// Names of the built-in characters.
#[pyfunction]
pub(crate) fn characters() -> Vec<&'static str> {
    bodies::names().collect()
}

/// Names of the built-in motions.
#[pyfunction]
pub(crate) fn motions() -> Vec<&'static str> {
    built_in::names().collect()
}

/// All control systems with parameters, styles, requests and signals, as JSON.
#[pyfunction]
pub(crate) fn controllers() -> PyResult<String> {
    let systems: Vec<SystemOf> = Registry::built_in().iter().map(SystemOf::of).collect();
    serde_json::to_string(&systems).map_err(|e| refused(e.to_string()))
}
