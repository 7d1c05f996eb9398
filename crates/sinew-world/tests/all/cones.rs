//! Cones with flat sides, solved by pivoting: exact answers, and the error against Coulomb's circle.

use crate::runs::record;
use crate::support::{block, build, free};
use sinew_dynamics::spatial::{Inertia, Quat, Vec3};
use sinew_dynamics::*;
use sinew_world::{Actuation, Attachment, Cone, ContactModel, StepError, Terrain, World};
use std::f64::consts::PI;

fn with_sides(mut world: World, sides: usize) -> World {
    world.configure(|s| s.contact = ContactModel::Complementarity { cone: Cone::Polyhedral { sides } });
    world
}

fn run(world: &mut World, steps: usize) {
    for _ in 0..steps {
        assert!(world.step(&[]).expect("a step").solve.converged, "step {}", world.steps());
    }
}

/// The point of a regular polygon (corners on a circle of this radius) that is nearest to `p`.
fn nearest(p: [f64; 2], radius: f64, sides: usize) -> [f64; 2] {
    let corner = |k: usize| {
        let a = 2.0 * PI * k as f64 / sides as f64;
        [radius * a.cos(), radius * a.sin()]
    };
    let far = |q: [f64; 2]| (q[0] - p[0]).hypot(q[1] - p[1]);
    let on_edge = |k: usize| {
        let (a, b) = (corner(k), corner(k + 1));
        let d = [b[0] - a[0], b[1] - a[1]];
        let s = ((p[0] - a[0]) * d[0] + (p[1] - a[1]) * d[1]) / (d[0] * d[0] + d[1] * d[1]);
        let s = s.clamp(0.0, 1.0);
        [a[0] + s * d[0], a[1] + s * d[1]]
    };
    (0..sides).map(on_edge).min_by(|a, b| far(*a).total_cmp(&far(*b))).expect("a side")
}

/// From rest, friction is the point of the polygon nearest to what would hold the block: that is what maximal dissipation means.
#[test]
fn a_block_slides_as_the_polygon_says() {
    let (angle, mu) = (30f64.to_radians(), 0.5);
    for sides in [3, 4, 5, 6, 8, 16] {
        for k in 0..9 {
            let heading = 0.35 * k as f64;
            let mut world = with_sides(block(angle, heading, mu), sides);
            run(&mut world, 200);
            let (v, t) = (&world.actors()[0].v, world.time());
            let g = 9.81 * angle.sin();
            let pull = [g * heading.cos(), g * heading.sin()];
            let friction = nearest(pull.map(|x| -x), mu * 9.81 * angle.cos(), sides);
            for i in 0..2 {
                let want = (pull[i] + friction[i]) * t;
                assert!((v[i] - want).abs() < 1e-6, "{sides} sides, heading {heading}: {} for {want}", v[i]);
            }
            // what the number of sides promises
            let total: Vec3 = world.report().contacts(0).iter().map(|c| c.force).sum();
            let (friction, speed) = (total.x.hypot(total.y), v[0].hypot(v[1]));
            let least = (PI / sides as f64).cos();
            let share = friction / (mu * total.z);
            assert!(share < 1.0 + 1e-9 && share > least - 1e-9, "{sides} sides: {share} of friction");
            let braking = -(total.x * v[0] + total.y * v[1]) / (friction * speed);
            assert!(braking > least - 1e-9, "{sides} sides: off by {} rad", braking.acos());
        }
    }
}

#[test]
fn a_block_sticks_up_to_the_flat_of_a_side() {
    for sides in [4, 6, 12] {
        let least = 0.5 * (PI / sides as f64).cos();
        // in the middle of a side the cone is weakest
        let middle = PI / sides as f64;
        for heading in [0.0, middle, 1.0, 2.5] {
            let mut world = with_sides(block((0.99 * least).atan(), heading, 0.5), sides);
            run(&mut world, 500);
            let q = &world.actors()[0].q;
            assert!(q[0].hypot(q[1]) < 1e-6, "{sides} sides, heading {heading}: it crept");
        }
        let mut world = with_sides(block((1.01 * least).atan(), middle, 0.5), sides);
        run(&mut world, 500);
        let v = &world.actors()[0].v;
        let want = 0.5 * 9.81 * (1.01 * least - least) * (1.01 * least).atan().cos();
        assert!((v[0].hypot(v[1]) - want).abs() < 1e-6, "{} for {want}", v[0].hypot(v[1]));
    }
}

/// Limits, dry friction, grips and welds have one solution: both ways must find it.
#[test]
fn pivoting_and_sweeping_agree_where_there_is_one_solution() {
    let chain = || {
        let mut spec = ModelSpec::new("chain");
        let rod = Inertia::solid_box(1.0, Vec3::new(0.05, 0.05, 0.4)).moved(&Vec3::new(0.0, 0.0, -0.2));
        for k in 0..4_usize {
            let mut joint = if k == 2 {
                JointSpec::ball("ball").limited(0.0, 0.4)
            } else {
                JointSpec::hinge(format!("joint {k}"), Vec3::y()).limited(-0.3, 0.6)
            };
            joint.friction_loss = if k == 1 { 0.5 } else { 0.0 };
            let at = if k == 0 { Vec3::new(0.0, 0.0, 3.0) } else { Vec3::new(0.0, 0.0, -0.4) };
            let parent = k.checked_sub(1);
            spec.bodies.push(BodySpec::new(format!("rod {k}"), parent, rod).at(at).with_joint(joint));
        }
        let mut world = World::new(Terrain::flat());
        world.configure(|s| s.tolerance = 1e-10);
        world.configure(|s| s.sweeps = 500);
        let chain = world.add_object("chain", build(spec));
        world.actor_mut(chain).v[0] = 2.0;
        world.actor_mut(chain).v[2] = 1.0;
        let load = free(Shape::Sphere { radius: 0.05 }, 0.5, 0.5, Vec3::new(0.0, 0.0, 1.4));
        let load = world.add_object("load", build(load));
        let grip = Attachment {
            a: (load, BodyId(0)),
            point_a: Vec3::zeros(),
            b: Some((chain, BodyId(3))),
            point_b: Vec3::new(0.0, 0.0, -0.4),
            orientation: None,
        };
        world.attach(grip);
        let weight = free(Shape::Sphere { radius: 0.05 }, 0.3, 0.5, Vec3::new(0.1, 0.0, 1.4));
        let weight = world.add_object("weight", build(weight));
        world.attach(Attachment {
            a: (weight, BodyId(0)),
            point_a: Vec3::new(-0.1, 0.0, 0.0),
            b: Some((load, BodyId(0))),
            orientation: Some(Quat::identity()),
            ..grip
        });
        world
    };
    let (mut swept, mut pivoted) = (chain(), with_sides(chain(), 4));
    let mut held = 0.0f64;
    for _ in 0..600 {
        swept.step(&[]).expect("a step");
        run(&mut pivoted, 1);
        held = held.max(pivoted.frame(0).constraint.iter().fold(0.0, |m: f64, c| m.max(c.abs())));
        for (a, b) in swept.actors().iter().zip(pivoted.actors()) {
            for (x, y) in a.v.iter().zip(&b.v) {
                assert!((x - y).abs() < 1e-5, "step {}: {x} and {y}", swept.steps());
            }
        }
    }
    assert!(held > 1.0, "something was held");
}

#[test]
fn ragdolls_on_cones_with_flat_sides_pass_the_audit() {
    for (name, sides) in [("human", 4), ("child", 8)] {
        let model = characters::load(name).expect("built in");
        let nv = model.nv();
        let mut world = with_sides(World::new(Terrain::flat()), sides);
        world.add_character(name, model.into());
        world.actor_mut(0).v[4] = 1.0;
        let (mut failed, mut wave) = (0, 0.0f64);
        let run = record(&mut world, 900, |world| {
            failed += usize::from(world.steps() > 0 && !world.report().solve.converged);
            wave += 0.01;
            let mut actuation = Actuation::none(nv);
            (6..nv).for_each(|k| actuation.torque[k] = 3.0 * (wave + k as f64).sin());
            actuation
        });
        let audit = run.audit(&Default::default());
        assert_eq!(audit.failures().count(), 0, "{name}:\n{audit}");
        assert_eq!(failed, 0, "{name}: steps without a solution");
    }
}

#[test]
fn pivoting_does_not_allocate_once_warm() {
    let mut world = with_sides(World::new(Terrain::flat()), 4);
    world.add_character("human", characters::load("human").expect("built in").into());
    run(&mut world, 300);
    let mut twin = world.clone();
    run(&mut twin, 50);
    let counted = allocation_counter::measure(|| run(&mut twin, 1));
    assert_eq!(counted.count_total, 0);
}

#[test]
fn two_sides_are_refused() {
    let error = with_sides(block(0.1, 0.0, 0.5), 2).step(&[]).expect_err("no cone");
    assert!(matches!(&error, StepError::Settings(_)), "{error}");
}
