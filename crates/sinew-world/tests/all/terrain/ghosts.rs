//! Seams between solids and edges inside a heightfield are not felt.

use super::{at, of, touches};
use crate::collide::random::Random;
use sinew_dynamics::Shape;
use sinew_dynamics::spatial::{Placement, Vec3, rotation};
use sinew_world::terrain::{Ground, Heightfield, Terrain};

/// Level ground made in many ways.
fn level_grounds() -> Vec<(&'static str, Terrain)> {
    let ledge = |x: f64, length: f64| Ground::Ledge {
        start: Vec3::new(x, 0.0, 0.0),
        heading: 0.0,
        length,
        width: 4.0,
        height: 0.0,
    };
    let tiles = (-8..8).flat_map(|i| (-8..8).map(move |j| Vec3::new(f64::from(i), f64::from(j), 0.0) * 0.2));
    let tiles = Ground::Stones { tops: tiles.collect(), half: [0.1, 0.1], depth: 0.5 };
    let grid = Heightfield::from_fn([-1.5, -1.5], [0.07, 0.05], 45, 62, |_, _| 0.0);
    vec![
        ("two boxes", of(vec![ledge(-2.0, 2.0), ledge(0.0, 2.0)])),
        ("overlapping boxes", of(vec![ledge(-2.0, 2.3), ledge(-0.1, 2.0)])),
        ("box flush with plane", of(vec![Ground::Plane { height: 0.0 }, ledge(0.0, 0.4)])),
        ("tiles", of(vec![tiles])),
        ("grid", of(vec![Ground::Heightfield(grid.clone())])),
        ("grid flush with box", of(vec![Ground::Heightfield(grid), ledge(0.0, 0.3)])),
    ]
}

fn shapes() -> Vec<(Shape, f64)> {
    vec![
        (Shape::Box { half: Vec3::new(0.12, 0.05, 0.03) }, 0.03),
        (Shape::Sphere { radius: 0.06 }, 0.06),
        (Shape::Capsule { radius: 0.05, half: 0.1 }, 0.15),
        (Shape::Ellipsoid { half: Vec3::new(0.12, 0.04, 0.05) }, 0.05),
        (Shape::Cylinder { radius: 0.07, half: 0.05 }, 0.05),
    ]
}

#[test]
fn a_level_foot_slides_over_seams_with_vertical_normals_only() {
    for (name, ground) in level_grounds() {
        for (shape, height) in shapes() {
            for step in 0..400 {
                let x = -0.3 + 0.6 * f64::from(step) / 400.0;
                for (depth, yaw) in [(0.0, 0.0), (0.0005, 0.3), (0.003, 0.0), (0.003, 1.2)] {
                    let place = Placement::new(
                        rotation::exp(&(Vec3::z() * yaw)),
                        Vec3::new(x, 0.013, height - depth),
                    );
                    let found = touches(&ground, &shape, &place, 0.002);
                    assert!(!found.is_empty(), "{name}, {shape:?} at x = {x}, {depth} deep: nothing");
                    for t in &found {
                        let upright = (t.touch.normal - Vec3::z()).norm() < 1e-9;
                        assert!(upright, "{name}, {shape:?} at x = {x}, {depth} deep, yaw {yaw}: {t:?}");
                        assert!(
                            (t.touch.distance + depth).abs() < 1e-9 || t.touch.distance > -depth,
                            "{name}: {t:?}"
                        );
                    }
                    let deepest = super::deepest(&found).unwrap();
                    assert!((deepest + depth).abs() < 1e-9, "{name}, {shape:?} at x = {x}: {deepest}");
                }
            }
        }
    }
}

#[test]
fn a_leaning_foot_feels_the_ground_only() {
    // lands on its heel or edge anywhere, at up to 25°: normals are those of level ground
    let mut random = Random::new(1);
    for (name, ground) in level_grounds() {
        for (shape, _) in shapes() {
            for round in 0..300 {
                let turn = Vec3::new(random.real(-0.4, 0.4), random.real(-0.4, 0.4), random.real(-3.0, 3.0));
                let mut place = Placement::new(
                    rotation::exp(&turn),
                    Vec3::new(random.real(-0.3, 0.3), random.real(-0.3, 0.3), 0.0),
                );
                let depth = random.real(-0.001, 0.003);
                place.pos.z = -place.act(&shape.support(&place.rot.tr_mul(&-Vec3::z()))).z - depth;
                let found = touches(&ground, &shape, &place, 0.002);
                assert!(!found.is_empty(), "{name}, {shape:?}, round {round}: nothing");
                for t in &found {
                    assert!(
                        (t.touch.normal - Vec3::z()).norm() < 0.05,
                        "{name}, {shape:?}, round {round}: {t:?}"
                    );
                }
                let deepest = super::deepest(&found).unwrap();
                assert!(
                    (deepest + depth).abs() < 1e-6,
                    "{name}, {shape:?}, round {round}: {deepest} for {depth}"
                );
            }
        }
    }
}

#[test]
fn an_inclined_grid_is_as_smooth_as_the_plane() {
    let field = Heightfield::from_fn([-2.0, -2.0], [0.06, 0.08], 70, 50, |x, y| 0.3 * x - 0.2 * y);
    let (grid, normal) = (of(vec![Ground::Heightfield(field)]), Vec3::new(-0.3, 0.2, 1.0).normalize());
    let mut random = Random::new(2);
    for (shape, _) in shapes() {
        for _ in 0..400 {
            let mut place = random.placement(1.0);
            let depth = random.real(-0.002, 0.003);
            let lowest = place.act(&shape.support(&place.rot.tr_mul(&-normal)));
            place.pos -= normal * (normal.dot(&lowest) + depth);
            let found = touches(&grid, &shape, &place, 0.003);
            assert!((super::deepest(&found).unwrap() + depth).abs() < 1e-9, "{shape:?}");
            assert!(found.iter().all(|t| (t.touch.normal - normal).norm() < 1e-9), "{shape:?}: {found:?}");
        }
    }
}

#[test]
fn features_of_a_resting_foot_persist_on_every_ground() {
    let foot = Shape::Box { half: Vec3::new(0.12, 0.05, 0.03) };
    let mut random = Random::new(3);
    for (name, ground) in level_grounds() {
        let rest = at(0.031, 0.017, 0.03);
        let features = |place: &Placement| {
            let mut all: Vec<u32> =
                touches(&ground, &foot, place, 0.005).iter().map(|t| t.touch.feature).collect();
            all.sort_unstable();
            all
        };
        let first = features(&rest);
        assert!(first.len() >= 4, "{name}");
        for _ in 0..100 {
            let again = features(&random.nudged(&rest, 1e-6));
            let kept = first.iter().filter(|f| again.contains(f)).count();
            assert!(kept >= 4, "{name}: {first:?} {again:?}");
        }
    }
}
