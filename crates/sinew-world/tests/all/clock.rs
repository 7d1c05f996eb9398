//! Time and plans under a time step that changes, and the first half of a step.

use sinew_dynamics::BodyId;
use sinew_dynamics::spatial::Vec3;
use sinew_world::{Actuation, ContactModel, Event, Penalty, Push, Terrain, World};
use std::sync::Arc;

fn floating() -> World {
    let human = Arc::new(sinew_dynamics::characters::load("human").unwrap());
    let mut world = World::new(Terrain::flat());
    world.add_character("human", human);
    world.actor_mut(0).q[2] += 5.0;
    world.at(0.0, Event::Gravity(Vec3::zeros()));
    world
}

#[test]
fn time_is_continuous_when_the_step_changes() {
    let mut world = floating();
    (0..300).for_each(|_| {
        world.step(&[]).unwrap();
    });
    world.configure(|s| s.dt = 5e-5);
    assert_eq!(world.time(), 0.3);
    (0..2000).for_each(|_| {
        world.step(&[]).unwrap();
    });
    assert!((world.time() - 0.4).abs() < 1e-12);
    assert!((world.frame(0).time - (0.4 - 5e-5)).abs() < 1e-12);
    world.configure(|s| s.dt = 1e-3);
    world.step(&[]).unwrap();
    assert!((world.time() - 0.401).abs() < 1e-12);
}

#[test]
fn pushes_keep_their_impulse_and_their_time_when_the_step_changes() {
    for (dt, when) in [(5e-4, 50), (5e-5, 50), (2e-3, 50), (5e-4, 150), (7e-4, 130)] {
        let mut world = floating();
        let push = Push::of_impulse(0, BodyId(0), Vec3::zeros(), Vec3::new(20.0, 0.0, 0.0), 0.1, 1e-3);
        world.at(0.1, Event::Push(push));
        let (mut begun, mut ended, mut impulse) = (f64::NAN, f64::NAN, 0.0);
        while world.time() < 0.4 {
            if world.steps() == when {
                world.configure(|s| s.dt = dt);
            }
            world.step(&[]).unwrap();
            if let [push] = world.report().outside(0) {
                begun = begun.min(world.frame(0).time);
                ended = world.time();
                impulse += push.force.x * world.settings().dt;
            }
        }
        assert!((impulse - 20.0).abs() < 1e-9, "{dt}, {when}: {impulse} N·s");
        assert!((ended - 0.2).abs() < 1.1 * dt, "{dt}, {when}: ends at {ended} s");
        assert!(when > 100 || (begun - 0.1).abs() < 1.1 * dt, "{dt}, {when}: begins at {begun} s");
    }
}

#[test]
fn a_snapshot_remembers_when_the_step_changed() {
    let mut world = floating();
    (0..100).for_each(|_| {
        world.step(&[]).unwrap();
    });
    let rigid = world.save();
    world.configure(|s| s.dt = 1e-4);
    (0..100).for_each(|_| {
        world.step(&[]).unwrap();
    });
    let soft = world.save();
    world.restore(&rigid).unwrap();
    assert_eq!((world.time(), world.settings().dt), (0.1, 1e-3));
    world.restore(&soft).unwrap();
    assert!((world.time() - 0.11).abs() < 1e-12 && world.settings().dt == 1e-4);
}

#[test]
fn the_first_half_of_a_step_changes_no_bit_and_tells_what_comes() {
    for soft in [false, true] {
        let world = || {
            let human = Arc::new(sinew_dynamics::characters::load("human").unwrap());
            let mut world = World::new(Terrain::flat());
            world.add_character("human", human);
            if soft {
                world.configure(|s| (s.dt, s.contact) = (2e-4, ContactModel::Penalty(Penalty::lee2010())));
            }
            let push =
                Push { actor: 0, body: BodyId(0), point: Vec3::zeros(), force: Vec3::x() * 50.0, steps: 40 };
            world.at(0.02, Event::Push(push));
            world
        };
        let (mut plain, mut looked) = (world(), world());
        let limp = [Actuation::none(plain.actors()[0].model().nv())];
        let mut touched = 0;
        for _ in 0..400 {
            looked.begin_step().unwrap();
            let ahead = looked.contacts_ahead(0).to_vec();
            let forces = looked.contact_forces_ahead(0).to_vec();
            let outside = looked.outside_ahead(0).to_vec();
            plain.step(&limp).unwrap();
            looked.step(&limp).unwrap();
            assert_eq!(plain.actors()[0].q, looked.actors()[0].q);
            assert_eq!(plain.actors()[0].v, looked.actors()[0].v);
            assert_eq!(outside, looked.report().outside(0));
            let told = looked.report().contacts(0);
            assert_eq!(ahead.len(), told.len());
            for ((ahead, force), told) in ahead.iter().zip(&forces).zip(told) {
                assert_eq!((ahead.body, ahead.point, ahead.distance), (told.body, told.point, told.distance));
                assert_eq!(ahead.force, Vec3::zeros());
                if soft {
                    assert_eq!(*force, told.force);
                    touched += usize::from(force.norm() > 1.0);
                } else {
                    assert_eq!(*force, Vec3::zeros());
                }
            }
        }
        assert!(!soft || touched > 100, "{touched}");
    }
}
