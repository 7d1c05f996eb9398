//! Standing and walking under physics, on different bodies.

use sinew_control::features::{Gait, STYLES, WALKER, Walker};
use sinew_control::whole_body::{Kinetics, Sole};
use sinew_control::{Command, ControlStatus, Controller, Kind, Observation, Out};
use sinew_dynamics::spatial::Vec3;
use sinew_dynamics::{BodyId, BodySpec, Change, MassRule, Model, Role, Scale, Side, Span, characters};
use sinew_world::recording::{Meta, Recording, WorldRecorder};
use sinew_world::terrain::{Ground, Piece};
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
        controller.act(&Observation::of(world, 0), &command, &mut Out::new(&mut torques[0]));
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
fn the_same_controller_walks_different_bodies() {
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
fn landings_do_not_buckle_the_spine() {
    let (mut world, mut walker) = world("human");
    let model = world.actors()[0].model().clone();
    let bends = |body: &BodySpec| body.joints.iter().any(|joint| joint.name.contains("back"));
    let spine: Vec<_> = model
        .bodies()
        .iter()
        .enumerate()
        .filter(|(_, body)| bends(body))
        .map(|(part, body)| (body.name.as_str(), BodyId(part), BodyId(body.parent.unwrap())))
        .collect();
    assert!(spine.len() > 1, "a spine of one joint does not buckle");
    assert!(run(&mut world, &mut walker, Command::forward(0.8), 6.0));
    let mut k = Kinetics::new(Arc::clone(&model));
    for _ in 0..200 {
        assert!(run(&mut world, &mut walker, Command::forward(0.8), 0.01));
        k.update(&world.actors()[0].q, &world.actors()[0].v);
        for (name, part, below) in &spine {
            // forward of the part as that below sees it: how far it bows
            let ahead = k.placement(*below).rot.transpose() * k.placement(*part).rot * Vec3::x();
            let bow = ahead.z.asin().to_degrees();
            assert!(bow.abs() < 6.0, "{name} bows by {bow}°");
        }
    }
}

#[test]
fn pushes_are_caught_and_the_audit_holds() {
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
        let status =
            walker.act(&Observation::of(&world, 0), &Command::forward(1.0), &mut Out::new(&mut torques[0]));
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
    let (snapshot, saved) = (world.save(), walker.clone());
    assert!(run(&mut world, &mut walker, Command::forward(0.8), 0.7));
    let q = world.actors()[0].q.clone();
    world.restore(&snapshot).unwrap();
    walker = saved;
    assert!(run(&mut world, &mut walker, Command::forward(0.8), 0.7));
    assert_eq!(world.actors()[0].q, q);
}

#[test]
fn styles_change_in_the_middle_of_a_walk() {
    let (mut world, mut walker) = world("human");
    assert!(run(&mut world, &mut walker, Command::forward(0.8), 2.0));
    for style in STYLES {
        walker.gait = Gait::styled(style);
        assert!(run(&mut world, &mut walker, Command::forward(0.8), 3.0), "fell when {}", style.name);
    }
}

#[test]
fn nan_and_values_out_of_range_do_no_harm() {
    let (mut world, mut walker) = world("human");
    assert!(run(&mut world, &mut walker, Command::forward(0.8), 1.5));
    // long enough to contain a landing
    let not_finite = Command { velocity: [f64::NAN, f64::INFINITY], heading: f64::NAN };
    assert!(run(&mut world, &mut walker, not_finite, 0.8), "fell");
    for param in Gait::PARAMS {
        let (name, Kind::Number { default: usual, range: [low, high], .. }) = (param.name, param.kind) else {
            panic!("{} is not a number", param.name)
        };
        assert!(low <= usual && usual <= high, "{name}");
        for wrong in [f64::NAN, f64::NEG_INFINITY, f64::INFINITY, low - 10.0, high + 10.0] {
            *walker.gait.get_mut(name).unwrap() = wrong;
            let mut torques = Actuation::none(world.actors()[0].model().nv());
            let status = walker.clone().act(
                &Observation::of(&world, 0),
                &Command::forward(0.8),
                &mut Out::new(&mut torques),
            );
            assert_ne!(status, ControlStatus::FellBack, "{name}: {wrong}");
            assert!(torques.torque.iter().all(|t| t.is_finite()), "{name}: {wrong}");
        }
        *walker.gait.get_mut(name).unwrap() = usual;
    }
    assert!(run(&mut world, &mut walker, Command::forward(0.8), 1.0), "fell");
}

#[test]
fn ground_that_ends_is_no_foothold() {
    let block = Ground::Stones { tops: vec![Vec3::new(0.9, 0.0, 0.0)], half: [1.5, 1.0], depth: 0.2 };
    let model = Arc::new(characters::load("human").unwrap());
    let mut world = World::new(Terrain::new(vec![Piece::new(block, 0.8)]).unwrap());
    world.add_character("human", model.clone());
    let mut walker = Walker::new(model.clone()).unwrap();
    world.actor_mut(0).q.copy_from_slice(walker.rest());
    walker.reset(&Observation::of(&world, 0)).unwrap();
    let mut torques = [Actuation::none(model.nv())];
    // walks to the edge: no foot may be planned to land where there is no ground
    let (edge, mut signals, mut furthest) = (2.4, Vec::new(), 0.0_f64);
    while world.time() < 4.0 && world.actors()[0].q[2] > 0.8 {
        let status =
            walker.act(&Observation::of(&world, 0), &Command::forward(0.8), &mut Out::new(&mut torques[0]));
        assert_ne!(status, ControlStatus::FellBack, "at {} s", world.time());
        signals.clear();
        walker.signals(&mut signals);
        let signal = |name| signals[WALKER.signals().position(|s| s.name == name).unwrap()];
        let [landing, capture] = ["landing_x", "capture_x"].map(signal);
        // a step beyond the edge is allowed only when the capture point is beyond it already
        assert!(!(landing > edge) || capture > edge, "at {} s to {landing} m", world.time());
        furthest = furthest.max(landing);
        world.step(&torques).unwrap();
    }
    assert!(furthest > edge - 0.2, "it never came to the edge, but to {furthest} m");
    assert!(world.actors()[0].q[0] > 1.5);
}

#[test]
fn a_walker_that_was_reset_is_as_good_as_new() {
    let (mut first, mut walker) = world("human");
    assert!(run(&mut first, &mut walker, Command::forward(0.8), 2.3));
    let (mut second, mut new) = world("human");
    let begin = second.save();
    assert!(run(&mut second, &mut new, Command::forward(0.8), 1.2));
    let q = second.actors()[0].q.clone();
    second.restore(&begin).unwrap();
    walker.reset(&Observation::of(&second, 0)).unwrap();
    assert_eq!(walker.steps(), 0);
    assert!(run(&mut second, &mut walker, Command::forward(0.8), 1.2));
    assert_eq!(second.actors()[0].q, q);
}

#[test]
fn a_load_is_no_push() {
    let (mut world, mut walker) = world("human");
    assert!(run(&mut world, &mut walker, Command::forward(0.8), 2.0));
    let trunk = world.actors()[0].model().role(Role::Trunk).unwrap();
    let name = world.actors()[0].model().bodies()[trunk.0].name.clone();
    let load = Change::AddPointMass { body: name, mass: 20.0, at: Vec3::new(-0.1, 0.0, 0.1) };
    let heavier = world.actors()[0].model().spec().changed(&[load]).unwrap();
    let heavier = Arc::new(Model::new(heavier).unwrap());
    world.change_body(0, "a load", heavier.clone()).unwrap();
    walker.change_body(&heavier).unwrap();
    let mut torques = [Actuation::none(world.actors()[0].model().nv())];
    for _ in 0..30 {
        walker.act(&Observation::of(&world, 0), &Command::forward(0.8), &mut Out::new(&mut torques[0]));
        world.step(&torques).unwrap();
        let mut signals = Vec::new();
        walker.signals(&mut signals);
        let place = |name| WALKER.signals().position(|signal| signal.name == name).unwrap();
        let felt = ["push_x", "push_y"].map(|name| signals[place(name)]);
        assert!(felt.iter().all(|a| a.abs() < 0.1), "{felt:?}");
    }
}

/// A body after changes.
fn changed(model: &Model, changes: &[Change]) -> Arc<Model> {
    Arc::new(Model::new(model.spec().changed(changes).unwrap()).unwrap())
}

#[test]
fn a_body_on_its_heels_does_not_lift_the_toes() {
    let (mut world, mut walker) = world("human");
    let soles = Side::BOTH.map(|side| Sole::of(world.actors()[0].model(), side).unwrap());
    assert!(run(&mut world, &mut walker, Command::forward(0.8), 4.0));
    let mut torques = [Actuation::none(world.actors()[0].model().nv())];
    let mut highest: f64 = 0.0;
    for _ in 0..2000 {
        walker.act(&Observation::of(&world, 0), &Command::forward(0.8), &mut Out::new(&mut torques[0]));
        world.step(&torques).unwrap();
        let report = world.report();
        let carries = |s: &Sole| report.contacts(0).iter().any(|c| s.owns(c.body) && c.force.norm() > 50.0);
        let k = &walker.body().kinetics;
        let standing: Vec<&Sole> = soles.iter().filter(|s| carries(s)).collect();
        if let [alone] = standing[..] {
            highest = highest.max(k.point(alone.body, &alone.toe()).0.z);
        }
    }
    // feet that land on their toes or heels come down at once
    assert!(highest < 0.006, "{highest} m");
}

#[test]
fn arms_that_would_reach_the_ground_are_bent() {
    let human = characters::load("human").unwrap();
    let hand_height = |model: &Model| {
        let walker = Walker::new(Arc::new(model.clone())).unwrap();
        let mut k = Kinetics::new(Arc::new(model.clone()));
        k.update(walker.rest(), &vec![0.0; model.nv()]);
        // the end of the forearm
        let arm = model.role(Role::LowerArm(Side::Left)).unwrap();
        k.point(arm, &(model.bodies()[arm.0].inertia.com * 2.0)).0.z
    };
    let arms = Side::BOTH.map(|side| Change::Scale {
        body: human.bodies()[human.role(Role::UpperArm(side)).unwrap().0].name.clone(),
        span: Span::Subtree,
        scale: Scale::Uniform(2.0),
        mass: MassRule::Density,
    });
    let (usual, bent) = (hand_height(&human), hand_height(&changed(&human, &arms)));
    assert!(usual > 0.6 && bent > 0.3, "{usual} and {bent} m");
}
