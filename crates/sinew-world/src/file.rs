//! Files that appear whole or not at all.
//!
//! A file is written beside its place under a hidden name and renamed once its bytes are safe on the disk, so that no reader ever
//! sees half of it and an old file stays until the new one is complete. Links are followed: their targets are replaced, not the links.
//! Devices and pipes are written to directly. A program that must end early calls
//! [`discard_unfinished`].

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Writes a file that appears whole or not at all.
///
/// ```
/// let path = std::env::temp_dir().join(format!("sinew-whole-{}.txt", std::process::id()));
/// sinew_world::file::write_whole(&path, b"all of it")?;
/// assert_eq!(std::fs::read(&path)?, b"all of it");
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// When the folder is not there or cannot be written to.
pub fn write_whole(path: impl AsRef<Path>, content: &[u8]) -> io::Result<()> {
    let place = Place::of(path.as_ref())?;
    let mut beside = place.begin()?;
    beside.file()?.write_all(content)?;
    place.put(beside)
}

/// Temporary files and folders, to be removed when the program must end early.
#[derive(Debug)]
struct Unfinished {
    paths: BTreeSet<PathBuf>,
    /// Whether the program is ending: no new file may be started.
    closed: bool,
}

static UNFINISHED: Mutex<Unfinished> = Mutex::new(Unfinished { paths: BTreeSet::new(), closed: false });

fn unfinished<T>(then: impl FnOnce(&mut Unfinished) -> T) -> T {
    then(&mut UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Removes every temporary file and folder of this process and prevents new ones: the last action before the process
/// ends early. Earlier outputs stay as they are.
pub fn discard_unfinished() {
    unfinished(|all| {
        all.closed = true;
        core::mem::take(&mut all.paths).iter().for_each(|path| remove(path));
    });
}

/// a file that cannot be removed stays
fn remove(path: &Path) {
    let _ = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
}

/// Creates a file or folder under the first free name of a sequence, and registers it.
fn first_free<T>(
    folder: &Path,
    name: impl Fn(u32) -> OsString,
    make: impl Fn(&Path) -> io::Result<T>,
) -> io::Result<(PathBuf, T)> {
    unfinished(|all| {
        if all.closed {
            return Err(io::Error::new(io::ErrorKind::Interrupted, "the program is ending"));
        }
        for attempt in 0..10_000 {
            let path = folder.join(name(attempt));
            match make(&path) {
                Ok(made) => {
                    all.paths.insert(path.clone());
                    return Ok((path, made));
                }
                Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
                Err(e) => return Err(e),
            }
        }
        Err(io::Error::other("no free name for a temporary file"))
    })
}

/// Where a file will be.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    path: PathBuf,
    /// Whether the path is neither file nor folder, so that it is written to and not replaced.
    device: bool,
}

/// Greatest number of links that are followed.
const MOST_LINKS: usize = 40;

impl Place {
    /// The target of a path; fails at once when it cannot be written.
    pub(crate) fn of(named: &Path) -> io::Result<Place> {
        let place = Place::find(named)?;
        if !place.device {
            // the folder can be written to, or the error comes before the work
            drop(place.begin()?);
        }
        Ok(place)
    }

    fn find(named: &Path) -> io::Result<Place> {
        if named.file_name().is_none() {
            return Err(io::Error::other("the path does not name a file"));
        }
        let mut path = named.to_owned();
        match fs::metadata(&path) {
            Ok(about) if about.is_dir() => {
                return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder"));
            }
            Ok(about) if !about.is_file() => return Ok(Place { path, device: true }),
            _ => {}
        }
        for _ in 0..MOST_LINKS {
            match fs::read_link(&path) {
                // relative to the folder of the link
                Ok(to) => path = path.parent().unwrap_or(Path::new("")).join(to),
                Err(_) => return Ok(Place { path, device: false }),
            }
        }
        Err(io::Error::other("it leads through too many links"))
    }

    /// Folder for temporary files.
    pub(crate) fn folder(&self) -> PathBuf {
        match self.path.parent() {
            _ if self.device => std::env::temp_dir(),
            Some(folder) if folder != Path::new("") => folder.to_owned(),
            _ => PathBuf::from("."),
        }
    }

    /// The file in the making.
    pub(crate) fn begin(&self) -> io::Result<Temporary> {
        Temporary::in_folder(&self.folder(), self.path.file_name().unwrap_or_default())
    }

    /// Renames the file to its place once its bytes are safe on the disk. The new file gets the permissions of the old one.
    pub(crate) fn put(&self, mut made: Temporary) -> io::Result<()> {
        if self.device {
            let from = made.file()?;
            from.seek(SeekFrom::Start(0))?;
            let mut to = OpenOptions::new().write(true).open(&self.path)?;
            io::copy(from, &mut to)?;
            return to.flush();
        }
        let old: Option<Permissions> = fs::metadata(&self.path).ok().map(|about| about.permissions());
        let file = made.file()?;
        old.map(|old| file.set_permissions(old)).transpose()?;
        file.sync_all()?;
        made.rename(&self.path)
    }
}

/// A file that goes away when dropped, unless it is renamed.
#[derive(Debug)]
pub(crate) struct Temporary {
    path: PathBuf,
    file: Option<File>,
}

impl Temporary {
    /// A new file with a name that no other process or writer uses.
    fn in_folder(folder: &Path, name: &std::ffi::OsStr) -> io::Result<Temporary> {
        let process = std::process::id();
        let hidden = |attempt: u32| {
            let mut hidden = OsString::from(".");
            hidden.push(name);
            hidden.push(format!(".{process}-{attempt}.tmp"));
            hidden
        };
        let make = |path: &Path| OpenOptions::new().read(true).write(true).create_new(true).open(path);
        let (path, file) = first_free(folder, hidden, make)?;
        Ok(Temporary { path, file: Some(file) })
    }

    /// A temporary file. Where the system allows files without names, it disappears even if the process is killed.
    pub(crate) fn nameless(folder: &Path) -> io::Result<Temporary> {
        let mut file = Temporary::in_folder(folder, "sinew".as_ref())?;
        if cfg!(unix) && fs::remove_file(&file.path).is_ok() {
            file.forget();
        }
        Ok(file)
    }

    pub(crate) fn file(&mut self) -> io::Result<&mut File> {
        self.file.as_mut().ok_or_else(|| io::Error::other("the temporary file is closed"))
    }

    /// Takes the bytes from the beginning on.
    pub(crate) fn rewound(&mut self) -> io::Result<impl Read> {
        let file = self.file()?;
        file.seek(SeekFrom::Start(0))?;
        Ok(file)
    }

    fn rename(mut self, target: &Path) -> io::Result<()> {
        self.file = None;
        fs::rename(&self.path, target)?;
        self.forget();
        Ok(())
    }

    /// Marks it as removed.
    fn forget(&mut self) {
        let path = core::mem::take(&mut self.path);
        unfinished(|all| all.paths.remove(&path));
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        self.file = None;
        if self.path != Path::new("") {
            remove(&self.path);
            self.forget();
        }
    }
}

/// A new folder among the system's temporary files that is removed in the end.
#[derive(Debug)]
pub struct WorkFolder(PathBuf);

impl WorkFolder {
    /// A folder for this process alone.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn new() -> io::Result<WorkFolder> {
        let name = |attempt: u32| OsString::from(format!("sinew-{}-{attempt}", std::process::id()));
        let (path, ()) = first_free(&std::env::temp_dir(), name, |path| fs::create_dir(path))?;
        Ok(WorkFolder(path))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for WorkFolder {
    fn drop(&mut self) {
        remove(&self.0);
        unfinished(|all| all.paths.remove(&self.0));
    }
}
