//! Built-in motions: feet stand still, joints keep their limits, curves are those of people.

use crate::common::{gap, human, skate};
use sinew_dynamics::{JointId, JointKind, Role, Side, characters};
use sinew_motion::estimate::{EstimateParams, estimate};
use sinew_motion::{Travel, motions};
use std::sync::Arc;

const PEOPLE: [&str; 6] = ["human", "child", "human29", "human42", "human-mocap", "human-simbicon"];

#[test]
fn every_motion_plays_on_every_person_within_limits_and_without_skating() {
    for name in PEOPLE {
        let model = Arc::new(characters::load(name).unwrap());
        for motion in motions::names() {
            let clip = motions::load(motion, &model).unwrap();
            assert!(skate(&clip) < 0.005, "{motion} on {name}: {} m", skate(&clip));
            for q in clip.frames() {
                for (i, joint) in model.joints().iter().enumerate() {
                    let Some([low, high]) = model.joint_spec(JointId(i)).range else { continue };
                    let (x, low) = match joint.kind {
                        JointKind::Ball => (2.0 * q[joint.q].abs().min(1.0).acos(), 0.0),
                        _ => (q[joint.q], low),
                    };
                    assert!(x > low - 1e-9 && x < high + 1e-7, "{motion} on {name}: {} at {x}", joint.name);
                }
            }
        }
    }
}

#[test]
fn knees_do_not_snap() {
    // no knee turns faster than a runner's, and none is ever straight to the last degree while it carries
    let human = human();
    let knee = human.joints()[human.joint("knee_l").unwrap().0].q;
    for motion in motions::names() {
        let clip = motions::load(motion, &human).unwrap();
        let angles: Vec<f64> = clip.frames().map(|q| q[knee].to_degrees()).collect();
        let fastest = angles.windows(2).map(|w| (w[1] - w[0]).abs() * clip.rate).fold(0.0, f64::max);
        assert!(fastest < 950.0 && angles.iter().all(|a| *a > 2.0), "{motion}: {fastest} °/s");
    }
}

#[test]
fn a_walk_is_a_cycle_whose_speed_is_its_stride() {
    let human = human();
    for (motion, steps, length) in
        [("walk", 2.0, 0.74), ("walk-slow", 2.0, 0.54), ("walk-backward", 2.0, 0.45), ("run", 2.0, 1.0)]
    {
        let clip = motions::load(motion, &human).unwrap();
        let way = Travel::between(&human, clip.frame(0), clip.frame(clip.len() - 1));
        assert!((way.shift.norm() - steps * length * 0.9275).abs() < 2e-3, "{motion}: {}", way.shift.norm());
        let mut first = clip.frame(0).to_vec();
        way.apply_to(&human, &mut first);
        assert!(gap(&human, &first, clip.frame(clip.len() - 1)) < 1e-6, "{motion} closes");
    }
    for (motion, degrees) in [("turn-left-90", 90.0), ("turn-right-45", -45.0), ("turn-left-180", 180.0)] {
        let clip = motions::load(motion, &human).unwrap();
        let way = Travel::between(&human, clip.frame(0), clip.frame(clip.len() - 1));
        assert!((way.yaw.to_degrees() - degrees).abs() < 1.0, "{motion}: {}", way.yaw.to_degrees());
    }
}

#[test]
fn the_walk_bends_its_joints_as_people_do() {
    // normal gait (Winter 1991, natural cadence), knee flexion in degrees by per cent of the stride from heel strike
    let winter = [(0, 4.0), (15, 17.0), (40, 7.0), (50, 13.0), (60, 34.0), (72, 64.0), (85, 38.0), (96, 3.0)];
    let human = human();
    let walk = motions::load("walk", &human).unwrap();
    let heel = &walk.contacts.as_ref().unwrap().heel[0];
    let strike = (1..walk.len()).find(|&i| heel[i] && !heel[i - 1]).unwrap();
    let knee = human.joints()[human.joint("knee_l").unwrap().0].q;
    let n = walk.len() - 1;
    let squares: f64 = winter
        .iter()
        .map(|(share, degrees)| {
            let frame = (strike + share * n / 100) % n;
            (walk.frame(frame)[knee].to_degrees() - degrees).powi(2)
        })
        .sum();
    let deviation = (squares / winter.len() as f64).sqrt();
    assert!(deviation < 13.0, "{deviation}°");
}

#[test]
fn walks_are_nearly_physical() {
    let human = human();
    for (motion, share) in [
        ("walk", 0.1),
        ("walk-slow", 0.05),
        ("sneak", 0.1),
        ("squat", 0.05),
        ("wave", 0.01),
        ("turn-left-90", 0.1),
    ] {
        let found = estimate(&motions::load(motion, &human).unwrap(), &EstimateParams::default());
        assert!(found.residual_force < share, "{motion}: {}", found.residual_force);
    }
}

#[test]
fn hands_stay_on_the_bar() {
    let human = human();
    let (body, site) = human.site("hand_l").unwrap();
    let mut data = sinew_dynamics::Data::new(&human);
    for motion in ["chin-up", "bar-swing"] {
        let clip = motions::load(motion, &human).unwrap();
        let mut place = |i: usize| {
            sinew_dynamics::forward_kinematics(&human, &mut data, clip.frame(i));
            data.body_placement(&human, body).act(&site.pos)
        };
        let start = place(0);
        assert!((0..clip.len()).all(|i| (place(i) - start).norm() < 1e-9), "{motion}");
    }
}

#[test]
fn bodies_that_cannot_are_refused_by_name() {
    let ostrich = Arc::new(characters::load("ostrich").unwrap());
    assert!(motions::load("walk", &ostrich).unwrap_err().to_string().contains("legs of two links"));
    let acrobot = Arc::new(characters::load("acrobot").unwrap());
    assert!(motions::load("walk", &acrobot).is_err());
    let human = human();
    let error = motions::play("own", "steps 2 forwrd 1", &human).unwrap_err();
    assert_eq!(error.to_string(), "own, line 1: `forwrd` is unknown; did you mean `forward`?");
    assert!(human.role(Role::Foot(Side::Left)).is_some());
}
