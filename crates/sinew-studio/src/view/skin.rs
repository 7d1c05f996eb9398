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
