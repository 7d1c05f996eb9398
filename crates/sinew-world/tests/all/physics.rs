//! Closed forms of contact physics.

use crate::support::{block, build, free, slope_gravity};
use sinew_dynamics::spatial::{Inertia, Vec3};
use sinew_dynamics::*;
use sinew_world::{Actuation, Attachment, Path, Platform, Push, StepError, Terrain, World};

#[test]
fn a_block_sticks_below_the_friction_angle() {
    for heading in [0.0, 0.4, 0.8, 2.0, 4.0] {
        let mut world = block(0.99 * 0.5f64.atan(), heading, 0.5);
        for _ in 0..2000 {
            world.step(&[]).unwrap();
        }
        let moved = Vec3::from_column_slice(&world.actors()[0].q[..3]) - Vec3::new(0.0, 0.0, 0.1);
        assert!(moved.norm() < 1e-6, "it crept by {moved:?}");
    }
}

#[test]
fn a_block_slides_above_the_friction_angle_in_every_direction() {
    let angle = 30f64.to_radians();
    let want = 9.81 * (angle.sin() - 0.5 * angle.cos());
    for k in 0..16 {
        let heading = k as f64 * 0.4;
        let mut world = block(angle, heading, 0.5);
        for _ in 0..1000 {
            world.step(&[]).unwrap();
        }
        let v = &world.actors()[0].v;
        let along = v[0] * heading.cos() + v[1] * heading.sin();
        let across = v[1] * heading.cos() - v[0] * heading.sin();
        assert!(
            (along - want).abs() < 1e-6 && across.abs() < 1e-6,
            "heading {heading}: {along}, {across}; want {want}"
        );
    }
}

#[test]
fn a_ball_rolls_down_a_slope() {
    let mut spec = free(Shape::Sphere { radius: 0.1 }, 1.0, 0.8, Vec3::new(0.0, 0.0, 0.1));
    spec.gravity = slope_gravity(0.2, 0.7);
    let mut world = World::new(Terrain::flat());
    world.add_object("ball", build(spec));
    for _ in 0..1000 {
        world.step(&[]).unwrap();
    }
    let v = &world.actors()[0].v;
    // a solid ball: 5/7 of free sliding
    let want = 5.0 / 7.0 * 9.81 * 0.2f64.sin();
    assert!((v[0].hypot(v[1]) - want).abs() < 1e-6, "{} instead of {want}", v[0].hypot(v[1]));
}

#[test]
fn a_dropped_box_lands_without_a_bounce() {
    let half = Vec3::new(0.1, 0.1, 0.1);
    let mut world = World::new(Terrain::flat());
    world.add_object("box", build(free(Shape::Box { half }, 2.0, 0.8, Vec3::new(0.0, 0.0, 0.6))));
    let mut highest_after = f64::MIN;
    let mut landed = false;
    for _ in 0..1000 {
        world.step(&[]).unwrap();
        let (q, v) = (&world.actors()[0].q, &world.actors()[0].v);
        landed |= q[2] < 0.1 + 1e-4;
        if landed {
            highest_after = highest_after.max(v[2]);
        }
    }
    assert!(landed && highest_after < 1e-3, "it left the ground at {highest_after} m/s");
    assert!((world.actors()[0].q[2] - 0.1).abs() < 5e-5);
    let force: f64 = world.report().contacts(0).iter().map(|c| c.force.z).sum();
    assert!((force - 2.0 * 9.81).abs() < 1e-6, "it bears {force} N");
}

/// A built-in character with all joints but the root locked.
fn statue(name: &str) -> Model {
    let mut spec = characters::load(name).unwrap().spec().clone();
    for body in spec.bodies.iter_mut().skip(1) {
        body.joints.clear();
    }
    spec.actuators.clear();
    spec.keyframes.clear();
    Model::new(spec).unwrap()
}

#[test]
fn a_statue_stands_still_on_its_centre_of_pressure() {
    for (name, precise) in [("human", 1e-4), ("human42", 5e-4)] {
        let model = statue(name);
        let mut data = Data::new(&model);
        let start = model.neutral();
        let mut world = World::new(Terrain::flat());
        world.add_character("statue", model.clone().into());
        let (mut switches, mut touching) = (0, 0);
        for k in 0..60_000 {
            world.step(&[]).unwrap();
            let now = world.report().contacts(0).iter().filter(|c| c.force.norm() > 0.0).count();
            switches += usize::from(k > 100 && now != touching);
            touching = now;
        }
        let q = &world.actors()[0].q;
        let drift = (Vec3::from_column_slice(&q[..3]) - Vec3::from_column_slice(&start[..3])).norm();
        assert!(drift < 1e-3, "{name} drifted by {drift} m");
        assert_eq!(switches, 0, "{name}: contacts chatter");
        let contacts = world.report().contacts(0);
        let total: Vec3 = contacts.iter().map(|c| c.force).sum();
        let weight = Vec3::new(0.0, 0.0, model.mass() * 9.81);
        assert!((total - weight).norm() < precise, "{name}: they sum to {total:?}");
        let pressure: Vec3 = contacts.iter().map(|c| c.point * c.force.z).sum::<Vec3>() / total.z;
        let com = center_of_mass(&model, &mut data, q);
        let aside = (pressure.x - com.x).hypot(pressure.y - com.y);
        assert!(aside < 1e-3, "{name}: pressure {pressure:?} under {com:?}");
    }
}

#[test]
fn a_body_in_the_ground_comes_up_and_does_not_hop() {
    for depth in [1e-4, 1e-3, 1e-2, 5e-2] {
        let mut world = block(0.0, 0.0, 0.5);
        world.actor_mut(0).q[2] -= depth;
        let mut highest = f64::NEG_INFINITY;
        for _ in 0..3000 {
            world.step(&[]).unwrap();
            highest = highest.max(world.actors()[0].q[2]);
        }
        let rest = world.actors()[0].q[2];
        // within what one step at the speed of a fall by the depth covers
        let step = (2.0 * 9.81 * depth).sqrt() * 1e-3;
        assert!(highest < 0.1 + step, "from {depth}: up to {highest}");
        assert!((rest - 0.1).abs() < 1e-4, "from {depth}: rests at {rest}");
    }
}

#[test]
fn a_push_gives_exactly_its_impulse() {
    let mut spec = free(Shape::Sphere { radius: 0.1 }, 2.0, 0.8, Vec3::new(0.0, 0.0, 5.0));
    spec.gravity = Vec3::zeros();
    let mut world = World::new(Terrain::flat());
    let ball = world.add_object("ball", build(spec));
    let impulse = Vec3::new(0.3, -0.7, 0.2);
    world.push(Push::of_impulse(ball, BodyId(0), Vec3::zeros(), impulse, 0.1234, world.settings().dt));
    let mut summed = Vec3::zeros();
    for _ in 0..200 {
        world.step(&[]).unwrap();
        summed += world.report().outside(ball).iter().map(|o| o.force).sum::<Vec3>() * world.settings().dt;
    }
    assert!((summed - impulse).norm() < 1e-12);
    let v = Vec3::from_column_slice(&world.actors()[ball].v[..3]);
    assert!((v * 2.0 - impulse).norm() < 1e-12);
}

#[test]
fn momentum_of_a_flying_human_is_kept() {
    let mut spec = characters::load("human").unwrap().spec().clone();
    spec.gravity = Vec3::zeros();
    let bounded = Model::new(spec.clone()).unwrap();
    spec.bodies.iter_mut().flat_map(|b| &mut b.joints).for_each(|joint| joint.range = None);
    let unbounded = Model::new(spec).unwrap();
    // at first order with velocity products at the beginning of the step, seen at its end; at second order with those of the
    // middle, seen between steps, where no limit stops a joint at once
    let drift = |dt: f64, middle: bool| {
        let model = if middle { &unbounded } else { &bounded };
        let mut world = World::new(Terrain::flat());
        world.configure(|s| s.dt = dt);
        world.configure(|s| s.midpoint_above = if middle { 0.0 } else { f64::INFINITY });
        world.add_character("human", model.clone().into());
        let actor = world.actor_mut(0);
        actor.q[2] += 3.0;
        for (k, v) in actor.v.iter_mut().enumerate() {
            *v = 0.5 * (1.7 * k as f64).sin();
        }
        let mut data = Data::new(model);
        let at = |w: &World, data: &mut Data| {
            let (frame, now) = (w.frame(0), &w.actors()[0]);
            let mean: Vec<f64> = frame.v.iter().zip(&now.v).map(|(a, b)| 0.5 * (a + b)).collect();
            if middle { momentum(model, data, frame.q, &mean) } else { momentum(model, data, &now.q, &now.v) }
        };
        let mut before = at(&world, &mut data);
        let mut torque = Actuation::none(model.nv());
        for k in 0..(0.3 / dt) as usize {
            for dof in 6..model.nv() {
                torque.torque[dof] = 2.0 * (0.9 * dof as f64 + 10.0 * dt * k as f64).sin();
            }
            world.step(std::slice::from_ref(&torque)).unwrap();
            if middle && k == 0 {
                before = at(&world, &mut data);
            }
        }
        let after = at(&world, &mut data);
        [(after.linear - before.linear).norm(), (after.angular - before.angular).norm()]
    };
    for (middle, dt, ratio) in [(false, 1e-3, 1.7..2.3), (true, 5e-4, 3.3..4.7)] {
        for (c, f) in drift(dt, middle).into_iter().zip(drift(0.5 * dt, middle)) {
            assert!(ratio.contains(&(c / f)), "momentum drifts by {c} and {f}: not of its order ({middle})");
        }
    }
}

#[test]
fn a_pendulum_rests_on_its_limit() {
    let mut spec = ModelSpec::new("pendulum");
    let rod = Inertia::solid_box(1.0, Vec3::new(0.05, 0.05, 1.0)).moved(&Vec3::new(0.0, 0.0, -0.5));
    let joint = JointSpec::hinge("pivot", Vec3::y()).limited(0.5, 2.0);
    spec.bodies.push(BodySpec::new("rod", None, rod).with_joint(joint));
    let mut world = World::new(Terrain::flat());
    world.add_object("pendulum", build(spec));
    world.actor_mut(0).q[0] = 1.2;
    for _ in 0..3000 {
        world.step(&[]).unwrap();
    }
    assert!((world.actors()[0].q[0] - 0.5).abs() < 1e-6, "it hangs at {}", world.actors()[0].q[0]);
    // the limit bears the moment of its weight
    let held = world.frame(0).constraint[0];
    assert!((held - 0.5 * 9.81 * 0.5f64.sin()).abs() < 1e-4, "held by {held} N·m");
}

#[test]
fn a_grip_holds_a_swinging_body() {
    let half = Vec3::new(0.05, 0.05, 0.3);
    let mut world = World::new(Terrain::flat());
    let body = world.add_object("rod", build(free(Shape::Box { half }, 1.0, 0.5, Vec3::new(0.0, 0.0, 2.0))));
    world.actor_mut(body).v[0] = 1.0;
    world.attach(Attachment {
        a: (body, BodyId(0)),
        point_a: Vec3::new(0.0, 0.0, 0.3),
        b: None,
        point_b: Vec3::new(0.0, 0.0, 2.3),
        orientation: None,
    });
    let mut gap: f64 = 0.0;
    for _ in 0..2000 {
        world.step(&[]).unwrap();
        let actor = &world.actors()[body];
        let mut data = Data::new(actor.model());
        forward_kinematics(actor.model(), &mut data, &actor.q);
        let at = data.body_placement(actor.model(), BodyId(0)).act(&Vec3::new(0.0, 0.0, 0.3));
        gap = gap.max((at - Vec3::new(0.0, 0.0, 2.3)).norm());
    }
    assert!(gap < 1e-3, "the grip opened by {gap} m");
}

#[test]
fn bad_torques_are_named_and_change_nothing() {
    let model = characters::load("human").unwrap();
    let nv = model.nv();
    let mut world = World::new(Terrain::flat());
    world.add_character("human", model.into());
    let before = world.actors()[0].q.clone();
    let mut bad = Actuation::none(nv);
    bad.torque[7] = f64::NAN;
    let error = world.step(std::slice::from_ref(&bad)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "step 0 (t = 0.0000 s): torque 7 of actor \"human\" is not a finite number"
    );
    bad.torque[7] = 0.0;
    bad.torque[2] = 700.0;
    assert!(matches!(world.step(std::slice::from_ref(&bad)), Err(StepError::RootTorque { dof: 2, .. })));
    assert!(matches!(world.step(&[Actuation::none(3)]), Err(StepError::Size { got: 3, .. })));
    assert_eq!(world.actors()[0].q, before);
    assert_eq!(world.steps(), 0);
}

#[test]
fn torques_are_cut_to_the_limits() {
    let model = characters::load("human").unwrap();
    let limits = model.effort_limits().to_vec();
    let mut world = World::new(Terrain::flat());
    let nv = model.nv();
    world.add_character("human", model.into());
    let mut strong = Actuation::none(nv);
    strong.torque[6..].fill(1e6);
    let saturated = world.step(std::slice::from_ref(&strong)).unwrap().saturated;
    assert_eq!(saturated, nv - 6);
    assert_eq!(world.frame(0).tau[6..], limits[6..]);
}

#[test]
fn a_copy_goes_on_with_the_same_bits() {
    let model = characters::load("human").unwrap();
    let mut world = World::new(Terrain::flat());
    world.add_character("human", model.into());
    for _ in 0..700 {
        world.step(&[]).unwrap();
    }
    let mut twin = world.clone();
    for _ in 0..500 {
        world.step(&[]).unwrap();
        twin.step(&[]).unwrap();
    }
    assert_eq!(world.actors()[0].q, twin.actors()[0].q);
    assert_eq!(world.actors()[0].v, twin.actors()[0].v);
}

#[test]
fn a_stack_of_ten_boxes_stands() {
    let half = Vec3::new(0.1, 0.1, 0.1);
    let mut world = World::new(Terrain::flat());
    for k in 0..10 {
        let at = Vec3::new(0.0, 0.0, 0.1 + 0.2 * k as f64);
        world.add_object(format!("box {k}"), build(free(Shape::Box { half }, 1.0, 0.8, at)));
    }
    for _ in 0..60_000 {
        world.step(&[]).unwrap();
    }
    for (k, actor) in world.actors().iter().enumerate() {
        let moved = Vec3::from_column_slice(&actor.q[..3]) - Vec3::new(0.0, 0.0, 0.1 + 0.2 * k as f64);
        assert!(moved.norm() < 1e-3, "box {k} moved by {moved:?}");
    }
    let borne: f64 = world.report().contacts(0).iter().filter(|c| c.other.is_none()).map(|c| c.force.z).sum();
    assert!((borne - 98.1).abs() < 1e-4, "the lowest box bears {borne} N");
}

#[test]
fn a_box_rides_a_platform() {
    let mut world = World::new(Terrain::flat());
    world.add_platform(Platform {
        name: "belt".into(),
        shape: Shape::Box { half: Vec3::new(5.0, 1.0, 0.5) },
        path: Path::Steady {
            position: Vec3::new(0.0, 0.0, 0.5),
            velocity: Vec3::new(0.7, 0.0, 0.0),
            spin: Vec3::zeros(),
        },
        friction: 0.6,
    });
    let half = Vec3::new(0.1, 0.1, 0.1);
    world.add_object("box", build(free(Shape::Box { half }, 2.0, 0.8, Vec3::new(0.0, 0.0, 1.1))));
    // sliding friction brings it to the belt's speed after 0.7/(0.6·9.81) = 0.119 s
    for _ in 0..100 {
        world.step(&[]).unwrap();
    }
    let early = world.actors()[0].v[0];
    assert!((early - 0.6 * 9.81 * 0.1).abs() < 1e-4, "{early} m/s while it slides");
    for _ in 0..400 {
        world.step(&[]).unwrap();
    }
    assert!((world.actors()[0].v[0] - 0.7).abs() < 1e-6);
}

#[test]
fn two_balls_keep_their_momentum() {
    let mut world = World::new(Terrain::flat());
    world.configure(|s| s.restitution = 1.0);
    for (k, (mass, x, v)) in [(1.0, 0.0, 2.0), (3.0, 0.5, -0.5)].into_iter().enumerate() {
        let mut spec = free(Shape::Sphere { radius: 0.1 }, mass, 0.0, Vec3::new(x, 0.0, 5.0));
        spec.gravity = Vec3::zeros();
        world.add_object(format!("ball {k}"), build(spec));
        world.actor_mut(k).v[0] = v;
    }
    for _ in 0..500 {
        world.step(&[]).unwrap();
    }
    // an elastic blow: v₁ = (v₁ − e (m₂/(m₁+m₂)) …) in closed form
    let (a, b) = (world.actors()[0].v[0], world.actors()[1].v[0]);
    assert!((a + 1.75).abs() < 1e-6 && (b - 0.75).abs() < 1e-6, "{a} and {b}");
}
