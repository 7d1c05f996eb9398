//! BVH out.
//!
//! Rotations are written as the Euler angles of one order for all joints, the nearest of their many values to the frame before,
//! so that an editor can interpolate the curves. Numbers have nine digits after the point. The grammar has no comments, and
//! strict readers refuse them: what the motion is made of, and when its feet are on the ground, goes into a file beside, `NAME.bvh.json`.

use crate::import::{Axis, axes};
use crate::{Joint, Pose, Take};
use core::f64::consts::{PI, TAU};
use sinew_dynamics::spatial::{Mat3, Vec3, rotation};
use std::fmt::Write;
use std::io;
use std::path::Path;

/// How to write a file.
///
/// ```
/// use sinew_motion::bvh::WriteOptions;
/// let for_blender = WriteOptions { unit: 1.0, ..WriteOptions::default() };
/// assert_eq!(for_blender.order, *b"ZXY");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct WriteOptions {
    /// The file's axis that points up.
    pub up: Axis,
    /// The file's axis along which the figure looks at rest.
    pub forward: Axis,
    /// Length of the file's unit, m.
    pub unit: f64,
    /// Frames per second; those of the motion when `None`.
    pub rate: Option<f64>,
    /// Order of the rotation channels, three different letters of `XYZ`.
    pub order: [u8; 3],
}

impl Default for WriteOptions {
    /// As most tools expect it: y up, facing z, centimetres, channels Z X Y.
    fn default() -> WriteOptions {
        WriteOptions { up: Axis::Y, forward: Axis::Z, unit: 0.01, rate: None, order: *b"ZXY" }
    }
}

/// What cannot be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// An option that makes no sense.
    #[error("option `{option}`: {problem}")]
    Option {
        /// Which.
        option: &'static str,
        /// Why.
        problem: String,
    },
    /// The file system said no.
    #[error("cannot write `{file}`: {source}")]
    Io {
        /// Name of the file.
        file: String,
        /// What the system said.
        source: io::Error,
    },
}

/// The text of a file.
///
/// ```
/// use sinew_motion::{ImportOptions, bvh};
/// let text = b"HIERARCHY ROOT a { OFFSET 0 0 0 CHANNELS 3 Zrotation Xrotation Yrotation
///   JOINT b { OFFSET 0 -1.7 0 CHANNELS 0 } } MOTION Frames: 1 Frame Time: 0.04 30 0 10";
/// let take = bvh::parse(text, "a.bvh", &ImportOptions::default())?.take;
/// let written = bvh::write(&take, &Default::default())?;
/// assert!(written.contains("OFFSET 0 -170 0") && written.ends_with("0 0 0 30 0 10 0 0 0\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write(take: &Take, options: &WriteOptions) -> Result<String, WriteError> {
    let order = check(options)?;
    let turn = axes(options.up, options.forward).transpose();
    let resampled;
    let take = match options.rate.filter(|r| *r != take.rate) {
        Some(rate) => {
            resampled = take.resampled(rate);
            &resampled
        }
        None => take,
    };
    let mut out = String::from("HIERARCHY\n");
    let written = depth_first(take.skeleton.joints());
    hierarchy(&mut out, take.skeleton.joints(), &written, &(turn / options.unit), &options.order);
    // writing to a string cannot fail, so results are let go in this file
    let _ = writeln!(out, "MOTION\nFrames: {}\nFrame Time: {:.10}", take.poses.len(), 1.0 / take.rate);
    let mut angles = vec![Vec3::zeros(); written.len()];
    for pose in &take.poses {
        frame(&mut out, pose, &written, &turn, options.unit, order, &mut angles);
    }
    Ok(out)
}

/// Writes a file, and `NAME.bvh.json` with provenance and foot contacts beside it; each appears whole or not at all.
pub fn save(path: impl AsRef<Path>, take: &Take, options: &WriteOptions) -> Result<(), WriteError> {
    let path = path.as_ref();
    let text = write(take, options)?;
    let io = |path: &Path| {
        let file = path.display().to_string();
        move |source| WriteError::Io { file, source }
    };
    sinew_world::file::write_whole(path, text.as_bytes()).map_err(io(path))?;
    let mut beside = path.as_os_str().to_owned();
    beside.push(".json");
    let beside = Path::new(&beside);
    let rate = options.rate.unwrap_or(take.rate);
    let contacts = if rate == take.rate { take.contacts.clone() } else { take.resampled(rate).contacts };
    let mut about = serde_json::json!({
        "name": take.name,
        "rate": rate,
        "unit_m": options.unit,
        "up": options.up.to_string(),
        "forward": options.forward.to_string(),
        "provenance": take.provenance,
    });
    if let Some(contacts) = contacts {
        about["contacts"] = serde_json::json!(contacts);
    }
    sinew_world::file::write_whole(beside, format!("{about:#}\n").as_bytes()).map_err(io(beside))
}

/// Refuses options that make no sense; returns the axes of the channels.
fn check(options: &WriteOptions) -> Result<[usize; 3], WriteError> {
    let wrong = |option, problem: String| Err(WriteError::Option { option, problem });
    if !(options.unit > 0.0 && options.unit.is_finite()) {
        return wrong("unit", format!("{} m is no length of a unit", options.unit));
    }
    if let Some(rate) = options.rate.filter(|r| !(*r > 0.0 && r.is_finite())) {
        return wrong("rate", format!("{rate} frames per second is not a rate"));
    }
    if options.up.vector().dot(&options.forward.vector()) != 0.0 {
        return wrong("forward", format!("{} is not square to {}", options.forward, options.up));
    }
    let axis = |letter: u8| b"XYZ".iter().position(|l| *l == letter.to_ascii_uppercase());
    match options.order.map(axis) {
        [Some(i), Some(j), Some(k)] if i != j && j != k && i != k => Ok([i, j, k]),
        _ => wrong("order", format!("\"{}\" is no order such as ZXY", options.order.escape_ascii())),
    }
}

/// The joints in the order in which a file has them: each followed by all below it.
fn depth_first(joints: &[Joint]) -> Vec<usize> {
    let mut order = Vec::with_capacity(joints.len());
    let mut waiting = vec![0];
    let mut children = vec![Vec::new(); joints.len()];
    for (i, joint) in joints.iter().enumerate() {
        if let Some(parent) = joint.parent {
            children[parent].push(i);
        }
    }
    while let Some(joint) = waiting.pop() {
        order.push(joint);
        waiting.extend(children[joint].iter().rev());
    }
    order
}

fn hierarchy(out: &mut String, joints: &[Joint], written: &[usize], turn: &Mat3, order: &[u8; 3]) {
    let channels = order.map(|l| format!("{}rotation", l.to_ascii_uppercase() as char)).join(" ");
    let has_child: Vec<bool> =
        (0..joints.len()).map(|i| joints.iter().any(|j| j.parent == Some(i))).collect();
    // joints whose blocks are open
    let mut open: Vec<usize> = Vec::new();
    let close = |out: &mut String, depth: usize| {
        let _ = writeln!(out, "{}}}", "\t".repeat(depth));
    };
    for &i in written {
        let joint = &joints[i];
        while open.last().copied() != joint.parent {
            open.pop();
            close(out, open.len());
        }
        let indent = "\t".repeat(open.len());
        let (kind, place) = match joint.parent {
            None => ("ROOT", "6 Xposition Yposition Zposition"),
            Some(_) => ("JOINT", "3"),
        };
        let _ = writeln!(out, "{indent}{kind} {}\n{indent}{{", name(joint, i));
        let _ = writeln!(out, "{indent}\tOFFSET {}", triple(&(turn * joint.offset)));
        let _ = writeln!(out, "{indent}\tCHANNELS {place} {channels}");
        // a joint at the end of a chain needs a tip in strict readers, if only its own place
        let own = [Vec3::zeros()];
        let tips: &[Vec3] = if joint.tips.is_empty() && !has_child[i] { &own } else { &joint.tips };
        for tip in tips {
            let tip = triple(&(turn * tip));
            let _ = writeln!(out, "{indent}\tEnd Site\n{indent}\t{{\n{indent}\t\tOFFSET {tip}\n{indent}\t}}");
        }
        open.push(i);
    }
    (0..open.len()).rev().for_each(|depth| close(out, depth));
}

/// Names end at a line or a brace.
fn name(joint: &Joint, index: usize) -> String {
    let clean: String =
        joint.name.chars().map(|c| if "{}".contains(c) || c.is_control() { '_' } else { c }).collect();
    if clean.trim().is_empty() { format!("joint{index}") } else { clean }
}

fn frame(
    out: &mut String,
    pose: &Pose,
    written: &[usize],
    turn: &Mat3,
    unit: f64,
    order: [usize; 3],
    angles: &mut [Vec3],
) {
    out.push_str(&triple(&(turn * pose.root / unit)));
    for (&joint, before) in written.iter().zip(angles) {
        let matrix = turn * rotation::to_matrix(&pose.rotations[joint]) * turn.transpose();
        *before = nearest(euler(&matrix, order), before);
        out.push(' ');
        out.push_str(&triple(&before.map(f64::to_degrees)));
    }
    out.push('\n');
}

/// Angles `a, b, c` with `R = R_i(a) R_j(b) R_k(c)`, `b` within ±90°.
fn euler(r: &Mat3, [i, j, k]: [usize; 3]) -> Vec3 {
    let even = if (i + 1) % 3 == j { 1.0 } else { -1.0 };
    let cos = libm::hypot(r[(i, i)], r[(i, j)]);
    let b = libm::atan2(even * r[(i, k)], cos);
    if cos > 1e-9 {
        let a = libm::atan2(-even * r[(j, k)], r[(k, k)]);
        return Vec3::new(a, b, libm::atan2(-even * r[(i, j)], r[(i, i)]));
    }
    // the first and the last axis are one: all of the turn goes to the first
    Vec3::new(libm::atan2(even * r[(k, j)], r[(j, j)]), b, 0.0)
}

/// Of all angles that give the same rotation, those nearest to the frame before.
fn nearest(angles: Vec3, before: &Vec3) -> Vec3 {
    let unwrap = |angles: Vec3| angles.zip_map(before, |x, last| x + TAU * libm::round((last - x) / TAU));
    let one = unwrap(angles);
    let other = unwrap(Vec3::new(angles.x + PI, PI - angles.y, angles.z + PI));
    if (other - before).norm() < (one - before).norm() { other } else { one }
}

/// Three numbers with up to nine digits after the point.
fn triple(v: &Vec3) -> String {
    let number = |x: f64| {
        let text = format!("{x:.9}");
        let text = text.trim_end_matches('0').trim_end_matches('.');
        if text == "-0" { "0".to_owned() } else { text.to_owned() }
    };
    format!("{} {} {}", number(v.x), number(v.y), number(v.z))
}
