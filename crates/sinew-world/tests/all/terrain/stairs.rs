//! A box foot on stairs: on the tread, over the nose, against the riser.

use super::{at, deepest, of, touches};
use sinew_dynamics::Shape;
use sinew_dynamics::spatial::{Placement, Vec3, rotation};
use sinew_world::terrain::{Ground, GroundTouch, Terrain};

const FOOT: Vec3 = Vec3::new(0.12, 0.05, 0.03);

/// Treads from x = 0, every 0.3 m, each 0.15 m higher, on a plane.
fn stairs() -> Terrain {
    of(vec![
        Ground::Plane { height: 0.0 },
        Ground::Stairs {
            start: Vec3::zeros(),
            heading: 0.0,
            width: 2.0,
            run: 0.3,
            rise: 0.15,
            steps: 6,
            landing: 1.0,
        },
    ])
}

fn foot(place: &Placement) -> Vec<GroundTouch> {
    touches(&stairs(), &Shape::Box { half: FOOT }, place, 0.002)
}

#[test]
fn in_the_middle_of_a_tread_it_stands_on_its_four_corners() {
    let found = foot(&at(0.45, 0.2, 0.329));
    assert_eq!(found.len(), 4);
    for t in &found {
        assert!((t.touch.distance + 0.001).abs() < 1e-12 && (t.touch.normal - Vec3::z()).norm() < 1e-12);
        assert!(((t.touch.point.x - 0.45).abs() - 0.12).abs() < 1e-12);
    }
}

#[test]
fn over_the_nose_it_stands_on_heel_corners_and_the_edge() {
    // the heel is 8 cm over the edge at x = 0.3
    let found = foot(&at(0.34, 0.2, 0.3299));
    assert_eq!(found.len(), 4, "{found:?}");
    let mut x: Vec<f64> = found.iter().map(|t| t.touch.point.x).collect();
    x.sort_by(f64::total_cmp);
    for (x, expected) in x.iter().zip([0.3, 0.3, 0.46, 0.46]) {
        assert!((x - expected).abs() < 1e-9);
    }
    assert!(found.iter().all(|t| (t.touch.normal - Vec3::z()).norm() < 1e-12));
}

#[test]
fn tilted_over_the_nose_it_turns_about_the_edge() {
    // toes up by 20°, the sole on the edge of the second tread
    let tilt = 0.35;
    let turn = rotation::exp(&(Vec3::y() * -tilt));
    let mut place = Placement::new(turn, Vec3::new(0.3, 0.1, 0.3));
    let normal: Vec3 = place.rot.column(2).into_owned();
    place.pos += normal * (0.03 + 0.0005) + place.rot.column(0) * 0.04;
    let found = foot(&place);
    assert_eq!(found.len(), 2, "{found:?}");
    for t in &found {
        assert!((t.touch.distance - 0.0005).abs() < 1e-9 && (t.touch.normal - normal).norm() < 1e-9, "{t:?}");
        assert!((t.touch.point.x - 0.3).abs() < 1e-3);
    }
}

#[test]
fn stubbing_the_toe_pushes_straight_back() {
    // 0.4 mm into the riser of the third tread at x = 0.6, 5 cm above the second tread
    let found = foot(&at(0.6 - 0.12 + 0.0004, 0.0, 0.38));
    assert_eq!(found.len(), 4, "{found:?}");
    assert!(
        found
            .iter()
            .all(|t| (t.touch.normal + Vec3::x()).norm() < 1e-12 && (t.touch.distance + 0.0004).abs() < 1e-9)
    );
}

#[test]
fn in_the_corner_of_tread_and_riser_it_touches_both() {
    let found = foot(&at(0.6 - 0.12 + 0.0004, 0.0, 0.3 + 0.03 - 0.0003));
    let up: Vec<f64> = found.iter().filter(|t| t.touch.normal.z > 0.99).map(|t| t.touch.distance).collect();
    let back: Vec<f64> =
        found.iter().filter(|t| t.touch.normal.x < -0.99).map(|t| t.touch.distance).collect();
    assert!(up.len() >= 2 && up.iter().all(|d| (d + 0.0003).abs() < 1e-9), "{found:?}");
    assert!(back.len() >= 2 && back.iter().all(|d| (d + 0.0004).abs() < 1e-9), "{found:?}");
    assert_eq!(up.len() + back.len(), found.len());
}

#[test]
fn sliding_along_a_tread_it_meets_nothing_but_the_next_riser() {
    for step in 0..300 {
        // the toe goes from 5 cm behind the nose at 0.3 to just before the riser at 0.6
        let toe = 0.35 + 0.249 * f64::from(step) / 300.0;
        for yaw in [0.0, 0.02, -0.3] {
            let place =
                Placement::new(rotation::exp(&(Vec3::z() * yaw)), Vec3::new(toe - 0.1295, 0.0, 0.3297));
            let all = foot(&place);
            let near: Vec<&GroundTouch> = all.iter().filter(|t| t.touch.distance < 1e-4).collect();
            assert!(
                near.iter().all(|t| (t.touch.normal - Vec3::z()).norm() < 1e-9),
                "toe at {toe}: {near:?}"
            );
        }
    }
}

#[test]
fn a_round_toe_rolls_over_the_nose() {
    let ball = Shape::Sphere { radius: 0.04 };
    let terrain = stairs();
    for step in 0..=90 {
        // around the edge of the first tread, from above to the front
        let (s, c) = libm::sincos(f64::from(step) / 90.0 * core::f64::consts::FRAC_PI_2);
        let n = Vec3::new(-s, 0.0, c);
        let place = Placement { pos: Vec3::new(0.0, 0.3, 0.15) + n * 0.0395, ..at(0.0, 0.0, 0.0) };
        let found = touches(&terrain, &ball, &place, 0.001);
        assert_eq!(found.len(), 1);
        assert!(
            (found[0].touch.normal - n).norm() < 1e-9 && (found[0].touch.distance + 0.0005).abs() < 1e-12
        );
    }
}

#[test]
fn a_long_body_on_stairs_rests_on_the_noses() {
    let log = Shape::Capsule { radius: 0.1, half: 0.8 };
    let pitch = libm::atan2(0.15, 0.3);
    // along the line of the noses, tangent from above
    let turn = rotation::exp(&(Vec3::y() * (core::f64::consts::FRAC_PI_2 - pitch)));
    let mut place = Placement::new(turn, Vec3::new(0.75, 0.0, 0.525));
    place.pos += Vec3::new(-libm::sin(pitch), 0.0, libm::cos(pitch)) * 0.0995;
    let found = touches(&stairs(), &log, &place, 0.001);
    assert!(found.len() >= 4, "{found:?}");
    assert!((deepest(&found).unwrap() + 0.0005).abs() < 1e-9);
    for t in &found {
        // on a nose
        let along = t.touch.point.x / 0.3;
        assert!((along - along.round()).abs() < 1e-2 && t.touch.normal.z > 0.8, "{t:?}");
    }
}
