//! A clip as a recording that can be looked at like a simulated run, and is marked as not being one.
//!
//! Velocities are those of the cubic curve through the frames, at the time of their row; torques are zero and there are no contact
//! forces: `meta.kinematic` says so, and `sinew verify` refuses the file. The provenance is in `meta.provenance`; which parts of the feet
//! are down is in the figures `contact_heel_left`, `contact_ball_left`, `contact_level_left` and so on, one row per frame.
//!
//! A simulated run is a clip too: its feet are down where the ground pressed on them.

use super::felt;
use crate::contacts::ContactKind;
use crate::provenance::sha256;
use crate::{Clip, ClipError, FootContacts, Interpolation, Outside, Provenance, Sampler};
use sinew_dynamics::Side;
use sinew_world::StepFrame;
use sinew_world::recording::{Meta, Recorder, Recording, RecordingError, Setup};
use std::path::Path;
use std::sync::Arc;

/// Writes a clip to a file, which appears whole or not at all.
pub fn save(path: impl AsRef<Path>, clip: &Clip) -> Result<(), RecordingError> {
    let names = names(clip);
    let mut recorder = Recorder::create(path, setup(clip, &names))?;
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
    let names = names(clip);
    let mut recorder = Recorder::in_memory(setup(clip, &names))?;
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

/// Greatest size of a recording that is taken into memory: 8 GiB, some ten hours of steps of a millisecond.
const MOST: u64 = 8 << 30;

/// A recording in a file, and its configurations as a clip whose provenance names the file.
pub fn load(path: impl AsRef<Path>) -> Result<(Recording, Clip), LoadError> {
    let path = path.as_ref();
    let file = || path.display().to_string();
    let bytes =
        sinew_dynamics::file::read(path, MOST).map_err(|source| LoadError::Io { file: file(), source })?;
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
    clip.contacts = if info.meta.kinematic { told(run) } else { felt::contacts(run, &clip) };
    Ok(clip)
}

/// Contacts as [`save`] writes them.
fn told(run: &Recording) -> Option<FootContacts> {
    let mut contacts = FootContacts::none(run.len());
    for side in Side::BOTH {
        let names = columns(side);
        let [heel, ball, level] = [0, 1, 2].map(|k| run.telemetry(&names[k]));
        for (frame, ((heel, ball), level)) in heel?.zip(ball?).zip(level?).enumerate() {
            let kind = match (heel > 0.5, ball > 0.5) {
                (true, true) => Some(ContactKind::Flat),
                (true, false) => Some(ContactKind::Heel),
                (false, true) => Some(ContactKind::Ball),
                (false, false) => None,
            };
            contacts.set(side, frame, kind, level);
        }
    }
    Some(contacts)
}

/// Names of the figures that hold the contacts of a side.
fn columns(side: Side) -> [String; 3] {
    let side = if side == Side::Left { "left" } else { "right" };
    ["heel", "ball", "level"].map(|part| format!("contact_{part}_{side}"))
}

/// Names of the figures of a clip.
fn names(clip: &Clip) -> Vec<String> {
    if clip.contacts.is_some() { Side::BOTH.into_iter().flat_map(columns).collect() } else { Vec::new() }
}

/// The whole number that a step is the inverse of, else the inverse.
fn nearest_rate(dt: f64) -> f64 {
    let rate = libm::round(1.0 / dt);
    if libm::fabs(rate * dt - 1.0) < 1e-12 { rate } else { 1.0 / dt }
}

fn setup<'a>(clip: &'a Clip, names: &'a [String]) -> Setup<'a> {
    let mut meta = Meta::new(1.0 / clip.rate);
    meta.kinematic = true;
    meta.scenario = clip.name.clone();
    let Provenance { source, sha256, version, steps } = &clip.provenance;
    let steps = steps.join("\n");
    let said = [("source", source), ("sha256", sha256), ("version", version), ("steps", &steps)];
    let said = said.into_iter().filter(|(_, text)| !text.is_empty());
    meta.provenance = said.map(|(name, text)| (name.to_owned(), text.clone())).collect();
    Setup { telemetry: names, ..Setup::new(clip.model(), meta) }
}

fn fill(recorder: &mut Recorder, clip: &Clip) -> Result<(), RecordingError> {
    let model = clip.model();
    let curve = Sampler::new(clip, Interpolation::Cubic, Outside::Clamp);
    let (mut on_curve, mut v, mut a) = (model.neutral(), vec![0.0; model.nv()], vec![0.0; model.nv()]);
    let none = vec![0.0; model.nv()];
    let mut figures = Vec::with_capacity(6);
    for (k, q) in clip.frames().enumerate() {
        let time = k as f64 / clip.rate;
        curve.state(time.min(clip.duration()), &mut on_curve, &mut v, &mut a);
        figures.clear();
        if let Some(contacts) = &clip.contacts {
            for side in 0..2 {
                let flags = [contacts.heel[side][k], contacts.toe[side][k]].map(f64::from);
                figures.extend([flags[0], flags[1], contacts.level[side][k]]);
            }
        }
        let frame = StepFrame { time, q, v: &v, tau: &none, constraint: &none, contacts: &[], outside: &[] };
        recorder.push(&frame, &[], &figures)?;
    }
    Ok(())
}
