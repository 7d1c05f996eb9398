//! Clean-up: exact plants.

use crate::common::{clip_of, human};
use crate::shared;
use sinew_dynamics::spatial::Vec3;
use sinew_motion::FootContacts;
use sinew_motion::cleanup::{CleanParams, Grips, Ground, clean, clean_holding};
use sinew_motion::contacts;
use sinew_motion::retarget::{BoneMap, RetargetOptions, Retargeter};

fn standing(frames: usize) -> FootContacts {
    let all = || [vec![true; frames], vec![true; frames]];
    FootContacts { heel: all(), toe: all(), ..FootContacts::none(frames) }
}

#[test]
fn a_motion_with_planted_feet_is_left_alone() {
    let model = human();
    let ready = model.spec().keyframes.iter().find(|k| k.name == "ready").unwrap().q.clone();
    let clip = clip_of(&model, 60.0, 50, |_| ready.clone());
    let cleaned = clean(&clip, &standing(50), &CleanParams::default()).unwrap();
    // the keyframe has six digits
    assert!(cleaned.turned < 1e-5 && cleaned.missed < 1e-6 && cleaned.lost == 0, "{cleaned:?}");
    assert_eq!(cleaned.after.limit_violations, 0);
}

#[test]
fn drift_of_the_floor_and_of_the_feet_is_taken_out() {
    let model = human();
    let ready = model.spec().keyframes.iter().find(|k| k.name == "ready").unwrap().q.clone();
    let clip = clip_of(&model, 60.0, 240, |t| {
        let mut q = ready.clone();
        (q[0], q[2]) = (0.01 * t, q[2] + 0.03 + 0.01 * t);
        q
    });
    let cleaned = clean(&clip, &standing(240), &CleanParams::default()).unwrap();
    assert!(cleaned.before.skate_mm > 39.0 && cleaned.before.height_mm > 49.0);
    assert!(
        cleaned.after.skate_worst_mm < 1e-3 && cleaned.after.height_worst_mm < 1e-3,
        "{:?}",
        cleaned.after
    );
    // a slow drift is the root's: the pose stays
    assert!(cleaned.turned < 0.01, "{}", cleaned.turned);
}

#[test]
fn knees_are_never_overstretched() {
    // a body that rises 3 cm above what its straight legs reach comes down, smoothly
    let model = human();
    let clip = clip_of(&model, 60.0, 120, |t| {
        let mut q = model.neutral();
        q[2] += 0.03 * (std::f64::consts::PI * t / 2.0).sin();
        q
    });
    let cleaned = clean(&clip, &standing(120), &CleanParams::default()).unwrap();
    assert!(
        cleaned.after.height_worst_mm < 1e-3 && cleaned.after.skate_worst_mm < 1e-3,
        "{:?}",
        cleaned.after
    );
    assert!(cleaned.clip.frame(60)[2] < clip.frame(60)[2] - 0.03);
}

#[test]
fn hands_that_hold_on_stay() {
    // hangs from both hands and sways; elbows bent so that arms can follow
    let model = human();
    let at = |name: &str| model.joints()[model.joint(name).unwrap().0].q;
    let clip = clip_of(&model, 60.0, 120, |t| {
        let mut q = model.neutral();
        (q[0], q[2]) = (0.05 * (3.0 * t).sin(), 1.5);
        for (shoulder, elbow) in [("shoulder_l", "elbow_l"), ("shoulder_r", "elbow_r")] {
            let up = sinew_dynamics::spatial::rotation::exp(&(Vec3::y() * -2.6));
            q[at(shoulder)..at(shoulder) + 4].copy_from_slice(&[up.w, up.i, up.j, up.k]);
            q[at(elbow)] = 0.6;
        }
        q
    });
    let grips = Grips::both(120, 20..100);
    let air = FootContacts::none(120);
    let cleaned = clean_holding(&clip, &air, &grips, &CleanParams::default()).unwrap();
    assert!(
        cleaned.hands_before > 0.03 && cleaned.hands_after < 1e-9,
        "{} {}",
        cleaned.hands_before,
        cleaned.hands_after
    );
    assert_eq!(cleaned.after.limit_violations, 0);
}

#[test]
fn contacts_of_another_length_are_refused() {
    let model = human();
    let clip = clip_of(&model, 30.0, 5, |_| model.neutral());
    assert!(clean(&clip, &standing(4), &CleanParams::default()).is_err());
}

#[test]
fn terrain_is_told_from_level_ground() {
    let Some(folder) = shared::mocap() else { return };
    for (file, ground) in [
        ("cmu/14_21.bvh", Ground::Terrain),
        ("cmu/36_01.bvh", Ground::Terrain),
        ("snu/slope/dir_0_slope_5.bvh", Ground::Terrain),
        ("cmu/43_02.bvh", Ground::Flat),
        ("cmu/83_01.bvh", Ground::Flat),
        ("cmu/138_01.bvh", Ground::Flat),
        ("snu/walk/wd2_WalkSameSame01_REPEATED.bvh", Ground::Flat),
    ] {
        let take = shared::read(&folder.join(file)).take;
        let found = contacts::find(&take, &BoneMap::guess(&take.skeleton), None).unwrap();
        assert_eq!(found.ground, ground, "{file}");
    }
}

#[test]
fn soles_of_captured_feet_are_found() {
    // the SNU figure's sole is 27.45° off its ankle frame: standing still, both soles of the human are level
    let Some(folder) = shared::mocap() else { return };
    let take = shared::read(&folder.join("snu/walk/wd2_WalkSameSame01.bvh")).take;
    let model = human();
    let map = BoneMap::guess(&take.skeleton);
    let options = RetargetOptions::default();
    let retargeted = Retargeter::new(&take, &map, model.clone(), &options).unwrap().retarget(&take).unwrap();
    let mut data = sinew_dynamics::Data::new(&model);
    sinew_dynamics::forward_kinematics(&model, &mut data, retargeted.clip.frame(5));
    for name in ["foot_l", "foot_r"] {
        let foot = data.body_placement(&model, model.body(name).unwrap());
        let tilt = (foot.rot * Vec3::z()).angle(&Vec3::z()).to_degrees();
        assert!(tilt < 4.0, "{name}: {tilt}°");
    }
}
