//! Preparation: work done once, before a controller can act, such as gains along a motion, a plan, or a table of values.
//!
//! The result is a block of bytes, named by a hash of everything that it depends on: system and version, body, clips, parameters. The
//! caller keeps it in a [`Store`]; this crate knows no files. An entry begins with a checksum, so that a damaged one is computed again.

use crate::controller::ControlError;
use crate::params::Stage;
use crate::system::Order;
use sha2::{Digest, Sha256};
use std::sync::Arc;

/// Does the work and returns bytes for [`System::build`](crate::System::build). It reports its progress and stops when asked to.
pub type Prepare = fn(&Order, &[Prepared], Progress<'_>) -> Result<Vec<u8>, ControlError>;

/// Called with the share that is done, from 0 to 1; returns whether to continue.
pub type Progress<'a> = &'a (dyn Fn(f64) -> bool + Sync);

/// The result of a preparation; empty for systems that need none.
#[derive(Clone, Debug, Default)]
pub struct Prepared {
    bytes: Arc<[u8]>,
    /// Results for the controllers that this one combines.
    pub parts: Vec<Prepared>,
}

/// A place that keeps preparations.
pub trait Store {
    /// The entry of a name, if there is one.
    fn get(&self, key: &str) -> Option<Vec<u8>>;

    /// Keeps an entry. A store that cannot keep it drops it; the work is then done again next time.
    fn put(&self, key: &str, entry: &[u8]);
}

/// A store that keeps nothing.
impl Store for () {
    fn get(&self, _: &str) -> Option<Vec<u8>> {
        None
    }

    fn put(&self, _: &str, _: &[u8]) {}
}

/// First bytes of an entry: kind and version of the format.
const MAGIC: &[u8; 8] = b"sinewpr1";
/// Length of magic and checksum.
const HEAD: usize = 8 + 32;

impl Prepared {
    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// With the results for the controllers that this one combines.
    #[must_use]
    pub fn with_parts(self, parts: Vec<Prepared>) -> Prepared {
        Prepared { parts, ..self }
    }

    /// A preparation from bytes.
    pub fn from_bytes(bytes: Vec<u8>) -> Prepared {
        Prepared { bytes: bytes.into(), parts: Vec::new() }
    }
}

impl Order {
    /// The name of this order's preparation, of letters, digits and `-`: the system's name and a hash of everything that the preparation
    /// depends on.
    ///
    /// # Errors
    /// When the body cannot be written as MJCF.
    pub fn key(&self) -> Result<String, ControlError> {
        let mut hash = Sha256::new();
        self.feed(&mut hash)?;
        Ok(format!("{}-{}", self.system.name, hex(&hash.finalize())))
    }

    fn feed(&self, hash: &mut Sha256) -> Result<(), ControlError> {
        // every piece with its length, so that two different lists never give the same bytes
        let mut piece = |bytes: &[u8]| {
            hash.update((bytes.len() as u64).to_le_bytes());
            hash.update(bytes);
        };
        piece(MAGIC);
        piece(self.system.name.as_bytes());
        piece(&self.system.version.to_le_bytes());
        let body = sinew_dynamics::format::mjcf::write(self.model.spec());
        piece(body.as_bytes());
        for clip in &self.clips {
            piece(&clip.rate.to_le_bytes());
            for frame in clip.frames() {
                let bytes: Vec<u8> = frame.iter().flat_map(|x| x.to_le_bytes()).collect();
                piece(&bytes);
            }
            piece(format!("{:?}", clip.contacts).as_bytes());
        }
        for (path, value) in &self.values {
            if self.system.param(path).is_some_and(|(_, param)| param.stage == Stage::Prepare) {
                piece(path.as_bytes());
                piece(format!("{value:?}").as_bytes());
            }
        }
        piece(&(self.parts.len() as u64).to_le_bytes());
        self.parts.iter().try_for_each(|part| part.feed(hash))
    }

    /// The preparation: from the store if an undamaged entry is there, else computed and kept.
    ///
    /// # Errors
    /// When it fails or is cancelled.
    pub fn prepare(&self, store: &dyn Store, progress: Progress<'_>) -> Result<Prepared, ControlError> {
        let parts: Result<Vec<Prepared>, _> = self.parts.iter().map(|p| p.prepare(store, progress)).collect();
        let parts = parts?;
        let Some(work) = self.system.prepare else { return Ok(Prepared { parts, ..Prepared::default() }) };
        let key = self.key()?;
        if let Some(bytes) = store.get(&key).and_then(|entry| opened(&entry)) {
            return Ok(Prepared { bytes, parts });
        }
        let bytes = work(self, &parts, progress)?;
        let mut entry = Vec::with_capacity(HEAD + bytes.len());
        entry.extend(MAGIC);
        entry.extend(Sha256::digest(&bytes));
        entry.extend(&bytes);
        store.put(&key, &entry);
        Ok(Prepared { bytes: bytes.into(), parts })
    }
}

/// The bytes of an entry, unless it is damaged.
fn opened(entry: &[u8]) -> Option<Arc<[u8]>> {
    let (head, bytes) = entry.split_at_checked(HEAD)?;
    let sound = &head[..8] == MAGIC && head[8..] == Sha256::digest(bytes)[..];
    sound.then(|| bytes.into())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}
