//! A skin over the shapes of a character: limbs flow into each other and bend smoothly, so that one sees a person and no sticks.
//!
//! In the reference placement every body has a distance field, the smooth union of its shapes (`field`); near joints neighbours grow
//! together (`limbs`). The zero surface of the fields is cut into triangles (`surface`, `mesh`) and coloured as the shapes are, with
//! crisp borders (`dye`). A vertex follows up to four bodies by weights that fall with the distance to each (linear blend
//! skinning). Balls inside the joints keep elbows and knees full where the skin folds in. Hulls, shapes too small for the grid,
//! and eyes are drawn as they are; planes and shapes of opacity 0 are not drawn.
//!
//! Everything is deterministic to the bit. Cost: about half a second for a human; do it once per character.

mod dye;
mod face;
mod field;
mod limbs;
mod mesh;
mod surface;

use field::Field;
use limbs::Limbs;
use mesh::Mesh;
use sinew_dynamics::spatial::{Placement, Vec3};
use sinew_dynamics::{BodyId, Geom, JointKind, Model, Role, Shape};

/// Size of the ball inside a joint as a part of the one that the skin grew over.
const INNER: f64 = 0.96;

/// A skin in patches of one colour.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Skin {
    /// Its patches.
    pub patches: Vec<Patch>,
}

/// Triangles of one colour, in the world (z up, m) with the character in its reference placement.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Patch {
    /// Red, green, blue, opacity, as the model has them.
    pub rgba: [f32; 4],
    /// Places of the vertices, m.
    pub positions: Vec<Vec3>,
    /// Directions out of the body, of unit length.
    pub normals: Vec<Vec3>,
    /// Bodies that each vertex follows, the most important first.
    pub bodies: Vec<[usize; 4]>,
    /// How much it follows each; the sum is 1.
    pub weights: Vec<[f64; 4]>,
    /// Corners, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
}

impl Skin {
    /// Grows a skin, with about `fineness` cells along the diagonal of the character.
    ///
    /// ```
    /// use sinew_dynamics::characters;
    /// use sinew_motion::skin::Skin;
    /// let skin = Skin::grow(&characters::load("human")?, 80);
    /// let highest = skin.patches.iter().flat_map(|p| &p.positions).fold(0.0, |top: f64, p| top.max(p.z));
    /// assert!((highest - 1.75).abs() < 0.03); // with hair
    /// # Ok::<(), sinew_dynamics::characters::UnknownCharacter>(())
    /// ```
    pub fn grow(model: &Model, fineness: usize) -> Skin {
        let rest = model.spec().reference_placements();
        let cell = diagonal(model, &rest) / fineness.max(1) as f64;
        let mut palette = Palette::default();
        let mut solids: Vec<(usize, Mesh)> = Vec::new();
        let head = model.role(Role::Head);
        let mut bodies = Vec::new();
        for (index, body) in model.bodies().iter().enumerate() {
            let mut fields = Vec::new();
            for geom in body.geoms.iter().filter(|g| g.rgba[3] > 0.0) {
                let color = palette.color(geom.rgba);
                match Field::of(geom, &rest[index], color).filter(|f| !too_small(f, cell)) {
                    Some(field) => fields.push(field),
                    None if matches!(geom.shape, Shape::Plane { .. }) => {}
                    None => {
                        solids.push((color, mesh::solid(geom, index, &rest[index], is_round(&geom.shape))))
                    }
                }
            }
            if head == Some(BodyId(index))
                && let Some((hair, eyes)) = face::face(body)
            {
                let color = palette.color(hair.rgba);
                fields.extend(Field::of(&hair, &rest[index], color).map(Field::tight));
                for eye in eyes {
                    let color = palette.color(eye.rgba);
                    solids.push((color, mesh::solid(&eye, index, &rest[index], true)));
                }
            }
            if !fields.is_empty() {
                bodies.push((index, fields));
            }
        }
        let links = links(model, &rest, &bodies);
        let limbs = Limbs::new(bodies, &links);
        for joint in limbs.joints.iter().filter(|j| j.ball > cell) {
            let ball = Geom::new(Shape::Sphere { radius: INNER * joint.ball });
            let body = limbs.limbs[joint.limbs[1]].body;
            let at = Placement { pos: joint.at, ..Placement::identity() };
            solids.push((joint.color, mesh::solid(&ball, body, &at, true)));
        }
        let (mut grown, distances) = mesh::grow(&limbs, palette.0.len(), cell);
        let colors = match palette.0.len() {
            0 => vec![],
            count => dye::dye(&mut grown, &distances, count),
        };
        let mut patches: Vec<Patch> =
            palette.0.iter().map(|&rgba| Patch { rgba, ..Patch::default() }).collect();
        Patch::take(&mut patches, &grown, &colors);
        for (color, solid) in solids {
            Patch::take(&mut patches, &solid, &vec![color; solid.triangles.len()]);
        }
        patches.retain(|p| !p.triangles.is_empty());
        Skin { patches }
    }
}

impl Patch {
    /// The bodies that a vertex follows, and its weights as whole numbers whose sum is `one`; a body of weight 0 is given as the first.
    pub fn shares(&self, vertex: usize, one: u16) -> ([u16; 4], [u16; 4]) {
        let mut parts = self.weights[vertex].map(|w| libm::round(w * f64::from(one)) as u16);
        // the greatest weight takes what rounding left
        parts[0] = one - parts[1..].iter().fold(0, |sum: u16, w| sum.saturating_add(*w)).min(one);
        let mut bodies = [0; 4];
        for k in 0..4 {
            bodies[k] = if parts[k] > 0 { self.bodies[vertex][k] as u16 } else { 0 };
        }
        (bodies, parts)
    }

    /// Shares out the triangles of a mesh by their colours.
    fn take(patches: &mut [Patch], mesh: &Mesh, colors: &[usize]) {
        let mut place = vec![u32::MAX; mesh.vertices.len() * patches.len()];
        for (triangle, &color) in mesh.triangles.iter().zip(colors) {
            let patch = &mut patches[color];
            let corners = triangle.map(|v| {
                let place = &mut place[color * mesh.vertices.len() + v as usize];
                if *place == u32::MAX {
                    *place = patch.positions.len() as u32;
                    let vertex = &mesh.vertices[v as usize];
                    patch.positions.push(vertex.position);
                    patch.normals.push(vertex.normal);
                    patch.bodies.push(vertex.weights.0.map(|(body, _)| body));
                    patch.weights.push(vertex.weights.0.map(|(_, weight)| weight));
                }
                *place
            });
            patch.triangles.push(corners);
        }
    }
}

/// The linear value of a colour's sRGB value, both from 0 to 1.
pub fn linear(srgb: f32) -> f32 {
    let c = f64::from(srgb.clamp(0.0, 1.0));
    (if c <= 0.04045 { c / 12.92 } else { libm::pow((c + 0.055) / 1.055, 2.4) }) as f32
}

/// Colours in the order in which they are first seen.
#[derive(Default)]
struct Palette(Vec<[f32; 4]>);

impl Palette {
    fn color(&mut self, rgba: [f32; 4]) -> usize {
        self.0.iter().position(|known| *known == rgba).unwrap_or_else(|| {
            self.0.push(rgba);
            self.0.len() - 1
        })
    }
}

/// Parent and child of each joint between bodies with shapes, and where the joint is.
fn links(model: &Model, rest: &[Placement], dressed: &[(usize, Vec<Field>)]) -> Vec<(usize, usize, Vec3)> {
    let place = |body: usize| dressed.binary_search_by_key(&body, |(index, _)| *index).ok();
    let link = |(child, (body, _)): (usize, &(usize, Vec<Field>))| {
        let spec = &model.bodies()[*body];
        // bodies without shapes (a chain of hinges) are passed over
        let mut parent = spec.parent?;
        while place(parent).is_none() {
            parent = model.bodies()[parent].parent?;
        }
        let anchor = spec.joints.first().filter(|j| j.kind != JointKind::Free).map(|j| j.anchor);
        Some((place(parent)?, child, rest[*body].act(&anchor.unwrap_or_default())))
    };
    dressed.iter().enumerate().filter_map(link).collect()
}

/// Whether the grid would lose a shape: thinner than a cell, or a mere bump of it.
fn too_small(field: &Field, cell: f64) -> bool {
    field.radius < 0.6 * cell || (field.radius < 1.2 * cell && field.reach < 3.0 * cell)
}

fn is_round(shape: &Shape) -> bool {
    matches!(shape, Shape::Sphere { .. } | Shape::Capsule { .. } | Shape::Ellipsoid { .. })
}

/// Diagonal of the box around all shapes, m.
fn diagonal(model: &Model, rest: &[Placement]) -> f64 {
    let extent = |axis: Vec3| model.spec().extent(rest, &axis).map_or(0.0, |[low, high]| high - low);
    Vec3::new(extent(Vec3::x()), extent(Vec3::y()), extent(Vec3::z())).norm()
}
