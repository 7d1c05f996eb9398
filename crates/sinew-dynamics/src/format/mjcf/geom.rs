//! `<geom>`: shape, placement, and its share in the body's mass.
//!
//! Mass is the attribute `mass` when given, else volume times `density` (1000 kg/m³). Only geoms of bodies whose inertia
//! is computed from geoms, in the groups that count for it, have any.

use super::orientation::{self, Frame, orientation};
use super::settings::Compiler;
use super::value::Layers;
use super::{Reader, inertia};
use crate::format::FormatError;
use crate::spatial::{Inertia, Quat, Vec3};
use crate::{Geom, Shape};

/// Most vertices of all mesh geoms together.
const MAX_VERTICES: usize = 2_000_000;
/// Smallest volume that can carry a mass, m³.
const LEAST_VOLUME: f64 = 1e-14;

#[derive(Clone, Copy, PartialEq)]
enum Type {
    Plane,
    Sphere,
    Capsule,
    Ellipsoid,
    Cylinder,
    Box,
    Mesh,
    HeightField,
    Distance,
}

const TYPES: [(&str, Type); 9] = [
    ("plane", Type::Plane),
    ("sphere", Type::Sphere),
    ("capsule", Type::Capsule),
    ("ellipsoid", Type::Ellipsoid),
    ("cylinder", Type::Cylinder),
    ("box", Type::Box),
    ("mesh", Type::Mesh),
    ("hfield", Type::HeightField),
    ("sdf", Type::Distance),
];

impl Reader<'_, '_> {
    /// Reads a geom and, when `weighs`, its inertia in the body's frame. `None`: it is only for drawing and was left
    /// out.
    pub(super) fn geom(
        &mut self,
        at: &Layers<'_>,
        frame: Option<Frame>,
        weighs: bool,
    ) -> Result<Option<(Geom, Inertia)>, FormatError> {
        let node = at.element();
        let kind = at.word("type", &TYPES)?.unwrap_or(Type::Sphere);
        at.refuse_truth("shellinertia", "is not supported; geoms are solid")?;
        at.refuse_nonzero("adhesion", "is not supported")?;
        at.refuse_nonzero("surfacevel", "is not supported")?;

        // contact and colour
        let mut geom = Geom::new(Shape::Sphere { radius: 0.0 });
        geom.name = node.name().to_owned();
        geom.contype = at.integer("contype")?.unwrap_or(1) as u32;
        geom.conaffinity = at.integer("conaffinity")?.unwrap_or(1) as u32;
        self.friction(at, &mut geom)?;
        geom.rgba = self.colour(at)?;

        // what counts for mass
        let group = at.integer("group")?.unwrap_or(0);
        let [first, last] = self.compiler.inertia_groups;
        let mass = at.number("mass")?;
        let density = at.number("density")?.unwrap_or(1000.0);
        if mass.unwrap_or(0.0) < 0.0 || density < 0.0 {
            return Err(node.error("mass and density cannot be negative"));
        }
        let weighs = weighs && (first..=last).contains(&group) && mass.unwrap_or(density) != 0.0;

        // shapes for drawing alone may be of unsupported kinds, or in missing files
        let drawn_only = geom.contype == 0 && geom.conaffinity == 0 && !weighs;
        let out_of_reach = match kind {
            Type::Mesh => at.text("mesh").filter(|name| !self.meshes.is_inline(name)).map(|_| "a mesh"),
            Type::HeightField => Some("a height field"),
            Type::Distance => Some("a distance field"),
            _ => None,
        };
        if let Some(what) = out_of_reach.filter(|_| drawn_only) {
            let why = "it has neither collisions nor mass";
            self.notes.left_out(node, format!("<geom> with {what}"), why);
            return Ok(None);
        }
        if kind == Type::Mesh
            && !weighs
            && let Some(name) = at.text("mesh")
            && self.meshes.is_absent(name, &self.compiler, self.options)
        {
            let why = "its file is not there; nothing collides there";
            self.notes.left_out(node, "<geom> with a mesh", why);
            return Ok(None);
        }
        if kind != Type::Mesh && at.text("mesh").is_some() {
            return Err(node.error(
                "a shape fitted to a mesh is not supported; write type=\"mesh\", or give the shape's size",
            ));
        }
        let mut solid = None;
        (geom.shape, geom.pos, geom.quat) = match kind {
            Type::Mesh => {
                if at.text("fromto").is_some() {
                    return Err(node.error("fromto is for capsules, cylinders, boxes and ellipsoids"));
                }
                let (shape, inertia) = self.mesh_shape(at, weighs)?;
                solid = inertia;
                (shape, at.vector("pos")?.unwrap_or_default(), orientation(at, &self.compiler)?)
            }
            Type::HeightField => return Err(node.error("height fields are not supported")),
            Type::Distance => return Err(node.error("signed distance fields are not supported")),
            _ => primitive(at, kind, &self.compiler)?,
        };
        Frame { pos: geom.pos, quat: geom.quat } = Frame { pos: geom.pos, quat: geom.quat }.inside(frame);

        // mass and inertia, from those of the shape at its own volume
        let mut share = Inertia::ZERO;
        if weighs && kind != Type::Plane {
            let volume = solid.map_or_else(|| geom.shape.volume(), |s| s.mass);
            if mass.is_some() && !(volume > LEAST_VOLUME) {
                return Err(node.error(format!("its volume of {volume} m³ is too small to carry a mass")));
            }
            let mass = mass.unwrap_or(density * volume);
            share = match solid {
                Some(s) => Inertia { mass, ..inertia::scaled(&s, mass / volume) },
                None => geom.shape.solid(mass),
            }
            .placed(&geom.placement());
        }
        Ok(Some((geom, share)))
    }

    fn mesh_shape(&mut self, at: &Layers<'_>, weighs: bool) -> Result<(Shape, Option<Inertia>), FormatError> {
        let node = at.element();
        let name = at.text("mesh").ok_or_else(|| node.error("a mesh geom needs the attribute mesh"))?;
        let (vertices, solid) = self.meshes.get(name, node, weighs, &self.compiler, self.options)?;
        // every geom holds its own copy of the vertices
        self.mesh_vertices += vertices.len();
        if self.mesh_vertices > MAX_VERTICES {
            return Err(node.error(format!("the meshes of all geoms have more than {MAX_VERTICES} vertices")));
        }
        Ok((Shape::Mesh { name: name.to_owned(), vertices: vertices.to_vec() }, solid))
    }

    fn friction(&mut self, at: &Layers<'_>, geom: &mut Geom) -> Result<(), FormatError> {
        let mut friction = [1.0, 0.005, 0.0001];
        let given = at.overlay("friction", &mut friction)?;
        if friction[0] < 0.0 {
            return Err(at.element().error("friction cannot be negative"));
        }
        if let Some((node, _)) = at.find("friction").filter(|_| given > 1) {
            let what = "torsional and rolling friction";
            self.notes.left_out(node, what, "contacts have sliding friction only");
        }
        geom.friction = friction[0];
        Ok(())
    }

    /// The geom's own colour, else its material's.
    fn colour(&mut self, at: &Layers<'_>) -> Result<[f32; 4], FormatError> {
        let mut colour = at.numbers::<4>("rgba")?;
        if let (None, Some((node, name))) = (colour, at.find("material")) {
            match self.materials.get(name) {
                Some(material) => colour = *material,
                None => self.notes.left_out(node, format!("material \"{name}\""), "it is not defined"),
            }
        }
        Ok(colour.unwrap_or([0.5, 0.5, 0.5, 1.0]).map(|c| c as f32))
    }
}

/// Shape, position and orientation of everything but meshes.
fn primitive(at: &Layers<'_>, kind: Type, compiler: &Compiler) -> Result<(Shape, Vec3, Quat), FormatError> {
    let node = at.element();
    let mut size = [0.0; 3];
    at.overlay("size", &mut size)?;
    let (pos, quat) = match segment(at)? {
        None => (at.vector("pos")?.unwrap_or_default(), orientation(at, compiler)?),
        Some((middle, half, quat)) => {
            if !matches!(kind, Type::Capsule | Type::Cylinder | Type::Box | Type::Ellipsoid) {
                return Err(node.error("fromto is for capsules, cylinders, boxes and ellipsoids"));
            }
            // the segment takes the place of the length, which is the last size
            size = match kind {
                Type::Capsule | Type::Cylinder => [size[0], half, 0.0],
                _ => [size[0], size[0], half],
            };
            (middle, quat)
        }
    };
    let needs = match kind {
        Type::Sphere => 1,
        Type::Capsule | Type::Cylinder => 2,
        _ => 3,
    };
    // a plane's first two sizes may be 0, for infinite
    let positive = if kind == Type::Plane { 2..3 } else { 0..needs };
    if !size[positive].iter().all(|s| *s > 0.0) || size[..needs].iter().any(|s| *s < 0.0) {
        return Err(node.error(match kind {
            Type::Sphere => "a sphere needs a positive size: its radius",
            Type::Capsule => "a capsule needs positive sizes: radius, and half length unless fromto gives it",
            Type::Cylinder => {
                "a cylinder needs positive sizes: radius, and half length unless fromto gives it"
            }
            Type::Plane => {
                "a plane needs three sizes: two half sizes (0: infinite) and a positive grid spacing"
            }
            _ => "a box or ellipsoid needs three positive half sizes, or one and fromto",
        }));
    }
    let half = Vec3::from(size);
    let shape = match kind {
        Type::Plane => Shape::Plane { half: [size[0], size[1]] },
        Type::Sphere => Shape::Sphere { radius: size[0] },
        Type::Capsule => Shape::Capsule { radius: size[0], half: size[1] },
        Type::Cylinder => Shape::Cylinder { radius: size[0], half: size[1] },
        Type::Ellipsoid => Shape::Ellipsoid { half },
        _ => Shape::Box { half },
    };
    Ok((shape, pos, quat))
}

/// Middle, half length and orientation of a `fromto` segment; z runs from its second point to its first.
pub(super) fn segment(at: &Layers<'_>) -> Result<Option<(Vec3, f64, Quat)>, FormatError> {
    let Some([ax, ay, az, bx, by, bz]) = at.numbers("fromto")? else { return Ok(None) };
    let node = at.element();
    if at.vector("pos")?.is_some_and(|pos| pos != Vec3::zeros()) {
        return Err(node.error("pos and fromto are both given; one of them must go"));
    }
    let (a, b) = (Vec3::new(ax, ay, az), Vec3::new(bx, by, bz));
    let along = orientation::unit(a - b).ok_or_else(|| node.error("the points of fromto are too close"))?;
    Ok(Some(((a + b) * 0.5, (a - b).norm() * 0.5, orientation::along(&along))))
}
