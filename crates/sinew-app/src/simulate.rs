//! `sinew simulate`: a controlled character, a scene, or a limp character dropped on terrain.

mod controlled;

pub(crate) use controlled::{parameter, read};

use crate::cli::{CourseName, SimulateArgs};
use crate::interrupt::{Patience, asked};
use crate::progress::{Bar, Shown};
use crate::source::{self, Loaded};
use crate::{Verdict, output};
use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use sinew::dynamics::spatial::Vec3;
use sinew::dynamics::{BodyId, Model, Role};
use sinew::world::metrics::{Metrics, Params, Quantiles};
use sinew::world::recording::{Meta, WorldRecorder};
use sinew::world::scenes::{Scene, Stage};
use sinew::world::terrain::Course;
use sinew::world::{Push, Terrain, World};
use std::sync::Arc;
use std::time::Instant;

/// The verb.
pub(crate) fn run(args: &SimulateArgs) -> Result<Verdict> {
    if args.scene.as_deref() == Some("list") {
        return list(args.json);
    }
    let controlled =
        args.controller.is_some() || !args.clip.is_empty() || args.style.is_some() || !args.set.is_empty();
    if args.scenario.is_some() || controlled {
        return controlled::run(args);
    }
    let scene = args.scene.as_deref().map(find).transpose()?;
    let seconds = args.seconds.unwrap_or(scene.map_or(3.0, |s| s.seconds));
    let (character, seed) = (args.character.as_deref().unwrap_or("human"), args.seed.unwrap_or(1));
    let Loaded { model, .. } = source::load_plain(character)?;
    let model = Arc::new(model);
    let mut meta = Meta { seed, contact_model: "complementarity".into(), ..Meta::new(0.0) };
    let mut stage = match scene {
        Some(scene) => {
            meta.scenario = format!("{}: {}", scene.name, scene.about);
            scene.set(&model)?
        }
        None => {
            meta.scenario = format!("passive {character} on {:?}", course(args.terrain));
            drop_on_terrain(args, seed, &model)?
        }
    };
    let me = stage.me;
    let model = stage.world.actors()[me].model().clone();
    let dt = stage.world.settings().dt;
    meta.dt = dt;
    if let Some(impulse) = args.push {
        let pushed = model.role(Role::Trunk).unwrap_or(BodyId(0));
        let impulse = Vec3::new(0.0, impulse, 0.0);
        stage.world.push(Push::of_impulse(me, pushed, Vec3::zeros(), impulse, 0.2, dt));
    }

    let out = args.out.as_deref().map(|path| output::target(path, RECORDING)).transpose()?;
    let recording = out.map(|path| WorldRecorder::create(path, &stage.world, me, meta, &[]));
    let mut recorder = recording.transpose().context("the recording cannot be written")?;
    let _patience = Patience::new();
    let mut metrics = Metrics::new(&model, dt, None, Params::default());
    let steps = (seconds / dt).round() as usize;
    let mut times = Vec::with_capacity(steps);
    let bar = bar(args);
    for step in 0..steps {
        if step % 100 == 0 {
            bar.show(step, steps);
            if asked() {
                break;
            }
        }
        let begin = Instant::now();
        stage.step()?;
        times.push(1e6 * begin.elapsed().as_secs_f64());
        metrics.step(&model, &stage.world.frame(me));
        if let Some(recorder) = &mut recorder {
            recorder.push(&stage.world, &[])?;
        }
    }
    drop(bar);
    if let Some(recorder) = recorder {
        recorder.finish()?;
    }
    let spent: f64 = times.iter().sum::<f64>() * 1e-6;
    let mut summary = metrics.summary();
    summary.seed = seed;
    summary.realtime_factor = Some(summary.seconds / spent.max(1e-9));
    summary.step_us = Quantiles::of(&mut times);
    let text = if args.json { output::json(&summary)? } else { summary.to_string() };
    output::print(&text)?;
    Ok(if asked() { Verdict::Ended } else { Verdict::Good })
}

/// Endings of recordings.
const RECORDING: &[&str] = &["npz"];

/// The progress of the simulation; not shown with --json.
fn bar(args: &SimulateArgs) -> Bar<'static> {
    Bar::new("simulating", if args.json { Shown::Never } else { Shown::OnTerminal })
}

/// The scenes, a line each.
fn list(as_json: bool) -> Result<Verdict> {
    let text = if as_json {
        let scene = |s: &Scene| json!({"name": s.name, "about": s.about, "seconds": s.seconds});
        output::json(&Scene::all().iter().map(scene).collect::<Vec<Value>>())?
    } else {
        Scene::all().iter().map(|s| format!("{:<9} {}\n", s.name, s.about)).collect()
    };
    output::print(&text)?;
    Ok(Verdict::Good)
}

fn find(name: &str) -> Result<&'static Scene> {
    if let Some(scene) = Scene::find(name) {
        return Ok(scene);
    }
    let near = |s: &&Scene| strsim::damerau_levenshtein(s.name, name);
    let hint = match Scene::all().iter().min_by_key(near).filter(|s| near(s) <= 3) {
        Some(scene) => format!("did you mean `{}`?", scene.name),
        None => "`--scene list` shows all".to_owned(),
    };
    bail!("there is no scene `{name}`; {hint}")
}

/// A limp character above a terrain.
fn drop_on_terrain(args: &SimulateArgs, seed: u64, model: &Arc<Model>) -> Result<Stage> {
    let mut world =
        World::new(Terrain::generate(course(args.terrain), args.difficulty.unwrap_or(0.5), seed)?);
    let me = world.add_character(model.name(), Arc::clone(model));
    if let Some(root) = model.free_root() {
        let actor = world.actor_mut(me);
        actor.q[root.q + 2] += args.drop;
        actor.v[root.v] = args.speed.unwrap_or(0.5);
    }
    Ok(Stage::new(world, me))
}

fn course(name: Option<CourseName>) -> Course {
    match name.unwrap_or(CourseName::Flat) {
        CourseName::Flat => Course::Flat,
        CourseName::Ramps => Course::Ramps,
        CourseName::Stairs => Course::Stairs,
        CourseName::Ledges => Course::Ledges,
        CourseName::Stones => Course::Stones,
        CourseName::Blocks => Course::Blocks,
        CourseName::Rough => Course::Rough,
        CourseName::Mixed => Course::Mixed,
    }
}
