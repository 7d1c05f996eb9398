//! Convex shapes as cores with a radius, known by their support points.
//!
//! The support point of a core in direction `d` is its point farthest along `d`. The shape is the core with a ball of
//! `radius` rolled around it: spheres have a point as core, capsules a segment. An ellipsoid contains, for every radius up
//! to its least radius of curvature `e_min²/e_max`, an inner parallel body that gives the ellipsoid back when the ball is
//! rolled around it; its support point is that of the ellipsoid less `radius·d/|d|`. Boxes, cylinders and meshes have sharp
//! edges and no radius.

use super::vector::{axis, into_frame, length};
use sinew_dynamics::Shape;
use sinew_dynamics::spatial::{Placement, Vec3};

/// The part of the least radius of curvature that is taken from an ellipsoid.
const ROUND: f64 = 0.9;

/// A convex shape, placed in world axes relative to an origin that both shapes of a pair share.
pub(super) struct Core<'a> {
    pub(super) shape: &'a Shape,
    pub(super) at: &'a Placement,
    /// Centre relative to the shared origin.
    pub(super) centre: Vec3,
    /// Radius of the ball around the core.
    pub(super) radius: f64,
}

impl<'a> Core<'a> {
    /// A shape in world axes, seen from `origin`.
    pub(super) fn new(shape: &'a Shape, at: &'a Placement, origin: &Vec3) -> Core<'a> {
        let radius = match shape {
            Shape::Sphere { radius } | Shape::Capsule { radius, .. } => *radius,
            Shape::Ellipsoid { half } if half.amax() > 0.0 => {
                let least = half.min().max(0.0);
                ROUND * least * least / half.amax()
            }
            _ => 0.0,
        };
        Core { shape, at, centre: at.pos - origin, radius }
    }

    /// The point of the core farthest along `dir`, which need not be of unit length.
    #[inline]
    pub(super) fn support(&self, dir: &Vec3) -> Vec3 {
        let at = self.at;
        match self.shape {
            Shape::Sphere { .. } => self.centre,
            Shape::Capsule { half, .. } => {
                let along = axis(at, 2);
                self.centre + along * half.copysign(along.dot(dir))
            }
            Shape::Box { half } => {
                let d = into_frame(at, dir);
                self.centre + at.rot * half.zip_map(&d, f64::copysign)
            }
            Shape::Ellipsoid { half } => {
                let stretched = into_frame(at, dir).component_mul(half);
                let (reach, size) = (length(&stretched), length(dir));
                if reach > 0.0 && size > 0.0 {
                    let p = at.rot * stretched.component_mul(half);
                    self.centre + p / reach - dir * (self.radius / size)
                } else {
                    self.centre
                }
            }
            Shape::Cylinder { radius, half } => {
                let d = into_frame(at, dir);
                let across = (d.x * d.x + d.y * d.y).sqrt();
                let k = if across > 0.0 { radius / across } else { 0.0 };
                self.centre + at.rot * Vec3::new(d.x * k, d.y * k, half.copysign(d.z))
            }
            Shape::Mesh { vertices, .. } => {
                let d = into_frame(at, dir);
                let (mut far, mut most) = (0, f64::NEG_INFINITY);
                for (index, v) in vertices.iter().enumerate() {
                    let along = d.dot(v);
                    if along > most {
                        (far, most) = (index, along);
                    }
                }
                vertices.get(far).map_or(self.centre, |v| self.centre + at.rot * v)
            }
            Shape::Plane { .. } => self.centre + at.rot * self.shape.support(&into_frame(at, dir)),
        }
    }

    /// The size of the shape.
    pub(super) fn size(&self) -> f64 {
        size(self.shape)
    }
}

/// A length that the shape does not exceed by much.
pub(super) fn size(shape: &Shape) -> f64 {
    match shape {
        Shape::Sphere { radius } => *radius,
        Shape::Capsule { radius, half } | Shape::Cylinder { radius, half } => radius + half,
        Shape::Box { half } | Shape::Ellipsoid { half } => half.amax(),
        Shape::Mesh { vertices, .. } => vertices.iter().fold(0.0, |size, v| v.amax().max(size)),
        Shape::Plane { half } => half[0].max(half[1]),
    }
}

/// A point `w` of the Minkowski difference `{a − b}` with the point of `B` that made it.
#[derive(Clone, Copy)]
pub(super) struct Difference {
    pub(super) w: Vec3,
    pub(super) b: Vec3,
}

impl Difference {
    pub(super) const ZERO: Difference =
        Difference { w: Vec3::new(0.0, 0.0, 0.0), b: Vec3::new(0.0, 0.0, 0.0) };

    /// The point of the difference of two cores farthest along `dir`.
    #[inline]
    pub(super) fn support(a: &Core<'_>, b: &Core<'_>, dir: &Vec3) -> Difference {
        let b = b.support(&-dir);
        Difference { w: a.support(dir) - b, b }
    }
}
