//! BVH, the Biovision hierarchy: the file of motion that every tool reads and writes.
//!
//! A joint's rotation is the product of its channel rotations in the order in which they are listed, acting on column
//! vectors; a child stands at its `OFFSET` in its parent. Nothing in the file says which axis is up, how long a unit is, or
//! where the figure looks: [`import`] guesses that and says so. Rules that files in the wild ask for:
//!
//! - The root's position channels are absolute: its `OFFSET` counts only for axes without a channel.
//! - Position channels of another joint either repeat its `OFFSET` or come on top of it; whichever is nearer. When they do not
//!   move they are its offset; when they do, their mean is, and a warning gives the greatest deviation.
//! - A root that stands still above one joint that travels (`Reference`, `World`, `Armature`) is merged into that joint.
//! - A joint may have end sites beside joints; several roots are read, one is taken.
//!
//! Source: Meredith and Maddock 2001, "Motion capture file formats explained"; the files themselves.

mod beside;
mod hierarchy;
mod motion;
mod places;
mod write;

pub use write::{WriteError, WriteOptions, save, write};

use crate::import::{self, ImportOptions, Imported, Raw, ReadError, Report, WarningKind, text};
use crate::{Joint, Pose};
use hierarchy::{Channel, Node};
use nalgebra::Quaternion;
use sinew_dynamics::spatial::{Quat, Vec3};
use std::path::Path;

/// Reads a file, and the foot contacts in `NAME.bvh.json` beside it, if there are any.
///
/// ```no_run
/// use sinew_motion::{ImportOptions, bvh};
/// let imported = bvh::read("walk.bvh", &ImportOptions::default())?;
/// for assumed in &imported.report.assumed {
///     println!("{assumed}");
/// }
/// # Ok::<(), sinew_motion::ReadError>(())
/// ```
pub fn read(path: impl AsRef<Path>, options: &ImportOptions) -> Result<Imported, ReadError> {
    let path = path.as_ref();
    let mut imported = parse(&text::load(path, options)?, &path.display().to_string(), options)?;
    beside::read(path, options, &mut imported)?;
    Ok(imported)
}

/// Reads the bytes of a file; `file` names it in errors and in the provenance.
///
/// ```
/// use sinew_motion::{ImportOptions, bvh};
/// let text = b"HIERARCHY ROOT a { OFFSET 0 0 0 CHANNELS 3 Zrotation Xrotation Yrotation
///   JOINT b { OFFSET 0 -1.7 0 CHANNELS 0 } }
///   MOTION Frames: 2 Frame Time: 0.0333333
///   0 0 0
///   90 0 0";
/// let imported = bvh::parse(text, "arm.bvh", &ImportOptions::default())?;
/// let take = &imported.take;
/// assert_eq!((take.rate, take.poses.len()), (30.0, 2));
/// // a quarter turn about the file's z, which is our x
/// let tip = take.path(1)[1];
/// assert!((tip - take.skeleton.joints()[1].offset.norm() * sinew_dynamics::spatial::Vec3::y()).norm() < 1e-12);
/// # Ok::<(), sinew_motion::ReadError>(())
/// ```
pub fn parse(bytes: &[u8], file: &str, options: &ImportOptions) -> Result<Imported, ReadError> {
    options.check(file)?;
    let mut report = Report::default();
    let text = text::decode(bytes, file, options, &mut report)?;
    let mut scanner = text::Scanner::new(&text, file);
    let (nodes, channels) = hierarchy::read(&mut scanner, &options.limits, &mut report)?;
    let kept = choose_root(&nodes, file, options, &mut report)?;
    let mut joints: Vec<Joint> = kept.iter().map(|&k| joint(&nodes, &kept, k)).collect();
    warn_of_twins(&joints, &mut report);

    // one pose per frame, and the places of joints that carry their own
    let mut poses: Vec<Pose> = Vec::new();
    let mut places = places::Places::of(&nodes, &kept);
    let limit = options.limits.rotations;
    let file_name = file.to_owned();
    let mut frame = |values: &[f64]| {
        if (poses.len() + 1) * kept.len() > limit {
            let (file, what) = (file_name.clone(), "rotations (joints times frames)");
            return Err(ReadError::Limit { file, line: 0, what, limit });
        }
        poses.push(pose(&nodes, &kept, values, poses.last()));
        places.push(&nodes, &kept, values);
        Ok(())
    };
    let name = |channel: usize| {
        let owner = nodes.iter().find(|n| (n.first..n.first + n.channels.len()).contains(&channel));
        owner.map_or_else(String::new, |n| format!("channel {} of \"{}\"", channel - n.first + 1, n.name))
    };
    let time = motion::read(&mut scanner, channels, options, &mut report, name, &mut frame)?;
    places.settle(&mut joints, &mut poses, &mut report);
    import::settle(Raw { joints, poses, time }, bytes, file, options, report)
}

/// The nodes under the root that was asked for, parents first.
fn choose_root(
    nodes: &[Node],
    file: &str,
    options: &ImportOptions,
    report: &mut Report,
) -> Result<Vec<usize>, ReadError> {
    let roots: Vec<usize> = (0..nodes.len()).filter(|&i| nodes[i].parent.is_none()).collect();
    let names = || {
        let names: Vec<_> = roots.iter().take(20).map(|&r| nodes[r].name.as_str()).collect();
        names.join(", ")
    };
    let root = match &options.root {
        None => roots[0],
        Some(name) => match roots.iter().find(|&&r| nodes[r].name.eq_ignore_ascii_case(name)) {
            Some(&root) => root,
            None => {
                let problem = format!("no root is called \"{name}\"; there is {}", names());
                return Err(ReadError::Option { file: file.into(), option: "root", problem });
            }
        },
    };
    if roots.len() > 1 && options.root.is_none() {
        let text =
            format!("{} roots: {}; the first is taken, name another to take that", roots.len(), names());
        report.warn(WarningKind::Roots, text);
    }
    let mut inside = vec![false; nodes.len()];
    for (i, node) in nodes.iter().enumerate() {
        inside[i] = node.parent.map_or(i == root, |p| inside[p]);
    }
    Ok((0..nodes.len()).filter(|&i| inside[i]).collect())
}

fn joint(nodes: &[Node], kept: &[usize], k: usize) -> Joint {
    let node = &nodes[k];
    // a root's place is part of the pose
    let offset = if node.parent.is_some() { node.offset } else { Vec3::zeros() };
    let parent = node.parent.and_then(|p| kept.binary_search(&p).ok());
    Joint { name: node.name.clone(), parent, offset, tips: node.tips.clone() }
}

fn warn_of_twins(joints: &[Joint], report: &mut Report) {
    let mut seen = std::collections::BTreeSet::new();
    let twins: Vec<_> = joints.iter().filter(|j| !seen.insert(j.name.to_lowercase())).collect();
    if let Some(first) = twins.first() {
        let text = format!("{} joints have the name of another, first \"{}\"", twins.len(), first.name);
        report.warn(WarningKind::Names, text);
    }
}

/// The pose of a frame, in the file's axes and unit.
fn pose(nodes: &[Node], kept: &[usize], values: &[f64], before: Option<&Pose>) -> Pose {
    let mut root = nodes[kept[0]].offset;
    let mut rotations = Vec::with_capacity(kept.len());
    for (j, &k) in kept.iter().enumerate() {
        let node = &nodes[k];
        let mut turn = Quaternion::identity();
        for (channel, &value) in node.channels.iter().zip(&values[node.first..]) {
            match *channel {
                Channel::Rotation(axis) => turn *= about(axis, value),
                Channel::Position(axis) if j == 0 => root[axis] = value,
                _ => {}
            }
        }
        // q and −q are one rotation: the one nearer to the frame before, so that differences are small
        if before.is_some_and(|b| b.rotations[j].dot(&Quat::new_unchecked(turn)) < 0.0) {
            turn = -turn;
        }
        rotations.push(Quat::new_normalize(turn));
    }
    Pose { root, rotations }
}

/// Turns by degrees about a frame axis.
fn about(axis: usize, degrees: f64) -> Quaternion<f64> {
    let (sin, cos) = libm::sincos(0.5 * degrees.to_radians());
    let mut v = Vec3::zeros();
    v[axis] = sin;
    Quaternion::from_parts(cos, v)
}
