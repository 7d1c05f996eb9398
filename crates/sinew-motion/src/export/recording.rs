//! A clip as a recording that can be looked at like a simulated run, and is marked as not being one.
//!
//! Velocities are differences of configurations, torques are zero, there are no contacts: `meta.kinematic` says so, and
//! `sinew verify` refuses the file. The provenance is in `meta.provenance`.

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
