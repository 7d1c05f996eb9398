//! A clip as a recording that can be looked at like a simulated run, and is marked as not being one.
//!
//! Velocities are differences of configurations, torques are zero, there are no contacts: `meta.kinematic` says so, and
//! `sinew verify` refuses the file. The provenance is in `meta.provenance`.

use crate::provenance::sha256;
use crate::{Clip, ClipError, Provenance};
use sinew_world::StepFrame;
use sinew_world::recording::{Meta, Recorder, Recording, RecordingError, Setup};
use std::path::Path;
use std::sync::Arc;

/// Writes a clip to a file, which appears whole or not at all.
pub fn save(path: impl AsRef<Path>, clip: &Clip) -> Result<(), RecordingError> {
    let mut recorder = Recorder::create(path, setup(clip))?;
    fill(&mut recorder, clip)?;
    recorder.finish()
}

/// The bytes of the file.
///
/// ```
/// use sinew_dynamics::characters;
/// use sinew_motion::{Clip, export::recording};
/// use sinew_world::{audit::Options, recording::Recording};
/// let human = std::sync::Arc::new(characters::load("human")?);
/// let still = Clip::new("still", human.clone(), 30.0, human.neutral().repeat(31))?;
/// let run = Recording::from_bytes(recording::bytes(&still)?)?;
/// assert!(run.info().meta.kinematic && !run.audit(&Options::default()).holds);
/// assert_eq!(recording::clip(&run)?.frame(30), still.frame(30));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn bytes(clip: &Clip) -> Result<Vec<u8>, RecordingError> {
    let mut recorder = Recorder::in_memory(setup(clip))?;
    fill(&mut recorder, clip)?;
    recorder.into_bytes()
}

/// Why a file holds no clip.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// It cannot be read.
    #[error("cannot read `{file}`: {source}")]
    Io {
        /// Name of the file.
        file: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// It is no recording.
    #[error("`{file}`: {source}")]
    Recording {
        /// Name of the file.
        file: String,
        /// What is wrong.
        source: RecordingError,
    },
    /// Its rows are no motion.
    #[error("`{file}`: {source}")]
    Clip {
        /// Name of the file.
        file: String,
        /// What is wrong.
        source: ClipError,
    },
}

/// A recording in a file, and its configurations as a clip whose provenance names the file.
pub fn load(path: impl AsRef<Path>) -> Result<(Recording, Clip), LoadError> {
    let path = path.as_ref();
    let file = || path.display().to_string();
    let bytes = std::fs::read(path).map_err(|source| LoadError::Io { file: file(), source })?;
    let hash = sha256(&bytes);
    let run = Recording::from_bytes(bytes).map_err(|source| LoadError::Recording { file: file(), source })?;
    let mut clip = clip(&run).map_err(|source| LoadError::Clip { file: file(), source })?;
    let name = path.file_name().map_or_else(String::new, |n| n.to_string_lossy().into_owned());
    let said = &mut clip.provenance;
    if said.source.is_empty() {
        // a simulated run is a source of its own
        *said = Provenance {
            source: name,
            sha256: hash,
            version: run.info().meta.version.clone(),
            ..said.clone()
        };
    } else {
        said.add(format!("from {name}, sha256 {hash}"));
    }
    if clip.name.is_empty() {
        clip.name = path.file_stem().map_or_else(String::new, |n| n.to_string_lossy().into_owned());
    }
    Ok((run, clip))
}

/// The configurations of a recording, simulated or not, as a clip at the recording's rate.
pub fn clip(run: &Recording) -> Result<Clip, ClipError> {
    let info = run.info();
    let q = (0..run.len()).flat_map(|k| run.frame(k).q.iter().copied()).collect();
    let mut clip =
        Clip::new(info.meta.scenario.clone(), Arc::new(info.model.clone()), nearest_rate(info.meta.dt), q)?;
    let said = |name: &str| info.meta.provenance.get(name).cloned().unwrap_or_default();
    let steps = said("steps").lines().map(str::to_owned).collect();
    clip.provenance =
        Provenance { source: said("source"), sha256: said("sha256"), version: said("version"), steps };
    Ok(clip)
}

/// The whole number that a step is the inverse of, else the inverse.
fn nearest_rate(dt: f64) -> f64 {
    let rate = libm::round(1.0 / dt);
    if libm::fabs(rate * dt - 1.0) < 1e-12 { rate } else { 1.0 / dt }
}

fn setup(clip: &Clip) -> Setup<'_> {
    let mut meta = Meta::new(1.0 / clip.rate);
    meta.kinematic = true;
    meta.scenario = clip.name.clone();
    let Provenance { source, sha256, version, steps } = &clip.provenance;
    let steps = steps.join("\n");
    let said = [("source", source), ("sha256", sha256), ("version", version), ("steps", &steps)];
    let said = said.into_iter().filter(|(_, text)| !text.is_empty());
    meta.provenance = said.map(|(name, text)| (name.to_owned(), text.clone())).collect();
    Setup::new(clip.model(), meta)
}

fn fill(recorder: &mut Recorder, clip: &Clip) -> Result<(), RecordingError> {
    let model = clip.model();
    let (mut v, none) = (vec![0.0; model.nv()], vec![0.0; model.nv()]);
    for (k, q) in clip.frames().enumerate() {
        // the velocity that leads to this row, as a step would have it; the first row has that of the second
        let to = k.max(1).min(clip.len() - 1);
        model.difference(clip.frame(to.saturating_sub(1)), clip.frame(to), &mut v);
        v.iter_mut().for_each(|x| *x *= clip.rate);
        let time = k as f64 / clip.rate;
        let frame = StepFrame { time, q, v: &v, tau: &none, constraint: &none, contacts: &[], outside: &[] };
        recorder.push(&frame, &[], &[])?;
    }
    Ok(())
}
