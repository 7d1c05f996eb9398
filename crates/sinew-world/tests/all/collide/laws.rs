//! Laws that every pair of shapes obeys, apart and overlapping, on thousands of random pairs.

use super::oracle::{Placed, outside};
use super::random::{KINDS, Random};
use sinew_dynamics::spatial::{Placement, Vec3};
use sinew_world::collide::{Manifold, Shape, touch};

const NAMES: [&str; KINDS] = ["sphere", "capsule", "box", "ellipsoid", "cylinder", "mesh"];

/// Every pair of kinds, `count` times, at a gap between −`deep` and +`apart` along a random direction.
fn each_pair(
    seed: u64,
    count: usize,
    deep: f64,
    apart: f64,
    mut check: impl FnMut(&mut Random, &str, &Placed<'_>, bool),
) {
    let mut random = Random::new(seed);
    for (i, j) in (0..KINDS).flat_map(|i| (0..KINDS).map(move |j| (i, j))) {
        for round in 0..count {
            let (a, b) = (random.shape(i), random.shape(j));
            let (mut at_a, at_b) = (random.placement(1.0), random.placement(1.0));
            at_a.pos = at_b.pos + random.vector(0.05);
            let mut placed = Placed { a: &a, at_a, b: &b, at_b };
            // along a random direction they are this far apart; in the best direction at least that
            let n = random.direction();
            let wanted = random.real(-deep, apart);
            placed.at_a.pos += n * (wanted - placed.gap(&n));
            let what = format!("{} and {}, round {round}", NAMES[i], NAMES[j]);
            let boxes = i == 2 && j == 2;
            check(&mut random, &what, &placed, boxes);
        }
    }
}

fn found(p: &Placed<'_>, margin: f64) -> Manifold {
    let mut out = Manifold::new();
    touch(p.a, &p.at_a, p.b, &p.at_b, margin, &mut out);
    out
}

#[test]
fn distance_is_the_gap_along_the_normal_and_no_direction_has_a_greater_one() {
    each_pair(1, 60, 0.15, 0.1, |random, what, placed, boxes| {
        let manifold = found(placed, 10.0);
        let deepest = manifold.deepest().unwrap_or_else(|| panic!("{what}: nothing found"));
        let (d, n) = (deepest.distance, deepest.normal);
        assert!((n.norm() - 1.0).abs() < 1e-12, "{what}");
        let mut starts = vec![n];
        if boxes {
            // the greatest gap of two boxes that overlap is at a face or a product of edges
            let axes = |at: &Placement| [0, 1, 2].map(|k| at.rot.column(k).into_owned());
            let (a, b) = (axes(&placed.at_a), axes(&placed.at_b));
            let products = a.iter().flat_map(|x| b.iter().map(|y| x.cross(y).normalize()));
            starts.extend(products.chain(a).chain(b).flat_map(|x| [x, -x]));
        }
        let best = placed.greatest_gap(random, &starts);
        if boxes {
            // a face may stand for the product of two edges within 8° of it
            assert!((best - d).abs() < 0.021 * d.abs() + 1e-6, "{what}: distance {d}, greatest gap {best}");
            return;
        }
        let gap = placed.gap(&n);
        assert!((gap - d).abs() < 2e-8, "{what}: distance {d}, gap along its normal {gap}");
        assert!(best <= d + 3e-7, "{what}: distance {d}, but a direction with gap {best}");
    });
}

#[test]
fn every_touch_lies_between_the_two_surfaces() {
    each_pair(2, 60, 0.03, 0.03, |random, what, placed, _| {
        for t in found(placed, 0.05).iter() {
            let half = t.normal * (0.5 * t.distance);
            // the ends of the gap belong to the shapes, but for edges side by side: 1/1000 of their length
            let (on_a, on_b) = (t.point + half, t.point - half);
            let off_a = outside(placed.a, &placed.at_a, &on_a, random);
            let off_b = outside(placed.b, &placed.at_b, &on_b, random);
            assert!(off_a < 5e-4 && off_b < 5e-4, "{what}: {off_a} {off_b} {t:?}");
        }
    });
}

#[test]
fn moving_by_the_distance_makes_them_just_touch() {
    each_pair(3, 60, 0.1, 0.1, |_, what, placed, boxes| {
        let manifold = found(placed, 10.0);
        let t = *manifold.deepest().unwrap();
        let mut at_a = placed.at_a;
        at_a.pos -= t.normal * t.distance;
        let moved = Placed { at_a, ..*placed };
        let after = found(&moved, 10.0).deepest().unwrap().distance;
        // a direction that is not quite the best leaves them apart, never overlapping
        let slack = if boxes { 0.02 * t.distance.abs() } else { 0.0 };
        assert!(after > -1e-8 - slack && after < 1e-4 + slack, "{what}: {} then {after}", t.distance);
    });
}

#[test]
fn the_two_orders_mirror_each_other() {
    each_pair(4, 60, 0.05, 0.05, |_, what, placed, _| {
        let forward = found(placed, 0.1);
        let Placed { a, at_a, b, at_b } = *placed;
        let backward = found(&Placed { a: b, at_a: at_b, b: a, at_b: at_a }, 0.1);
        assert_eq!(forward.len(), backward.len(), "{what}");
        for t in forward.iter() {
            // near the best direction the gap is flat: its error is the square of that of the normal, and where a
            // curved side runs along the other surface the nearest point is less certain still
            let curved = matches!(a, Shape::Cylinder { .. }) || matches!(b, Shape::Cylinder { .. });
            let (point, normal) = if curved { (3e-3, 1e-4) } else { (1e-5, 1e-5) };
            let twin = backward.iter().find(|s| {
                (s.point - t.point).norm() < point
                    && (s.normal + t.normal).norm() < normal
                    && (s.distance - t.distance).abs() < 1e-8
            });
            assert!(twin.is_some(), "{what}: no twin of {t:?} in {backward:?}");
        }
    });
}

#[test]
fn nothing_is_found_beyond_the_margin_and_everything_up_to_it() {
    each_pair(5, 60, 0.0, 0.05, |_, what, placed, boxes| {
        let all = found(placed, 10.0);
        let d = all.deepest().unwrap().distance;
        // a face may stand for the product of two edges, with a gap less than 2 % off
        let slack = if boxes { 0.021 * d } else { 1e-6 };
        assert!(found(placed, d - slack).is_empty(), "{what}");
        let near = found(placed, d + slack);
        assert!((near.deepest().unwrap().distance - d).abs() < 1e-9, "{what}");
        assert!(near.iter().all(|t| t.distance <= d + slack), "{what}");
    });
}

#[test]
fn moving_both_moves_the_touches() {
    each_pair(6, 60, 0.05, 0.05, |random, what, placed, _| {
        let before = found(placed, 10.0);
        let by = random.placement(3.0);
        let moved = Placed { at_a: by * placed.at_a, at_b: by * placed.at_b, ..*placed };
        let after = found(&moved, 10.0);
        let (d0, d1) = (before.deepest().unwrap(), after.deepest().unwrap());
        // the general method is less exact with curved sides
        let curved = matches!(placed.a, Shape::Cylinder { .. }) || matches!(placed.b, Shape::Cylinder { .. });
        let slack = if curved { 3e-7 } else { 1e-9 };
        assert!((d0.distance - d1.distance).abs() < slack, "{what}");
        assert!(
            (by.rot * d0.normal - d1.normal).norm() < 2e-4,
            "{what}: {:?} {:?}",
            by.rot * d0.normal,
            d1.normal
        );
    });
}

#[test]
fn every_shape_against_a_plane_reaches_its_support_point() {
    let mut random = Random::new(7);
    for kind in 0..KINDS {
        for round in 0..200 {
            let shape = random.shape(kind);
            let (at, at_plane) = (random.placement(1.0), random.placement(1.0));
            let n: Vec3 = at_plane.rot.column(2).into_owned();
            let expected = -super::oracle::reach(&shape, &at, &-n) - n.dot(&at_plane.pos);
            let mut out = Manifold::new();
            let plane = Shape::Plane { half: [0.0, 0.0] };
            touch(&shape, &at, &plane, &at_plane, 100.0, &mut out);
            let d = out.deepest().unwrap().distance;
            assert!((d - expected).abs() < 1e-12, "{} round {round}: {d} {expected}", NAMES[kind]);
            for t in out.iter() {
                let on_plane = t.point - t.normal * (0.5 * t.distance);
                assert!((n.dot(&(on_plane - at_plane.pos))).abs() < 1e-12);
                let on_shape = t.point + t.normal * (0.5 * t.distance);
                assert!(outside(&shape, &at, &on_shape, &mut random) < 1e-12);
            }
            let mut mirrored = Manifold::new();
            touch(&plane, &at_plane, &shape, &at, 100.0, &mut mirrored);
            let turned: Vec<_> = out.iter().map(|t| (t.point, -t.normal, t.distance, t.feature)).collect();
            let other: Vec<_> = mirrored.iter().map(|t| (t.point, t.normal, t.distance, t.feature)).collect();
            assert_eq!(turned, other);
        }
    }
}
