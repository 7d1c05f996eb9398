//! Records a run that shows all that the viewer draws: a human is pushed and falls among boxes, and a ball hits their stack.
//!
//! ```text
//! cargo run --release -p sinew-app --example sample_run -- run.npz expected.json
//! sinew export run.npz --to run.html
//! ```
//!
//! The second file holds places of the character and the objects at times that are frames of the page too, for tests.

use serde_json::{Value, json};
use sinew::dynamics::spatial::{Inertia, Vec3};
use sinew::dynamics::{
    BodyId, BodySpec, Data, Geom, JointSpec, Model, ModelSpec, Shape, center_of_mass, characters,
};
use sinew::world::recording::{Meta, Recording, WorldRecorder};
use sinew::world::terrain::{Ground, Piece};
use sinew::world::{Actuation, Push, Terrain, World};
use std::f64::consts::PI;
use std::sync::Arc;

const SECONDS: f64 = 3.0;
/// Every 50 ms a step begins together with a frame of the page (1 ms and 1/60 s).
const COMMON: f64 = 0.05;

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

fn main() -> Outcome<()> {
    let mut args = std::env::args().skip(1);
    let path = args.next().unwrap_or_else(|| "run.npz".into());
    let expected = args.next();

    let human = Arc::new(characters::load("human")?);
    let stand = human.spec().keyframes.iter().find(|k| k.name == "ready").ok_or("a posture")?.q.clone();
    let mut world = World::new(ground()?);
    let me = world.add_character("human", Arc::clone(&human));
    world.actor_mut(me).q.clone_from(&stand);
    for (i, height) in [0.15, 0.45, 0.75].into_iter().enumerate() {
        let cube = Shape::Box { half: Vec3::new(0.15, 0.15, 0.15) };
        world.add_object(format!("box{i}"), thing(cube, 2.0, Vec3::new(1.3, 0.8, height))?);
    }
    let ball =
        world.add_object("ball", thing(Shape::Sphere { radius: 0.12 }, 3.0, Vec3::new(3.6, 0.75, 0.75))?);
    world.actor_mut(ball).v[0] = -4.0;
    world.actor_mut(ball).v[2] = 2.5;

    let dt = world.settings().dt;
    let meta = Meta { scenario: "a push, a fall and a ball".into(), ..Meta::new(dt) };
    let mut recorder = WorldRecorder::create(&path, &world, me, meta, &[])?;
    let trunk = human.body("upper_back").ok_or("the human has a trunk")?;
    let nv: Vec<usize> = world.actors().iter().map(|a| a.model().nv()).collect();
    let mut actuation: Vec<Actuation> = nv.into_iter().map(Actuation::none).collect();
    let steps = (SECONDS / dt).round() as usize;
    for step in 0..=steps {
        if step == steps / 6 {
            let impulse = Vec3::new(22.0, -6.0, 0.0);
            world.push(Push::of_impulse(me, trunk, Vec3::new(-0.1, 0.0, 0.2), impulse, 0.08, dt));
        }
        hold(&human, &stand, &world, me, &mut actuation[me]);
        world.step(&actuation)?;
        recorder.push(&world, &[])?;
    }
    recorder.finish()?;
    if let Some(file) = expected {
        std::fs::write(file, serde_json::to_string_pretty(&places(&Recording::open(&path)?))?)?;
    }
    Ok(())
}

/// Springs and dampers towards a posture, too weak to balance.
fn hold(human: &Model, stand: &[f64], world: &World, me: usize, out: &mut Actuation) {
    let actor = &world.actors()[me];
    human.difference(&actor.q, stand, &mut out.torque);
    for (k, tau) in out.torque.iter_mut().enumerate() {
        *tau = if k < 6 { 0.0 } else { 90.0 * *tau - 3.0 * actor.v[k] };
    }
}

/// A free body of one shape.
fn thing(shape: Shape, mass: f64, at: Vec3) -> Outcome<Arc<Model>> {
    let geom = Geom { friction: 0.8, ..Geom::new(shape) };
    let inertia: Inertia = geom.shape.solid(mass);
    let body = BodySpec::new("body", None, inertia).at(at);
    let mut spec = ModelSpec::new("thing");
    spec.bodies.push(body.with_joint(JointSpec::free("root")).with_geom(geom));
    Ok(Arc::new(Model::new(spec)?))
}

/// Level ground with a flight of stairs, a ramp and stepping stones around.
fn ground() -> Outcome<Terrain> {
    let stairs = Ground::Stairs {
        start: Vec3::new(-1.8, 0.8, 0.0),
        heading: PI,
        width: 1.2,
        run: 0.3,
        rise: 0.18,
        steps: 4,
        landing: 0.4,
    };
    let ramp = Ground::Ramp {
        start: Vec3::new(-0.6, 2.4, 0.0),
        heading: 0.5 * PI,
        length: 1.6,
        width: 1.2,
        rise: 0.5,
    };
    let tops =
        (0..4).map(|i| Vec3::new(0.6 + 0.7 * f64::from(i), 2.6 + 0.2 * f64::from(i % 2), 0.2)).collect();
    let stones = Ground::Stones { tops, half: [0.25, 0.25], depth: 0.2 };
    let pieces = [Ground::Plane { height: 0.0 }, stairs, ramp, stones];
    Ok(Terrain::new(pieces.into_iter().map(|g| Piece::new(g, 1.0)).collect())?)
}

/// Where everything is at the times that rows and frames share.
fn places(run: &Recording) -> Value {
    let model = &run.info().model;
    let mut data = Data::new(model);
    let every = (COMMON / run.info().meta.dt).round() as usize;
    let moments: Vec<Value> = run
        .rows()
        .step_by(every)
        .map(|row| {
            let com = center_of_mass(model, &mut data, row.frame.q);
            let bodies = (0..model.bodies().len()).map(|i| data.body_placement(model, BodyId(i)).pos);
            let places: Vec<[f64; 3]> = bodies.map(|p| [p.x, p.y, p.z]).collect();
            let objects: Vec<&[f64]> = row.objects.iter().map(|o| &o[..3]).collect();
            json!({"time": row.frame.time, "com": [com.x, com.y, com.z], "bodies": places, "objects": objects})
        })
        .collect();
    let names: Vec<&str> = model.bodies().iter().map(|b| b.name.as_str()).collect();
    json!({"bodies": names, "objects": run.info().object_names, "moments": moments})
}
