//! Arrays in `.npz` files, as `numpy.savez` writes and `numpy.load` reads them, without pickle.
//!
//! An `.npz` file is a zip archive of `.npy` files, stored without compression: [`Writer`] and [`Reader`] speak just that.
//! Numbers are little-endian, arrays in C order; texts are numpy's fixed-width unicode (UTF-32). Archives and arrays over
//! 4 GiB use the zip64 records.
//!
//! Writing is made for long runs: rows are appended to columns whose length is not known before the end. A column keeps at
//! most 64 KiB in memory; the rest waits in a temporary file beside the target. At the end the columns are put together
//! in one file that is renamed into place, so that the target is whole or absent. The bytes depend on the content alone:
//! no clock is read.
//!
//! Reading trusts nothing: sizes are checked against the length of the file before memory is asked for, checksums are
//! compared, and columns can be read row by row without holding them.
//!
//! Sources: PKWARE's APPNOTE 6.3 (zip, sections 4.3 and 4.5.3); NumPy Enhancement Proposal 1 (npy).

mod crc;
mod element;
mod header;
mod reader;
mod spool;
mod writer;
mod zip;

pub use element::{Dtype, Element};
pub use reader::{Array, Cursor, Reader};
pub use writer::{Column, Writer};

use std::io;

/// Why a file of arrays cannot be written or read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NpzError {
    /// An error of the file system.
    #[error("{what}: {source}")]
    Io {
        /// The operation.
        what: String,
        /// The system's error.
        source: io::Error,
    },
    /// The bytes are not an archive of arrays.
    #[error("not an .npz file: {0}")]
    Archive(String),
    /// An array is missing or wrong.
    #[error("array `{name}`: {problem}")]
    Array {
        /// Its name.
        name: String,
        /// The problem.
        problem: String,
    },
}

impl NpzError {
    pub(crate) fn io(what: impl Into<String>) -> impl FnOnce(io::Error) -> NpzError {
        let what = what.into();
        |source| NpzError::Io { what, source }
    }

    pub(crate) fn array(name: &str, problem: impl Into<String>) -> NpzError {
        NpzError::Array { name: name.to_owned(), problem: problem.into() }
    }
}
