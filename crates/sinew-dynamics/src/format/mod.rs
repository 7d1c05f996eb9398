//! Reading and writing models: MJCF in and out, URDF in.
//!
//! An importer returns what it read and an [`ImportReport`] of what it assumed or left out; unsupported content is a
//! [`FormatError`] that names file, line, element and remedy. Nothing is skipped silently.

mod error;
pub(crate) mod mesh;
pub mod mjcf;
pub(crate) mod nearest;
pub mod role_file;
pub mod urdf;
mod xml;

pub use error::{FormatError, ImportReport};
