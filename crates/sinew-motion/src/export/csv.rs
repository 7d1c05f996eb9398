//! Comma-separated values: one row per frame, one column per number, a header of names.
//!
//! Quaternions are w x y z. A clip's columns are its configuration, in the order of the model and of MuJoCo; a take's are the root's
//! position and the rotation of every joint in its parent. Numbers are the shortest that read back to the same bits.

use crate::{Clip, Take};
use sinew_dynamics::{BodyId, Data, JointKind, forward_kinematics};
use std::fmt::Write;

/// A clip as text. With `positions`, the world positions of all bodies follow; then, for a clip with contacts, per foot 1 or 0 for heel
/// and ball on the ground, and its level, m.
///
/// ```
/// use sinew_dynamics::characters;
/// use sinew_motion::{Clip, export::csv};
/// let human = std::sync::Arc::new(characters::load("human")?);
/// let text = csv::clip(&Clip::new("still", human.clone(), 30.0, human.neutral().repeat(2))?, false);
/// let mut lines = text.lines();
/// assert!(lines.next().is_some_and(|h| h.starts_with("time,root.x,root.y,root.z,root.qw,root.qx")));
/// assert_eq!(lines.next().map(|l| l.split(',').count()), Some(1 + human.nq()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn clip(clip: &Clip, positions: bool) -> String {
    let model = clip.model();
    let mut out = String::from("time");
    for name in q_names(model) {
        column(&mut out, &name, "");
    }
    if positions {
        for body in model.bodies() {
            ["x", "y", "z"]
                .iter()
                .for_each(|axis| column(&mut out, &format!("position {}", body.name), axis));
        }
    }
    if clip.contacts.is_some() {
        for side in ["left", "right"] {
            ["heel", "ball", "level"]
                .iter()
                .for_each(|part| column(&mut out, &format!("contact {side}"), part));
        }
    }
    out.push('\n');
    let mut data = Data::new(model);
    for (k, q) in clip.frames().enumerate() {
        number(&mut out, k as f64 / clip.rate, "");
        q.iter().for_each(|x| number(&mut out, *x, ","));
        if positions {
            forward_kinematics(model, &mut data, q);
            for body in 0..model.bodies().len() {
                let at = data.body_placement(model, BodyId(body)).pos;
                at.iter().for_each(|x| number(&mut out, *x, ","));
            }
        }
        if let Some(contacts) = &clip.contacts {
            for side in 0..2 {
                let flags = [contacts.heel[side][k], contacts.toe[side][k]].map(f64::from);
                [flags[0], flags[1], contacts.level[side][k]].iter().for_each(|x| number(&mut out, *x, ","));
            }
        }
        out.push('\n');
    }
    out
}

/// A take as text. With `positions`, the world positions of all joints follow.
pub fn take(take: &Take, positions: bool) -> String {
    let joints = take.skeleton.joints();
    let mut out = String::from("time");
    ["x", "y", "z"].iter().for_each(|axis| column(&mut out, &joints[0].name, axis));
    for joint in joints {
        ["qw", "qx", "qy", "qz"].iter().for_each(|part| column(&mut out, &joint.name, part));
    }
    if positions {
        for joint in joints {
            ["x", "y", "z"]
                .iter()
                .for_each(|axis| column(&mut out, &format!("position {}", joint.name), axis));
        }
    }
    out.push('\n');
    let mut placements = Vec::new();
    for (k, pose) in take.poses.iter().enumerate() {
        number(&mut out, k as f64 / take.rate, "");
        pose.root.iter().for_each(|x| number(&mut out, *x, ","));
        for q in &pose.rotations {
            [q.w, q.i, q.j, q.k].into_iter().for_each(|x| number(&mut out, x, ","));
        }
        if positions {
            take.skeleton.placements_into(pose, &mut placements);
            placements.iter().flat_map(|p| p.pos.iter()).for_each(|x| number(&mut out, *x, ","));
        }
        out.push('\n');
    }
    out
}

/// Names of the numbers of a configuration: `joint` for hinges and slides, `joint.qw` and so on for the others.
///
/// ```
/// let human = sinew_dynamics::characters::load("human")?;
/// let names = sinew_motion::export::csv::q_names(&human);
/// assert_eq!((names.len(), names[3].as_str()), (human.nq(), "root.qw"));
/// # Ok::<(), sinew_dynamics::characters::UnknownCharacter>(())
/// ```
pub fn q_names(model: &sinew_dynamics::Model) -> Vec<String> {
    let parts = |kind: &JointKind| -> &[&str] {
        match kind {
            JointKind::Free => &["x", "y", "z", "qw", "qx", "qy", "qz"],
            JointKind::Ball => &["qw", "qx", "qy", "qz"],
            JointKind::Hinge { .. } | JointKind::Slide { .. } => &[""],
        }
    };
    let named =
        |name: &str, part: &str| if part.is_empty() { name.to_owned() } else { format!("{name}.{part}") };
    let joints = model.joints().iter();
    joints.flat_map(|j| parts(&j.kind).iter().map(|part| named(&j.name, part))).collect()
}

/// A heading, in quotes where it needs them.
fn column(out: &mut String, name: &str, part: &str) {
    let dot = if part.is_empty() { "" } else { "." };
    let whole = format!("{name}{dot}{part}");
    let quoted = whole.contains([',', '"', '\n', '\r']);
    // writing to a string cannot fail
    let _ = match quoted {
        true => write!(out, ",\"{}\"", whole.replace('"', "\"\"")),
        false => write!(out, ",{whole}"),
    };
}

fn number(out: &mut String, x: f64, before: &str) {
    let _ = write!(out, "{before}{}", x + 0.0);
}
