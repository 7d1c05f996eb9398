//! Runs for contact sheets: one per style of walking, per direction, per kind of jump, and per body.
//!
//! Each records a window of time (a stride, a jump, a squat), so that a contact sheet of a dozen frames shows all of it.
//! `sinew lab pictures` draws them.

use crate::experiment::matches;
use crate::features::{balancer, bodies, jumps, leg};
use crate::scenario::{ControllerPlan, GroundPlan, PushPlan, Strength};
use crate::{LabError, Scenario, Simulation};
use sinew_control::features::{STYLES, Stance, WALKER};
use sinew_control::{Command, EpisodeRecorder, Style};
use sinew_dynamics::{Model, Role};
use std::f64::consts::FRAC_PI_2;
use std::path::Path;
use std::sync::Arc;

/// A run and the part of it that is shown.
#[derive(Clone, Debug)]
pub struct Picture {
    /// Its name, fit for a file.
    pub name: String,
    /// The scenario; its `seconds` are the end of the window.
    pub scenario: Scenario,
    /// Beginning of the window, s.
    pub from: f64,
    /// The body.
    pub model: Arc<Model>,
}

/// Time in which a walk reaches its speed, and duration of about one stride, s.
const WARM_UP: f64 = 5.0;
const STRIDE: f64 = 1.1;

/// A typical speed of each style, m/s.
fn speed_of(style: &str) -> f64 {
    match style {
        "fast" => 1.4,
        "slow" => 0.5,
        "sad" | "sneaky" | "tired" => 0.6,
        _ => 1.0,
    }
}

/// All pictures, or those that match the given names or patterns; with a folder of MJCF files also pictures of those bodies.
///
/// ```
/// let jumps = sinew_lab::gallery::pictures(&["jump-*"], None)?;
/// assert_eq!(jumps.len(), 6);
/// # Ok::<(), sinew_lab::LabError>(())
/// ```
///
/// # Errors
/// When a built-in character cannot be loaded.
pub fn pictures(names: &[impl AsRef<str>], characters: Option<&Path>) -> Result<Vec<Picture>, LabError> {
    let mut all = walks();
    all.extend(ways());
    for (name, jump) in jumps::kinds() {
        let scenario = Scenario { seconds: 2.7, ..jumps::scenario(String::new(), jump) };
        all.push((format!("jump-{}", name.replace(' ', "-")), 0.5, scenario));
    }
    let mut pictures = Vec::new();
    for (name, from, scenario) in all {
        pictures.push(Picture { model: scenario.built_in()?, name, scenario, from });
    }
    pictures.extend(of_bodies(characters)?);
    let wanted = |name: &str| {
        names.is_empty() || names.iter().any(|p| matches(p.as_ref().as_bytes(), name.as_bytes()))
    };
    pictures.retain(|picture| wanted(&picture.name));
    pictures.iter_mut().for_each(|p| p.scenario.name.clone_from(&p.name));
    Ok(pictures)
}

type Shown = (String, f64, Scenario);

fn going(velocity: [f64; 2], seconds: f64) -> Scenario {
    let commands = vec![(0.0, Command { velocity, heading: 0.0 })];
    Scenario { commands, seconds, ..Scenario::default() }
}

/// One per style.
fn walks() -> Vec<Shown> {
    let walk = |style: &'static Style| {
        let controller = ControllerPlan::new(&WALKER).with_style(style);
        let scenario = going([speed_of(style.name), 0.0], WARM_UP + STRIDE);
        (format!("walk-{}", style.name), WARM_UP, Scenario { controller, ..scenario })
    };
    STYLES.iter().map(walk).collect()
}

/// Other directions, other ground, a push, squats.
fn ways() -> Vec<Shown> {
    let (backward, sideways) = (going([-0.4, 0.0], WARM_UP + STRIDE), going([0.0, 0.3], WARM_UP + STRIDE));
    let mut turn = going([0.8, 0.0], WARM_UP + 2.5);
    turn.commands.push((WARM_UP, Command { velocity: [0.8, 0.0], heading: FRAC_PI_2 }));
    let mut pushed = going([1.0, 0.0], WARM_UP + 3.0);
    let strength = Strength::PerMass { direction: FRAC_PI_2, impulse: 0.5 };
    pushed.pushes.push(PushPlan { time: WARM_UP, seconds: 0.4, strength, part: Role::Trunk });
    let slope = |pitch: f64| GroundPlan::Slope { start: 2.0, pitch, friction: 1.0 };
    let stairs = |rise| GroundPlan::Stairs { start: 2.0, run: 0.3, rise, steps: 10, friction: 1.0 };
    let on = |ground, speed, seconds| Scenario { ground, ..going([speed, 0.0], seconds) };
    let stance = Stance { squat_depth: 0.35, squat_period: 3.0, ..Stance::default() };
    let controller = balancer(&stance);
    let squat = Scenario { controller, ..going([0.0; 2], 6.0) };
    [
        ("walk-backward", WARM_UP, backward),
        ("walk-sideways", WARM_UP, sideways),
        ("walk-turn", WARM_UP, turn),
        ("walk-pushed", WARM_UP - 0.1, pushed),
        ("walk-uphill", WARM_UP, on(slope(10f64.to_radians()), 0.8, WARM_UP + 2.0)),
        ("walk-downhill", WARM_UP, on(slope(-10f64.to_radians()), 0.8, WARM_UP + 2.0)),
        ("walk-upstairs", WARM_UP, on(stairs(0.1), 0.5, WARM_UP + 4.0)),
        ("walk-downstairs", WARM_UP, on(stairs(-0.1), 0.5, WARM_UP + 4.0)),
        ("squat", 3.0, squat),
    ]
    .map(|(name, from, scenario)| (name.to_owned(), from, scenario))
    .into()
}

/// Every body that can be controlled, one stride at equal Froude number.
fn of_bodies(characters: Option<&Path>) -> Result<Vec<Picture>, LabError> {
    let mut pictures = Vec::new();
    for (file, model) in bodies::all(characters)? {
        // bodies that cannot be controlled are reported by `features.bodies`
        let Ok(model) = model else { continue };
        let Some(leg) = leg(&model) else { continue };
        let (gravity, human) = (model.gravity().norm(), 0.93_f64);
        let stride = 1.2 * STRIDE * (leg / human).sqrt();
        let scenario = going([bodies::FROUDE * (leg * gravity).sqrt(), 0.0], WARM_UP + stride);
        let scenario = Scenario { character: file.clone(), ..scenario };
        if Simulation::new(scenario.clone(), Arc::clone(&model)).is_err() {
            continue;
        }
        let name = format!("body-{}", file.trim_end_matches(".xml").replace('_', "-"));
        pictures.push(Picture { name, scenario, from: WARM_UP, model });
    }
    Ok(pictures)
}

impl Picture {
    /// Plays the run and records the window; returns the reason of a fall, if there was one.
    ///
    /// # Errors
    /// When it cannot be played, or the recording not be written.
    pub fn record(&self, file: &Path) -> Result<Option<String>, LabError> {
        let mut simulation = Simulation::new(self.scenario.clone(), Arc::clone(&self.model))?;
        while !simulation.ended() && simulation.world().time() < self.from {
            simulation.step()?;
        }
        let mut recorder = EpisodeRecorder::create(file, simulation.episode(), simulation.meta())?;
        while !simulation.ended() {
            simulation.step()?;
            recorder.push(simulation.episode())?;
        }
        recorder.finish()?;
        Ok(simulation.metrics().fall().map(|(time, why)| format!("fell at {time:.2} s: {why}")))
    }
}
