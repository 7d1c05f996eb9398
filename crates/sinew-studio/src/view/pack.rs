//! A scene as text for a page: a JSON header and columns of whole numbers, deflated, in base64.
//!
//! Motion is smooth, so that the difference between successive frames is small. Every column is a table of numbers
//! (`rows × width`), rounded to multiples of its `step`; each entry is written as the difference to the entry above it,
//! zigzag (`0, −1, 1, −2, …` as `0, 1, 2, 3, …`), in groups of seven bits, least first, the eighth bit set while more
//! follow. Deflate then finds what repeats. Rounding is to nearest and does not add up: differences are taken between
//! rounded numbers. Places are kept to 2⁻¹⁵ m (30 µm), quaternions to 2⁻¹⁵, forces to 2⁻⁴ N, shares of
//! torque limits to 2⁻⁸.
//!
//! Layout before deflation: length of the header (u32, little endian), header, columns one after the other.

use super::ViewError;
use super::scene::{About, Forces, Part, Scene, Shape};
use miniz_oxide::deflate::compress_to_vec_zlib;
use serde::Serialize;

/// Raised when the page must read the data in another way.
const VERSION: u32 = 2;

const PLACE: f64 = 1.0 / 32768.0;
const TURN: f64 = 1.0 / 32768.0;
const FORCE: f64 = 1.0 / 16.0;
const SHARE: f64 = 1.0 / 256.0;
/// Beyond this a quantised number and its differences no longer fit the page's whole numbers.
const GREATEST: f64 = (1u64 << 50) as f64;

/// How the bytes are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    /// Small; the page inflates it, which takes it a few turns of its event loop.
    Deflated,
    /// As is: the page is complete as soon as it is loaded.
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
    columns: Vec<Column>,
}

/// Where a table is, after the header.
#[derive(Serialize)]
struct Column {
    name: &'static str,
    step: f64,
    width: usize,
    rows: usize,
    bytes: usize,
}

#[derive(Default)]
struct Columns {
    list: Vec<Column>,
    bytes: Vec<u8>,
}

impl Columns {
    fn push<const W: usize>(
        &mut self,
        name: &'static str,
        step: f64,
        per_row: usize,
        table: impl Iterator<Item = [f64; W]>,
    ) -> Result<(), ViewError> {
        let (width, start) = (W * per_row, self.bytes.len());
        let mut above = vec![0i64; width];
        let mut entries = 0;
        for (i, group) in table.enumerate() {
            let at = i % per_row * W;
            for (x, above) in group.iter().zip(&mut above[at..]) {
                let scaled = (x / step).round();
                let bounded = scaled.abs() < GREATEST;
                if !bounded {
                    let problem = format!("{x} cannot be drawn; the run has gone out of bounds");
                    return Err(ViewError::of(format!("{name}, row {}", i / per_row), problem));
                }
                let whole = scaled as i64;
                write_difference(&mut self.bytes, whole - *above);
                *above = whole;
            }
            entries += W;
        }
        let rows = entries / width.max(1);
        self.list.push(Column { name, step, width, rows, bytes: self.bytes.len() - start });
        Ok(())
    }

    fn push_forces(&mut self, names: [&'static str; 4], forces: &Forces) -> Result<(), ViewError> {
        let wide = |v: [f32; 3]| v.map(f64::from);
        self.push(names[0], 1.0, 1, forces.count.iter().map(|&n| [f64::from(n)]))?;
        self.push(names[1], 1.0, 1, forces.list.iter().map(|f| [f64::from(f.body)]))?;
        self.push(names[2], PLACE, 1, forces.list.iter().map(|f| wide(f.point)))?;
        self.push(names[3], FORCE, 1, forces.list.iter().map(|f| wide(f.force)))
    }
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
    columns
        .push_forces(["contact_count", "contact_body", "contact_point", "contact_force"], &frames.contacts)?;
    columns.push_forces(["push_count", "push_body", "push_point", "push_force"], &frames.pushes)?;

    let header = Header {
        version: VERSION,
        about: &scene.about,
        frames: frames.com.len(),
        bodies: &scene.bodies,
        objects: &scene.objects,
        terrain: &scene.terrain,
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

fn write_difference(out: &mut Vec<u8>, difference: i64) {
    let mut rest = ((difference << 1) ^ (difference >> 63)) as u64;
    while rest > 0x7f {
        out.push(rest as u8 | 0x80);
        rest >>= 7;
    }
    out.push(rest as u8);
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let at = |i: usize| u32::from(group.get(i).copied().unwrap_or(0));
        let bits = at(0) << 16 | at(1) << 8 | at(2);
        for digit in 0..4 {
            // a group of n bytes has n + 1 digits
            let known = digit <= group.len();
            text.push(if known { DIGITS[(bits >> (18 - 6 * digit)) as usize & 63] as char } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_follows_its_standard() {
        // RFC 4648, section 10
        let pairs = [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")];
        for (plain, coded) in pairs {
            assert_eq!(base64(plain.as_bytes()), coded);
        }
    }

    #[test]
    fn differences_take_seven_bits_a_byte() {
        let bytes = |d: i64| {
            let mut out = Vec::new();
            write_difference(&mut out, d);
            out
        };
        assert_eq!(bytes(0), [0]);
        assert_eq!(bytes(-1), [1]);
        assert_eq!(bytes(1), [2]);
        assert_eq!(bytes(-64), [0x7f]);
        assert_eq!(bytes(64), [0x80, 1]);
        assert_eq!(bytes(i64::MIN).len(), 10);
    }

    #[test]
    fn what_is_not_a_number_is_refused_by_name_and_row() {
        let mut scene = Scene::default();
        scene.frames.com = vec![[0.0; 3], [0.0, f32::NAN, 0.0]];
        let refused = pack(&scene, Storage::Plain).expect_err("not a number").to_string();
        assert!(refused.contains("com, row 1"), "{refused}");
    }
}
