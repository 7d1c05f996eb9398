//! Files with the quirks of files that people have, written by ourselves so that they are checked everywhere.

use sinew_dynamics::characters;
use sinew_dynamics::spatial::{Quat, Vec3};
use sinew_motion::bvh::{self, WriteOptions};
use sinew_motion::{ImportOptions, Imported, Pose, Take, WarningKind, motions};
use std::sync::Arc;

fn take(name: &str) -> Take {
    let human = Arc::new(characters::load("human").expect("human"));
    motions::load(name, &human).expect("built in").to_take().expect("a take")
}

fn read(text: &str) -> Imported {
    bvh::parse(text.as_bytes(), "quirk.bvh", &ImportOptions::default()).unwrap_or_else(|e| panic!("{e}"))
}

fn written(take: &Take) -> String {
    bvh::write(take, &WriteOptions::default()).expect("written")
}

/// Greatest distance of any joint, relative to the root's first place.
fn apart(a: &Take, b: &Take) -> f64 {
    assert_eq!(a.poses.len(), b.poses.len());
    let mut far: f64 = 0.0;
    for (one, other) in a.poses.iter().zip(&b.poses) {
        let places = |take: &Take, pose: &Pose| -> Vec<(String, Vec3)> {
            let placed = take.skeleton.placements(pose);
            let joints = take.skeleton.joints().iter().zip(placed);
            let mut named: Vec<_> =
                joints.map(|(j, p)| (j.name.clone(), p.pos - take.poses[0].root)).collect();
            named.sort_by(|x, y| x.0.cmp(&y.0));
            named
        };
        for ((n, p), (m, q)) in places(a, one).into_iter().zip(places(b, other)) {
            assert_eq!(n, m);
            far = far.max((p - q).norm());
        }
    }
    far
}

#[test]
fn centimetres_and_mixed_line_ends() {
    let walk = take("walk");
    let text = written(&walk);
    let ends = ["\n", "\r\n", "\r", "\n\n", " \r\n"];
    let mixed: String = text.lines().enumerate().map(|(k, line)| format!("{line}{}", ends[k % 5])).collect();
    for text in [text.clone(), mixed] {
        let Imported { take: back, report } = read(&text);
        assert!(apart(&walk, &back) < 1e-6, "{}", apart(&walk, &back));
        assert!(report.assumed.iter().any(|a| a.what == "scale" && a.value.contains("0.01")), "{report:?}");
        assert_eq!(back.rate, walk.rate);
    }
}

#[test]
fn a_pose_before_the_motion() {
    let walk = take("walk");
    let mut posed = walk.clone();
    // arms out, at the origin, as tools put it first
    let mut rotations = vec![Quat::identity(); walk.skeleton.joints().len()];
    for (joint, turn) in walk.skeleton.joints().iter().zip(&mut rotations) {
        let side = if joint.name.ends_with("_l") { 1.0 } else { -1.0 };
        if joint.name.contains("shoulder") || joint.name.contains("upper_arm") {
            *turn = Quat::from_axis_angle(&Vec3::x_axis(), side * 1.5);
        }
    }
    let root = Vec3::new(0.0, 0.0, walk.poses[0].root.z);
    posed.poses.insert(0, Pose { root, rotations });
    let Imported { take: back, report } = read(&written(&posed));
    assert!(report.assumed.iter().any(|a| a.what == "first frame" && a.value == "left out"), "{report:?}");
    assert!(apart(&walk, &back) < 1e-6);
}

/// A root that has an offset of its own moves as it did.
#[test]
fn an_offset_at_the_root() {
    let walk = take("walk");
    let text = written(&walk);
    let moved = text.replacen("OFFSET 0 0 0", "OFFSET 12.5 95 -7", 1);
    assert_ne!(text, moved);
    let back = read(&moved).take;
    let back_moves = back.poses[back.poses.len() - 1].root - back.poses[0].root;
    let moves = walk.poses[walk.poses.len() - 1].root - walk.poses[0].root;
    assert!((back_moves - moves).norm() < 1e-6, "{back_moves} {moves}");
    assert_eq!(back.poses.len(), walk.poses.len());
}

/// A stiff body that stands, hops with 2.4 m/s and stands: at half the rate it falls with a quarter of g.
#[test]
fn a_wrong_rate_is_noticed_in_flight() {
    let mut hop = take("walk");
    let stand = hop.poses[0].clone();
    hop.poses = (0..120)
        .map(|k| {
            let time = (f64::from(k) / hop.rate - 0.5).max(0.0);
            let height = (2.4 * time - 0.5 * 9.81 * time * time).max(0.0);
            Pose { root: stand.root + Vec3::z() * height, ..stand.clone() }
        })
        .collect();
    let text = written(&hop);
    let line = text.lines().find(|l| l.starts_with("Frame Time:")).expect("a line").to_owned();
    let slow = text.replace(&line, &format!("Frame Time: {:.7}", 2.0 / hop.rate));
    let warnings = |text: &str| read(text).report.warnings;
    let warned = |text: &str| warnings(text).iter().any(|w| w.kind == WarningKind::Rate);
    assert!(!warned(&text) && warned(&slow), "{:?} {:?}", warnings(&text), warnings(&slow));
}
