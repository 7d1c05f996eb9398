//! Opens input files: only regular files, only up to a size.
//!
//! Devices and pipes may never end, and a link may lead to one; a file that is too large would exhaust the memory. Every reader of
//! the project opens its input here, so that these rules hold everywhere, and so that a program can check whether it has read a
//! file ([`was_read`]) before it replaces it.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Greatest size of a text that people write: scenarios, maps, roles. 8 MiB.
pub const MOST_TEXT: u64 = 8 << 20;

/// Paths that this process has opened, with links resolved.
static READ: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Opens a regular file, following links.
///
/// # Errors
/// When there is no such file, it cannot be read, or it is a folder, device, pipe or socket.
///
/// ```
/// let folder = std::env::temp_dir();
/// let error = sinew_dynamics::file::open(&folder).unwrap_err();
/// assert!(error.to_string().contains("not a file"));
/// ```
pub fn open(path: impl AsRef<Path>) -> io::Result<File> {
    let path = path.as_ref();
    let regular = |is_file: bool| match is_file {
        true => Ok(()),
        false => Err(io::Error::new(ErrorKind::InvalidInput, "it is not a file")),
    };
    // before opening, because opening a pipe waits for its writer; after, because the name may lead elsewhere by then
    regular(fs::metadata(path)?.is_file())?;
    let file = File::open(path)?;
    regular(file.metadata()?.is_file())?;
    if let Ok(place) = fs::canonicalize(path) {
        READ.lock().unwrap_or_else(PoisonError::into_inner).insert(place);
    }
    Ok(file)
}

/// The bytes of a regular file of at most `most` bytes.
///
/// # Errors
/// As for [`open`], and when the file is larger.
pub fn read(path: impl AsRef<Path>, most: u64) -> io::Result<Vec<u8>> {
    let file = open(path)?;
    let mut bytes = Vec::new();
    file.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > most {
        true => Err(io::Error::new(ErrorKind::FileTooLarge, format!("it has more than {}", size(most)))),
        false => Ok(bytes),
    }
}

/// The text of a regular file of at most `most` bytes.
///
/// # Errors
/// As for [`read`], and when it is not UTF-8.
pub fn read_text(path: impl AsRef<Path>, most: u64) -> io::Result<String> {
    let no_text = |_| io::Error::new(ErrorKind::InvalidData, "it is not UTF-8 text");
    String::from_utf8(read(path, most)?).map_err(no_text)
}

/// Whether this process has opened the file at this path.
pub fn was_read(path: impl AsRef<Path>) -> bool {
    fs::canonicalize(path)
        .is_ok_and(|place| READ.lock().unwrap_or_else(PoisonError::into_inner).contains(&place))
}

fn size(bytes: u64) -> String {
    match bytes {
        _ if bytes >= 1 << 20 => format!("{} MB", bytes >> 20),
        _ => format!("{bytes} bytes"),
    }
}
