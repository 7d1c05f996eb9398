//! Why a file of motion cannot be read.

use std::io;

/// A file that is no motion, with the place and what to do about it.
///
/// ```
/// use sinew_motion::{ImportOptions, bvh};
/// let error = bvh::parse(b"HIERARCHY\nROOT Hips\n{\nOFFSET 0 0\n}", "cut.bvh", &ImportOptions::default()).unwrap_err();
/// assert!(error.to_string().starts_with("cut.bvh:5: OFFSET of \"Hips\": "));
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The file system said no.
    #[error("{file}: {source}")]
    Io {
        /// Name of the file.
        file: String,
        /// What the system said.
        source: io::Error,
    },
    /// Bytes that are no text.
    #[error("{file}:{line}: this is no text file: byte {byte:#04x}; {remedy}")]
    Binary {
        /// Name of the file.
        file: String,
        /// Line, from 1.
        line: usize,
        /// The first byte that no text has.
        byte: u8,
        /// What to do about it.
        remedy: String,
    },
    /// Something else than the format asks for.
    #[error("{file}:{line}: {element}: {problem}; {remedy}")]
    Format {
        /// Name of the file.
        file: String,
        /// Line, from 1.
        line: usize,
        /// The element concerned, such as `OFFSET of "Hips"`.
        element: String,
        /// What is wrong.
        problem: String,
        /// What to do about it.
        remedy: String,
    },
    /// More of something than is read, so that a hostile file cannot ask for all memory.
    #[error("{file}:{line}: more than {limit} {what}; larger files are not read: cut it, or thin it out")]
    Limit {
        /// Name of the file.
        file: String,
        /// Line, from 1; 0 for the whole file.
        line: usize,
        /// Of what there are too many.
        what: &'static str,
        /// How many are read.
        limit: usize,
    },
    /// An option that does not fit the file.
    #[error("{file}: option `{option}`: {problem}")]
    Option {
        /// Name of the file.
        file: String,
        /// Which option.
        option: &'static str,
        /// Why it does not fit.
        problem: String,
    },
}

/// Sizes up to which files are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of a file.
    pub bytes: usize,
    /// Joints of a skeleton.
    pub joints: usize,
    /// Joints from the root to a tip.
    pub depth: usize,
    /// Joints times frames.
    pub rotations: usize,
}

impl Default for Limits {
    /// A gigabyte of text; 16 million rotations are half a gigabyte.
    fn default() -> Limits {
        Limits { bytes: 1 << 30, joints: 2000, depth: 500, rotations: 1 << 24 }
    }
}
