//! A controlled character: a scenario file, options, or both.

use super::{bar, course};
use crate::cli::SimulateArgs;
use crate::interrupt::{Patience, asked};
use crate::source;
use crate::{Verdict, cache, controllers, output};
use anyhow::{Context, Result, bail, ensure};
use sinew::control::{Command, Kind, Registry, System, Value};
use sinew::dynamics::spatial::Vec3;
use sinew::dynamics::{Model, Role, characters};
use sinew::lab::scenario::{GroundPlan, PushPlan, Strength};
use sinew::lab::{LabError, Scenario, Simulation};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Default difficulty of a terrain for walking, as in the studio.
const WALKABLE: f64 = 0.1;

/// Plays the scenario that file and options describe.
pub(super) fn run(args: &SimulateArgs) -> Result<Verdict> {
    let (mut scenario, source) = match &args.scenario {
        Some(path) => {
            let (scenario, source) = Source::read(path)?;
            (scenario, Some(source))
        }
        None => (Scenario::default(), None),
    };
    replace(&mut scenario, args)?;
    let placed = |table, nth, error: anyhow::Error| match &source {
        Some(source) => source.placed(table, nth, error),
        None => error,
    };
    let loaded = source::load_standing(&scenario.character);
    let (model, notes) = loaded.map_err(|e| match args.character {
        Some(_) => e,
        None => placed("character", 0, e),
    })?;
    let who = format!("the {} cannot move `{}`", scenario.controller.system.name, scenario.character);
    let explained = |e: LabError| match e {
        LabError::Entry { table, nth, source } => placed(table, nth, (*source).into()),
        LabError::Control(_) => anyhow::Error::from(e).context(who.clone()),
        _ => e.into(),
    };
    let simulation = prepared(args, &scenario, Arc::new(model)).map_err(explained)?;
    let (recording, summary) = outputs(&scenario, args)?;
    let _patience = Patience::new();
    let bar = bar(args);
    let played = sinew::lab::play(simulation, recording.as_deref(), &|done, total| {
        bar.show(done, total);
        !asked()
    });
    drop(bar);
    let mut outcome = played.map_err(explained)?;
    outcome.notes.splice(0..0, notes);
    let as_json = output::json(&outcome)?;
    if let Some(path) = &summary {
        output::write_whole(path, as_json.as_bytes())?;
    }
    output::print(&if args.json { as_json } else { outcome.to_string() })?;
    Ok(if asked() { Verdict::Ended } else { Verdict::Good })
}

/// Targets of recording and summary: files named by the scenario must be below its folder, links included.
fn outputs(scenario: &Scenario, args: &SimulateArgs) -> Result<(Option<PathBuf>, Option<PathBuf>)> {
    let folder = args.scenario.as_deref().and_then(Path::parent).unwrap_or(Path::new(""));
    let folder = if folder == Path::new("") { Path::new(".") } else { folder };
    let below = |file: &PathBuf, endings: &[&str]| -> Result<PathBuf> {
        let path = folder.join(file);
        let top = folder.canonicalize().with_context(|| folder.display().to_string())?;
        // the file itself where it is there, else the folder that it will be in
        let place = path.canonicalize().or_else(|_| path.parent().unwrap_or(folder).canonicalize());
        let place = place.with_context(|| format!("there is no folder for `{}`", path.display()))?;
        let dangling = path.is_symlink() && !path.exists();
        ensure!(
            place.starts_with(&top) && !dangling,
            "`{}` is outside the folder of the scenario; `--out` writes a recording anywhere",
            path.display()
        );
        output::target(&path, endings)?;
        Ok(path)
    };
    let recording = match (&args.out, &scenario.outputs.recording) {
        (Some(out), _) => Some(output::target(out, super::RECORDING)?.to_owned()),
        (None, Some(file)) => Some(below(file, super::RECORDING)?),
        (None, None) => None,
    };
    let summary = scenario.outputs.summary.as_ref().map(|file| below(file, &["json"])).transpose()?;
    Ok((recording, summary))
}

/// Sets up the simulation; the controller's preparation is kept for the next time.
fn prepared(args: &SimulateArgs, scenario: &Scenario, model: Arc<Model>) -> Result<Simulation, LabError> {
    let bar = bar(args);
    let progress = |share: f64| {
        bar.show((1000.0 * share) as usize, 1000);
        true
    };
    match cache::store() {
        Ok(store) => Simulation::with_store(scenario.clone(), model, &store, &progress),
        Err(_) => Simulation::with_store(scenario.clone(), model, &(), &progress),
    }
}

/// Reads a scenario; files that it names are looked for beside it.
pub(crate) fn read(path: &Path) -> Result<Scenario> {
    Ok(Source::read(path)?.0)
}

/// The file of a scenario, for the line of errors that are found later.
struct Source {
    shown: String,
    text: String,
}

impl Source {
    /// Reads a scenario; files that it names are looked for beside it.
    fn read(path: &Path) -> Result<(Scenario, Source)> {
        let (shown, text) = (path.display().to_string(), source::text(path)?);
        let mut scenario = Scenario::parse(&text, &shown)?;
        let folder = path.parent().unwrap_or(Path::new(""));
        // a motion is a file beside the scenario, or the name of a built-in one
        for clip in &mut scenario.controller.clips {
            let file = folder.join(&*clip);
            if file.is_file() {
                *clip = file;
            }
        }
        let character = folder.join(&scenario.character);
        if characters::text(&scenario.character).is_none() && character.exists() {
            scenario.character = character.display().to_string();
        }
        Ok((scenario, Source { shown, text }))
    }

    /// An error with file and line of what it is about.
    fn placed(&self, key: &str, nth: usize, error: anyhow::Error) -> anyhow::Error {
        match Scenario::line_of(&self.text, key, nth) {
            Some(line) => error.context(format!("{}:{line}", self.shown)),
            None => error,
        }
    }
}

/// The value of a parameter that is given as text.
pub(crate) fn parameter(system: &'static System, path: &str, text: &str) -> Result<Value> {
    let Some((_, param)) = system.param(path) else {
        bail!("a {} has no parameter `{path}`; `sinew controllers {0}` lists them", system.name);
    };
    let numbers = || text.split(',').map(|x| x.trim().parse()).collect::<Result<Vec<f64>, _>>().ok();
    let value = match param.kind {
        Kind::Number { .. } => text.parse().ok().map(|x: f64| Value::Number(x * param.scale())),
        Kind::Flag { .. } => text.parse().ok().map(Value::Flag),
        Kind::Choice { .. } => Some(Value::Name(text.to_owned())),
        Kind::Numbers { .. } => numbers().map(Value::Numbers),
    };
    let wrong = param.wants(value.as_ref().unwrap_or(&Value::Numbers(vec![f64::NAN])));
    match (value, wrong) {
        (Some(value), None) => Ok(value),
        (_, wanted) => bail!("`{path}` must be {}, not `{text}`", wanted.unwrap_or_default()),
    }
}

/// Options override the file.
fn replace(scenario: &mut Scenario, args: &SimulateArgs) -> Result<()> {
    let registry = Registry::built_in();
    if let Some(name) = args.controller.as_deref() {
        let system = registry.get(name).ok_or_else(|| controllers::unknown(&registry, name))?;
        // settings that both controllers have stay as in the scenario
        if let Some((_, request)) = scenario.requests.iter().find(|(_, request)| !system.takes(request)) {
            bail!("the scenario has the request `{}`, which {name} does not take", request.name);
        }
        scenario.controller = scenario.controller.become_system(system);
        if args.scenario.is_none() {
            scenario.name = name.to_owned();
        }
    }
    if !args.clip.is_empty() {
        scenario.controller.clips.clone_from(&args.clip);
    }
    let system = scenario.controller.system;
    if let Some(name) = &args.style {
        let names: Vec<&str> = system.styles.iter().map(|style| style.name).collect();
        let known = if names.is_empty() { "it has none".to_owned() } else { names.join(", ") };
        let style = system.style(name);
        scenario.controller.style =
            Some(style.with_context(|| format!("a {} has no style `{name}`: {known}", system.name))?);
    }
    for said in &args.set {
        let (path, text) = said.split_once('=').with_context(|| {
            format!("--set takes PARAMETER=VALUE, such as `--set lift=0.12`, not `{said}`")
        })?;
        let value = parameter(system, path, text)?;
        scenario.controller = std::mem::take(&mut scenario.controller).with(path, value)?;
    }
    if let Some(character) = &args.character {
        scenario.character.clone_from(character);
    }
    if let Some(seconds) = args.seconds {
        scenario.seconds = seconds;
    }
    if let Some(speed) = args.speed {
        scenario.commands = vec![(0.0, Command::forward(speed))];
    }
    ensure!(args.difficulty.is_none() || args.terrain.is_some(), "--difficulty needs a --terrain");
    if let Some(terrain) = args.terrain {
        let course = course(Some(terrain));
        scenario.ground = GroundPlan::Course { course, difficulty: args.difficulty.unwrap_or(WALKABLE) };
    }
    if let Some(push) = args.push {
        let (strength, time) = (Strength::Impulse(Vec3::y() * push), 0.5 * scenario.seconds);
        scenario.pushes.push(PushPlan { time, seconds: 0.2, strength, part: Role::Trunk });
    }
    scenario.seed = args.seed.unwrap_or(scenario.seed);
    Ok(())
}
