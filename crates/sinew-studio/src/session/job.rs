//! Work that takes longer than a frame, on a thread of its own: files to download, ghosts.

use super::error::SessionError;
use super::ghost::GhostSource;
use crate::view::scene::Part;
use crate::view::skin::SkinMessage;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError, channel};

/// Why a file or ghost could not be made.
pub type MakeError = Box<dyn std::error::Error + Send + Sync>;

/// Work on a thread of its own.
#[derive(Debug)]
pub struct Job(Receiver<Outcome>);

/// Work that has not begun.
pub struct Waiting {
    /// A description of the work.
    pub what: String,
    /// The work.
    pub work: Box<dyn FnOnce() -> Outcome + Send>,
}

impl std::fmt::Debug for Waiting {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Waiting").field("what", &self.what).finish_non_exhaustive()
    }
}

/// The result.
#[derive(Debug)]
pub enum Outcome {
    /// A file to download.
    File {
        /// Its name.
        name: String,
        /// Its bytes.
        content: Vec<u8>,
        /// A note on what it leaves out.
        note: Option<String>,
    },
    /// A ghost.
    Ghost {
        /// What it is called.
        name: String,
        /// Frames per second.
        rate: f64,
        /// The binary message with its poses.
        poses: Vec<u8>,
        /// Its shapes.
        bodies: Vec<Part>,
        /// What they wear.
        skin: Arc<SkinMessage>,
        /// Its source, to make it again for another body.
        source: GhostSource,
        /// A note on what it leaves out.
        note: Option<String>,
    },
    /// It cannot be made.
    Problem(String),
}

impl Job {
    /// Begins.
    ///
    /// # Errors
    /// When the machine has no thread left.
    pub fn start(work: impl FnOnce() -> Outcome + Send + 'static) -> Result<Job, SessionError> {
        let (done, receiver) = channel();
        let thread = std::thread::Builder::new().name("studio job".into());
        // the receiver is gone when the visitor has left
        thread.spawn(move || drop(done.send(work())))?;
        Ok(Job(receiver))
    }

    /// The result, once it is there.
    pub fn done(&mut self) -> Option<Outcome> {
        match self.0.try_recv() {
            Ok(outcome) => Some(outcome),
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => Some(Outcome::Problem(
                "the work ended without a result: this is a bug, please report it".into(),
            )),
        }
    }
}
