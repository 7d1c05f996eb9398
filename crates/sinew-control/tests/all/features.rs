//! Standing and walking under physics, on unlike bodies.

use sinew_control::features::{Style, Walker};
use sinew_control::{Command, ControlStatus, Controller, Observation};
use sinew_dynamics::spatial::Vec3;
use sinew_dynamics::{Role, characters};
use sinew_world::recording::{Meta, Recording, WorldRecorder};
use sinew_world::{Actuation, Push, Terrain, World};
use std::sync::Arc;

/// A world with one walker in it.
fn world(character: &str) -> (World, Walker) {
    let model = Arc::new(characters::load(character).unwrap());
    let mut world = World::new(Terrain::flat());
    let me = world.add_character(character, model.clone());
    let mut walker = Walker::new(model).unwrap();
    world.actor_mut(me).q.copy_from_slice(walker.rest());
    walker.reset(&Observation::of(&world, me)).unwrap();
    (world, walker)
}

/// Runs and says whether it is still up.
fn run(world: &mut World, controller: &mut dyn Controller, command: Command, seconds: f64) -> bool {
    let mut torques = [Actuation::none(world.actors()[0].model().nv())];
    let tall = world.actors()[0].q[2];
    for _ in 0..(seconds * 1000.0) as usize {
        controller.act(&Observation::of(world, 0), &command, &mut torques[0]);
        world.step(&torques).unwrap();
        if world.actors()[0].q[2] < 0.6 * tall {
            return false;
        }
    }
    true
}

#[test]
fn a_person_stands_still() {
    let (mut world, mut walker) = world("human");
    assert!(run(&mut world, &mut walker, Command::STAND, 1.5));
    let before = world.actors()[0].q.clone();
    assert!(run(&mut world, &mut walker, Command::STAND, 1.0));
    let drift = Vec3::new(
        world.actors()[0].q[0] - before[0],
        world.actors()[0].q[1] - before[1],
        world.actors()[0].q[2] - before[2],
    );
    assert!(drift.norm() < 1e-3 && walker.steps() == 0, "{drift:?}");
}

#[test]
fn the_same_controller_walks_unlike_bodies() {
    for character in ["human", "human29", "human42", "child", "asymmetric", "ostrich", "dinosaur"] {
        let (mut world, mut walker) = world(character);
        // equal Froude numbers
        let speed = 0.5 * (world.actors()[0].q[2] / 0.91).sqrt();
        assert!(run(&mut world, &mut walker, Command::forward(speed), 3.0), "{character} fell");
        let from = world.actors()[0].q[0];
        assert!(run(&mut world, &mut walker, Command::forward(speed), 3.0), "{character} fell");
        let mean = (world.actors()[0].q[0] - from) / 3.0;
        assert!((mean - speed).abs() < 0.1 * speed, "{character} walks at {mean} m/s");
    }
}

#[test]
fn speeds_directions_and_stops() {
    for (velocity, seconds) in [([1.0, 0.0], 5.0), ([-0.4, 0.0], 4.0), ([0.0, 0.3], 4.0)] {
        let (mut world, mut walker) = world("human");
        let command = Command { velocity, heading: 0.0 };
        assert!(run(&mut world, &mut walker, command, seconds), "{velocity:?}: fell");
        let from = world.actors()[0].q.clone();
        assert!(run(&mut world, &mut walker, command, 4.0), "{velocity:?}: fell");
        let q = &world.actors()[0].q;
        let (vx, vy) = ((q[0] - from[0]) / 4.0, (q[1] - from[1]) / 4.0);
        let miss = (vx - velocity[0]).hypot(vy - velocity[1]);
        assert!(miss < 0.1 * velocity[0].hypot(velocity[1]) + 0.03, "{velocity:?}: {vx} {vy}");
    }
    let (mut world, mut walker) = world("human");
    assert!(run(&mut world, &mut walker, Command::forward(0.8), 4.0));
    assert!(run(&mut world, &mut walker, Command::STAND, 5.0), "fell while stopping");
    let v = &world.actors()[0].v;
    assert!(v.iter().all(|v| v.abs() < 0.02), "it still moves");
}

#[test]
fn pushes_are_caught_and_the_run_is_honest() {
    let (mut world, mut walker) = world("human");
    assert!(run(&mut world, &mut walker, Command::forward(1.0), 3.0));
    let model = world.actors()[0].model().clone();
    let trunk = model.role(Role::Trunk).unwrap();
    let mut recorder = WorldRecorder::in_memory(&world, 0, Meta::new(1e-3), &[]).unwrap();
    let mut torques = [Actuation::none(model.nv())];
    for k in 0..8000 {
        if k % 4000 == 0 {
            let impulse = Vec3::y() * (if k == 0 { 0.25 } else { -0.25 } * model.mass());
            world.push(Push::of_impulse(0, trunk, Vec3::zeros(), impulse, 0.4, 1e-3));
        }
        let status = walker.act(&Observation::of(&world, 0), &Command::forward(1.0), &mut torques[0]);
        assert_ne!(status, ControlStatus::FellBack);
        world.step(&torques).unwrap();
        recorder.push(&world, &[]).unwrap();
    }
    assert!(world.actors()[0].q[2] > 0.8, "fell");
    let run = Recording::from_bytes(recorder.into_bytes().unwrap()).unwrap();
    let audit = run.audit(&Default::default());
    assert!(audit.holds, "{audit:?}");
}

#[test]
fn a_restored_walk_goes_on_with_the_same_bits() {
    let (mut world, mut walker) = world("human");
    assert!(run(&mut world, &mut walker, Command::forward(0.8), 1.7));
    let (snapshot, state) = (world.save(), walker.save());
    assert!(run(&mut world, &mut walker, Command::forward(0.8), 0.7));
    let q = world.actors()[0].q.clone();
    world.restore(&snapshot).unwrap();
    walker.restore(&state).unwrap();
    assert!(run(&mut world, &mut walker, Command::forward(0.8), 0.7));
    assert_eq!(world.actors()[0].q, q);
}

#[test]
fn styles_change_in_the_middle_of_a_walk() {
    let (mut world, mut walker) = world("human");
    assert!(run(&mut world, &mut walker, Command::forward(0.8), 2.0));
    for style in Style::ALL {
        walker.gait = style.gait();
        assert!(run(&mut world, &mut walker, Command::forward(0.8), 3.0), "fell when {}", style.name);
    }
}
