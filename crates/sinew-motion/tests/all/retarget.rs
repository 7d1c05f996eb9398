//! Retargeting: exact answers, mirror images, maps.

use crate::common::{clip_of, gap};
use sinew_dynamics::spatial::{Vec3, rotation};
use sinew_dynamics::{Data, JointKind, Model, Role, Side, characters, forward_kinematics};
use sinew_motion::edit::Mirror;
use sinew_motion::retarget::{BoneMap, BoneMapError, RetargetError, RetargetOptions, Retargeter, SoleRule};
use sinew_motion::{Joint, Pose, Provenance, Skeleton, Take};
use std::sync::Arc;

/// A motion in which every joint moves well within its limits.
fn moving(model: &Model, t: f64) -> Vec<f64> {
    let mut q = model.neutral();
    for (k, joint) in model.joints().iter().enumerate() {
        let wave = |c: f64| 0.25 * (1.7 * t + 0.9 * k as f64 + c).sin();
        match joint.kind {
            JointKind::Free => {
                (q[0], q[1], q[2]) = (0.8 * t, 0.1 * wave(0.0), q[2] + 0.1 * wave(1.0));
                let turn = rotation::exp(&Vec3::new(0.3 * wave(0.0), 0.4 * wave(1.0), t));
                q[3..7].copy_from_slice(&[turn.w, turn.i, turn.j, turn.k]);
            }
            JointKind::Ball => {
                let turn = rotation::exp(&Vec3::new(wave(0.0), wave(2.0), wave(4.0)));
                q[joint.q..joint.q + 4].copy_from_slice(&[turn.w, turn.i, turn.j, turn.k]);
            }
            _ => {
                let range = model.bodies()[joint.body.0].joints[joint.nth].range.unwrap_or([-1.0, 1.0]);
                q[joint.q] = 0.5 * (range[0] + range[1]) + 0.7 * (range[1] - range[0]) * wave(0.0);
            }
        }
    }
    q
}

fn character(name: &str) -> Arc<Model> {
    Arc::new(characters::load(name).unwrap())
}

fn at_rest() -> RetargetOptions {
    RetargetOptions { sole: SoleRule::Rest, ..RetargetOptions::default() }
}

#[test]
fn a_body_retargets_to_itself() {
    for name in ["human", "human29", "human42", "human-mocap", "child", "asymmetric"] {
        let model = character(name);
        let clip = clip_of(&model, 60.0, 90, |t| moving(&model, t));
        let take = clip.to_take().unwrap();
        let map = BoneMap::guess(&take.skeleton);
        let result =
            Retargeter::new(&take, &map, model.clone(), &at_rest()).unwrap().retarget(&take).unwrap();
        assert!((result.scale - 1.0).abs() < 1e-12, "{name}: {}", result.scale);
        for (i, (a, b)) in clip.frames().zip(result.clip.frames()).enumerate() {
            assert!(gap(&model, a, b) < 1e-9, "{name}, frame {i}: {:e}", gap(&model, a, b));
        }
        assert!(result.error.worst < 1e-9 && result.limited == 0);
        let said = &result.clip.provenance.steps;
        assert!(said.iter().any(|s| s.starts_with("bone map: pelvis = pelvis, ")), "{said:?}");
    }
}

#[test]
fn every_part_of_every_human_is_found() {
    for name in ["human", "human29", "human42", "human-mocap", "human-simbicon", "child"] {
        let model = character(name);
        let take = clip_of(&model, 30.0, 1, |_| model.neutral()).to_take().unwrap();
        let map = BoneMap::guess(&take.skeleton);
        for (role, body) in model.spec().roles.iter() {
            // the figure whose arms hang from its head has a say about what its trunk is
            if matches!(role, Role::Trunk | Role::Head) {
                continue;
            }
            let joint = map.joint(role).unwrap_or_else(|| panic!("{name}: {role}"));
            assert_eq!(take.skeleton.joints()[joint].name, body, "{name}: {role}");
        }
    }
}

/// Bones that stand in the air: a T-pose with legs splayed by `splay`, joints in some order, names that say nothing.
fn stick_figure(splay: f64, left_first: bool) -> Skeleton {
    let mut joints = vec![];
    let mut add = |name: &str, parent: Option<usize>, offset: Vec3, tips: Vec<Vec3>| {
        joints.push(Joint { name: name.into(), parent, offset, tips });
        joints.len() - 1
    };
    let root = add("a", None, Vec3::zeros(), vec![]);
    let spine = add("b", Some(root), Vec3::z() * 0.12, vec![]);
    let chest = add("c", Some(spine), Vec3::z() * 0.25, vec![]);
    add("d", Some(chest), Vec3::z() * 0.2, vec![Vec3::z() * 0.2]);
    let sides = if left_first { [1.0, -1.0] } else { [-1.0, 1.0] };
    for (k, side) in sides.into_iter().enumerate() {
        let down = |length: f64| Vec3::new(0.0, side * splay.sin(), -splay.cos()) * length;
        let hip = add(&format!("e{k}"), Some(root), Vec3::new(0.0, 0.09 * side, -0.05), vec![]);
        let knee = add(&format!("f{k}"), Some(hip), down(0.43), vec![]);
        let ankle = add(&format!("g{k}"), Some(knee), down(0.41), vec![]);
        add(&format!("h{k}"), Some(ankle), Vec3::new(0.13, 0.0, -0.05), vec![Vec3::x() * 0.07]);
        let shoulder = add(&format!("i{k}"), Some(chest), Vec3::new(0.0, 0.18 * side, 0.1), vec![]);
        let elbow = add(&format!("j{k}"), Some(shoulder), Vec3::y() * 0.28 * side, vec![]);
        add(&format!("k{k}"), Some(elbow), Vec3::y() * 0.25 * side, vec![Vec3::y() * 0.18 * side]);
    }
    Skeleton::new(joints).unwrap()
}

fn take_of(skeleton: Skeleton, poses: Vec<Pose>) -> Take {
    Take {
        name: "stick".into(),
        skeleton: Arc::new(skeleton),
        rate: 30.0,
        poses,
        provenance: Provenance::default(),
        contacts: None,
    }
}

#[test]
fn bones_point_the_same_way_whatever_the_rest_pose() {
    let splay = 20f64.to_radians();
    let skeleton = stick_figure(splay, true);
    let take = take_of(skeleton.clone(), vec![Pose::identity(skeleton.joints().len()); 10]);
    let map = BoneMap::guess(&take.skeleton);
    let human = character("human");
    let clip = Retargeter::new(&take, &map, human.clone(), &at_rest()).unwrap().retarget(&take).unwrap().clip;
    let mut data = Data::new(&human);
    forward_kinematics(&human, &mut data, clip.frame(5));
    let place = |role| data.body_placement(&human, human.role(role).unwrap()).pos;
    for (side, sign) in [(Side::Left, 1.0), (Side::Right, -1.0)] {
        let arm = (place(Role::LowerArm(side)) - place(Role::UpperArm(side))).normalize();
        assert!((arm - Vec3::y() * sign).norm() < 1e-9);
        let thigh = (place(Role::Shin(side)) - place(Role::Thigh(side))).normalize();
        assert!((thigh - Vec3::new(0.0, sign * splay.sin(), -splay.cos())).norm() < 1e-9);
    }
    // a knee that is bent by a known angle, a pelvis that is turned
    let mut pose = Pose::identity(skeleton.joints().len());
    pose.rotations[0] = rotation::exp(&(Vec3::z() * 0.7));
    let straight = stick_figure(0.0, true);
    let knee = map.joint(Role::Shin(Side::Right)).unwrap();
    pose.rotations[knee] = rotation::exp(&(Vec3::y() * 0.9));
    let take = take_of(straight, vec![pose; 10]);
    let map = BoneMap::guess(&take.skeleton);
    let q = Retargeter::new(&take, &map, human.clone(), &at_rest()).unwrap().retarget(&take).unwrap().clip;
    let of = |name| q.frame(3)[human.joints()[human.joint(name).unwrap().0].q];
    assert!((of("knee_r") - 0.9).abs() < 1e-9 && of("knee_l").abs() < 1e-9);
    assert!((q.frame(3)[6] - 0.35f64.sin()).abs() < 1e-9);
}

#[test]
fn mirror_images_retarget_to_mirror_images() {
    let human = character("human");
    let source = character("human42");
    let clip = clip_of(&source, 60.0, 40, |t| moving(&source, t));
    let mirror = Mirror::new(&source);
    let image = clip_of(&source, 60.0, 40, |t| {
        let mut q = source.neutral();
        mirror.configuration(&moving(&source, t), &mut q);
        q
    });
    let on_human = |clip: &sinew_motion::Clip| {
        let take = clip.to_take().unwrap();
        let map = BoneMap::guess(&take.skeleton);
        Retargeter::new(&take, &map, human.clone(), &at_rest()).unwrap().retarget(&take).unwrap().clip
    };
    let (a, b) = (on_human(&clip), on_human(&image));
    let mirror = Mirror::new(&human);
    let mut reflected = human.neutral();
    for (x, y) in a.frames().zip(b.frames()) {
        mirror.configuration(x, &mut reflected);
        assert!(gap(&human, &reflected, y) < 1e-6, "{:e}", gap(&human, &reflected, y));
    }
}

#[test]
fn maps_are_found_without_names_in_any_order() {
    for left_first in [true, false] {
        let skeleton = stick_figure(0.3, left_first);
        let map = BoneMap::guess(&skeleton);
        let at = skeleton.placements(&Pose::identity(skeleton.joints().len()));
        for side in Side::BOTH {
            let sign = if side == Side::Left { 1.0 } else { -1.0 };
            for (role, letter) in [
                (Role::Thigh(side), 'e'),
                (Role::Shin(side), 'f'),
                (Role::Foot(side), 'g'),
                (Role::Toe(side), 'h'),
                (Role::UpperArm(side), 'i'),
                (Role::LowerArm(side), 'j'),
                (Role::Hand(side), 'k'),
            ] {
                let joint = map.joint(role).unwrap_or_else(|| panic!("{role}"));
                assert!(skeleton.joints()[joint].name.starts_with(letter), "{role}");
                assert!(at[joint].pos.y * sign > 0.0, "{role}");
            }
        }
    }
}

#[test]
fn maps_can_be_saved_edited_and_given() {
    let skeleton = stick_figure(0.0, true);
    let map = BoneMap::guess(&skeleton);
    for text in [map.to_toml(&skeleton), map.to_json(&skeleton).to_string()] {
        let back = BoneMap::parse(&text, "map", &skeleton).unwrap();
        assert!(map.iter().all(|(role, bone)| back.joint(role) == Some(bone.joint)));
    }
    let edited = BoneMap::parse("hand_left = \"\"\nfoot_left = \"G1\"", "map", &skeleton).unwrap();
    assert_eq!(edited.joint(Role::Hand(Side::Left)), None);
    assert_eq!(edited.joint(Role::Foot(Side::Left)), skeleton.joint("g1"));

    let error = BoneMap::parse("foot_lft = \"g1\"", "map", &skeleton).unwrap_err();
    assert!(
        error.to_string().starts_with("map: \"foot_lft\" is no part; did you mean \"foot_left\"?"),
        "{error}"
    );
    assert!(matches!(BoneMap::parse("foot_left = 3", "map", &skeleton), Err(BoneMapError::Syntax { .. })));

    // what is needed and not there is an error that says so
    let lame = BoneMap::parse("thigh_left = \"\"", "map", &skeleton).unwrap();
    let take = take_of(skeleton.clone(), vec![Pose::identity(skeleton.joints().len())]);
    let refused = Retargeter::new(&take, &lame, character("human"), &at_rest()).unwrap_err();
    assert_eq!(refused, RetargetError::Source(Role::Thigh(Side::Left)));
}
