//! Input without size, direction or sense: numbers stay numbers, and nothing hangs.

use super::random::{KINDS, Random};
use sinew_dynamics::spatial::{Placement, Vec3, rotation};
use sinew_world::collide::{Bounds, Manifold, Shape, touch};

/// Shapes of no size, no thickness, or great length.
fn odd_shapes() -> Vec<Shape> {
    let mesh = |vertices: &[Vec3]| Shape::Mesh { name: String::new(), vertices: vertices.to_vec() };
    let (x, y, z) = (Vec3::x() * 0.3, Vec3::y() * 0.3, Vec3::z() * 0.3);
    vec![
        Shape::Sphere { radius: 0.0 },
        Shape::Sphere { radius: 0.2 },
        Shape::Capsule { radius: 0.0, half: 0.0 },
        Shape::Capsule { radius: 0.0, half: 0.3 },
        Shape::Capsule { radius: 0.1, half: 0.0 },
        Shape::Capsule { radius: 0.1, half: 0.3 },
        Shape::Box { half: Vec3::zeros() },
        Shape::Box { half: Vec3::new(0.3, 0.0, 0.0) },
        Shape::Box { half: Vec3::new(0.3, 0.2, 0.0) },
        Shape::Box { half: Vec3::new(0.3, 0.2, 0.1) },
        Shape::Ellipsoid { half: Vec3::zeros() },
        Shape::Ellipsoid { half: Vec3::new(0.3, 0.0, 0.0) },
        Shape::Ellipsoid { half: Vec3::new(0.3, 0.2, 0.0) },
        Shape::Ellipsoid { half: Vec3::repeat(0.2) },
        Shape::Ellipsoid { half: Vec3::new(0.3, 1e-4, 0.2) },
        Shape::Cylinder { radius: 0.0, half: 0.0 },
        Shape::Cylinder { radius: 0.2, half: 0.0 },
        Shape::Cylinder { radius: 0.0, half: 0.2 },
        Shape::Cylinder { radius: 0.2, half: 0.3 },
        mesh(&[]),
        mesh(&[x]),
        mesh(&[x, -x]),
        mesh(&[x, -x, y]),
        mesh(&[x, -x, y, z, -z, Vec3::zeros(), x]),
        mesh(&[x; 5]),
        Shape::Plane { half: [0.0, 0.0] },
    ]
}

fn check(a: &Shape, at_a: &Placement, b: &Shape, at_b: &Placement) -> usize {
    let mut out = Manifold::new();
    touch(a, at_a, b, at_b, 0.05, &mut out);
    for t in out.iter() {
        let sound = t.point.iter().all(|x| x.is_finite())
            && t.distance.is_finite()
            && (t.normal.norm() - 1.0).abs() < 1e-9
            && t.distance <= 0.05;
        assert!(sound, "{a:?} at {at_a:?}\n{b:?} at {at_b:?}\n{t:?}");
    }
    out.len()
}

#[test]
fn extreme_shapes_and_places_give_finite_results() {
    let shapes = odd_shapes();
    let quarter = core::f64::consts::FRAC_PI_2;
    let turns = [Vec3::zeros(), Vec3::x() * quarter, Vec3::y() * quarter, Vec3::z() * (0.5 * quarter)];
    let places = [
        Vec3::zeros(),
        Vec3::x() * 0.3,
        Vec3::x() * -0.3,
        Vec3::new(0.3, 0.2, 0.1),
        Vec3::z() * 1e-12,
        Vec3::z() * 0.2,
    ];
    for a in &shapes {
        for b in &shapes {
            let mut any = 0;
            for turn in &turns {
                for place in &places {
                    let at_a = Placement::new(rotation::exp(turn), *place);
                    any += check(a, &at_a, b, &Placement::identity());
                }
            }
            // coincident centres overlap or touch, whatever the shapes
            let planes = matches!(a, Shape::Plane { .. }) && matches!(b, Shape::Plane { .. });
            let nothing = |s: &Shape| matches!(s, Shape::Mesh { vertices, .. } if vertices.is_empty());
            assert_eq!(any > 0, !(planes || nothing(a) || nothing(b)), "{a:?} {b:?}: {any}");
        }
    }
}

#[test]
fn coincident_shapes_of_one_kind_overlap() {
    let mut random = Random::new(1);
    for kind in 0..KINDS {
        for _ in 0..20 {
            let (shape, at) = (random.shape(kind), random.placement(1.0));
            assert!(check(&shape, &at, &shape, &at) > 0, "{shape:?}");
        }
    }
}

#[test]
fn input_that_is_not_finite_gives_no_touch() {
    let mut random = Random::new(2);
    for i in 0..KINDS {
        for j in 0..KINDS {
            let (a, b) = (random.shape(i), random.shape(j));
            for bad in [f64::NAN, f64::INFINITY] {
                let mut at = Placement::identity();
                at.pos.x = bad;
                assert_eq!(check(&a, &at, &b, &Placement::identity()), 0);
                assert_eq!(check(&b, &Placement::identity(), &a, &at), 0);
                assert_eq!(check(&a, &at, &Shape::Plane { half: [0.0; 2] }, &Placement::identity()), 0);
            }
            let turned = Placement { rot: Placement::identity().rot * f64::NAN, pos: Vec3::zeros() };
            // how a sphere is turned does not matter
            if i > 0 {
                assert_eq!(check(&a, &turned, &b, &Placement::identity()), 0, "{a:?} {b:?}");
            }
        }
    }
}

#[test]
fn bounds_hold_every_support_point_and_no_more() {
    let mut random = Random::new(3);
    for kind in 0..KINDS {
        for _ in 0..50 {
            let (shape, at) = (random.shape(kind), random.placement(2.0));
            let bounds = Bounds::of(&shape, &at);
            for k in 0..3 {
                let n = Vec3::from_fn(|i, _| if i == k { 1.0 } else { 0.0 });
                let high = super::oracle::reach(&shape, &at, &n);
                let low = -super::oracle::reach(&shape, &at, &-n);
                assert!(
                    (bounds.high[k] - high).abs() < 1e-12 && (bounds.low[k] - low).abs() < 1e-12,
                    "{shape:?}"
                );
            }
        }
    }
}
