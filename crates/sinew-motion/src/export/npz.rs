//! A take as arrays for `numpy.load`.
//!
//! | array | shape | holds |
//! | --- | --- | --- |
//! | `time` | T | s |
//! | `root` | T×3 | position of the root, m, z up |
//! | `rotations` | T×J×4 | of every joint in its parent, quaternion w x y z |
//! | `positions` | T×J×3 | of every joint in the world, m |
//! | `joint_names`, `parents`, `offsets` | J, J, J×3 | the skeleton; the root's parent is −1 |
//! | `meta` | text | JSON: `name`, `rate`, `provenance` |
//!
//! A clip becomes a [`recording`](super::recording) instead.

use crate::Take;
use sinew_world::npz::{NpzError, Writer};
use std::path::Path;

/// Writes a take to a file, which appears whole or not at all.
pub fn save(path: impl AsRef<Path>, take: &Take) -> Result<(), NpzError> {
    let mut writer = Writer::create(path)?;
    fill(&mut writer, take)?;
    writer.finish()
}

/// The bytes of the file.
///
/// ```
/// # use sinew_motion::{ImportOptions, bvh};
/// # let text = b"HIERARCHY ROOT a { OFFSET 0 0 0 CHANNELS 3 Zrotation Xrotation Yrotation
/// #   JOINT b { OFFSET 0 -1.7 0 CHANNELS 0 } } MOTION Frames: 1 Frame Time: 0.04 30 0 10";
/// # let take = bvh::parse(text, "a.bvh", &ImportOptions::default())?.take;
/// let bytes = sinew_motion::export::npz::bytes(&take)?;
/// let mut arrays = sinew_world::npz::Reader::new(std::io::Cursor::new(bytes))?;
/// assert_eq!(arrays.read::<f64>("rotations")?.shape, [1, 2, 4]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn bytes(take: &Take) -> Result<Vec<u8>, NpzError> {
    let mut writer = Writer::in_memory();
    fill(&mut writer, take)?;
    writer.into_bytes()
}

fn fill(writer: &mut Writer, take: &Take) -> Result<(), NpzError> {
    let joints = take.skeleton.joints();
    let count = joints.len();
    let time = writer.column::<f64>("time", &[])?;
    let root = writer.column::<f64>("root", &[3])?;
    let rotations = writer.column::<f64>("rotations", &[count, 4])?;
    let positions = writer.column::<f64>("positions", &[count, 3])?;
    let (mut placements, mut row) = (Vec::new(), Vec::new());
    for (k, pose) in take.poses.iter().enumerate() {
        writer.push(time, &[k as f64 / take.rate])?;
        writer.push(root, pose.root.as_slice())?;
        row.clear();
        row.extend(pose.rotations.iter().flat_map(|q| [q.w, q.i, q.j, q.k]));
        writer.push(rotations, &row)?;
        take.skeleton.placements_into(pose, &mut placements);
        row.clear();
        placements.iter().for_each(|p| row.extend(p.pos.iter()));
        writer.push(positions, &row)?;
    }
    let names: Vec<&str> = joints.iter().map(|j| j.name.as_str()).collect();
    let parents: Vec<i32> = joints.iter().map(|j| j.parent.map_or(-1, |p| p as i32)).collect();
    let offsets: Vec<f64> = joints.iter().flat_map(|j| j.offset.iter().copied()).collect();
    writer.texts("joint_names", &names)?;
    writer.array("parents", &[count], &parents)?;
    writer.array("offsets", &[count, 3], &offsets)?;
    let meta = serde_json::json!({"name": take.name, "rate": take.rate, "provenance": take.provenance});
    writer.text("meta", &meta.to_string())
}
