//! Axes, units and rates are guessed right however a motion is written, and spikes are found where they were put.

use crate::shared::{mocap, read};
use sinew_dynamics::characters;
use sinew_dynamics::spatial::{Vec3, rotation};
use sinew_motion::bvh::{self, WriteOptions};
use sinew_motion::{Axis, Clip, ImportOptions, Imported, Pose, Take, WarningKind};
use std::sync::Arc;

/// The human, standing for a second and swaying a little.
fn standing() -> Take {
    let model = Arc::new(characters::load("human").expect("human"));
    let mut q = Vec::new();
    for k in 0..31 {
        let mut step = vec![0.0; model.nv()];
        step.iter_mut().enumerate().for_each(|(i, x)| *x = 0.02 * (0.2 * k as f64 + i as f64).sin());
        let mut next = vec![0.0; model.nq()];
        model.integrate(&model.neutral(), &step, &mut next);
        q.extend(next);
    }
    Clip::new("standing", model, 30.0, q).expect("clip").to_take().expect("skeleton")
}

fn again(take: &Take, options: &WriteOptions) -> Imported {
    let text = bvh::write(take, options).expect("written");
    bvh::parse(text.as_bytes(), "again.bvh", &ImportOptions::default()).unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn axes_and_units_are_found_in_whatever_form() {
    let take = standing();
    let axes = [
        (Axis::Y, Axis::Z),
        (Axis::Z, Axis::Y.reversed()),
        (Axis::Z, Axis::X),
        (Axis::Y, Axis::X),
        (Axis::X, Axis::Y.reversed()),
    ];
    for (up, forward) in axes {
        for unit in [1.0, 0.01, 0.001, 0.0254, 0.0254 / 0.45] {
            for rate in [24.0, 30.0, 120.0] {
                let options = WriteOptions { up, forward, unit, rate: Some(rate), ..WriteOptions::default() };
                let Imported { take: back, report } = again(&take, &options);
                let first = |t: &Take| t.skeleton.placements(&t.poses[0])[3].pos;
                assert!((first(&back) - first(&take)).norm() < 1e-8, "{options:?}: {:?}", report.assumed);
                assert_eq!(back.rate, rate);
                assert!(report.warnings.is_empty(), "{options:?}: {:?}", report.warnings);
            }
        }
    }
}

#[test]
fn figures_of_no_size_are_warned_of() {
    let giant = again(&standing(), &WriteOptions { unit: 0.2, ..WriteOptions::default() });
    assert!(giant.report.warns(WarningKind::Scale), "{:?}", giant.report);
}

#[test]
fn a_spike_is_found_and_bridged() {
    let clean = standing();
    let arm = clean.skeleton.joint("upper_arm_l").expect("arm");
    let mut spiked = clean.clone();
    let turn = rotation::exp(&Vec3::new(0.0, 1.2, 0.0));
    spiked.poses[12].rotations[arm] *= turn;
    let text = bvh::write(&spiked, &WriteOptions::default()).expect("written");
    let import = |repair_spikes| {
        let options = ImportOptions { repair_spikes, ..ImportOptions::default() };
        bvh::parse(text.as_bytes(), "spiked.bvh", &options).expect("read")
    };
    let (repaired, kept) = (import(true), import(false));
    for imported in [&repaired, &kept] {
        let said =
            imported.report.warnings.iter().find(|w| w.kind == WarningKind::Spikes).expect("a warning");
        assert!(said.text.contains("worst at frame 12: 1 frame(s)"), "{}", said.text);
    }
    // bridged: on the arc between its neighbours, like the clean motion but for the curvature of a frame
    let angle = |take: &Take, k: usize| {
        let at = take.skeleton.joint("upper_arm_l").expect("arm");
        take.poses[k].rotations[at].angle_to(&clean.poses[k].rotations[arm])
    };
    assert!(angle(&repaired.take, 12) < 2e-3 && (angle(&kept.take, 12) - 1.2).abs() < 1e-6);
    assert!((0..31).filter(|k| *k != 12).all(|k| angle(&repaired.take, k) < 1e-7));
}

#[test]
fn a_pose_before_the_motion_is_left_out() {
    let mut take = standing();
    take.poses.insert(0, Pose { root: take.poses[0].root, ..Pose::identity(take.skeleton.joints().len()) });
    // a small sway is no reason
    assert_eq!(again(&take, &WriteOptions::default()).take.poses.len(), 32);
    for pose in take.poses.iter_mut().skip(1) {
        pose.rotations.iter_mut().for_each(|q| *q *= rotation::exp(&Vec3::new(0.1, 0.3, 0.2)));
    }
    let Imported { take: back, report } = again(&take, &WriteOptions::default());
    assert_eq!(back.poses.len(), 31);
    assert!(report.assumed.iter().any(|a| a.what == "first frame" && a.value == "left out"));
}

#[test]
fn real_walks_are_recognised_with_z_up() {
    let Some(folder) = mocap() else { return };
    for clip in ["cmu/07_01.bvh", "cmu/16_01.bvh", "snu/interactive/woody2_walk_slow_stright.bvh"] {
        let take = read(&folder.join(clip)).take;
        let options = WriteOptions {
            up: Axis::Z,
            forward: Axis::Y.reversed(),
            unit: 0.0254,
            ..WriteOptions::default()
        };
        let back = again(&take, &options).take;
        assert_eq!(back.poses.len(), take.poses.len(), "{clip}");
        assert!((back.poses[50].root - take.poses[50].root).norm() < 1e-8, "{clip}");
    }
}
