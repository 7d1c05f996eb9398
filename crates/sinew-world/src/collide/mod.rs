//! Collision of primitive shapes: where two shapes touch, or come nearer than a margin.
//!
//! # What is computed
//! For two convex shapes `A` and `B` and a unit direction `n` let `gap(n) = min n·(a − b)` over all points `a` of `A`
//! and `b` of `B`. The **distance** of the shapes is the greatest gap over all directions, and the **normal** is the
//! direction where it is reached: from `B` towards `A`. When the shapes are apart this is the usual distance of the
//! nearest points; when they overlap it is minus the least translation that parts them. Moving `A` by
//! `−distance·normal` therefore always makes the shapes just touch.
//!
//! A **manifold** is a handful of points with one (nearly) common normal that stands for the whole patch of contact: the
//! corners of a sole, the two ends of a lying capsule. Each point has its own gap, and a feature number that stays the
//! same from step to step while the same corners, edges and faces meet, so that a solver can start from the forces of
//! the step before.
//!
//! # How
//! | pair | method |
//! | --- | --- |
//! | anything and plane | closed form: support point, ends, corners |
//! | sphere and sphere, capsule, box, cylinder | closed form: signed distance of the centre |
//! | sphere and ellipsoid | one-dimensional Newton iteration that rises monotonically to the root |
//! | capsule and capsule, box | closed form: piecewise quadratic minimum; separating axes when the axis pierces the box |
//! | box and box | separating axes, then the incident face clipped by the reference face |
//! | ellipsoid and capsule, box | the nearest feature of the straight shape, by trial |
//! | ellipsoid and ellipsoid | Newton's method for the direction |
//! | all other | GJK when the cores are apart, expanding polytope when they overlap, faces clipped |
//!
//! In the last row a shape is a core with a radius (capsule: segment; ellipsoid: the inner parallel body), so that
//! shallow overlaps of two rounded shapes do not need the expanding polytope. Two planes never touch. Nothing here
//! allocates, loops without bound, or fails: input that is not finite gives no touch.
//!
//! C. Ericson, *Real-Time Collision Detection* (2005), for segments and boxes; the other sources are in the modules.

mod bounds;
mod box_box;
mod broad;
mod capsule;
mod capsule_box;
mod convex;
mod ellipsoid;
mod ellipsoid_box;
mod ellipsoid_pair;
mod epa;
mod face;
mod gjk;
mod manifold;
mod plane;
mod point;
mod sphere;
mod spread;
mod support;
#[cfg(feature = "parry")]
mod trimesh;
mod vector;

/// Re-exported so that users of collisions need no other crate.
pub use sinew_dynamics::Shape;

pub use bounds::Bounds;
pub use broad::{BroadPhase, Group};
pub use manifold::{Manifold, Touch};
#[cfg(feature = "parry")]
pub use trimesh::{MeshError, MeshPartner, TriangleMesh};

pub(crate) use plane::{lowest, touch_plane};
pub(crate) use vector::tangents;

use sinew_dynamics::spatial::Placement;

/// Writes into `out` where two shapes touch or come nearer than `margin` (m); the previous content of `out` is lost.
///
/// `touch(a, b)` and `touch(b, a)` find the same points with opposite normals.
///
/// ```
/// use sinew_dynamics::spatial::{Placement, Vec3};
/// use sinew_world::collide::{Manifold, Shape, touch};
/// let foot = Shape::Box { half: Vec3::new(0.12, 0.05, 0.03) };
/// let ground = Shape::Plane { half: [0.0, 0.0] };
/// let mut at = Placement::identity();
/// at.pos.z = 0.029;
/// let mut found = Manifold::new();
/// touch(&foot, &at, &ground, &Placement::identity(), 0.01, &mut found);
/// assert_eq!(found.len(), 4);
/// assert!(found.iter().all(|t| t.normal == Vec3::z() && (t.distance + 0.001).abs() < 1e-15));
/// ```
pub fn touch(a: &Shape, at_a: &Placement, b: &Shape, at_b: &Placement, margin: f64, out: &mut Manifold) {
    out.clear();
    if first(b, a) {
        ordered(b, at_b, a, at_a, margin, out);
        out.mirror();
    } else {
        ordered(a, at_a, b, at_b, margin, out);
    }
}

/// The touches of two shapes in the order of [`first`].
#[inline(always)]
fn ordered(a: &Shape, at_a: &Placement, b: &Shape, at_b: &Placement, margin: f64, out: &mut Manifold) {
    match (a, b) {
        (Shape::Plane { .. }, Shape::Plane { .. }) => {}
        (_, Shape::Plane { .. }) => {
            let normal = vector::axis(at_b, 2);
            touch_plane(a, at_a, &normal, normal.dot(&at_b.pos), margin, out);
        }
        (Shape::Sphere { radius }, _) => sphere::against(*radius, &at_a.pos, b, at_b, margin, out),
        (Shape::Capsule { .. }, Shape::Capsule { .. }) => capsule::pair(a, at_a, b, at_b, margin, out),
        (Shape::Capsule { radius, half }, Shape::Box { half: box_half }) => {
            capsule_box::pair(*radius, *half, at_a, box_half, at_b, margin, out);
        }
        (Shape::Capsule { radius, half }, Shape::Ellipsoid { half: axes }) => {
            ellipsoid_box::capsule_pair(*radius, *half, at_a, axes, at_b, margin, out);
        }
        (Shape::Box { half: half_a }, Shape::Box { half: half_b }) => {
            if !box_box::pair(half_a, at_a, half_b, at_b, margin, out) {
                convex::pair(a, at_a, b, at_b, margin, out);
            }
        }
        (Shape::Box { half }, Shape::Ellipsoid { half: axes }) => {
            if !ellipsoid_box::box_pair(half, at_a, axes, at_b, margin, out) {
                convex::pair(a, at_a, b, at_b, margin, out);
            }
        }
        (Shape::Ellipsoid { half: half_a }, Shape::Ellipsoid { half: half_b }) => {
            ellipsoid_pair::pair(half_a, at_a, half_b, at_b, margin, out);
        }
        _ => convex::pair(a, at_a, b, at_b, margin, out),
    }
}

/// Whether `a` is taken before `b`: by kind, and of one kind the larger. Never both ways, and not by where they are.
fn first(a: &Shape, b: &Shape) -> bool {
    let (i, j) = (rank(a), rank(b));
    i < j || (i == j && i > 0 && support::size(a) > support::size(b))
}

/// The order in which shapes of different kinds are taken.
fn rank(shape: &Shape) -> u8 {
    match shape {
        Shape::Sphere { .. } => 0,
        Shape::Capsule { .. } => 1,
        Shape::Box { .. } => 2,
        Shape::Ellipsoid { .. } => 3,
        Shape::Cylinder { .. } => 4,
        Shape::Mesh { .. } => 5,
        Shape::Plane { .. } => 6,
    }
}
