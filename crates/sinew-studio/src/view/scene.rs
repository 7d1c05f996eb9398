//! The content of a page: parts with shapes, fixed terrain, and all placements in each frame.
//!
//! A scene is independent of recordings and models; it holds exactly what the viewer page needs. Quantities are in SI units and
//! world axes (z up). Frames are evenly spaced in time.

use super::skin::DrawnSkin;
use serde::{Deserialize, Serialize};
use sinew::dynamics::spatial::{Placement, Vec3, rotation};

/// Origin and orientation: x, y, z, then the quaternion w, x, y, z.
pub type Pose = [f32; 7];

/// A run, ready to be drawn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scene {
    /// Its description.
    pub about: About,
    /// Bodies of the character, parents before children.
    pub bodies: Vec<Part>,
    /// Moving objects besides the character.
    pub objects: Vec<Part>,
    /// What bodies and objects wear.
    pub skin: DrawnSkin,
    /// Fixed shapes.
    pub terrain: Vec<Shape>,
    /// Placements over time.
    pub frames: Frames,
}

/// The description of the run on the page.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct About {
    /// What it is called.
    pub title: String,
    /// Name of the character.
    pub character: String,
    /// Mass of the character, kg.
    pub mass: f64,
    /// Size of gravity, m/s².
    pub gravity: f64,
    /// Time of the first frame, s.
    pub start: f64,
    /// Frames per second.
    pub rate: f64,
}

/// A rigid body with its shapes.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Part {
    /// Name of the body.
    pub name: String,
    /// Index of the body that carries this one.
    pub parent: Option<usize>,
    /// The part it plays, as in `foot_left`.
    pub role: Option<String>,
    /// `left`, `right` or nothing: it, or the body that carries it, plays a part on that side.
    pub side: Option<&'static str>,
    /// Placement when every joint is at its reference: where skin is grown.
    pub rest: Pose,
    /// What it is made of.
    pub shapes: Vec<Shape>,
}

/// A shape at a place of a body or of the world.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Shape {
    /// Its form and sizes.
    #[serde(flatten)]
    pub form: Form,
    /// Its place in the body or in the world.
    #[serde(default = "origin")]
    pub at: Pose,
    /// Red, green, blue (linear) and opacity in 0..1; nothing: the page chooses.
    #[serde(default)]
    pub color: Option<[f32; 4]>,
}

/// The world's frame.
pub fn origin() -> Pose {
    [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]
}

/// The form of a shape; lengths in m.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Form {
    /// Half-space below z = 0; half sizes for drawing, 0: without end.
    Plane {
        /// Half sizes.
        half: [f32; 2],
    },
    /// A ball.
    Sphere {
        /// Radius.
        radius: f32,
    },
    /// Along z.
    Capsule {
        /// Radius.
        radius: f32,
        /// Half the length of the cylindrical part.
        half: f32,
    },
    /// A box.
    Box {
        /// Half sizes.
        half: [f32; 3],
    },
    /// An ellipsoid.
    Ellipsoid {
        /// Half axes.
        half: [f32; 3],
    },
    /// Along z.
    Cylinder {
        /// Radius.
        radius: f32,
        /// Half its length.
        half: f32,
    },
    /// Convex hull of points.
    Hull {
        /// Three numbers each.
        points: Vec<f32>,
    },
    /// Heights over a grid centred at the shape's frame: `heights[j * columns + i]` is over `x_i, y_j`.
    Heightfield {
        /// Points along x.
        columns: usize,
        /// Points along y.
        rows: usize,
        /// Half sizes.
        half: [f32; 2],
        /// Row by row.
        heights: Vec<f32>,
        /// Whether the heights at the border continue without end.
        #[serde(default)]
        endless: bool,
    },
}

/// Placements, frame by frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Frames {
    /// Bodies, then objects, of the first frame; then of the second, …
    pub poses: Vec<Pose>,
    /// Centre of mass of the character per frame.
    pub com: Vec<[f32; 3]>,
    /// Greatest share of a torque limit at each body's joints, all bodies of the first frame, then of the second, …
    pub efforts: Vec<f32>,
    /// Contact forces.
    pub contacts: Forces,
    /// Outside forces: pushes and pulls.
    pub pushes: Forces,
}

/// Forces on the character in every frame, in compressed rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Forces {
    /// Forces per frame.
    pub count: Vec<u32>,
    /// All forces, frame after frame.
    pub list: Vec<Force>,
}

/// A force at a point, world axes, N and m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Force {
    /// Index of the body.
    pub body: u32,
    /// Where, m.
    pub point: [f32; 3],
    /// N.
    pub force: [f32; 3],
}

impl Forces {
    /// Appends a frame with these forces.
    pub fn push_frame(&mut self, forces: &[Force]) {
        self.count.push(forces.len() as u32);
        self.list.extend_from_slice(forces);
    }
}

/// Single-precision coordinates.
pub fn single(v: &Vec3) -> [f32; 3] {
    [v.x as f32, v.y as f32, v.z as f32]
}

/// A placement in single precision.
pub fn pose(at: &Placement) -> Pose {
    let (q, [x, y, z]) = (rotation::from_matrix(&at.rot), single(&at.pos));
    [x, y, z, q.w as f32, q.i as f32, q.j as f32, q.k as f32]
}
