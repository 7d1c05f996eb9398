//! Storage of a column until the end of the run: in memory while it is small, then in a temporary file.

use crate::file::Temporary;
use std::io::{self, Read, Write};
use std::path::Path;

/// Bytes of a column in memory before they go to its file.
const IN_MEMORY: usize = 1 << 16;

/// Bytes in the order in which they came.
#[derive(Debug, Default)]
pub(super) struct Spool {
    /// The latest bytes.
    pub(super) bytes: Vec<u8>,
    earlier: Option<Temporary>,
    spilled: u64,
}

impl Spool {
    /// Number of all bytes.
    pub(super) fn len(&self) -> u64 {
        self.spilled + self.bytes.len() as u64
    }

    /// Moves bytes to a file in this folder when there are many. Without a folder everything stays in memory.
    pub(super) fn settle(&mut self, folder: Option<&Path>) -> io::Result<()> {
        let Some(folder) = folder.filter(|_| self.bytes.len() >= IN_MEMORY) else { return Ok(()) };
        if self.earlier.is_none() {
            self.earlier = Some(Temporary::nameless(folder)?);
        }
        if let Some(earlier) = &mut self.earlier {
            earlier.file()?.write_all(&self.bytes)?;
            self.spilled += self.bytes.len() as u64;
            self.bytes.clear();
        }
        Ok(())
    }

    /// Writes all bytes, in order and in pieces, and removes the file.
    pub(super) fn drain(mut self, mut to: impl FnMut(&[u8]) -> io::Result<()>) -> io::Result<()> {
        if let Some(mut earlier) = self.earlier.take() {
            let mut file = earlier.rewound()?;
            let mut piece = vec![0; IN_MEMORY];
            let mut left = self.spilled;
            while left > 0 {
                let n = usize::try_from(left).unwrap_or(IN_MEMORY).min(IN_MEMORY);
                file.read_exact(&mut piece[..n])?;
                to(&piece[..n])?;
                left -= n as u64;
            }
        }
        to(&self.bytes)
    }
}
