//! Fast spins: conserved quantities, time run backwards, brakes, and their recording.

use crate::support::{build, free};
use sinew_dynamics::spatial::{Mat3, Vec3, rotation};
use sinew_dynamics::{Data, Model, Shape, characters, kinetic_energy};
use sinew_world::audit::AuditReport;
use sinew_world::recording::{Meta, Recording, WorldRecorder};
use sinew_world::{Cone, ContactModel, Penalty, Push, Terrain, World};

/// A brick of three different moments of inertia in free space, tumbling at 300 rad/s about all axes.
fn top(dt: f64, contact: ContactModel) -> World {
    let mut spec = free(Shape::Box { half: Vec3::new(0.3, 0.2, 0.05) }, 4.0, 0.5, Vec3::new(0.0, 0.0, 50.0));
    spec.gravity = Vec3::zeros();
    let mut world = World::new(Terrain::flat());
    world.configure(|s| (s.dt, s.contact) = (dt, contact));
    world.add_object("top", build(spec));
    world.actor_mut(0).v[3..].copy_from_slice(&[120.0, 250.0, 115.0]);
    world
}

/// Kinetic energy and angular momentum in body axes of a single body.
fn spin(model: &Model, v: &[f64]) -> (f64, Vec3) {
    let w = Vec3::from_column_slice(&v[3..6]);
    let momentum: Vec3 = model.bodies()[0].inertia.about_com * w;
    (0.5 * w.dot(&momentum), momentum)
}

/// Euler's equations keep `½ ω·Iω` and `|Iω|`; so does each step, to rounding. The direction in space, seen at the configurations
/// between velocities, swings and does not wander.
#[test]
fn a_torque_free_top_keeps_energy_and_angular_momentum() {
    for contact in [ContactModel::default(), ContactModel::Penalty(Penalty::lee2010())] {
        keeps_energy_and_angular_momentum(contact);
    }
}

fn keeps_energy_and_angular_momentum(contact: ContactModel) {
    let mut world = top(1e-3, contact);
    let model = world.actors()[0].model().clone();
    let (energy, momentum) = spin(&model, &world.actors()[0].v);
    let mut first: Option<Vec3> = None;
    let (mut worst, mut swing): ([f64; 2], [f64; 2]) = ([0.0; 2], [0.0; 2]);
    for k in 0..20_000 {
        world.step(&[]).unwrap();
        let (now, v) = (spin(&model, &world.actors()[0].v), &world.actors()[0].v);
        worst[0] = worst[0].max((now.0 / energy - 1.0).abs());
        worst[1] = worst[1].max((now.1.norm() / momentum.norm() - 1.0).abs());
        let frame = world.frame(0);
        let mean: Vec<f64> = frame.v.iter().zip(v).map(|(a, b)| 0.5 * (a + b)).collect();
        let turn: Mat3 = rotation::from_wxyz(&frame.q[3..]).to_rotation_matrix().into_inner();
        let in_space = (turn * spin(&model, &mean).1).normalize();
        let off = in_space.angle(first.get_or_insert(in_space));
        swing[k / 10_000] = swing[k / 10_000].max(off);
    }
    assert!(worst.iter().all(|x| *x < 1e-9), "energy and momentum change by {worst:?}");
    assert!(swing[0] < 0.05 && swing[1] < 1.2 * swing[0], "its direction wanders by {swing:?} rad");

    // the products at the beginning of the step: it explodes
    let mut world = top(1e-3, contact);
    world.configure(|s| s.midpoint_above = f64::INFINITY);
    let gained =
        (0..1000).any(|_| world.step(&[]).is_err() || spin(&model, &world.actors()[0].v).0 > 10.0 * energy);
    assert!(gained, "the test can fail");
}

/// Orientation after a tenth of a second: a step of half the length errs by a quarter.
#[test]
fn a_top_is_followed_at_second_order() {
    let after = |parts: u32| {
        let mut world = top(1e-3 / f64::from(parts), ContactModel::default());
        // velocities belong to the middles of steps: half a step of free motion before the first
        let model = world.actors()[0].model().clone();
        let inertia = model.bodies()[0].inertia.about_com;
        let inverse = inertia.inverse().unwrap();
        let mut w = Vec3::from_column_slice(&world.actors()[0].v[3..]);
        let part = -0.5 * world.settings().dt / 1000.0;
        for _ in 0..1000 {
            let rate = |w: Vec3| -> Vec3 { inverse * -(w.cross(&(inertia * w))) };
            w += rate(w + rate(w) * (0.5 * part)) * part;
        }
        world.actor_mut(0).v[3..].copy_from_slice(w.as_slice());
        (0..100 * parts).for_each(|_| {
            world.step(&[]).unwrap();
        });
        rotation::from_wxyz(&world.actors()[0].q[3..])
    };
    let exact = after(64);
    let errors = [2, 4, 8].map(|parts| after(parts).angle_to(&exact));
    for pair in errors.windows(2) {
        assert!((3.0..5.5).contains(&(pair[0] / pair[1])), "errors {errors:?}");
    }
}

/// A limp human without limits in the air, its joints and trunk turning at up to 10 rad/s.
fn tumbling(gravity: f64) -> World {
    let mut spec = characters::load("human").unwrap().spec().clone();
    spec.gravity = Vec3::new(0.0, 0.0, -gravity);
    for joint in spec.bodies.iter_mut().flat_map(|b| &mut b.joints) {
        (joint.range, joint.damping, joint.friction_loss, joint.stiffness) = (None, 0.0, 0.0, 0.0);
    }
    let mut world = World::new(Terrain::flat());
    world.configure(|s| s.joint_speed = f64::INFINITY);
    world.add_character("human", build(spec));
    let actor = world.actor_mut(0);
    actor.q[2] += 30.0;
    for (k, v) in actor.v.iter_mut().enumerate() {
        *v = if k < 3 { 1.0 } else { 10.0 * (1.7 * k as f64).sin() };
    }
    world
}

/// The step from `(q_k, v_k)` to `v_{k+1}` also leads from `(q_k, −v_{k+1})` to `−v_k`.
#[test]
fn time_runs_backwards_through_the_same_states() {
    let back = |above: f64| {
        let mut world = tumbling(9.81);
        world.configure(|s| s.midpoint_above = above);
        let start = world.actors()[0].q.clone();
        (0..=60).for_each(|_| {
            world.step(&[]).unwrap();
        });
        let (q, v) = (world.frame(0).q.to_vec(), world.actors()[0].v.clone());
        let actor = world.actor_mut(0);
        actor.q = q;
        actor.v = v.iter().map(|v| -v).collect();
        (0..60).for_each(|_| {
            world.step(&[]).unwrap();
        });
        let actor = &world.actors()[0];
        let mut apart = vec![0.0; actor.v.len()];
        actor.model().difference(&start, &actor.q, &mut apart);
        apart.iter().fold(0.0f64, |m, x| m.max(x.abs()))
    };
    let (middle, beginning) = (back(0.0), back(f64::INFINITY));
    assert!(middle < 1e-8, "it comes back within {middle}");
    assert!(beginning > 1e-3, "the test can fail: {beginning}");
}

/// Energy of the velocity taken back by half a step to the configuration it left.
#[test]
fn energy_of_a_tumbling_human_does_not_grow() {
    let gain = |above: f64| {
        let mut world = tumbling(0.0);
        world.configure(|s| s.midpoint_above = above);
        let model = world.actors()[0].model().clone();
        let data = &mut Data::new(&model);
        let mut first = None;
        let mut worst = 0.0f64;
        for _ in 0..2000 {
            if world.step(&[]).is_err() {
                return f64::INFINITY;
            }
            let frame = world.frame(0);
            let mean: Vec<f64> =
                frame.v.iter().zip(&world.actors()[0].v).map(|(a, b)| 0.5 * (a + b)).collect();
            let energy = kinetic_energy(&model, data, frame.q, &mean);
            worst = worst.max(energy / *first.get_or_insert(energy) - 1.0);
        }
        worst
    };
    let (middle, beginning) = (gain(10.0), gain(f64::INFINITY));
    println!("gain {middle} {beginning}");
    assert!(middle < 0.01, "it gains {middle}");
    assert!(beginning > 0.1, "the test can fail: {beginning}");
}

/// A human that is hit on the foot again and again, in some world.
fn beaten(contact: ContactModel, steps: usize, tamper: impl FnOnce(&mut Meta)) -> (World, Recording) {
    let human = characters::load("human").unwrap();
    let foot = human.body("foot_l").unwrap();
    let mut world = World::new(Terrain::flat());
    world.configure(|s| s.contact = contact);
    let actor = world.add_character("human", human.into());
    world.actor_mut(0).q[2] += 0.3;
    world.actor_mut(0).v[3..6].copy_from_slice(&[8.0, 20.0, -6.0]);
    let mut recorder = WorldRecorder::in_memory(&world, 0, Meta::new(world.settings().dt), &[]).unwrap();
    for k in 0..steps {
        if k % 200 == 20 {
            let (point, force) = (Vec3::new(0.05, 0.03, 0.0), Vec3::new(4000.0, -9000.0, 15_000.0));
            world.push(Push { actor, body: foot, point, force, steps: 3 });
        }
        world.step(&[]).unwrap();
        recorder.push(&world, &[]).unwrap();
    }
    tamper(recorder.recorder().meta_mut());
    let run = Recording::from_bytes(recorder.into_bytes().unwrap()).unwrap();
    (world, run)
}

fn worst(report: &AuditReport, name: &str) -> f64 {
    report.finding(name).unwrap().worst
}

/// A blow of 18 kN on a foot of a kilogram: a brake holds the ankle in the very step that the blow falls in.
#[test]
fn a_blow_does_not_outrun_the_brake() {
    let (_, run) = beaten(ContactModel::default(), 60, |_| {});
    let fastest = |k: usize| run.frame(k).v[6..].iter().fold(0.0f64, |m, v| m.max(v.abs()));
    assert!(fastest(20) < 60.0, "{} rad/s before the blow", fastest(20));
    let after = (21..30).map(fastest).fold(0.0, f64::max);
    assert!(after > 99.0 && after < 103.0, "{after} rad/s after it");
}

/// The audit holds with the middle that is declared, and not without.
#[test]
fn fast_runs_pass_the_audit_and_declare_their_settings() {
    let flat = ContactModel::Complementarity { cone: Cone::Polyhedral { sides: 6 } };
    for contact in [ContactModel::default(), flat] {
        let (_, run) = beaten(contact, 700, |_| {});
        let audit = run.audit(&Default::default());
        assert_eq!(audit.failures().count(), 0, "{contact:?}:\n{audit}");
        for rows in ["equation of motion, root", "equation of motion, joints"] {
            assert!(worst(&audit, rows) < 1e-9, "{contact:?}: {rows}: {}", worst(&audit, rows));
        }
        let meta = &run.info().meta;
        assert_eq!((meta.midpoint_above, meta.joint_speed), (Some(10.0), Some(100.0)));
    }
    let (_, run) = beaten(ContactModel::default(), 100, |meta| meta.midpoint_above = None);
    let audit = run.audit(&Default::default());
    assert!(worst(&audit, "equation of motion, root") > 1e-3, "{audit}");
    let (_, run) = beaten(ContactModel::default(), 100, |meta| meta.joint_speed = Some(500.0));
    let audit = run.audit(&Default::default());
    assert_eq!(audit.failures().collect::<Vec<_>>(), ["constraint forces explained"], "{audit}");
}

/// The same bits after a restore in the middle of a fast step's run.
#[test]
fn fast_runs_restore_to_the_bit() {
    let (mut world, _) = beaten(ContactModel::default(), 30, |_| {});
    let saved = world.save();
    let go = |world: &mut World| {
        world.restore(&saved).unwrap();
        (0..200).for_each(|_| {
            world.step(&[]).unwrap();
        });
        world.actors()[0].v.clone()
    };
    assert_eq!(go(&mut world), go(&mut world.clone()));
}
