//! Balance in many situations, each run audited: `cargo run --release --example balance [folder]`. With a folder, the runs are
//! recorded there for the viewer.
//!
//! Errors are those of the centre of mass against its target, after the first three seconds. With `compare` after the folder, strict
//! priorities are compared with a weighted sum of the same objectives by the largest push that the character survives without a step;
//! that takes long.

use sinew_control::features::{Balancer, Stance};
use sinew_control::whole_body::Priorities;
use sinew_control::{Command, Controller, Observation, Out};
use sinew_dynamics::spatial::Vec3;
use sinew_dynamics::{Data, Model, Role, Shape, center_of_mass, characters};
use sinew_world::metrics::{Metrics, Params};
use sinew_world::recording::{Meta, Recording, WorldRecorder};
use sinew_world::terrain::{Ground, Piece};
use sinew_world::{Actuation, Path, Platform, Push, Terrain, World};
use std::error::Error;
use std::f64::consts::TAU;
use std::sync::Arc;

/// The situation and the target.
#[derive(Clone)]
struct Scene {
    stance: Stance,
    priorities: Priorities,
    /// Pitch of the ground, rad, rising along a heading.
    slope: [f64; 2],
    /// A platform under the feet.
    path: Option<Path>,
    /// Impulse of a push on the trunk per mass, N·s/kg, and its direction.
    push: [f64; 2],
    seconds: f64,
}

impl Default for Scene {
    fn default() -> Scene {
        Scene {
            stance: Stance::default(),
            priorities: Priorities::Strict,
            slope: [0.0; 2],
            path: None,
            push: [0.0; 2],
            seconds: 8.0,
        }
    }
}

/// The result.
struct Outcome {
    /// Largest errors of height and place, m.
    errors: [f64; 2],
    steps: usize,
    failure: Option<String>,
}

fn play(model: &Arc<Model>, scene: &Scene, file: Option<String>) -> Result<Outcome, Box<dyn Error>> {
    let [pitch, heading] = scene.slope;
    let ground = match scene.path {
        // far below the platform
        Some(_) => Ground::Plane { height: -1.0 },
        None => Ground::Slope { through: Vec3::zeros(), heading, pitch },
    };
    let mut world = World::new(Terrain::new(vec![Piece::new(ground, 0.8)])?);
    let me = world.add_character("human", model.clone());
    if let Some(path) = scene.path {
        let shape = Shape::Box { half: Vec3::new(0.5, 0.5, 0.05) };
        world.add_platform(Platform { name: "platform".into(), shape, path, friction: 0.8 });
    }
    let mut balancer = Balancer::new(model.clone())?;
    balancer.stance = scene.stance.clone();
    *balancer.walker.priorities_mut() = scene.priorities.clone();
    world.actor_mut(me).q.copy_from_slice(balancer.walker.rest());
    // the lower ends of the soles touch an inclined ground
    world.actor_mut(me).q[2] += 0.14 * libm::tan(pitch).abs();
    balancer.reset(&Observation::of(&world, me))?;

    let dt = world.settings().dt;
    let mut data = Data::new(model);
    let mut metrics = Metrics::new(model, dt, Some(me), Params::default());
    let mut recorder = WorldRecorder::in_memory(&world, me, Meta::new(dt), &[])?;
    let mut torques = [Actuation::none(model.nv())];
    let trunk = model.role(Role::Trunk).ok_or("no trunk")?;
    let mut out = Outcome { errors: [0.0; 2], steps: 0, failure: None };
    let asked = |time: f64| {
        let phase = TAU * time / scene.stance.squat_period;
        1.0 - 0.5 * scene.stance.squat_depth * (1.0 - libm::cos(phase))
    };
    let mut still: Option<(Vec3, f64)> = None;
    while world.time() < scene.seconds {
        let now = world.time();
        if scene.push[0] > 0.0 && (now - 3.0).abs() < 0.5 * dt {
            let (s, c) = libm::sincos(scene.push[1]);
            let impulse = Vec3::new(c, s, 0.0) * (scene.push[0] * model.mass());
            world.push(Push::of_impulse(me, trunk, Vec3::zeros(), impulse, 0.4, dt));
        }
        balancer.act(&Observation::of(&world, me), &Command::STAND, &mut Out::new(&mut torques[0]));
        world.step(&torques)?;
        recorder.push(&world, &[])?;
        metrics.step(model, &world.frame(me));
        let moved = scene.path.map_or(Vec3::zeros(), |p| p.at(world.time()).0.pos - p.at(3.0).0.pos);
        let com = center_of_mass(model, &mut data, &world.actors()[me].q) - moved;
        if world.time() >= 3.0 {
            let (place, tall) = *still.get_or_insert((com, com.z / asked(world.time())));
            let off = libm::hypot(com.x - place.x, com.y - place.y);
            out.errors[0] = out.errors[0].max((com.z - tall * asked(world.time())).abs());
            out.errors[1] = out.errors[1].max(off);
        }
        if let Some((time, why)) = metrics.fall() {
            out.failure = Some(format!("fell at {time:.1} s: {why:?}"));
            break;
        }
    }
    out.steps = balancer.walker.steps();
    let bytes = recorder.into_bytes()?;
    if let Some(file) = file {
        std::fs::write(file, &bytes)?;
    }
    if !Recording::from_bytes(bytes)?.audit(&Default::default()).holds && out.failure.is_none() {
        out.failure = Some("the audit does not hold".into());
    }
    Ok(out)
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1);
    let human = Arc::new(characters::load("human")?);
    let usual = Scene::default();
    let stance = |stance: Stance| Scene { stance, ..Scene::default() };
    let slope =
        |degrees: f64, heading: f64| Scene { slope: [degrees.to_radians(), heading], ..Scene::default() };
    let harmonic = |amplitude: Vec3| {
        let centre = Vec3::z() * -0.05;
        Scene {
            path: Some(Path::Harmonic { centre, amplitude, frequency: 0.5, phase: 0.0 }),
            ..Scene::default()
        }
    };
    let mut scenes = vec![
        ("still", usual.clone()),
        ("squats", stance(Stance { squat_depth: 0.18, squat_period: 2.0, ..Stance::default() })),
        ("deep-squats", stance(Stance { squat_depth: 0.35, squat_period: 3.0, ..Stance::default() })),
        ("lean-forward", stance(Stance { lean_forward: 0.08, ..Stance::default() })),
        ("lean-left", stance(Stance { lean_left: 0.08, ..Stance::default() })),
        ("uphill", slope(10.0, 0.0)),
        ("downhill", slope(-10.0, 0.0)),
        ("across", slope(10.0, TAU / 4.0)),
        ("platform-along", harmonic(Vec3::x() * 0.1)),
        ("platform-across", harmonic(Vec3::y() * 0.1)),
        ("platform-up", harmonic(Vec3::z() * 0.1)),
    ];
    let compass =
        ["push-0", "push-45", "push-90", "push-135", "push-180", "push-225", "push-270", "push-315"];
    for (k, name) in compass.into_iter().enumerate() {
        scenes.push((name, Scene { push: [0.35, TAU * k as f64 / 8.0], ..usual.clone() }));
    }
    println!("{:16} {:>11} {:>10} {:>6}", "scene", "height, mm", "place, mm", "steps");
    for (name, scene) in &scenes {
        let file = folder.as_ref().map(|f| format!("{f}/{name}.npz"));
        let out = play(&human, scene, file)?;
        let [height, place] = out.errors.map(|e| 1e3 * e);
        let verdict = out.failure.unwrap_or_default();
        println!("{name:16} {height:>11.1} {place:>10.1} {:>6} {verdict}", out.steps);
    }
    if std::env::args().nth(2).as_deref() != Some("compare") {
        return Ok(());
    }
    for (name, priorities) in [("strict", Priorities::Strict), ("weighted", Priorities::weighted())] {
        let most = (0..8).map(|k| {
            let survived = |rung: &usize| {
                let push = [0.05 * *rung as f64, TAU * k as f64 / 8.0];
                let scene = Scene { push, priorities: priorities.clone(), seconds: 6.0, ..usual.clone() };
                play(&human, &scene, None).is_ok_and(|o| o.failure.is_none() && o.steps == 0)
            };
            0.05 * (1..20).take_while(survived).count() as f64
        });
        let all: Vec<String> = most.map(|p| format!("{p:.2}")).collect();
        println!("largest push without a step, N·s/kg, eight directions, {name}: {}", all.join(" "));
    }
    Ok(())
}
