//! The algebra of poses (Lee, Kim, Lee 2010, appendix A) and the transition functions (appendix B).

use sinew_dynamics::spatial::{Vec3, rotation};
use sinew_motion::{Pose, transition::ease};

fn some_pose(k: f64) -> Pose {
    let turn = |x: f64| rotation::exp(&Vec3::new(0.3 * x, -0.7 + x, 1.1 * x * k));
    Pose { root: Vec3::new(k, -0.4 * k, 0.9), rotations: (0..5).map(|i| turn(i as f64 * 0.21 * k)).collect() }
}

fn distance(a: &Pose, b: &Pose) -> f64 {
    let turns = a.rotations.iter().zip(&b.rotations).map(|(a, b)| a.angle_to(b));
    turns.fold((a.root - b.root).norm(), f64::max)
}

#[test]
fn division_undoes_composition() {
    let (a, b) = (some_pose(0.8), some_pose(-1.3));
    assert!(distance(&b.compose(&a.relative_to(&b)), &a) < 1e-14);
    assert!(distance(&a.relative_to(&a), &Pose::identity(5)) < 1e-15);
    assert!(distance(&a.power(0.0), &Pose::identity(5)) < 1e-15);
    assert!(distance(&a.power(1.0), &a) < 1e-14);
}

#[test]
fn the_corrected_division_keeps_vectors() {
    // spec T2: the printed form gives (1, 0, 0) here, and a pure scalar for the second
    let quarter = rotation::exp(&Vec3::new(0.0, std::f64::consts::FRAC_PI_2, 0.0));
    let from = Pose { rotations: vec![quarter], ..Pose::identity(1) };
    for (root, expected) in [(Vec3::x(), Vec3::z()), (Vec3::y(), Vec3::y())] {
        let by = Pose { root, ..Pose::identity(1) }.relative_to(&from);
        assert!((by.root - expected).norm() < 1e-15);
        assert!((rotation::log(&by.rotations[0]) + Vec3::y() * std::f64::consts::FRAC_PI_2).norm() < 1e-14);
    }
}

#[test]
fn the_warp_of_a_landing_fades() {
    // spec T3: one joint, the next fragment at rest for 21 frames, the target pose 0.4 rad about x
    let target = Pose { rotations: vec![rotation::exp(&Vec3::new(0.4, 0.0, 0.0))], ..Pose::identity(1) };
    let rest = Pose::identity(1);
    for (frame, angle) in [(0, 0.4), (5, 0.3375), (10, 0.2), (15, 0.0625), (20, 0.0)] {
        let fade = 1.0 - ease(frame as f64 / 20.0);
        let warped = rest.compose(&target.relative_to(&rest).power(fade));
        assert!((rotation::log(&warped.rotations[0]).x - angle).abs() < 1e-14);
    }
}

#[test]
fn transition_values() {
    for (x, s) in [(0.1, 0.028), (0.2, 0.104), (0.25, 0.15625), (0.5, 0.5), (0.75, 0.84375), (0.9, 0.972)] {
        assert!((ease(x) - s).abs() < 1e-15);
    }
}
