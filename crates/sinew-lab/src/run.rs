//! Plays a scenario from beginning to end and returns its figures, with a recording if one is wanted.

use crate::fall::{Reason, Watch};
use crate::{LabError, Scenario, Simulation};
use core::fmt;
use serde::Serialize;
use sinew_control::{Decisions, EpisodeRecorder};
use sinew_dynamics::Model;
use sinew_world::metrics::{Quantiles, Summary};
use sinew_world::recording::Recording;
use std::path::Path;
use std::sync::Arc;

/// The outcome of a run. As JSON, the keys of the summary stand beside the others.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Outcome {
    /// Name of the scenario.
    pub scenario: String,
    /// Name of the controller.
    pub controller: &'static str,
    /// What led to the fall.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fall_cause: Option<Reason>,
    /// What had to be done to the body or to commands so that it can be simulated.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// Decisions of the controller.
    pub decisions: usize,
    /// Decisions in which the controller met only the more important objectives.
    pub partial_decisions: usize,
    /// Decisions without a solution, after which the joints were weak springs.
    pub fallbacks: usize,
    /// The figures.
    #[serde(flatten)]
    pub summary: Summary,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Outcome { decisions, partial_decisions, fallbacks, .. } = self;
        self.notes.iter().try_for_each(|note| writeln!(f, "note: {note}"))?;
        self.summary.fmt(f)?;
        if let Some(cause) = &self.fall_cause {
            writeln!(f, "\n{}", cause.why)?;
        }
        if *partial_decisions > 0 {
            writeln!(
                f,
                "\n{partial_decisions} of {decisions} decisions met only the more important objectives"
            )?;
        }
        if *fallbacks > 0 {
            writeln!(
                f,
                "\n{fallbacks} of {decisions} decisions found no solution: the joints were weak springs"
            )?;
        }
        Ok(())
    }
}

/// Plays a scenario to its end, fallen or not, and records it in a file if one is named.
///
/// The figures depend only on the scenario and the body, except `realtime_factor`, `control_us` and `step_us`.
///
/// # Errors
/// When the scenario cannot be set up, the world cannot be stepped, or the recording not be written.
pub fn run(scenario: &Scenario, model: Arc<Model>, recording: Option<&Path>) -> Result<Outcome, LabError> {
    run_with(scenario, model, recording, &|_, _| true)
}

/// The same; `progress` receives the number of steps that are done and of all steps, before every hundredth step and at the end. When it
/// returns `false` the run ends there, and its recording and figures cover what was played.
///
/// # Errors
/// As for [`run`].
///
/// ```
/// use sinew_lab::{Scenario, run_with};
/// let scenario = Scenario::parse("seconds = 0.2", "stand.toml")?;
/// let seen = std::cell::Cell::new((0, 0));
/// run_with(&scenario, scenario.built_in()?, None, &|done, total| {
///     seen.set((done, total));
///     true
/// })?;
/// assert_eq!(seen.get(), (200, 200));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn run_with(
    scenario: &Scenario,
    model: Arc<Model>,
    recording: Option<&Path>,
    progress: &dyn Fn(usize, usize) -> bool,
) -> Result<Outcome, LabError> {
    play(Simulation::new(scenario.clone(), model)?, recording, progress)
}

/// Plays a simulation that has begun to its end; as [`run_with`].
///
/// # Errors
/// When the world cannot be stepped, or the recording not be written.
pub fn play(
    mut simulation: Simulation,
    recording: Option<&Path>,
    progress: &dyn Fn(usize, usize) -> bool,
) -> Result<Outcome, LabError> {
    let create = |path| EpisodeRecorder::create(path, simulation.episode(), simulation.meta());
    let mut recorder = recording.map(create).transpose()?;
    let mut times = Times::default();
    let (mut watch, mut cause) = (Watch::new(simulation.model()), None);
    let total = simulation.steps_left() as usize;
    let mut done = 0;
    while !simulation.ended() {
        if done % 100 == 0 && !progress(done, total) {
            break;
        }
        step(&mut simulation, &mut times)?;
        if cause.is_none() && simulation.episode().order().system.balances {
            watch.look(simulation.model(), simulation.world());
            let fall = simulation.metrics().fall();
            cause = fall.map(|(time, fall)| watch.looks.reason(time, fall));
        }
        if let Some(recorder) = &mut recorder {
            recorder.push(simulation.episode())?;
        }
        done += 1;
    }
    progress(done.max(1), done.max(1));
    recorder.map(EpisodeRecorder::finish).transpose()?;
    Ok(Outcome { fall_cause: cause, ..outcome(&simulation, times) })
}

/// Plays a scenario to its end and returns the recording.
pub(crate) fn recorded(scenario: &Scenario, model: Arc<Model>) -> Result<Recording, LabError> {
    let mut simulation = Simulation::new(scenario.clone(), model)?;
    let mut recorder = EpisodeRecorder::in_memory(simulation.episode(), simulation.meta())?;
    while !simulation.ended() {
        simulation.step()?;
        recorder.push(simulation.episode())?;
    }
    Ok(Recording::from_bytes(recorder.into_bytes()?)?)
}

/// Times of decisions and steps, µs.
#[derive(Debug, Default)]
pub(crate) struct Times {
    control: Vec<f64>,
    step: Vec<f64>,
}

impl Times {
    /// Total time of decisions and of steps, s.
    pub(crate) fn totals(&self) -> (f64, f64) {
        (1e-6 * self.control.iter().sum::<f64>(), 1e-6 * self.step.iter().sum::<f64>())
    }
}

/// Steps and takes the time.
pub(crate) fn step(simulation: &mut Simulation, times: &mut Times) -> Result<(), LabError> {
    let spent = simulation.step()?;
    times.control.push(1e6 * spent.control.as_secs_f64());
    times.step.push(1e6 * spent.step.as_secs_f64());
    Ok(())
}

/// The figures of a run.
pub(crate) fn outcome(simulation: &Simulation, mut times: Times) -> Outcome {
    let (control, step) = times.totals();
    let spent = control + step;
    let Decisions { all, partial, fallbacks } = simulation.decisions();
    let scenario = simulation.scenario();
    let mut summary = simulation.metrics().summary();
    summary.seed = scenario.seed;
    if spent > 0.0 {
        summary.realtime_factor = Some(summary.seconds / spent);
        summary.control_us = Quantiles::of(&mut times.control);
        summary.step_us = Quantiles::of(&mut times.step);
    }
    let (scenario, controller) = (scenario.name.clone(), scenario.controller.system.name);
    Outcome {
        scenario,
        controller,
        fall_cause: None,
        notes: limited(simulation),
        decisions: all,
        partial_decisions: partial,
        fallbacks,
        summary,
    }
}

/// Commands that ask for more speed than the body has.
fn limited(simulation: &Simulation) -> Vec<String> {
    let controller = simulation.episode().controller();
    let commands = simulation.scenario().commands.iter();
    let beyond = commands.filter_map(|(time, command)| {
        let [asked, done] = [command, &controller.feasible(command)].map(|c| libm::hypot(c.velocity[0], c.velocity[1]));
        (done < asked).then(|| {
            format!("at {time} s a speed of {asked:.2} m/s is commanded; this body is led at {done:.2} m/s, the most that it can be")
        })
    });
    beyond.collect()
}
