//! Springs and dampers at contacts: closed forms, and the order of the integrators.

use crate::runs::record;
use crate::support::{block, build, free, slope_gravity};
use sinew_dynamics::spatial::{Inertia, Vec3, rotation};
use sinew_dynamics::*;
use sinew_world::audit::{Bounds, Options};
use sinew_world::{
    Actuation, Anchor, Attachment, ContactModel, Integrator, Penalty, Push, StepError, Terrain, World,
};

fn soft(mut world: World, penalty: Penalty, integrator: Integrator, dt: f64) -> World {
    world.configure(|s| s.contact = ContactModel::Penalty(penalty));
    world.configure(|s| s.integrator = integrator);
    world.configure(|s| s.dt = dt);
    world
}

const ALL: [Integrator; 3] = [Integrator::SemiImplicitEuler, Integrator::Rk4, Integrator::Rk4Held];

fn ball(mass: f64, height: f64) -> World {
    let mut world = World::new(Terrain::flat());
    let at = Vec3::new(0.0, 0.0, height);
    world.add_object("ball", build(free(Shape::Sphere { radius: 0.1 }, mass, 1.0, at)));
    world
}

#[test]
fn the_force_of_one_vertex() {
    let mut world = soft(ball(1.0, 0.09), Penalty::lee2010(), Integrator::SemiImplicitEuler, 1e-3);
    world.actor_mut(0).v[..3].copy_from_slice(&[0.02, 0.0, -0.1]);
    world.step(&[]).expect("a step");
    let force = world.report().contacts(0)[0].force;
    let load = 2000.0 * 0.01 + 2.0 * 2000f64.sqrt() * 0.1;
    assert!((load - 28.944).abs() < 1e-3);
    assert!((force - Vec3::new(-0.4 * load, 0.0, load)).norm() < 1e-9, "{force:?}");
    // leaving fast, it would have to pull
    let mut world = soft(ball(1.0, 0.09), Penalty::lee2010(), Integrator::Rk4, 1e-4);
    world.actor_mut(0).v[2] = 1.0;
    world.step(&[]).expect("a step");
    assert_eq!(world.report().contacts(0)[0].force, Vec3::zeros());
}

/// With its force held a ball falls along a parabola within each step.
#[test]
fn held_forces_are_those_of_the_beginning() {
    let dt = 0.01;
    let mut world = soft(ball(1.0, 0.09), Penalty::lee2010(), Integrator::Rk4Held, dt);
    world.actor_mut(0).v[2] = -0.1;
    world.step(&[]).expect("a step");
    let load = 2000.0 * 0.01 + 2.0 * 2000f64.sqrt() * 0.1;
    let contact = world.report().contacts(0)[0];
    assert!((contact.force - Vec3::z() * load).norm() < 1e-12 && (contact.distance + 0.01).abs() < 1e-12);
    let (a, ball) = (load - 9.81, &world.actors()[0]);
    assert!((ball.v[2] - (-0.1 + dt * a)).abs() < 1e-12, "{}", ball.v[2]);
    assert!((ball.q[2] - (0.09 - 0.1 * dt + 0.5 * dt * dt * a)).abs() < 1e-12, "{}", ball.q[2]);
}

/// Friction above 1 holds on a slope steeper than 45 degrees; the less of both sides counts.
#[test]
fn ground_and_sole_may_be_rougher_than_one() {
    let angle = 50f64.to_radians();
    for (ground, sole, holds) in [(2.0, 2.0, true), (1.0, 2.0, false), (2.0, 1.0, false)] {
        let stiff = Penalty { stiffness: 2e4, damping: 200.0, ..Penalty::lee2010() };
        let half = Vec3::new(0.2, 0.15, 0.05);
        let mut spec = free(Shape::Box { half }, 3.0, sole, Vec3::new(0.0, 0.0, half.z));
        spec.gravity = slope_gravity(angle, 0.0);
        let mut world = World::new(Terrain::flat().with_friction(ground));
        world.add_object("block", build(spec));
        let mut world = soft(world, stiff, Integrator::Rk4Held, 2e-4);
        for _ in 0..5000 {
            world.step(&[]).expect("a step");
        }
        let speed = world.actors()[0].v[..3].iter().map(|x| x * x).sum::<f64>().sqrt();
        assert_eq!(speed < 0.05, holds, "ground {ground}, sole {sole}: {speed} m/s");
    }
}

#[test]
fn a_box_sinks_to_where_its_springs_bear_it() {
    for integrator in ALL {
        let mut world = soft(block(0.0, 0.0, 0.5), Penalty::lee2010(), integrator, 1.0 / 900.0);
        for _ in 0..9000 {
            world.step(&[]).expect("a step");
        }
        let sunk = 0.1 - world.actors()[0].q[2];
        assert!((sunk - 3.0 * 9.81 / (4.0 * 2000.0)).abs() < 1e-9, "{integrator:?}: {sunk} m");
    }
}

#[test]
fn a_block_on_a_slope_creeps_as_the_ramp_says() {
    for integrator in ALL {
        let angle = 0.2f64;
        let stiff = Penalty { stiffness: 2e4, damping: 200.0, ..Penalty::lee2010() };
        let mut world = soft(block(angle, 0.5, 0.5), stiff, integrator, 5e-4);
        for _ in 0..4000 {
            world.step(&[]).expect("a step");
        }
        let v = &world.actors()[0].v;
        let want = 0.05 * angle.tan() / 0.5;
        assert!((v[0].hypot(v[1]) - want).abs() < 1e-6, "{} m/s for {want}", v[0].hypot(v[1]));
    }
}

/// A ball on one spring that never leaves the ground is a damped oscillator.
#[test]
fn a_ball_swings_on_its_spring() {
    let (m, k, d) = (2.0, 2000.0, 20.0);
    let penalty = Penalty { stiffness: k, damping: d, ..Penalty::lee2010() };
    let error = |integrator: Integrator, steps: usize| {
        let rest = 0.1 - m * 9.81 / k;
        let mut world = soft(ball(m, rest - 0.004), penalty, integrator, 0.2 / steps as f64);
        for _ in 0..steps {
            world.step(&[]).expect("a step");
        }
        let (decay, t) = (d / (2.0 * m), 0.2f64);
        let w = (k / m - decay * decay).sqrt();
        let swing = (-decay * t).exp() * ((w * t).cos() + decay / w * (w * t).sin());
        (world.actors()[0].q[2] - rest + 0.004 * swing).abs()
    };
    for (integrator, order) in [(ALL[0], 1), (ALL[1], 4), (ALL[2], 1)] {
        let (coarse, fine) = (error(integrator, 100), error(integrator, 200));
        let ratio = coarse / fine / 2f64.powi(order);
        assert!((0.8..1.25).contains(&ratio), "{integrator:?}: errors {coarse} and {fine}");
    }
}

/// Torque-free tumbling of a body with three different moments of inertia, with an arm that swings.
#[test]
fn rotations_are_integrated_to_fourth_order() {
    let end = |steps: usize| {
        let mut spec =
            free(Shape::Box { half: Vec3::new(0.3, 0.2, 0.1) }, 3.0, 0.5, Vec3::new(0.0, 0.0, 9.0));
        spec.gravity = Vec3::zeros();
        let arm = Inertia::solid_box(0.5, Vec3::new(0.1, 0.1, 0.4)).moved(&Vec3::new(0.0, 0.0, 0.2));
        let arm = BodySpec::new("arm", Some(0), arm).at(Vec3::new(0.3, 0.0, 0.0));
        spec.bodies.push(arm.with_joint(JointSpec::ball("shoulder")));
        let model = build(spec);
        let mut world = World::new(Terrain::flat());
        world.add_object("body", model.clone());
        let mut world = soft(world, Penalty::lee2010(), Integrator::Rk4, 0.8 / steps as f64);
        world.actor_mut(0).v.copy_from_slice(&[0.1, 0.0, 0.0, 2.0, 5.0, 1.0, -3.0, 2.0, 4.0]);
        for _ in 0..steps {
            world.step(&[]).expect("a step");
        }
        (model, world.actors()[0].q.clone())
    };
    let (model, exact) = end(1600);
    let error = |steps: usize| {
        let mut off = vec![0.0; model.nv()];
        model.difference(&end(steps).1, &exact, &mut off);
        off.iter().map(|x| x * x).sum::<f64>().sqrt()
    };
    let (coarse, fine) = (error(100), error(200));
    assert!((12.0..20.0).contains(&(coarse / fine)), "errors {coarse} and {fine}");
}

#[test]
fn ragdolls_on_springs_pass_the_audit() {
    for (name, integrator) in [("human42", ALL[2]), ("human42", ALL[1]), ("human", ALL[0]), ("human", ALL[1])]
    {
        let model = characters::load(name).expect("built in");
        let (nv, trunk) = (model.nv(), model.role(Role::Trunk).expect("a trunk"));
        let firm = Penalty { stiffness: 3e4, damping: 150.0, limit_stiffness: 3000.0, ..Penalty::lee2010() };
        let mut world = soft(World::new(Terrain::flat()), firm, integrator, 1.0 / 3600.0);
        world.add_character(name, model.into());
        let push = Vec3::new(0.0, 15.0, 0.0);
        world.push(Push::of_impulse(0, trunk, Vec3::zeros(), push, 0.2, world.settings().dt));
        let mut wave = 0.0f64;
        let run = record(&mut world, 5000, |_| {
            wave += 0.0025;
            let mut actuation = Actuation::none(nv);
            (6..nv).for_each(|k| actuation.torque[k] = 3.0 * (wave + k as f64).sin());
            actuation
        });
        let meta = &run.info().meta;
        assert_eq!((meta.integrator, meta.contact_model.starts_with("penalty")), (integrator, true));
        // a knee falls on a spring or two: the ground is softer than the audit would have it
        let bounds = Bounds { penetration: 0.1, ..Bounds::default() };
        let audit = run.audit(&Options { bounds, ..Options::default() });
        assert_eq!(audit.failures().count(), 0, "{name}, {integrator:?}:\n{audit}");
        assert_eq!(run.summary(Default::default()).fell, Some(true));
    }
}

#[test]
fn a_soft_step_does_not_allocate_once_warm() {
    for integrator in ALL {
        let mut world = World::new(Terrain::flat());
        world.add_character("human", characters::load("human").expect("built in").into());
        let mut world = soft(world, Penalty::lee2010(), integrator, 1.0 / 900.0);
        for _ in 0..1800 {
            world.step(&[]).expect("a step");
        }
        let counted = allocation_counter::measure(|| {
            world.step(&[]).expect("a step");
        });
        assert_eq!(counted.count_total, 0, "{integrator:?}");
    }
}

const ANCHOR: Anchor = Anchor { stiffness: 3e4, damping: 200.0 };

/// Stiff springs with anchors.
fn anchored(anchor: Anchor) -> Penalty {
    Penalty { stiffness: 3e4, damping: 300.0, anchor: Some(anchor), ..Penalty::lee2010() }
}

const EULER: Integrator = Integrator::SemiImplicitEuler;

#[test]
fn an_anchored_block_on_a_slope_hangs_on_its_springs_and_does_not_creep() {
    let (angle, heading) = (0.3f64, 0.5f64);
    let mut world = soft(block(angle, heading, 0.5), anchored(ANCHOR), EULER, 2e-4);
    let mut places = Vec::new();
    for k in 0..30_000 {
        world.step(&[]).expect("a step");
        if k % 10_000 == 9999 {
            places.push(world.actors()[0].q.clone());
        }
    }
    // four corners share what pulls along the slope
    let [x, y] =
        [heading.cos(), heading.sin()].map(|c| c * 3.0 * 9.81 * angle.sin() / (4.0 * ANCHOR.stiffness));
    for q in &places {
        // its upper edge is at the centre's height less the tilt, which the springs under it leave within a thousandth
        let corner = |sx: f64, sy: f64| {
            let at = Vec3::new(sx * 0.2, sy * 0.15, -0.1);
            rotation::to_matrix(&rotation::from_wxyz(&q[3..7])) * at + Vec3::new(q[0], q[1], q[2]) - at
        };
        let moved: Vec3 =
            [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)].map(|(a, b)| corner(a, b)).iter().sum();
        let moved = moved / 4.0;
        assert!((moved.x - x).abs() < 1e-7 && (moved.y - y).abs() < 1e-7, "{moved:?} for {x}, {y}");
    }
    let crept = (places[2][0] - places[1][0]).hypot(places[2][1] - places[1][1]);
    assert!(crept < 1e-12, "it crept by {crept} m in two seconds");
    let along: Vec3 = world.report().contacts(0).iter().map(|c| c.force).sum();
    assert!((along.x.hypot(along.y) - 3.0 * 9.81 * angle.sin()).abs() < 1e-6, "{along:?}");
}

#[test]
fn an_anchored_block_slides_as_coulomb_says() {
    let (angle, mu) = (30f64.to_radians(), 0.3);
    for heading in [0.0, 1.1, 2.5f64] {
        let mut world = soft(block(angle, heading, mu), anchored(ANCHOR), EULER, 2e-4);
        let mut speeds = Vec::new();
        for k in 0..10_000 {
            world.step(&[]).expect("a step");
            for c in world.report().contacts(0) {
                let load = c.force.dot(&c.normal);
                assert!((c.force - c.normal * load).norm() <= mu * load * (1.0 + 1e-12), "outside the cone");
            }
            if k % 5000 == 4999 {
                let v = &world.actors()[0].v;
                speeds.push(v[0] * heading.cos() + v[1] * heading.sin());
            }
        }
        let (got, want) = (speeds[1] - speeds[0], 9.81 * (angle.sin() - mu * angle.cos()));
        assert!((got - want).abs() < 1e-6, "heading {heading}: {got} m/s² for {want}");
    }
}

/// Pushed along by less than friction holds, a ball that cannot turn is a damped oscillator about where it touched.
#[test]
fn an_anchored_point_swings_about_where_it_touched() {
    let (m, k, d) = (2.0, 3e4, 40.0);
    let mut spec = free(Shape::Sphere { radius: 0.1 }, m, 1.0, Vec3::new(0.0, 0.0, 0.1 - m * 9.81 / 3e4));
    let [x, y, z] = [Vec3::x(), Vec3::y(), Vec3::z()].map(|axis| JointSpec::slide(format!("{axis:?}"), axis));
    spec.bodies[0].joints = vec![x, y, z];
    let mut world = World::new(Terrain::flat());
    world.add_object("ball", build(spec));
    let springs = anchored(Anchor { stiffness: k, damping: d });
    let error = |steps: usize| {
        let mut world = soft(world.clone(), springs, EULER, 0.05 / steps as f64);
        world.step(&[]).expect("it touches");
        world.actor_mut(0).v[0] = 0.05;
        for _ in 0..steps {
            world.step(&[]).expect("a step");
        }
        let (decay, t) = (d / (2.0 * m), 0.05);
        let w = (k / m - decay * decay).sqrt();
        (world.actors()[0].q[0] - 0.05 * (-decay * t).exp() * (w * t).sin() / w).abs()
    };
    let (coarse, fine) = (error(2000), error(4000));
    assert!(coarse < 1e-6 && (1.6..2.5).contains(&(coarse / fine)), "errors {coarse} and {fine}");
}

#[test]
fn a_ball_rolls_without_stretching_its_anchor() {
    let mut spec = free(Shape::Sphere { radius: 0.1 }, 1.0, 0.8, Vec3::new(0.0, 0.0, 0.1 - 9.81 / 3e4));
    spec.gravity = Vec3::new(0.0, 0.0, -9.81);
    let mut world = World::new(Terrain::flat());
    world.add_object("ball", build(spec));
    let mut world = soft(world, anchored(ANCHOR), EULER, 1e-4);
    let radius = 0.1 - 9.81 / 3e4;
    world.actor_mut(0).v.copy_from_slice(&[0.5, 0.0, 0.0, 0.0, 0.5 / radius, 0.0]);
    for _ in 0..10_000 {
        world.step(&[]).expect("a step");
    }
    let (q, v) = (&world.actors()[0].q, &world.actors()[0].v);
    assert!((v[0] - 0.5).abs() < 1e-3 && (q[0] - 0.5).abs() < 1e-3, "{v:?}");
}

#[test]
fn anchors_are_saved_and_known_ahead_without_allocation() {
    let mut world = soft(block(0.3, 0.5, 0.5), anchored(ANCHOR), EULER, 2e-4);
    for _ in 0..500 {
        world.step(&[]).expect("a step");
    }
    let saved = world.save();
    let go = |world: &mut World| {
        world.restore(&saved).expect("its own state");
        world.begin_step().expect("what comes");
        let ahead = world.contact_forces_ahead(0).to_vec();
        let counted = allocation_counter::measure(|| {
            world.step(&[]).expect("a step");
        });
        assert_eq!(counted.count_total, 0);
        let now: Vec<Vec3> = world.report().contacts(0).iter().map(|c| c.force).collect();
        assert_eq!(ahead, now);
        for _ in 0..500 {
            world.step(&[]).expect("a step");
        }
        world.actors()[0].q.clone()
    };
    let mut other = world.clone();
    for _ in 0..77 {
        other.step(&[]).expect("a step");
    }
    assert_eq!(go(&mut world), go(&mut other));
}

#[test]
fn invalid_combinations_of_settings_are_refused() {
    let mut past = soft(ball(1.0, 0.1), Penalty::yin2007(), Integrator::Rk4, 1e-3);
    let error = past.step(&[]).expect_err("anchors remember");
    assert!(error.to_string().contains("the force of an anchor depends on the past"), "{error}");

    let mut rigid = ball(1.0, 0.1);
    rigid.configure(|s| s.integrator = Integrator::Rk4);
    let error = rigid.step(&[]).expect_err("impulses have no rate");
    assert_eq!(error.to_string(), "settings: Runge-Kutta steps need penalty contacts: impulses have no rate");
    let mut held = soft(ball(1.0, 0.1), Penalty::lee2010(), Integrator::Rk4, 1e-3);
    held.attach(Attachment {
        a: (0, BodyId(0)),
        point_a: Vec3::zeros(),
        b: None,
        point_b: Vec3::new(0.0, 0.0, 0.1),
        orientation: None,
    });
    assert!(matches!(held.step(&[]), Err(StepError::Settings(_))));
}
