//! A controlled character: a scenario file, options, or both.

use super::{bar, course};
use crate::cli::SimulateArgs;
use crate::source::{self, Loaded};
use crate::{Verdict, output};
use anyhow::{Context, Result, bail, ensure};
use sinew::control::Command;
use sinew::dynamics::spatial::Vec3;
use sinew::dynamics::{Role, characters};
use sinew::lab::scenario::{ControllerPlan, GroundPlan, PushPlan, Strength};
use sinew::lab::{LabError, Scenario};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Difficulty of a terrain that is walked on when nothing is said: as in the studio.
const WALKABLE: f64 = 0.1;

/// Plays the scenario that file and options describe.
pub(super) fn run(args: &SimulateArgs) -> Result<Verdict> {
    let mut scenario = match &args.scenario {
        Some(path) => read(path)?,
        None => Scenario::default(),
    };
    replace(&mut scenario, args)?;
    let Loaded { model, .. } = source::load_plain(&scenario.character)?;
    let recording = scenario.outputs.recording.as_deref();
    let who = format!("the {} cannot move `{}`", scenario.controller.name(), scenario.character);
    let bar = bar(args);
    let told = |done, total| bar.show(done, total);
    let played = sinew::lab::run_with(&scenario, Arc::new(model), recording, &told);
    drop(bar);
    let outcome = played.map_err(|e| match e {
        LabError::Control(_) => anyhow::Error::from(e).context(who),
        _ => e.into(),
    })?;
    let as_json = output::json(&outcome)?;
    if let Some(path) = &scenario.outputs.summary {
        output::write_whole(path, as_json.as_bytes())?;
    }
    output::print(&if args.json { as_json } else { outcome.summary.to_string() })?;
    Ok(Verdict::Good)
}

/// Reads a scenario; files that it names are looked for beside it.
fn read(path: &Path) -> Result<Scenario> {
    let shown = path.display().to_string();
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read `{shown}`"))?;
    let mut scenario = Scenario::parse(&text, &shown)?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let beside = |file: &mut PathBuf| *file = folder.join(&*file);
    scenario.outputs.recording.as_mut().map(beside);
    scenario.outputs.summary.as_mut().map(beside);
    let character = folder.join(&scenario.character);
    if characters::text(&scenario.character).is_none() && character.is_file() {
        scenario.character = character.display().to_string();
    }
    Ok(scenario)
}

/// What the options say goes before what the file says.
fn replace(scenario: &mut Scenario, args: &SimulateArgs) -> Result<()> {
    if let Some(name) = args.controller.as_deref() {
        let known = ControllerPlan::NAMES.join(", ");
        let mut plan = ControllerPlan::named(name)
            .with_context(|| format!("there is no controller `{name}`; controllers are {known}"))?;
        // the way of walking is the scenario's, and so are jumps
        match (&mut plan, &scenario.controller) {
            (_, before) if before.name() == name => plan = before.clone(),
            (_, ControllerPlan::Jumper { jumps, .. }) if !jumps.is_empty() => {
                bail!("the scenario has jumps, and a {name} does not jump");
            }
            (plan, before) => plan.gait_mut().clone_from(before.gait()),
        }
        scenario.controller = plan;
        if args.scenario.is_none() {
            scenario.name = name.to_owned();
        }
    }
    if let Some(character) = &args.character {
        scenario.character.clone_from(character);
    }
    if let Some(seconds) = args.seconds {
        ensure!(seconds > 0.0 && seconds <= 36_000.0, "--seconds must be above 0 and at most 36000");
        scenario.seconds = seconds;
    }
    if let Some(speed) = args.speed {
        ensure!(speed.abs() <= 20.0, "--speed must be at most 20 m/s either way");
        scenario.commands = vec![(0.0, Command::forward(speed))];
    }
    ensure!(args.difficulty.is_none() || args.terrain.is_some(), "--difficulty is that of a --terrain");
    if let Some(terrain) = args.terrain {
        let course = course(Some(terrain));
        scenario.ground = GroundPlan::Course { course, difficulty: args.difficulty.unwrap_or(WALKABLE) };
    }
    if let Some(push) = args.push {
        ensure!(push.is_finite(), "--push must be a finite number");
        let (strength, time) = (Strength::Impulse(Vec3::y() * push), 0.5 * scenario.seconds);
        scenario.pushes.push(PushPlan { time, seconds: 0.2, strength, part: Role::Trunk });
    }
    scenario.seed = args.seed.unwrap_or(scenario.seed);
    if let Some(out) = &args.out {
        scenario.outputs.recording = Some(out.clone());
    }
    Ok(())
}
