//! Where the bytes of a column wait for the end of the run: in memory while they are few, then in a temporary file.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Bytes of a column in memory before they go to its file.
const IN_MEMORY: usize = 1 << 16;

/// A file that goes away when dropped, unless it is renamed.
#[derive(Debug)]
pub(super) struct Temporary {
    path: PathBuf,
    file: Option<File>,
}

impl Temporary {
    /// A new file in the folder of `target`, with a name that no other process or writer uses.
    pub(super) fn beside(target: &Path) -> io::Result<Temporary> {
        let name = target.file_name().ok_or_else(|| io::Error::other("the path names no file"))?;
        let process = std::process::id();
        for attempt in 0.. {
            let mut hidden = OsString::from(".");
            hidden.push(name);
            hidden.push(format!(".{process}-{attempt}.npz.tmp"));
            let path = target.with_file_name(hidden);
            match OpenOptions::new().read(true).write(true).create_new(true).open(&path) {
                Ok(file) => return Ok(Temporary { path, file: Some(file) }),
                Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
                Err(e) => return Err(e),
            }
        }
        Err(io::Error::other("no free name for a temporary file"))
    }

    pub(super) fn file(&mut self) -> io::Result<&mut File> {
        self.file.as_mut().ok_or_else(|| io::Error::other("the temporary file is closed"))
    }

    /// Puts the file in the place of `target` once its bytes are safe on the disk.
    pub(super) fn rename(mut self, target: &Path) -> io::Result<()> {
        self.file()?.sync_all()?;
        self.file = None;
        fs::rename(&self.path, target)?;
        self.path = PathBuf::new();
        Ok(())
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        self.file = None;
        if self.path != Path::new("") {
            // nothing more can be done about a file that cannot be removed
            let _ = fs::remove_file(&self.path);
        }
    }
}

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

    /// Moves bytes to a file beside `target` when there are many. Without a target everything stays in memory.
    pub(super) fn settle(&mut self, target: Option<&Path>) -> io::Result<()> {
        let Some(target) = target.filter(|_| self.bytes.len() >= IN_MEMORY) else { return Ok(()) };
        if self.earlier.is_none() {
            self.earlier = Some(Temporary::beside(target)?);
        }
        if let Some(earlier) = &mut self.earlier {
            earlier.file()?.write_all(&self.bytes)?;
            self.spilled += self.bytes.len() as u64;
            self.bytes.clear();
        }
        Ok(())
    }

    /// Hands all bytes over, in order and in pieces, and lets go of the file.
    pub(super) fn drain(mut self, mut to: impl FnMut(&[u8]) -> io::Result<()>) -> io::Result<()> {
        if let Some(mut earlier) = self.earlier.take() {
            let file = earlier.file()?;
            file.seek(SeekFrom::Start(0))?;
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
