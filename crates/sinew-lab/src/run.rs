//! A scenario from beginning to end, recorded if asked for, in figures.

use crate::{LabError, Scenario, Simulation};
use serde::Serialize;
use sinew_dynamics::Model;
use sinew_world::metrics::{Quantiles, Summary};
use sinew_world::recording::{Meta, WorldRecorder};
use std::path::Path;
use std::sync::Arc;

/// What became of a run. As JSON, the keys of the summary stand beside the others.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Outcome {
    /// Name of the scenario.
    pub scenario: String,
    /// Name of the controller.
    pub controller: &'static str,
    /// Decisions in which the controller met only the more important objectives.
    pub partial_decisions: usize,
    /// Decisions in which it fell back to its last torques.
    pub fallbacks: usize,
    /// The figures.
    #[serde(flatten)]
    pub summary: Summary,
}

/// Plays a scenario to its end, fallen or not, and records it in a file if one is named.
///
/// The figures depend on the scenario and the body alone, but for `realtime_factor`, `control_us` and `step_us`.
///
/// # Errors
/// When the scenario cannot be set up, the world cannot be stepped, or the recording not be written.
pub fn run(scenario: &Scenario, model: Arc<Model>, recording: Option<&Path>) -> Result<Outcome, LabError> {
    let simulation = Simulation::new(scenario.clone(), model)?;
    let recorder = match recording {
        Some(path) => {
            let (world, names) = (simulation.world(), telemetry_names(&simulation));
            Some(WorldRecorder::create(path, world, Simulation::ACTOR, meta(&simulation), &names)?)
        }
        None => None,
    };
    let (outcome, recorder) = play(simulation, recorder, false)?;
    recorder.map(WorldRecorder::finish).transpose()?;
    Ok(outcome)
}

/// Plays a scenario to its end or a fall and returns the recording as well, as the bytes of an `.npz` file.
pub(crate) fn run_until_fall(scenario: &Scenario, model: Arc<Model>) -> Result<(Outcome, Vec<u8>), LabError> {
    let simulation = Simulation::new(scenario.clone(), model)?;
    let names = telemetry_names(&simulation);
    let recorder =
        WorldRecorder::in_memory(simulation.world(), Simulation::ACTOR, meta(&simulation), &names)?;
    let (outcome, recorder) = play(simulation, Some(recorder), true)?;
    Ok((outcome, recorder.map_or(Ok(Vec::new()), WorldRecorder::into_bytes)?))
}

fn play(
    mut simulation: Simulation,
    mut recorder: Option<WorldRecorder>,
    until_fall: bool,
) -> Result<(Outcome, Option<WorldRecorder>), LabError> {
    let (mut control, mut step, mut figures) = (Vec::new(), Vec::new(), Vec::new());
    let over = |s: &Simulation| s.ended() || (until_fall && s.metrics().fall().is_some());
    while !over(&simulation) {
        let spent = simulation.step()?;
        control.push(1e6 * spent.control.as_secs_f64());
        step.push(1e6 * spent.step.as_secs_f64());
        if let Some(recorder) = &mut recorder {
            figures.clear();
            figures.extend(simulation.telemetry().values.iter().map(|(_, value)| value));
            recorder.push(simulation.world(), &figures)?;
        }
    }
    let spent = 1e-6 * control.iter().chain(&step).sum::<f64>();
    let [partial_decisions, fallbacks] = simulation.troubles();
    let scenario = simulation.scenario();
    let mut summary = simulation.metrics().summary();
    summary.seed = scenario.seed;
    if spent > 0.0 {
        summary.realtime_factor = Some(summary.seconds / spent);
        (summary.control_us, summary.step_us) = (Quantiles::of(&mut control), Quantiles::of(&mut step));
    }
    let (scenario, controller) = (scenario.name.clone(), scenario.controller.name());
    Ok((Outcome { scenario, controller, partial_decisions, fallbacks, summary }, recorder))
}

fn telemetry_names(simulation: &Simulation) -> Vec<String> {
    simulation.telemetry().values.iter().map(|(name, _)| (*name).to_owned()).collect()
}

/// What the recording says about itself.
fn meta(simulation: &Simulation) -> Meta {
    let scenario = simulation.scenario();
    let mut meta = Meta::new(simulation.world().settings.dt);
    (meta.seed, meta.scenario) = (scenario.seed, scenario.name.clone());
    meta.provenance.insert("character".to_owned(), scenario.character.clone());
    meta.provenance.insert("controller".to_owned(), scenario.controller.name().to_owned());
    meta
}
