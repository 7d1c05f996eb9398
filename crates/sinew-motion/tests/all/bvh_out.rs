//! What is written is read back the same, and one joint per body moves as the body does.

use crate::shared::{clips, mocap, read};
use sinew_dynamics::{BodyId, Data, characters, forward_kinematics};
use sinew_motion::bvh::{self, WriteOptions};
use sinew_motion::{Axis, Clip, ImportOptions, Take};
use std::sync::Arc;

/// Greatest distance of a joint and greatest angle of its world axes between two takes.
fn apart(a: &Take, b: &Take) -> (f64, f64) {
    let (mut far, mut turned): (f64, f64) = (0.0, 0.0);
    let place: Vec<usize> =
        a.skeleton.joints().iter().map(|j| b.skeleton.joint(&j.name).expect("joint")).collect();
    for (pa, pb) in a.poses.iter().zip(&b.poses) {
        let (pa, pb) = (a.skeleton.placements(pa), b.skeleton.placements(pb));
        for (i, p) in pa.iter().enumerate() {
            let q = &pb[place[i]];
            far = far.max((p.pos - q.pos).norm());
            // |R − S| = 2√2 sin(θ/2) in the Frobenius norm
            turned = turned.max((p.rot - q.rot).norm() / 2.0_f64.sqrt());
        }
    }
    (far, turned)
}

/// Reads what was written with the options it was written with.
fn again(take: &Take, options: &WriteOptions) -> Take {
    let text = bvh::write(take, options).expect("written");
    let known = ImportOptions {
        up: Some(options.up),
        forward: Some(options.forward),
        scale: Some(options.unit),
        drop_first_frame: Some(false),
        repair_spikes: false,
        ..ImportOptions::default()
    };
    bvh::parse(text.as_bytes(), "again.bvh", &known).unwrap_or_else(|e| panic!("{e}")).take
}

#[test]
fn every_clip_survives_a_round_trip() {
    let Some(folder) = mocap() else { return };
    let mut worst: (f64, f64) = (0.0, 0.0);
    for path in clips(&folder) {
        let take = read(&path).take;
        let back = again(&take, &WriteOptions::default());
        assert_eq!((back.rate, back.poses.len()), (take.rate, take.poses.len()), "{}", path.display());
        let (far, turned) = apart(&take, &back);
        assert!(far < 1e-6 && turned < 1e-6, "{}: {far:e} m, {turned:e} rad", path.display());
        worst = (worst.0.max(far), worst.1.max(turned));
    }
    println!("worst: {:e} m, {:e} rad", worst.0, worst.1);
}

/// A human that turns through all directions, gimbal lock included.
fn tumbling() -> Clip {
    let model = Arc::new(characters::load("human").expect("human"));
    let frames = 60;
    let mut q = Vec::new();
    let mut here = model.neutral();
    let step: Vec<f64> = (0..model.nv()).map(|i| 0.11 * (((i * 7) % 5) as f64 - 2.0) + 0.02).collect();
    for _ in 0..frames {
        q.extend_from_slice(&here);
        let mut next = vec![0.0; model.nq()];
        model.integrate(&here, &step, &mut next);
        here = next;
    }
    Clip::new("tumbling", model, 60.0, q).expect("clip")
}

#[test]
fn a_clip_becomes_a_skeleton_that_moves_as_its_bodies_do() {
    let clip = tumbling();
    let model = clip.model().clone();
    let take = clip.to_take().expect("skeleton");
    let rest = model.spec().reference_placements();
    let mut data = Data::new(&model);
    for (q, pose) in clip.frames().zip(&take.poses) {
        forward_kinematics(&model, &mut data, q);
        for (i, placed) in take.skeleton.placements(pose).iter().enumerate() {
            let body = data.body_placement(&model, BodyId(i));
            // joints of the human are anchored at the origins of its bodies
            assert!((body.pos - placed.pos).norm() < 1e-12, "{}", model.bodies()[i].name);
            assert!((body.rot - placed.rot * rest[i].rot).norm() < 1e-12);
        }
    }
}

#[test]
fn all_options_read_back_the_same() {
    let take = tumbling().to_take().expect("skeleton");
    for (up, forward) in
        [(Axis::Y, Axis::Z), (Axis::Z, Axis::Y.reversed()), (Axis::Z, Axis::X), (Axis::X, Axis::Z)]
    {
        for order in [*b"XYZ", *b"XZY", *b"YXZ", *b"YZX", *b"ZXY", *b"ZYX"] {
            for unit in [1.0, 0.01, 0.0254] {
                let options = WriteOptions { up, forward, unit, order, rate: None };
                let (far, turned) = apart(&take, &again(&take, &options));
                assert!(far < 1e-8 && turned < 1e-8, "{options:?}: {far:e} {turned:e}");
            }
        }
    }
}

#[test]
fn angles_are_continuous_curves() {
    let take = tumbling().to_take().expect("skeleton");
    let text = bvh::write(&take, &WriteOptions::default()).expect("written");
    let rows: Vec<Vec<f64>> = text
        .lines()
        .skip_while(|l| !l.starts_with("Frame Time"))
        .skip(1)
        .map(|l| l.split(' ').map(|x| x.parse().expect("number")).collect())
        .collect();
    // away from gimbal lock no angle turns by half a revolution in a frame; full turns never happen
    let step = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(rows.windows(2).all(|r| step(&r[0], &r[1]) < 359.0));
}

#[test]
fn another_rate_keeps_the_motion() {
    let take = tumbling().to_take().expect("skeleton");
    let twice = take.resampled(120.0);
    assert_eq!((twice.poses.len(), twice.duration()), (119, take.duration()));
    for (k, pose) in take.poses.iter().enumerate() {
        assert!((pose.root - twice.poses[2 * k].root).norm() < 1e-15);
        let angle = |(a, b): (&sinew_dynamics::spatial::Quat, &sinew_dynamics::spatial::Quat)| a.angle_to(b);
        assert!(pose.rotations.iter().zip(&twice.poses[2 * k].rotations).map(angle).all(|x| x < 1e-7));
    }
    let text =
        bvh::write(&take, &WriteOptions { rate: Some(30.0), ..WriteOptions::default() }).expect("written");
    assert!(text.contains("Frames: 30\nFrame Time: 0.0333333333\n"));
}

#[test]
fn a_file_appears_with_its_provenance_beside() {
    let folder = std::env::temp_dir().join(format!("sinew-bvh-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("folder");
    let path = folder.join("tumbling.bvh");
    let mut clip = tumbling();
    clip.provenance.source = "test".into();
    bvh::save(&path, &clip.to_take().expect("skeleton"), &WriteOptions::default()).expect("saved");
    let names: std::collections::BTreeSet<_> =
        std::fs::read_dir(&folder).expect("folder").map(|e| e.expect("entry").file_name()).collect();
    assert_eq!(names.into_iter().collect::<Vec<_>>(), ["tumbling.bvh", "tumbling.bvh.json"]);
    let about = std::fs::read_to_string(folder.join("tumbling.bvh.json")).expect("about");
    let about: serde_json::Value = serde_json::from_str(&about).expect("json");
    assert_eq!(about["provenance"]["source"], "test");
    std::fs::remove_dir_all(&folder).expect("removed");
}
