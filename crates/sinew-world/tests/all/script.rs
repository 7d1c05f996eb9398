//! Planned events, and changes in the middle of a run.

use crate::runs::record;
use crate::support::{block, build, free};
use sinew_dynamics::spatial::Vec3;
use sinew_dynamics::*;
use sinew_world::recording::BodyChange;
use sinew_world::{Actuation, Attachment, Event, Push, StepError, Terrain, World};

fn run(world: &mut World, steps: usize) {
    for _ in 0..steps {
        world.step(&[]).expect("a step");
    }
}

fn ball() -> World {
    let mut world = World::new(Terrain::flat());
    let mut spec = free(Shape::Sphere { radius: 0.1 }, 2.0, 0.8, Vec3::new(0.0, 0.0, 5.0));
    spec.gravity = Vec3::zeros();
    world.add_object("ball", build(spec));
    world
}

#[test]
fn events_happen_at_their_step() {
    let mut world = ball();
    let push = Push { actor: 0, body: BodyId(0), point: Vec3::zeros(), force: Vec3::x() * 3.0, steps: 10 };
    let grip = Attachment {
        a: (0, BodyId(0)),
        point_a: Vec3::zeros(),
        b: None,
        point_b: Vec3::new(0.0, 0.0, 5.0),
        orientation: None,
    };
    // planned out of order
    world.at(0.040, Event::Gravity(Vec3::new(0.0, 0.0, -10.0)));
    world.at(0.050, Event::Gravity(Vec3::zeros()));
    world.at(0.020, Event::Push(push));
    world.at(0.0304, Event::Attach(grip));
    world.at(0.0396, Event::Detach(grip));
    let speed = |world: &World| Vec3::from_column_slice(&world.actors()[0].v[..3]);
    run(&mut world, 20);
    assert_eq!(speed(&world), Vec3::zeros());
    run(&mut world, 1);
    assert!((speed(&world).x - 3.0 * 0.001 / 2.0).abs() < 1e-15);
    run(&mut world, 9);
    assert!((speed(&world).x - 0.015).abs() < 1e-15, "ten steps of the push");
    run(&mut world, 1);
    assert!(speed(&world).norm() < 1e-2, "held at once");
    run(&mut world, 9);
    let held = speed(&world);
    run(&mut world, 10);
    let fall = speed(&world) - held;
    assert!((fall - Vec3::new(0.0, 0.0, -0.1)).norm() < 1e-12, "let go, it fell for ten steps: {fall:?}");
    run(&mut world, 5);
    assert_eq!(speed(&world) - held, fall, "and no longer");
}

#[test]
fn friction_changes_under_a_block() {
    let mut world = block(0.3, 0.0, 0.5);
    world.at(0.1, Event::Friction { actor: 0, body: BodyId(0), friction: 0.0 });
    run(&mut world, 100);
    assert!(world.actors()[0].v[0].abs() < 1e-6);
    run(&mut world, 100);
    assert!((world.actors()[0].v[0] - 0.1 * 9.81 * 0.3f64.sin()).abs() < 1e-6);
}

fn loaded(model: &Model, mass: f64) -> Model {
    let load = Change::AddPointMass { body: "lower_arm_r".into(), mass, at: Vec3::new(0.0, 0.0, -0.3) };
    Model::new(model.spec().changed(&[load]).expect("a change")).expect("a model")
}

#[test]
fn a_body_changes_and_keeps_its_momentum() {
    let human = characters::load("human").expect("built in");
    let heavier = loaded(&human, 3.0);
    let mut world = World::new(Terrain::flat());
    world.add_character("human", human.clone().into());
    let actor = world.actor_mut(0);
    actor.v.iter_mut().enumerate().for_each(|(k, v)| *v = 0.5 * (1.3 * k as f64).sin());
    let (q, v) = (actor.q.clone(), actor.v.clone());
    let before = momentum(&human, &mut Data::new(&human), &q, &v);
    world.change_body(0, "a weight", heavier.clone().into()).expect("a change");
    let (q_after, v_after) = (&world.actors()[0].q, &world.actors()[0].v);
    let after = momentum(&heavier, &mut Data::new(&heavier), q_after, v_after);
    assert_eq!((q_after, &v_after[6..]), (&q, &v[6..]), "the posture and its rates stay");
    assert!((after.linear - before.linear).norm() < 1e-12 * human.mass());
    assert!((after.angular - before.angular).norm() < 1e-12 * human.mass());
    // and back, with a mass that comes to rest in the hand: what the root lost, it has again
    world.change_body(0, "no weight", human.into()).expect("a change");
    for (x, y) in world.actors()[0].v.iter().zip(&v) {
        assert!((x - y).abs() < 1e-12);
    }
}

#[test]
fn a_recording_knows_the_bodies_of_its_rows() {
    let human = characters::load("human").expect("built in");
    let (nv, heavier) = (human.nv(), loaded(&human, 3.0));
    let mut world = World::new(Terrain::flat());
    world.add_character("human", human.into());
    world.actor_mut(0).v[4] = 1.0;
    let body = Event::Body { actor: 0, what: "a weight".into(), model: heavier.clone().into() };
    world.at(0.2, body);
    world.at(0.3, Event::Gravity(Vec3::new(0.0, 0.0, -1.62)));
    let run = record(&mut world, 600, |_| {
        let mut act = Actuation::none(nv);
        (6..nv).for_each(|k| act.torque[k] = 0.5 * (k as f64).sin());
        act
    });
    let changes = &run.info().meta.body_changes;
    let told: Vec<_> = changes.iter().map(|BodyChange { step, what, .. }| (*step, what.as_str())).collect();
    assert_eq!(told, [(200, "a weight"), (300, "gravity 0 0 -1.62 m/s²")]);
    assert!((run.info().model_at(250).mass() - heavier.mass()).abs() < 1e-9);
    assert_eq!(run.info().model_at(300).gravity().z, -1.62);
    let audit = run.audit(&Default::default());
    assert!(audit.holds, "{audit}");
    assert!(audit.finding("body changes keep momentum").is_some_and(|f| f.worst < 1e-9), "{audit}");
}

#[test]
fn a_body_of_other_joints_is_refused() {
    let human = characters::load("human").expect("built in");
    let child = characters::load("ostrich").expect("built in");
    let mut world = World::new(Terrain::flat());
    world.add_character("human", human.into());
    let error = world.change_body(0, "a bird", child.clone().into()).expect_err("another bird");
    assert!(error.to_string().starts_with("actor \"human\" cannot change its body: "), "{error}");
    world.at(0.0, Event::Body { actor: 0, what: "a bird".into(), model: child.into() });
    assert!(matches!(world.step(&[]), Err(StepError::Body(_))));
    assert_eq!(world.steps(), 0);
}
