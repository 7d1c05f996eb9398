//! Constraints that contradict or repeat each other: forces stay finite, nothing diverges, and it comes to rest.

use crate::support::{build, free};
use sinew_dynamics::spatial::{Quat, Vec3};
use sinew_dynamics::{BodyId, Shape};
use sinew_world::{Attachment, Terrain, World};

fn cube(world: &mut World, name: &str, at: Vec3) -> usize {
    let half = Vec3::new(0.1, 0.1, 0.1);
    world.add_object(name, build(free(Shape::Box { half }, 2.0, 0.8, at)))
}

fn grip(a: usize, point_a: Vec3, b: Option<usize>, point_b: Vec3) -> Attachment {
    let body = BodyId(0);
    Attachment { a: (a, body), point_a, b: b.map(|b| (b, body)), point_b, orientation: None }
}

/// Runs for some seconds; returns the greatest speed on the way and at the end.
fn run(world: &mut World, seconds: f64) -> (f64, f64) {
    let speed = |w: &World| w.actors().iter().flat_map(|a| &a.v).fold(0.0f64, |m, v| m.max(v.abs()));
    let mut greatest = 0.0f64;
    for _ in 0..(seconds / world.settings().dt) as usize {
        world.step(&[]).unwrap();
        greatest = greatest.max(speed(world));
    }
    (greatest, speed(world))
}

#[test]
fn a_grip_into_the_ground_loses_quietly() {
    // held 8 cm too deep: the grip wants down, the ground wants up
    let mut world = World::new(Terrain::flat());
    let a = cube(&mut world, "cube", Vec3::new(0.0, 0.0, 0.1));
    world.attach(grip(a, Vec3::zeros(), None, Vec3::new(0.0, 0.0, 0.02)));
    let (greatest, last) = run(&mut world, 2.0);
    assert!(
        greatest < 2.0 * world.settings().recovery_speed && last < 1e-3,
        "{greatest}, at the end {last} m/s"
    );
    let force: f64 = world.report().contacts(a).iter().map(|c| c.force.norm()).sum();
    assert!(force.is_finite() && force < 1e9, "{force} N");
}

#[test]
fn welds_that_contradict_each_other_stand_still() {
    // two welds, 4 cm and a tenth of a radian apart
    let mut world = World::new(Terrain::flat());
    let a = cube(&mut world, "cube", Vec3::new(0.0, 0.0, 1.0));
    for (x, turn) in [(-0.02, -0.05), (0.02, 0.05)] {
        let weld = grip(a, Vec3::zeros(), None, Vec3::new(x, 0.0, 1.0));
        let orientation = Some(Quat::from_scaled_axis(Vec3::new(0.0, 0.0, turn)));
        world.attach(Attachment { orientation, ..weld });
    }
    let (greatest, last) = run(&mut world, 2.0);
    assert!(
        greatest < 2.0 * world.settings().recovery_speed && last < 1e-6,
        "{greatest}, at the end {last} m/s"
    );
    // in the middle, where neither wins
    let q = &world.actors()[a].q;
    assert!(q[0].abs() < 1e-3 && (q[2] - 1.0).abs() < 1e-3, "it stands at {q:?}");
}

#[test]
fn the_same_grip_ten_times_is_one_grip() {
    let held = |times: usize| {
        let mut world = World::new(Terrain::flat());
        let a = cube(&mut world, "cube", Vec3::new(0.0, 0.0, 1.0));
        for _ in 0..times {
            world.attach(grip(a, Vec3::new(0.1, 0.1, 0.1), None, Vec3::new(0.1, 0.1, 1.1)));
        }
        run(&mut world, 1.0);
        world.actors()[a].q.clone()
    };
    let (once, often) = (held(1), held(10));
    let apart = once.iter().zip(&often).fold(0.0f64, |m, (a, b)| m.max((a - b).abs()));
    assert!(apart < 1e-3, "they part by {apart}");
}

#[test]
fn a_closed_ring_of_cubes_hangs() {
    // eight cubes, each gripped to the next at two points, the first held by the world: more rows than motions
    let mut world = World::new(Terrain::flat());
    let n = 8;
    let place = |k: usize| {
        let angle = core::f64::consts::TAU * k as f64 / n as f64;
        Vec3::new(0.4 * angle.cos(), 0.0, 2.0 + 0.4 * angle.sin())
    };
    let cubes: Vec<usize> = (0..n).map(|k| cube(&mut world, &format!("cube {k}"), place(k))).collect();
    for k in 0..n {
        let (a, b) = (k, (k + 1) % n);
        for y in [-0.1, 0.1] {
            let middle = (place(a) + place(b)) * 0.5 + Vec3::new(0.0, y, 0.0);
            world.attach(grip(cubes[a], middle - place(a), Some(cubes[b]), middle - place(b)));
        }
    }
    world.attach(grip(cubes[2], Vec3::zeros(), None, place(2)));
    let (greatest, _) = run(&mut world, 3.0);
    assert!(greatest < 20.0, "{greatest}");
    // it may swing, but it holds together
    let weight = 8.0 * 2.0 * 9.81;
    assert!(world.actors().iter().all(|a| a.q.iter().all(|x| x.is_finite())));
    let lowest = world.actors().iter().map(|a| a.q[2]).fold(f64::INFINITY, f64::min);
    assert!(lowest > 1.0, "it tore: {lowest} m, {weight} N");
}

#[test]
fn a_cube_pressed_into_a_corner_of_cubes_is_let_out_slowly() {
    // a deep overlap on both sides at once
    let mut world = World::new(Terrain::flat());
    for (k, x) in [-0.15, 0.0, 0.15].into_iter().enumerate() {
        cube(&mut world, &format!("cube {k}"), Vec3::new(x, 0.0, 0.1));
    }
    let (greatest, last) = run(&mut world, 2.0);
    assert!(
        greatest < 3.0 * world.settings().recovery_speed && last < 1e-3,
        "{greatest}, at the end {last} m/s"
    );
    let q: Vec<f64> = world.actors().iter().map(|a| a.q[0]).collect();
    assert!(q[1] - q[0] > 0.199 && q[2] - q[1] > 0.199, "{q:?}");
}
