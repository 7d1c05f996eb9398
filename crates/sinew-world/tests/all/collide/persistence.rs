//! Features keep their numbers while shapes move a little, and a rocking foot keeps its four corners.

use super::random::Random;
use sinew_dynamics::spatial::{Placement, Vec3, rotation};
use sinew_world::collide::{Manifold, Shape, touch};

fn found(a: &Shape, at_a: &Placement, b: &Shape, at_b: &Placement) -> Manifold {
    let mut out = Manifold::new();
    touch(a, at_a, b, at_b, 0.01, &mut out);
    out
}

fn features(m: &Manifold) -> Vec<u32> {
    let mut all: Vec<u32> = m.iter().map(|t| t.feature).collect();
    all.sort_unstable();
    all
}

/// Shapes at rest on one another, in ways that a scene has: (above, below, height of the centre above).
fn resting() -> Vec<(Shape, Shape, f64, usize)> {
    let foot = Shape::Box { half: Vec3::new(0.12, 0.05, 0.03) };
    let tread = Shape::Box { half: Vec3::new(0.15, 0.6, 0.08) };
    let ground = Shape::Plane { half: [0.0, 0.0] };
    let drum = Shape::Cylinder { radius: 0.1, half: 0.2 };
    let hexagon = (0..6).flat_map(|k| {
        let (s, c) = libm::sincos(f64::from(k) * core::f64::consts::FRAC_PI_3);
        [Vec3::new(0.1 * c, 0.1 * s, 0.05), Vec3::new(0.1 * c, 0.1 * s, -0.05)]
    });
    let nut = Shape::Mesh { name: "nut".into(), vertices: hexagon.collect() };
    vec![
        (foot.clone(), ground.clone(), 0.03, 4),
        (foot.clone(), tread.clone(), 0.11, 4),
        (tread.clone(), foot.clone(), 0.11, 4),
        (foot.clone(), foot.clone(), 0.06, 4),
        (drum.clone(), ground.clone(), 0.2, 4),
        (nut.clone(), ground, 0.05, 4),
        (nut, tread.clone(), 0.13, 4),
        (drum, tread, 0.28, 4),
    ]
}

#[test]
fn features_survive_tiny_motion() {
    let mut random = Random::new(1);
    for (above, below, height, least) in resting() {
        let yaw = Placement::new(rotation::exp(&(Vec3::z() * 0.2)), Vec3::new(0.01, 0.02, height));
        let first = found(&above, &yaw, &below, &Placement::identity());
        assert!(first.len() >= least, "{above:?} on {below:?}: {first:?}");
        for _ in 0..200 {
            let moved = random.nudged(&yaw, 1e-6);
            let again = found(&above, &moved, &below, &Placement::identity());
            let (old, new) = (features(&first), features(&again));
            let kept = old.iter().filter(|f| new.contains(f)).count();
            assert!(kept >= 4, "{above:?} on {below:?}: {old:?} became {new:?}");
            for t in again.iter() {
                if let Some(before) = first.iter().find(|s| s.feature == t.feature) {
                    assert!((before.point - t.point).norm() < 1e-4, "{above:?} on {below:?}");
                }
            }
        }
    }
}

#[test]
fn a_rocking_foot_keeps_its_four_corners_on_plane_and_box() {
    let foot = Shape::Box { half: Vec3::new(0.12, 0.05, 0.03) };
    let plane = Shape::Plane { half: [0.0, 0.0] };
    let slab = Shape::Box { half: Vec3::new(2.0, 2.0, 0.5) };
    let (under, top) =
        (Placement { pos: Vec3::new(0.0, 0.0, -0.5), ..Placement::identity() }, Placement::identity());
    for step in 0..400 {
        // rocking by up to 1.5° in pitch and roll, sinking by up to 1 mm
        let phase = f64::from(step) * 0.1;
        let rock = Vec3::new(0.02 * libm::sin(1.7 * phase), 0.026 * libm::sin(phase), 0.3);
        let at =
            Placement::new(rotation::exp(&rock), Vec3::new(0.0, 0.0, 0.03 + 0.001 * libm::sin(2.3 * phase)));
        for (ground, at_ground) in [(&plane, &top), (&slab, &under)] {
            let m = found(&foot, &at, ground, at_ground);
            let expected = if ground == &plane { [0, 1, 2, 3] } else { [8, 9, 10, 11] };
            assert_eq!(features(&m), expected, "step {step}");
            for t in m.iter() {
                let corner = Vec3::from_fn(|i, _| {
                    let half = [0.12, 0.05, 0.03][i];
                    if t.feature >> i & 1 == 1 { half } else { -half }
                });
                let p = at.act(&corner);
                // against the slab the sole may be the face that counts: then the normal leans with it
                assert!(
                    (t.point - p).norm() < 0.01 && (t.distance - p.z).abs() < 2e-4,
                    "step {step}: {t:?} {p:?}"
                );
            }
        }
    }
}

#[test]
fn capsules_that_roll_along_each_other_keep_their_two_ends() {
    let (a, b) = (Shape::Capsule { radius: 0.05, half: 0.2 }, Shape::Capsule { radius: 0.04, half: 0.3 });
    let block = Shape::Box { half: Vec3::new(0.3, 0.3, 0.04) };
    let mut random = Random::new(2);
    let lying = Placement::new(
        rotation::exp(&(Vec3::y() * core::f64::consts::FRAC_PI_2)),
        Vec3::new(0.05, 0.0, 0.09),
    );
    let under = Placement { pos: Vec3::zeros(), ..lying };
    for _ in 0..300 {
        let moved = random.nudged(&lying, 2e-3);
        assert_eq!(features(&found(&a, &moved, &b, &under)).iter().filter(|f| **f > 0).count(), 2);
        let on_block = found(&a, &moved, &block, &Placement::identity());
        assert_eq!(features(&on_block).iter().filter(|f| **f > 0).count(), 2, "{on_block:?}");
    }
}
