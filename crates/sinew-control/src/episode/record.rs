//! Recording a run, with the controller's signals as columns.

use super::Episode;
use sinew_world::recording::{Meta, RecordingError, WorldRecorder};
use std::path::Path;

/// Records the character of a run, step by step.
///
/// ```
/// use sinew_control::{Episode, EpisodeRecorder, Registry};
/// use sinew_world::recording::Recording;
/// let walker = Registry::built_in().usual();
/// let mut episode = Episode::on_flat_ground(walker, sinew_dynamics::characters::load("human")?)?;
/// let mut recorder = EpisodeRecorder::in_memory(&episode, EpisodeRecorder::meta(&episode))?;
/// for _ in 0..50 {
///     episode.step()?;
///     recorder.push(&episode)?;
/// }
/// let run = Recording::from_bytes(recorder.into_bytes()?)?;
/// assert!(run.audit(&Default::default()).holds);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct EpisodeRecorder(WorldRecorder);

impl EpisodeRecorder {
    /// The recording's metadata, as far as the episode knows them; callers add the rest.
    pub fn meta(episode: &Episode) -> Meta {
        let mut meta = Meta::new(episode.world.settings().dt);
        meta.provenance.insert("controller".to_owned(), episode.order.system.name.to_owned());
        meta
    }

    /// Records into a file.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn create(
        path: impl AsRef<Path>,
        episode: &Episode,
        meta: Meta,
    ) -> Result<EpisodeRecorder, RecordingError> {
        WorldRecorder::create(path, &episode.world, episode.actor, meta, &names(episode)).map(EpisodeRecorder)
    }

    /// Records into memory.
    ///
    /// # Errors
    /// When the body cannot be written as MJCF.
    pub fn in_memory(episode: &Episode, meta: Meta) -> Result<EpisodeRecorder, RecordingError> {
        WorldRecorder::in_memory(&episode.world, episode.actor, meta, &names(episode)).map(EpisodeRecorder)
    }

    /// Appends the step that was just taken.
    ///
    /// # Errors
    /// When it cannot be written, or objects came into the world or left it since the beginning.
    pub fn push(&mut self, episode: &Episode) -> Result<(), RecordingError> {
        self.0.push(&episode.world, &episode.signals)
    }

    /// Completes the file and renames it to its final name.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn finish(self) -> Result<(), RecordingError> {
        self.0.finish()
    }

    /// The bytes of the file.
    ///
    /// # Errors
    /// When it was not recorded into memory.
    pub fn into_bytes(self) -> Result<Vec<u8>, RecordingError> {
        self.0.into_bytes()
    }
}

/// Names of the columns of signals.
fn names(episode: &Episode) -> Vec<String> {
    episode.order.system.signals().map(|signal| signal.name.to_owned()).collect()
}
