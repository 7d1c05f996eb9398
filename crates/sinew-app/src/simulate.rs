//! `sinew simulate`: a passive character dropped into a world.

use crate::cli::{CourseName, SimulateArgs};
use crate::source::{self, Loaded};
use crate::{Verdict, output};
use anyhow::{Context, Result, ensure};
use sinew::dynamics::spatial::Vec3;
use sinew::dynamics::{BodyId, Role};
use sinew::world::metrics::{Metrics, Params, Quantiles};
use sinew::world::recording::{Meta, WorldRecorder};
use sinew::world::terrain::Course;
use sinew::world::{Push, Terrain, World};
use std::time::Instant;

/// The verb.
pub(crate) fn run(args: &SimulateArgs) -> Result<Verdict> {
    ensure!(args.seconds > 0.0 && args.seconds <= 36_000.0, "--seconds must be above 0 and at most 36000");
    ensure!(args.drop.is_finite() && args.drop >= 0.0, "--drop must be a height of 0 m or more");
    let Loaded { model, .. } = source::load_plain(&args.character)?;
    let terrain = Terrain::generate(course(args.terrain), args.difficulty, args.seed)?;
    let mut world = World::new(terrain);
    let (dt, pushed) = (world.settings.dt, model.role(Role::Trunk).unwrap_or(BodyId(0)));
    let me = world.add_character(model.name(), model.clone().into());
    if let Some(root) = model.joints().iter().find(|j| j.kind == sinew::dynamics::JointKind::Free) {
        let actor = world.actor_mut(me);
        actor.q[root.q + 2] += args.drop;
        actor.v[root.v] = args.speed;
    }
    if let Some(impulse) = args.push {
        let impulse = Vec3::new(0.0, impulse, 0.0);
        world.push(Push::of_impulse(me, pushed, Vec3::zeros(), impulse, 0.2, dt));
    }

    let mut meta = Meta::new(dt);
    meta.seed = args.seed;
    meta.contact_model = "complementarity".into();
    meta.scenario = format!("passive {} on {:?}", args.character, course(args.terrain));
    let recording = args.out.as_ref().map(|path| WorldRecorder::create(path, &world, me, meta, &[]));
    let mut recorder = recording.transpose().context("the recording cannot be written")?;
    let mut metrics = Metrics::new(&model, dt, None, Params::default());
    let steps = (args.seconds / dt).round() as usize;
    let mut times = Vec::with_capacity(steps);
    for _ in 0..steps {
        let begin = Instant::now();
        world.step(&[])?;
        times.push(1e6 * begin.elapsed().as_secs_f64());
        metrics.step(&model, &world.frame(me));
        if let Some(recorder) = &mut recorder {
            recorder.push(&world, &[])?;
        }
    }
    if let Some(recorder) = recorder {
        recorder.finish()?;
    }
    let spent: f64 = times.iter().sum::<f64>() * 1e-6;
    let mut summary = metrics.summary();
    summary.seed = args.seed;
    summary.realtime_factor = Some(args.seconds / spent.max(1e-9));
    summary.step_us = Quantiles::of(&mut times);
    let text = if args.json { output::json(&summary)? } else { summary.to_string() };
    output::print(&text)?;
    Ok(Verdict::Good)
}

fn course(name: CourseName) -> Course {
    match name {
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
