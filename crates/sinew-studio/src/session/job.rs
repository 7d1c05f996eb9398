//! What takes longer than a frame is made on a thread of its own: files to download, ghosts.

use super::error::SessionError;
use super::ghost::GhostSource;
use crate::view::scene::Part;
use crate::view::skin::SkinMessage;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError, channel};

/// Why something could not be made.
pub type MakeError = Box<dyn std::error::Error + Send + Sync>;

/// Work on a thread of its own.
#[derive(Debug)]
pub struct Job(Receiver<Outcome>);

/// Work that has not begun.
pub struct Waiting {
    /// What it makes, in words.
    pub what: String,
    /// The work.
    pub work: Box<dyn FnOnce() -> Outcome + Send>,
}

impl std::fmt::Debug for Waiting {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Waiting").field("what", &self.what).finish_non_exhaustive()
    }
}

/// What came of it.
#[derive(Debug)]
pub enum Outcome {
    /// A file to download.
    File {
        /// Its name.
        name: String,
        /// Its bytes.
        content: Vec<u8>,
        /// What is not in it.
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
        /// What it looks like.
        bodies: Vec<Part>,
        /// What they wear.
        skin: Arc<SkinMessage>,
        /// To make it again for another body.
        source: GhostSource,
        /// What was cut.
        note: Option<String>,
    },
    /// It cannot be.
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
        // nobody waits for the answer when the visitor has gone
        thread.spawn(move || drop(done.send(work())))?;
        Ok(Job(receiver))
    }

    /// What came of it, once.
    pub fn done(&mut self) -> Option<Outcome> {
        match self.0.try_recv() {
            Ok(outcome) => Some(outcome),
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => {
                Some(Outcome::Problem("the work was given up: this is a bug".into()))
            }
        }
    }
}
