//! Preparations of controllers, kept in a folder.
//!
//! A preparation ([`Order::prepare`](sinew_control::Order::prepare)) depends only on system, body, clips and parameters. It is computed
//! once and found again under its name, which consists of the system's name and a hash of everything that it depends on. Files appear
//! whole or not at all; a damaged one is computed again.

use sinew_control::Store;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// Ending of the files.
const ENDING: &str = "prepared";
/// Largest file that is read.
const MOST: u64 = 1 << 30;

/// A folder of preparations.
///
/// ```
/// use sinew_control::Store;
/// use sinew_lab::FolderStore;
/// let folder = std::env::temp_dir().join(format!("sinew-store-{}", std::process::id()));
/// let store = FolderStore::new(&folder);
/// store.put("walker-00ff", b"gains");
/// assert_eq!(store.get("walker-00ff").as_deref(), Some(&b"gains"[..]));
/// assert_eq!(store.entries()?[0].system(), "walker");
/// assert_eq!(store.clear()?, 1);
/// assert!(store.get("walker-00ff").is_none());
/// # std::fs::remove_dir(&folder)?;
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FolderStore(PathBuf);

/// An entry of the store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its name.
    pub key: String,
    /// Its size in bytes.
    pub bytes: u64,
    /// When it was made.
    pub made: Option<std::time::SystemTime>,
}

impl Entry {
    /// The system that it belongs to.
    pub fn system(&self) -> &str {
        self.key.rsplit_once('-').map_or(self.key.as_str(), |(system, _)| system)
    }
}

impl FolderStore {
    /// A store in a folder, which is created with the first entry.
    pub fn new(folder: impl Into<PathBuf>) -> FolderStore {
        FolderStore(folder.into())
    }

    /// In the user's cache folder: `$SINEW_CACHE`, or `sinew` in the operating system's folder for caches. `None` when there is
    /// no such folder.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn of_user() -> Option<FolderStore> {
        use etcetera::BaseStrategy as _;
        match std::env::var_os("SINEW_CACHE").filter(|folder| !folder.is_empty()) {
            Some(folder) => Some(FolderStore::new(folder)),
            None => Some(FolderStore::new(etcetera::choose_base_strategy().ok()?.cache_dir().join("sinew"))),
        }
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.0
    }

    /// All entries, by name.
    ///
    /// # Errors
    /// When the folder exists and cannot be read.
    pub fn entries(&self) -> io::Result<Vec<Entry>> {
        let files = match std::fs::read_dir(&self.0) {
            Ok(files) => files,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(error),
        };
        let mut entries = Vec::new();
        for file in files {
            let path = file?.path();
            let ours = path.extension().is_some_and(|ending| ending == ENDING);
            let (Some(key), true) = (path.file_stem().and_then(|stem| stem.to_str()), ours) else { continue };
            let about = path.symlink_metadata()?;
            if about.is_file() {
                entries.push(Entry { key: key.to_owned(), bytes: about.len(), made: about.modified().ok() });
            }
        }
        entries.sort_by(|a, b| a.key.cmp(&b.key));
        Ok(entries)
    }

    /// Removes all entries, and no other file; returns their number.
    ///
    /// # Errors
    /// When something cannot be removed.
    pub fn clear(&self) -> io::Result<usize> {
        let entries = self.entries()?;
        entries.iter().try_for_each(|entry| std::fs::remove_file(self.file(&entry.key)))?;
        Ok(entries.len())
    }

    fn file(&self, key: &str) -> PathBuf {
        self.0.join(format!("{key}.{ENDING}"))
    }
}

/// Preparations kept in memory until the program ends, shared by runs with the same preparation.
#[derive(Debug, Default)]
pub(crate) struct Remembered(Mutex<BTreeMap<String, Vec<u8>>>);

/// The preparations of this program.
pub(crate) static REMEMBERED: Remembered = Remembered(Mutex::new(BTreeMap::new()));

impl Store for Remembered {
    fn get(&self, key: &str) -> Option<Vec<u8>> {
        self.0.lock().ok()?.get(key).cloned()
    }

    fn put(&self, key: &str, entry: &[u8]) {
        if let Ok(mut entries) = self.0.lock() {
            entries.insert(key.to_owned(), entry.to_owned());
        }
    }
}

impl Store for FolderStore {
    fn get(&self, key: &str) -> Option<Vec<u8>> {
        sinew_dynamics::file::read(self.file(key), MOST).ok()
    }

    /// Does nothing if the folder cannot be written: the work is done again next time.
    fn put(&self, key: &str, entry: &[u8]) {
        if std::fs::create_dir_all(&self.0).is_ok() {
            let _ = sinew_world::file::write_whole(self.file(key), entry);
        }
    }
}
