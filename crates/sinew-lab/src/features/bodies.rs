//! Other bodies, loads, and limbs that grow.

use super::watch::{Pace, least_pace, leg};
use super::{balancer, cases, walk};
use crate::context::{Case, Context};
use crate::findings::{Figure, Findings};
use crate::scenario::{ChangePlan, Limb, Reshape};
use crate::{LabError, Scenario, Simulation};
use sinew_control::features::Stance;
use sinew_dynamics::format::mjcf;
use sinew_dynamics::{Keyframe, Model, Role, Side, characters};
use sinew_motion::on_its_feet;
use std::path::Path;
use std::sync::Arc;

/// Walking speed over `√(g·leg)`: 0.75 m/s for the human.
pub(crate) const FROUDE: f64 = 0.25;
const BUILT_IN: [&str; 7] = ["human", "human29", "human42", "child", "asymmetric", "ostrich", "dinosaur"];
const FILES: [&str; 4] = ["humanoid.xml", "humanoid_CMU.xml", "humanoid_CMU_V2020.xml", "unitree_h1.xml"];

pub(super) fn bodies(context: &Context<'_>) -> Result<Findings, LabError> {
    let mut found = Findings::default();
    let mut playable = Vec::new();
    for (name, model) in all(context.characters.as_deref())? {
        let model = match model {
            Ok(model) => model,
            Err(why) => {
                found.note(format!("skipped: {name}: {why}"));
                continue;
            }
        };
        let unit = leg(&model).map_or(0.0, |leg| (leg * model.gravity().norm()).sqrt());
        let scenario = walk(name.clone(), FROUDE * unit, context.pick(30.0, 6.0));
        match Simulation::new(scenario.clone(), Arc::clone(&model)) {
            Ok(_) => playable.push(Case { scenario, model }),
            Err(why) => found.note(format!("skipped: {name} does not suit the controller: {why}")),
        }
    }
    let runs = context.play(&mut found, &playable)?;
    let mut judged = Vec::new();
    for (run, case) in runs.into_iter().zip(&playable) {
        let name = &run.outcome.scenario;
        let steps = Figure::new(format!("footsteps, {name}"), "", run.outcome.summary.steps as f64);
        let freedoms = leg_freedoms(&case.model);
        if freedoms < 6 {
            let how = run.failure().unwrap_or("it stays up".to_owned());
            found.note(format!(
                "{name} is reported without a bar: its legs have {freedoms} degrees of freedom, and a planted foot cannot stay flat whatever the \
                 pelvis does, which the controller takes for granted. {how}."
            ));
            found.figure(steps);
        } else {
            found.figure(steps.at_least(context.pick(20.0, 3.0)).paper("walks"));
            judged.push(run);
        }
    }
    found.figure(Figure::falls(&judged));
    Ok(found)
}

/// Degrees of freedom between a foot and the first common ancestor of both legs.
fn leg_freedoms(model: &Model) -> usize {
    let line = |side| {
        let foot = model.role(Role::Foot(side)).map(|body| body.0);
        std::iter::successors(foot, |body| model.bodies()[*body].parent).collect::<Vec<_>>()
    };
    let [left, right] = Side::BOTH.map(line);
    let leg: Vec<usize> = left.into_iter().filter(|body| !right.contains(body)).collect();
    model.joints().iter().filter(|joint| leg.contains(&joint.body.0)).map(|joint| joint.kind.nv()).sum()
}

/// Name or file, and the body or why it cannot be read.
type Named = (String, Result<Arc<Model>, String>);

/// All bodies, by name or file; those of files as far as they can be read.
pub(crate) fn all(folder: Option<&Path>) -> Result<Vec<Named>, LabError> {
    let mut models = Vec::new();
    for name in BUILT_IN {
        models.push((name.to_owned(), Ok(Arc::new(characters::load(name)?))));
    }
    models.extend(FILES.iter().map(|file| ((*file).to_owned(), read(folder, file))));
    Ok(models)
}

/// A body from a file, its roles completed by guesses.
fn read(folder: Option<&Path>, file: &str) -> Result<Arc<Model>, String> {
    let path = folder.ok_or("no folder of other characters was given")?.join(file);
    if !path.is_file() {
        return Err("there is no such file".to_owned());
    }
    let (model, _) = mjcf::read_model(&path).map_err(|e| e.to_string())?;
    let mut spec = model.spec().clone();
    spec.complete_roles(None);
    let (spec, _) = on_its_feet(spec);
    let model = Arc::new(Model::new(spec).map_err(|e| e.to_string())?);
    ready(model).ok_or_else(|| format!("it does not balance for {SETTLE} s"))
}

/// Time in which a body settles in its standing pose, s.
const SETTLE: f64 = 4.0;

/// Many files have no standing pose, and with all joints at 0 the body may lean on its heels. The pose in which the balancer comes to rest
/// becomes the keyframe `ready`, unless there is one. `None` when the body cannot balance.
fn ready(model: Arc<Model>) -> Option<Arc<Model>> {
    if model.spec().keyframes.iter().any(|k| k.name == "ready") {
        return Some(model);
    }
    let controller = balancer(&Stance::default());
    let scenario = Scenario { controller, seconds: SETTLE, ..Scenario::default() };
    // a body that does not suit the controller is reported below
    let Ok(mut simulation) = Simulation::new(scenario, Arc::clone(&model)) else { return Some(model) };
    while !simulation.ended() && simulation.metrics().fall().is_none() {
        simulation.step().ok()?;
    }
    let q = simulation.q().to_vec();
    let mut spec = model.spec().clone();
    spec.keyframes.push(Keyframe { name: "ready".to_owned(), q, v: Vec::new() });
    let stands = simulation.metrics().fall().is_none();
    stands.then(|| Model::new(spec).map(Arc::new).ok()).flatten()
}

pub(super) fn leg_load(context: &Context<'_>) -> Result<Findings, LabError> {
    loaded(
        context,
        &[("left shin", Limb::Leg(Side::Left), 15.0), ("right shin", Limb::Leg(Side::Right), 15.0)],
    )
}

pub(super) fn backpack(context: &Context<'_>) -> Result<Findings, LabError> {
    loaded(context, &[("trunk", Limb::Trunk, 25.0)])
}

/// Walks with a load.
fn loaded(context: &Context<'_>, loads: &[(&str, Limb, f64)]) -> Result<Findings, LabError> {
    let mut found = Findings::default();
    let mut scenarios = Vec::new();
    for (name, limb, mass) in loads {
        for speed in context.pick(&[0.5, 0.8, 1.0][..], &[0.8][..]) {
            let change = ChangePlan { time: 0.0, seconds: 0.0, limb: *limb, reshape: Reshape::Load(*mass) };
            let name = format!("{mass} kg on the {name} at {speed} m/s");
            scenarios.push(Scenario { changes: vec![change], ..walk(name, *speed, context.pick(60.0, 8.0)) });
        }
    }
    let asked: Vec<f64> = scenarios.iter().map(|s: &Scenario| s.command_at(0.0).velocity[0]).collect();
    let watched = context.watch(&mut found, &cases(scenarios)?, |_| Pace::from(5.0))?;
    found.figure(least_pace(watched.iter().map(|(_, pace)| pace).zip(asked)));
    let runs: Vec<_> = watched.into_iter().map(|(run, _)| run).collect();
    found.figure(Figure::falls(&runs));
    found.note("The load is at the part's centre of mass; the controller knows of it.");
    Ok(found)
}
