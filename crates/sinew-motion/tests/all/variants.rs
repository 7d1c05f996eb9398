//! Motions that nobody tuned anything for: mirror images, other sizes, other speeds, a little noise.

use crate::common::human;
use crate::disturbed::{as_file, noisy};
use crate::shared;
use sinew_dynamics::Side;
use sinew_dynamics::spatial::{Quat, Vec3};
use sinew_motion::contacts::{self, FoundContacts};
use sinew_motion::retarget::BoneMap;
use sinew_motion::{Filter, FitOptions, FootContacts, Joint, Skeleton, Take, fit, motions};
use std::sync::Arc;

/// The motion seen in a mirror: left is right.
fn mirrored(take: &Take) -> Take {
    let flip = |p: &Vec3| Vec3::new(p.x, -p.y, p.z);
    let name = |name: &str| match (name.contains("Left"), name.contains("left"), name.ends_with("_l")) {
        (true, ..) => name.replace("Left", "Right"),
        (_, true, _) => name.replace("left", "right"),
        (.., true) => format!("{}_r", name.trim_end_matches("_l")),
        _ if name.ends_with("_r") => format!("{}_l", name.trim_end_matches("_r")),
        _ if name.starts_with("LHip") => name.replace("LHip", "RHip"),
        _ if name.starts_with("RHip") => name.replace("RHip", "LHip"),
        _ => name.replace("Right", "Left").replace("right", "left"),
    };
    let joint = |j: &Joint| Joint {
        name: name(&j.name),
        offset: flip(&j.offset),
        tips: j.tips.iter().map(flip).collect(),
        ..j.clone()
    };
    let mut out = take.clone();
    out.skeleton = Arc::new(Skeleton::new(take.skeleton.joints().iter().map(joint).collect()).unwrap());
    for pose in &mut out.poses {
        pose.root = flip(&pose.root);
        for q in &mut pose.rotations {
            *q = Quat::new_unchecked(nalgebra::Quaternion::new(q.w, -q.i, q.j, -q.k));
        }
    }
    out
}

/// A bigger or smaller person.
fn scaled(take: &Take, by: f64) -> Take {
    let joint = |j: &Joint| Joint {
        offset: j.offset * by,
        tips: j.tips.iter().map(|t| t * by).collect(),
        ..j.clone()
    };
    let mut out = take.clone();
    out.skeleton = Arc::new(Skeleton::new(take.skeleton.joints().iter().map(joint).collect()).unwrap());
    out.poses.iter_mut().for_each(|p| p.root *= by);
    out
}

/// The same frames in less or more time.
fn retimed(take: &Take, speed: f64) -> Take {
    Take { rate: take.rate * speed, ..take.clone() }
}

fn find(take: &Take) -> FoundContacts {
    contacts::find(take, &BoneMap::guess(&take.skeleton), None).unwrap()
}

/// Share of frames and feet in which two tell the same.
fn same(a: &FootContacts, b: &FootContacts, sides: [Side; 2]) -> f64 {
    let equal = |s: Side| (0..a.len()).filter(|&k| a.down(s, k) == b.down(sides[s as usize], k)).count();
    Side::BOTH.into_iter().map(equal).sum::<usize>() as f64 / (2 * a.len()) as f64
}

/// What is wrong with the variants of a walk.
fn faults(take: &Take, filter: Filter) -> Vec<String> {
    let found = find(take);
    let (as_is, swapped) = (Side::BOTH, [Side::Right, Side::Left]);
    let mut wrong = Vec::new();
    // mirror images and sizes change nothing; slower and faster walks stand for other shares
    let variants = [
        ("mirrored", mirrored(take), Some((swapped, 0.995))),
        ("1.1 times as big", scaled(take, 1.1), Some((as_is, 0.99))),
        ("noise of 2 mm", noisy(take, 0.002, 8.0), Some((as_is, 0.97))),
        ("slower by a fifth", retimed(take, 0.8), None),
        ("faster by a tenth", retimed(take, 1.1), None),
    ];
    for (name, variant, alike) in variants {
        let other = find(&variant);
        if let Some((sides, least)) = alike {
            let share = same(&found.contacts, &other.contacts, sides);
            if share < least {
                wrong.push(format!("{} {name}: {share:.3} of the frames alike", take.name));
            }
        }
        if !other.flights.is_empty() {
            wrong.push(format!("{} {name}: flights {:?}", take.name, other.flights));
        }
        let fitted = fit(&variant, &human(), &FitOptions { filter, ..FitOptions::default() }).unwrap();
        let knee = fitted.changes.iter().map(|c| c.knee.size_deg()).fold(0.0, f64::max);
        let (mm, deep, high) =
            (1e3 * fitted.missed, fitted.after.penetration_mm, fitted.after.height_worst_mm);
        if knee > 5.0 || mm > 1.0 || deep > 1.0 || high > 1.0 {
            wrong.push(format!(
                "{} {name}: knees {knee:.1}°, soles {mm:.2} mm at {}, high {high:.2} mm, deep {deep:.2} mm",
                take.name, fitted.missed_frame
            ));
        }
    }
    wrong
}

#[test]
fn variants_of_written_walks_are_walks() {
    let child = Arc::new(sinew_dynamics::characters::load("child").unwrap());
    // knees of these move faster than the usual filter lets them
    for name in ["start", "turn-left-90", "stop"] {
        let wrong = faults(&as_file(&motions::load(name, &child).unwrap()), Filter::At(12.0));
        assert!(wrong.is_empty(), "{wrong:#?}");
    }
}

/// Walks straight ahead, with turns, up and down, sideways, on terrain, at several speeds, of both laboratories.
const WALKS: [&str; 14] = [
    "07_01",
    "08_05",
    "16_17",
    "36_01",
    "39_11",
    "69_28",
    "113_18",
    "138_01",
    "dir_0_slope_10",
    "walk_left_45degree",
    "wd2_2foot_walk_turn2",
    "wd2_WalkBackward00",
    "wd2_WalkForwardVFast00",
    "wd2_cross_walk_90d_fast_27",
];

#[test]
fn variants_of_captured_walks_are_walks() {
    let Some(folder) = shared::mocap() else { return };
    let mut wrong = Vec::new();
    for file in shared::clips(&folder) {
        let stem = file.file_stem().unwrap().to_string_lossy().into_owned();
        if WALKS.contains(&stem.as_str()) {
            wrong.extend(faults(&shared::read(&file).take, Filter::Usual));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
