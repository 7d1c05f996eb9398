//! Distances to heightfields against dense samples of the surface.

use super::{at, deepest, of, touches};
use crate::collide::random::Random;
use sinew_dynamics::Shape;
use sinew_dynamics::spatial::{Placement, Vec3};
use sinew_world::terrain::{Ground, Heightfield, Terrain};

/// Hills of about 10 cm on a 20 cm grid.
fn hills() -> Terrain {
    let field = Heightfield::from_fn([-1.0, -1.0], [0.2, 0.2], 11, 11, |x, y| {
        0.1 * libm::sin(5.0 * x + 1.0) * libm::cos(4.0 * y) + 0.03 * libm::sin(13.0 * x + 7.0 * y)
    });
    of(vec![Ground::Heightfield(field)])
}

/// The least signed distance of sampled points of the surface to a shape, by the distance of a point.
fn sampled(terrain: &Terrain, centre: &Vec3, reach: f64, distance: impl Fn(&Vec3) -> f64) -> f64 {
    let mut least = f64::INFINITY;
    // coarse, then fine around the best
    let (mut middle, mut half) = ([centre.x, centre.y], reach);
    for _ in 0..4 {
        let mut best = middle;
        for (a, b) in (-24..=24).flat_map(|a| (-24..=24).map(move |b| (a, b))) {
            let (x, y) = (middle[0] + half * f64::from(a) / 24.0, middle[1] + half * f64::from(b) / 24.0);
            let d = distance(&Vec3::new(x, y, terrain.height(x, y)));
            if d < least {
                (least, best) = (d, [x, y]);
            }
        }
        (middle, half) = (best, half / 8.0);
    }
    least
}

#[test]
fn round_shapes_apart_from_hills() {
    let terrain = hills();
    let mut random = Random::new(1);
    let mut compared = 0;
    while compared < 60 {
        let radius = random.real(0.03, 0.25);
        let half = random.real(0.0, 0.2);
        let shape = match compared % 3 {
            0 => Shape::Sphere { radius },
            1 => Shape::Capsule { radius, half },
            _ => Shape::Ellipsoid { half: Vec3::new(radius, random.real(0.05, 0.2), random.real(0.05, 0.2)) },
        };
        let mut place = random.placement(1.0);
        place.pos = Vec3::new(random.real(-0.9, 0.9), random.real(-0.9, 0.9), 0.0);
        place.pos.z = terrain.height(place.pos.x, place.pos.y) + random.real(0.05, 0.5);
        let to_shape = |p: &Vec3| {
            let q = place.rot.tr_mul(&(p - place.pos));
            match &shape {
                Shape::Sphere { radius } => q.norm() - radius,
                Shape::Capsule { radius, half } => (q - Vec3::z() * q.z.clamp(-*half, *half)).norm() - radius,
                Shape::Ellipsoid { half } => to_ellipsoid(&q, half),
                _ => unreachable!(),
            }
        };
        let expected = sampled(&terrain, &place.pos, 0.6, to_shape);
        if !(expected > 0.001 && expected < 0.1) {
            continue;
        }
        compared += 1;
        let found = touches(&terrain, &shape, &place, 0.2);
        let d = deepest(&found).unwrap_or(f64::INFINITY);
        assert!((d - expected).abs() < 2e-4, "{shape:?} at {place:?}: {d} against {expected}");
        assert!(found.len() <= 8);
    }
}

/// Distance of a point outside an ellipsoid by bisection on the equation of the nearest point.
fn to_ellipsoid(p: &Vec3, e: &Vec3) -> f64 {
    let level = |t: f64| (0..3).map(|i| (e[i] * p[i] / (t + e[i] * e[i])).powi(2)).sum::<f64>() - 1.0;
    let (mut low, mut high) = (0.0, 10.0);
    if level(0.0) < 0.0 {
        return -1.0;
    }
    for _ in 0..50 {
        let middle = 0.5 * (low + high);
        if level(middle) > 0.0 { low = middle } else { high = middle }
    }
    (p - Vec3::from_fn(|i, _| e[i] * e[i] * p[i] / (low + e[i] * e[i]))).norm()
}

#[test]
fn boxes_apart_from_hills() {
    let terrain = hills();
    let mut random = Random::new(2);
    let mut compared = 0;
    while compared < 60 {
        let half = Vec3::new(random.real(0.05, 0.2), random.real(0.05, 0.2), random.real(0.03, 0.1));
        let flat = at(0.0, 0.0, 0.0);
        let mut place = random.nudged(&flat, if compared % 2 == 0 { 0.15 } else { 1.0 });
        place.pos = Vec3::new(random.real(-0.7, 0.7), random.real(-0.7, 0.7), 0.0);
        place.pos.z = terrain.height(place.pos.x, place.pos.y) + random.real(0.03, 0.4);
        let to_box = |p: &Vec3| {
            let off = place.rot.tr_mul(&(p - place.pos)).abs() - half;
            off.map(|x| x.max(0.0)).norm() + off.max().min(0.0)
        };
        let expected = sampled(&terrain, &place.pos, 0.4, to_box);
        if !(expected > 0.001 && expected < 0.05) {
            continue;
        }
        compared += 1;
        let found = touches(&terrain, &Shape::Box { half }, &place, 0.2);
        let d = deepest(&found).unwrap_or(f64::INFINITY);
        // a corner is measured to the plane of the triangle under it, which near a fold is less than the distance
        assert!(d < expected + 5e-4, "{half:?} at {place:?}: {d} against {expected}");
        assert!(d > expected - 0.25 * expected - 5e-4, "{half:?} at {place:?}: {d} against {expected}");
    }
}

#[test]
fn a_ball_on_roof_peak_and_valley() {
    let slope = 0.5;
    let normal = Vec3::new(slope, 0.0, 1.0).normalize();
    let roof = of(vec![Ground::Heightfield(Heightfield::from_fn([-2.0, -2.0], [0.5; 2], 9, 9, |x, _| {
        -slope * x.abs()
    }))]);
    let ball = Shape::Sphere { radius: 0.2 };
    // on the ridge, leaning by less than the roof
    for lean in [0.0, 0.1, -0.3] {
        let n = Vec3::new(libm::sin(lean), 0.0, libm::cos(lean));
        let place = Placement { pos: n * 0.21 + Vec3::new(0.0, 0.33, 0.0), ..at(0.0, 0.0, 0.0) };
        let found = touches(&roof, &ball, &place, 0.05);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!((found[0].touch.distance - 0.01).abs() < 1e-12 && (found[0].touch.normal - n).norm() < 1e-9);
    }
    // on the side of the roof
    let place = Placement { pos: Vec3::new(0.7, 0.1, -0.35) + normal * 0.19, ..at(0.0, 0.0, 0.0) };
    let found = touches(&roof, &ball, &place, 0.05);
    assert_eq!(found.len(), 1);
    assert!(
        (found[0].touch.distance + 0.01).abs() < 1e-12 && (found[0].touch.normal - normal).norm() < 1e-12
    );

    // in the valley it touches both sides
    let valley = of(vec![Ground::Heightfield(Heightfield::from_fn([-2.0, -2.0], [0.5; 2], 9, 9, |x, _| {
        slope * x.abs()
    }))]);
    let found = touches(&valley, &ball, &at(0.0, 0.2, 0.2 / normal.z), 0.01);
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(
        found
            .iter()
            .all(|t| t.touch.distance.abs() < 1e-12 && (t.touch.normal.x.abs() - normal.x).abs() < 1e-12)
    );

    // on the only peak
    let peak = of(vec![Ground::Heightfield(Heightfield::from_fn([-1.0, -1.0], [0.5; 2], 5, 5, |x, y| {
        if x == 0.0 && y == 0.0 { 0.3 } else { 0.0 }
    }))]);
    let found = touches(&peak, &ball, &at(0.001, 0.002, 0.499), 0.01);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!((found[0].touch.distance + 0.001).abs() < 1e-4);
}

#[test]
fn beyond_the_border_the_ground_goes_on() {
    let terrain = of(vec![Ground::Heightfield(Heightfield::from_fn([0.0, 0.0], [0.5; 2], 3, 4, |x, y| {
        0.2 * x + 0.1 * y
    }))]);
    let ball = Shape::Sphere { radius: 0.2 };
    for (x, y) in [(-5.0, 0.7), (4.0, 0.7), (0.4, -3.0), (0.4, 9.0), (-4.0, -4.0), (8.0, 8.0)] {
        let n = terrain.normal(x, y);
        let on = Vec3::new(x, y, terrain.height(x, y));
        let found = touches(&terrain, &ball, &Placement { pos: on + n * 0.201, ..at(0.0, 0.0, 0.0) }, 0.01);
        assert_eq!(found.len(), 1, "{x} {y}: {found:?}");
        assert!(
            (found[0].touch.distance - 0.001).abs() < 1e-12 && (found[0].touch.normal - n).norm() < 1e-12
        );
    }
    // far below the surface it is pushed up
    let found = touches(&terrain, &ball, &at(0.7, 0.8, -3.0), 0.01);
    assert!(deepest(&found).unwrap() < -2.5 && found.iter().all(|t| t.touch.normal.z > 0.9));
}
