//! Files that appear whole or not at all.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Writes a file beside its place and renames it once it is safe on the disk, so that no reader ever sees half of it.
///
/// ```
/// let path = std::env::temp_dir().join(format!("sinew-whole-{}.txt", std::process::id()));
/// sinew_world::write_whole(&path, b"all of it")?;
/// assert_eq!(std::fs::read(&path)?, b"all of it");
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn write_whole(path: impl AsRef<Path>, content: &[u8]) -> io::Result<()> {
    let mut beside = Temporary::beside(path.as_ref())?;
    beside.file()?.write_all(content)?;
    beside.rename(path.as_ref())
}

/// A file that goes away when dropped, unless it is renamed.
#[derive(Debug)]
pub(crate) struct Temporary {
    path: PathBuf,
    file: Option<File>,
}

impl Temporary {
    /// A new file in the folder of `target`, with a name that no other process or writer uses.
    pub(crate) fn beside(target: &Path) -> io::Result<Temporary> {
        let name = target.file_name().ok_or_else(|| io::Error::other("the path names no file"))?;
        let process = std::process::id();
        for attempt in 0.. {
            let mut hidden = OsString::from(".");
            hidden.push(name);
            hidden.push(format!(".{process}-{attempt}.tmp"));
            let path = target.with_file_name(hidden);
            match OpenOptions::new().read(true).write(true).create_new(true).open(&path) {
                Ok(file) => return Ok(Temporary { path, file: Some(file) }),
                Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
                Err(e) => return Err(e),
            }
        }
        Err(io::Error::other("no free name for a temporary file"))
    }

    pub(crate) fn file(&mut self) -> io::Result<&mut File> {
        self.file.as_mut().ok_or_else(|| io::Error::other("the temporary file is closed"))
    }

    /// Puts the file in the place of `target` once its bytes are safe on the disk.
    pub(crate) fn rename(mut self, target: &Path) -> io::Result<()> {
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
