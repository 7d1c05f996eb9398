//! What a page shows: parts with shapes, fixed terrain, and where everything is in each frame.
//!
//! A scene knows nothing of recordings or models; it is what the viewer page needs and no more. Quantities are in SI units and
//! world axes (z up). Frames are evenly spaced in time.

use serde::{Deserialize, Serialize};
use sinew::dynamics::spatial::{Placement, Vec3, rotation};

/// Origin and orientation: x, y, z, then the quaternion w, x, y, z.
pub(crate) type Pose = [f32; 7];

/// A run, ready to be drawn.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Scene {
    pub(crate) about: About,
    /// Bodies of the character, parents before children.
    pub(crate) bodies: Vec<Part>,
    /// Things that move besides the character.
    pub(crate) objects: Vec<Part>,
    /// What does not move.
    pub(crate) terrain: Vec<Shape>,
    pub(crate) frames: Frames,
}

/// What the page says of the run.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(crate) struct About {
    pub(crate) title: String,
    pub(crate) character: String,
    /// Mass of the character, kg.
    pub(crate) mass: f64,
    /// Size of gravity, m/s².
    pub(crate) gravity: f64,
    /// Time of the first frame, s.
    pub(crate) start: f64,
    /// Frames per second.
    pub(crate) rate: f64,
}

/// A rigid body with its shapes.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(crate) struct Part {
    pub(crate) name: String,
    /// Index of the body that carries this one.
    pub(crate) parent: Option<usize>,
    /// The part it plays, as in `foot_left`.
    pub(crate) role: Option<String>,
    /// `left`, `right` or nothing: it, or the body that carries it, plays a part on that side.
    pub(crate) side: Option<&'static str>,
    /// Centre of the joint to the parent, in the body's frame.
    pub(crate) anchor: [f32; 3],
    /// Placement when every joint is at its reference: where skin is grown.
    pub(crate) rest: Pose,
    pub(crate) shapes: Vec<Shape>,
}

/// A shape at a place of a body or of the world.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Shape {
    #[serde(flatten)]
    pub(crate) form: Form,
    #[serde(default = "origin")]
    pub(crate) at: Pose,
    /// Red, green, blue, opacity in 0..1; nothing: the page chooses.
    #[serde(default)]
    pub(crate) color: Option<[f32; 4]>,
}

/// The world's frame.
pub(crate) fn origin() -> Pose {
    [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]
}

/// The form of a shape; lengths in m.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(crate) enum Form {
    /// Half-space below z = 0; half sizes for drawing, 0: without end.
    Plane {
        half: [f32; 2],
    },
    Sphere {
        radius: f32,
    },
    /// Along z; `half` is half the length of the cylindrical part.
    Capsule {
        radius: f32,
        half: f32,
    },
    Box {
        half: [f32; 3],
    },
    Ellipsoid {
        half: [f32; 3],
    },
    /// Along z.
    Cylinder {
        radius: f32,
        half: f32,
    },
    /// Convex hull of points, three numbers each.
    Hull {
        points: Vec<f32>,
    },
    /// Heights over a grid centred at the shape's frame: `heights[j * columns + i]` is over `x_i, y_j`. Where it is
    /// endless the border goes on.
    Heightfield {
        columns: usize,
        rows: usize,
        half: [f32; 2],
        heights: Vec<f32>,
        #[serde(default)]
        endless: bool,
    },
}

/// Where everything is, frame by frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Frames {
    /// Bodies, then objects, of the first frame; then of the second, …
    pub(crate) poses: Vec<Pose>,
    /// Centre of mass of the character per frame.
    pub(crate) com: Vec<[f32; 3]>,
    pub(crate) contacts: Forces,
    /// Outside forces: pushes and pulls.
    pub(crate) pushes: Forces,
}

/// Forces on the character in every frame, in compressed rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Forces {
    /// Forces per frame.
    pub(crate) count: Vec<u32>,
    pub(crate) list: Vec<Force>,
}

/// A force at a point, world axes, N and m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Force {
    pub(crate) body: u32,
    pub(crate) point: [f32; 3],
    pub(crate) force: [f32; 3],
}

impl Forces {
    /// Appends a frame with these forces.
    pub(crate) fn push_frame(&mut self, forces: &[Force]) {
        self.count.push(forces.len() as u32);
        self.list.extend_from_slice(forces);
    }
}

/// Single-precision coordinates.
pub(crate) fn single(v: &Vec3) -> [f32; 3] {
    [v.x as f32, v.y as f32, v.z as f32]
}

/// A placement in single precision.
pub(crate) fn pose(at: &Placement) -> Pose {
    let (q, [x, y, z]) = (rotation::from_matrix(&at.rot), single(&at.pos));
    [x, y, z, q.w as f32, q.i as f32, q.j as f32, q.k as f32]
}
