//! A scene as text for a page: a JSON header and [columns](super::columns) of whole numbers, deflated, in base64.
//!
//! Places are kept to 2⁻¹⁵ m (30 µm), quaternions to 2⁻¹⁵, forces to 2⁻⁴ N, shares of torque limits to 2⁻⁸; the
//! skin as its module says.
//!
//! Layout before deflation: length of the header (u32, little endian), header, columns one after the other.

use super::ViewError;
use super::columns::{Column, Columns, base64};
use super::scene::{About, Forces, Part, Scene, Shape};
use miniz_oxide::deflate::compress_to_vec_zlib;
use serde::Serialize;

/// Raised whenever the format of the data changes.
const VERSION: u32 = 3;

const PLACE: f64 = 1.0 / 32768.0;
const TURN: f64 = 1.0 / 32768.0;
const FORCE: f64 = 1.0 / 16.0;
const SHARE: f64 = 1.0 / 256.0;
/// How the bytes are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    /// Compressed; the page inflates it, which takes a few turns of its event loop.
    Deflated,
    /// Uncompressed: the page is complete as soon as it is loaded.
    Plain,
}

#[derive(Serialize)]
struct Header<'a> {
    version: u32,
    #[serde(flatten)]
    about: &'a About,
    frames: usize,
    bodies: &'a [Part],
    objects: &'a [Part],
    terrain: &'a [Shape],
    skinned: &'a [usize],
    columns: Vec<Column>,
}

/// Appends the four columns of forces.
fn push_forces(columns: &mut Columns, names: [&'static str; 4], forces: &Forces) -> Result<(), ViewError> {
    let wide = |v: [f32; 3]| v.map(f64::from);
    columns.push(names[0], 1.0, 1, forces.count.iter().map(|&n| [f64::from(n)]))?;
    columns.push(names[1], 1.0, 1, forces.list.iter().map(|f| [f64::from(f.body)]))?;
    columns.push(names[2], PLACE, 1, forces.list.iter().map(|f| wide(f.point)))?;
    columns.push(names[3], FORCE, 1, forces.list.iter().map(|f| wide(f.force)))
}

/// The scene as base64 text.
///
/// # Errors
/// When a number of it is out of all bounds.
pub fn pack(scene: &Scene, storage: Storage) -> Result<String, ViewError> {
    let (frames, parts) = (&scene.frames, scene.bodies.len() + scene.objects.len());
    let mut columns = Columns::default();
    let part = parts.max(1);
    columns.push("place", PLACE, part, frames.poses.iter().map(|p| [p[0], p[1], p[2]].map(f64::from)))?;
    columns.push("turn", TURN, part, frames.poses.iter().map(|p| [p[3], p[4], p[5], p[6]].map(f64::from)))?;
    columns.push("com", PLACE, 1, frames.com.iter().map(|c| c.map(f64::from)))?;
    let bodies = scene.bodies.len().max(1);
    columns.push("effort", SHARE, bodies, frames.efforts.iter().map(|&x| [f64::from(x)]))?;
    push_forces(
        &mut columns,
        ["contact_count", "contact_body", "contact_point", "contact_force"],
        &frames.contacts,
    )?;
    push_forces(&mut columns, ["push_count", "push_body", "push_point", "push_force"], &frames.pushes)?;
    scene.skin.write(&mut columns)?;

    let header = Header {
        version: VERSION,
        about: &scene.about,
        frames: frames.com.len(),
        bodies: &scene.bodies,
        objects: &scene.objects,
        terrain: &scene.terrain,
        skinned: &scene.skin.parts,
        columns: columns.list,
    };
    let header = serde_json::to_vec(&header).map_err(|e| ViewError::of("the page", e))?;
    let many = |_| ViewError::of("the page", "the shapes of this run are too many for it");
    let length = u32::try_from(header.len()).map_err(many)?;
    let mut bytes = length.to_le_bytes().to_vec();
    bytes.extend(header);
    bytes.extend(columns.bytes);
    Ok(match storage {
        Storage::Deflated => base64(&compress_to_vec_zlib(&bytes, 8)),
        Storage::Plain => base64(&bytes),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nan_is_refused_by_name_and_row() {
        let mut scene = Scene::default();
        scene.frames.com = vec![[0.0; 3], [0.0, f32::NAN, 0.0]];
        let refused = pack(&scene, Storage::Plain).expect_err("not a number").to_string();
        assert!(refused.contains("com, row 1"), "{refused}");
    }
}
