//! Runs that are audited as they proceed, with bounded memory.
//!
//! Every step is recorded and the recording is audited from its bytes alone, as `sinew verify` does with a file. So that half an hour of
//! walking fits in memory, the recording is cut into pieces of [`PIECE`] steps. Each piece begins with the last step of the one
//! before, so that every step is audited.

use crate::{LabError, Outcome, Scenario, Simulation};
use sinew_control::EpisodeRecorder;
use sinew_dynamics::Model;
use sinew_world::audit::{Options, audit};
use sinew_world::recording::RecordingReader;
use std::collections::BTreeSet;
use std::io::Cursor;
use std::sync::Arc;

/// Steps of a piece of the recording.
const PIECE: u64 = 20_000;

/// Observes a run after every step.
pub trait Watch: Send {
    /// Called after every step.
    fn see(&mut self, simulation: &Simulation);
}

/// An observer that does nothing.
impl Watch for () {
    fn see(&mut self, _: &Simulation) {}
}

/// A run that was played to its end or to a fall, and audited.
#[derive(Clone, Debug)]
pub struct Audited {
    /// Its figures.
    pub outcome: Outcome,
    /// Checks of the audit that fail; empty when everything holds.
    pub broken: Vec<&'static str>,
    /// The error of the world that ended the run, if there was one.
    pub stopped: Option<String>,
}

impl Audited {
    /// Why the run failed: a fall, an error of the world, or a failed audit. `None` for a good run.
    pub fn failure(&self) -> Option<String> {
        let summary = &self.outcome.summary;
        match (summary.fall_time, &summary.fall_reason) {
            (Some(time), Some(reason)) => Some(format!("fell at {time:.3} s: {reason}")),
            _ if self.stopped.is_some() => self.stopped.clone(),
            _ if self.broken.is_empty() => None,
            _ => Some(format!("the audit fails: {}", self.broken.join(", "))),
        }
    }
}

/// Plays a scenario to its end or a fall with an observer, and audits every step.
///
/// ```
/// use sinew_lab::{Scenario, run_audited};
/// let scenario = Scenario { seconds: 0.2, ..Scenario::default() };
/// let run = run_audited(&scenario, scenario.built_in()?, &mut ())?;
/// assert_eq!(run.failure(), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When the scenario cannot be set up.
pub fn run_audited<W: Watch>(
    scenario: &Scenario,
    model: Arc<Model>,
    watch: &mut W,
) -> Result<Audited, LabError> {
    play_audited(Simulation::new(scenario.clone(), model)?, watch)
}

/// The same for a simulation that has begun: the audit starts at the present step.
pub(crate) fn play_audited<W: Watch>(mut simulation: Simulation, watch: &mut W) -> Result<Audited, LabError> {
    let piece = |s: &Simulation| EpisodeRecorder::in_memory(s.episode(), s.meta());
    let (mut recorder, mut broken) = (piece(&simulation)?, BTreeSet::new());
    let (mut times, mut stopped) = (Default::default(), None);
    while !simulation.ended() && simulation.metrics().fall().is_none() {
        match crate::run::step(&mut simulation, &mut times) {
            Err(LabError::Step(error)) => {
                stopped = Some(error.to_string());
                break;
            }
            other => other?,
        }
        recorder.push(simulation.episode())?;
        if simulation.world().steps().is_multiple_of(PIECE) && !simulation.ended() {
            let mut next = piece(&simulation)?;
            next.push(simulation.episode())?;
            inspect(std::mem::replace(&mut recorder, next), &mut broken)?;
        }
        watch.see(&simulation);
    }
    inspect(recorder, &mut broken)?;
    let outcome = crate::run::outcome(&simulation, times);
    Ok(Audited { outcome, broken: broken.into_iter().collect(), stopped })
}

/// Audits a piece of a recording.
fn inspect(recorder: EpisodeRecorder, broken: &mut BTreeSet<&'static str>) -> Result<(), LabError> {
    let mut reader = RecordingReader::new(Cursor::new(recorder.into_bytes()?))?;
    broken.extend(audit(&mut reader, &Options::default())?.failures());
    Ok(())
}
