//! Python bindings. Thin: arrays, names and errors are translated here; everything else is the facade's.
//!
//! The package `sinew` (in `python/`) adds what reads better in Python: runs as mappings of arrays, parameters as attributes, environments.

mod arrays;
mod batch;
mod clip;
mod error;
mod model;
mod registry;
mod run;
mod simulation;

use pyo3::prelude::*;

/// What the package `sinew` is built on.
#[pymodule]
fn _sinew(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("SinewError", module.py().get_type::<error::SinewError>())?;
    module.add_class::<model::Model>()?;
    module.add_class::<simulation::Simulation>()?;
    module.add_class::<clip::Clip>()?;
    module.add_class::<batch::Batch>()?;
    module.add_function(wrap_pyfunction!(registry::characters, module)?)?;
    module.add_function(wrap_pyfunction!(registry::controllers, module)?)?;
    module.add_function(wrap_pyfunction!(registry::motions, module)?)?;
    module.add_function(wrap_pyfunction!(simulation::toml_of, module)?)?;
    module.add_function(wrap_pyfunction!(run::verify, module)?)?;
    module.add_function(wrap_pyfunction!(run::html, module)?)?;
    Ok(())
}
