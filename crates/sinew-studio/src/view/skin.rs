//! The skin of a character for the pages: grown here once, moved there with the bodies.
//!
//! A page gets triangles in the reference placement, and for every vertex up to four parts that it follows (linear blend
//! skinning). Places are kept to 2⁻¹⁴ m (60 µm), normals to 2⁻⁷, weights and colours to 1/255 and 2⁻¹⁰.

use super::ViewError;
use super::columns::{Column, Columns, base64};
use super::drawing::{self, Paint};
use serde::Serialize;
use sinew::dynamics::{Model, ModelSpec};
use sinew::motion::skin::{Patch, Skin};
use std::sync::{Arc, Mutex, PoisonError};

/// Cells along the diagonal of a character: 16 mm on a person, whose arm is then less than 1 mm from round.
const FINENESS: usize = 130;
/// Characters whose skin is kept for the next page that shows them.
const KEPT: usize = 16;

const PLACE: f64 = 1.0 / 16384.0;
const NORMAL: f64 = 1.0 / 128.0;
const COLOR: f64 = 1.0 / 1024.0;
/// A weight of 1.
const ONE: u16 = 255;

/// The skin of some parts of a scene.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DrawnSkin {
    /// The parts that it covers: their shapes are not drawn while it is.
    pub parts: Vec<usize>,
    patches: Vec<Painted>,
}

/// A patch whose vertices have colours and follow parts of the scene.
#[derive(Clone, Debug, PartialEq)]
struct Painted {
    patch: Patch,
    /// The part of the scene that each body is.
    parts: Arc<[usize]>,
    /// Colours of the bodies in this patch, linear.
    colors: Vec<[f32; 3]>,
}

impl DrawnSkin {
    /// The skin of a character whose bodies are the first parts of a scene.
    pub fn of(model: &Model) -> DrawnSkin {
        let mut skin = DrawnSkin::default();
        if model.bodies().len() == 1 {
            // nothing bends: its shapes are what is seen
            return skin;
        }
        skin.add(model, Paint::Character, (0..model.bodies().len()).collect());
        skin
    }

    /// Adds the skin of a model; `parts` says which part of the scene each of its bodies is.
    pub fn add(&mut self, model: &Model, paint: Paint, parts: Arc<[usize]>) {
        let shown = |body: &usize| model.bodies()[*body].geoms.iter().any(|g| g.rgba[3] > 0.0);
        self.parts.extend((0..parts.len()).filter(shown).map(|body| parts[body]));
        let sides = drawing::sides(model);
        for patch in Skin::grow(model, FINENESS).patches {
            let colors = sides.iter().map(|side| paint.linear(patch.rgba, *side)).collect();
            self.patches.push(Painted { patch, parts: Arc::clone(&parts), colors });
        }
    }

    /// Appends its columns.
    ///
    /// # Errors
    /// When a number of it is out of all bounds.
    pub fn write(&self, columns: &mut Columns) -> Result<(), ViewError> {
        let three = |v: &sinew::dynamics::spatial::Vec3| [v.x, v.y, v.z];
        let positions = self.patches.iter().flat_map(|p| p.patch.positions.iter().map(three));
        columns.push("skin_place", PLACE, 1, positions)?;
        let normals = self.patches.iter().flat_map(|p| p.patch.normals.iter().map(three));
        columns.push("skin_normal", NORMAL, 1, normals)?;
        let followed = || self.patches.iter().flat_map(Painted::vertices);
        columns.push("skin_color", COLOR, 1, followed().map(|(color, ..)| color.map(f64::from)))?;
        columns.push("skin_part", 1.0, 1, followed().map(|(_, parts, _)| parts.map(|p| p as f64)))?;
        columns.push("skin_weight", 1.0 / f64::from(ONE), 1, followed().map(|(.., weights)| weights))?;
        let mut first = 0;
        let corners = self.patches.iter().flat_map(|p| {
            let from = first;
            first += p.patch.positions.len();
            p.patch.triangles.iter().map(move |t| t.map(|v| (from + v as usize) as f64))
        });
        columns.push("skin_corner", 1.0, 1, corners)
    }
}

impl Painted {
    /// Colour, parts and weights of every vertex.
    fn vertices(&self) -> impl Iterator<Item = ([f32; 3], [usize; 4], [f64; 4])> {
        (0..self.patch.positions.len()).map(|vertex| {
            let (bodies, weights) = self.patch.shares(vertex, ONE);
            let color = self.colors[bodies[0] as usize];
            let weights = weights.map(|w| f64::from(w) / f64::from(ONE));
            (color, bodies.map(|body| self.parts[body as usize]), weights)
        })
    }
}

/// A skin inside a message of the studio.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct SkinMessage {
    /// The parts that it covers.
    parts: Vec<usize>,
    /// Where each column is in the data.
    columns: Vec<Column>,
    /// The columns in base64.
    data: String,
}

/// The skin of a character for a message; that of the last few characters is not grown again.
pub fn message(model: &Model) -> Arc<SkinMessage> {
    static KNOWN: Mutex<Vec<(ModelSpec, Arc<SkinMessage>)>> = Mutex::new(Vec::new());
    let spec = model.spec();
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(place) = known.iter().position(|(other, _)| other == spec) {
        let found = known.remove(place);
        known.push(found);
    } else {
        let (skin, mut columns) = (DrawnSkin::of(model), Columns::default());
        // a body that cannot be drawn is shown by its shapes
        let skin = match skin.write(&mut columns) {
            Ok(()) => SkinMessage { parts: skin.parts, columns: columns.list, data: base64(&columns.bytes) },
            Err(_) => SkinMessage::default(),
        };
        if known.len() == KEPT {
            known.remove(0);
        }
        known.push((spec.clone(), Arc::new(skin)));
    }
    Arc::clone(&known[known.len() - 1].1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew::dynamics::characters;

    /// Reads a table as the page does.
    fn table(columns: &Columns, name: &str) -> (usize, Vec<f64>) {
        let before: usize = columns.list.iter().take_while(|c| c.name != name).map(|c| c.bytes).sum();
        let column = columns.list.iter().find(|c| c.name == name).expect("the column is there");
        let mut bytes = columns.bytes[before..before + column.bytes].iter();
        let mut above = vec![0i64; column.width];
        let mut numbers = Vec::new();
        while numbers.len() < column.rows * column.width {
            let (mut whole, mut shift) = (0u64, 0);
            for byte in bytes.by_ref() {
                whole |= u64::from(byte & 0x7f) << shift;
                shift += 7;
                if *byte < 0x80 {
                    break;
                }
            }
            let place = numbers.len() % column.width;
            above[place] += (whole >> 1) as i64 ^ -((whole & 1) as i64);
            numbers.push(above[place] as f64 * column.step);
        }
        assert_eq!(bytes.next(), None, "{name} is read to its end");
        (column.rows, numbers)
    }

    #[test]
    fn a_skin_comes_through_its_columns() {
        let model = characters::load("human").unwrap();
        let (skin, mut columns) = (DrawnSkin::of(&model), Columns::default());
        skin.write(&mut columns).unwrap();
        let (vertices, places) = table(&columns, "skin_place");
        assert!(vertices > 5000);
        let sent = skin.patches.iter().flat_map(|p| &p.patch.positions).flat_map(|p| [p.x, p.y, p.z]);
        assert!(places.iter().zip(sent).all(|(got, sent)| (got - sent).abs() <= 0.5 * PLACE));
        for name in ["skin_normal", "skin_color", "skin_part", "skin_weight"] {
            assert_eq!(table(&columns, name).0, vertices, "{name}");
        }
        let (_, weights) = table(&columns, "skin_weight");
        assert!(weights.chunks(4).all(|w| (w.iter().sum::<f64>() - 1.0).abs() < 1e-12));
        let (_, parts) = table(&columns, "skin_part");
        assert!(parts.iter().all(|part| skin.parts.contains(&(*part as usize))));
        let (triangles, corners) = table(&columns, "skin_corner");
        assert!(triangles > vertices && corners.iter().all(|v| (0.0..vertices as f64).contains(v)));
    }

    #[test]
    fn a_left_foot_is_warmer_than_a_right_one() {
        let model = characters::load("human").unwrap();
        let parts = drawing::parts(&model, Paint::Character);
        let color = |name: &str| {
            let part = parts.iter().find(|part| part.role.as_deref() == Some(name)).expect("a foot");
            part.shapes[0].color.expect("characters are painted")
        };
        let (left, right) = (color("foot_left"), color("foot_right"));
        assert!(left[0] > right[0] && left[2] < right[2], "{left:?} {right:?}");
    }

    /// The skin of a character that was shown before is the same one, not another.
    #[test]
    fn a_known_skin_is_not_grown_again() {
        let model = characters::load("child").unwrap();
        assert!(Arc::ptr_eq(&message(&model), &message(&model)));
    }
}
