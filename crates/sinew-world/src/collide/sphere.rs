//! A sphere against any shape: the signed distance of its centre, less its radius.

use super::manifold::Manifold;
use super::point::{self, Nearest};
use super::vector::{Segment, into_frame, length, unit_or};
use super::{convex, ellipsoid};
use sinew_dynamics::Shape;
use sinew_dynamics::spatial::{Placement, Vec3};

/// Appends the touch of a sphere with a shape `b`.
pub(super) fn against(
    radius: f64,
    centre: &Vec3,
    b: &Shape,
    at_b: &Placement,
    margin: f64,
    out: &mut Manifold,
) {
    // shapes without a frame of their own first
    let ball = |centre_b: &Vec3, radius_b: f64, out: &mut Manifold| {
        let off = centre - centre_b;
        let distance = length(&off) - radius - radius_b;
        if distance <= margin {
            let normal = unit_or(&off, &Vec3::z());
            out.add(centre_b + normal * radius_b, &normal, distance, margin, 0);
        }
    };
    let local = into_frame(at_b, &(centre - at_b.pos));
    let nearest = match b {
        Shape::Sphere { radius: radius_b } => return ball(&at_b.pos, *radius_b, out),
        Shape::Capsule { radius: radius_b, half } => {
            let segment = Segment::of_capsule(at_b, *half);
            let off = centre - segment.at(segment.nearest(centre));
            if length(&off) > 1e-150 {
                return ball(&segment.at(segment.nearest(centre)), *radius_b, out);
            }
            // on the axis: out at the side
            Nearest { distance: -radius_b, normal: Vec3::x(), on_surface: local + Vec3::x() * *radius_b }
        }
        Shape::Box { half } => point::of_box(&local, half),
        Shape::Cylinder { radius, half } => point::of_cylinder(&local, *radius, *half),
        Shape::Ellipsoid { half } => ellipsoid::nearest(&local, half),
        Shape::Mesh { .. } | Shape::Plane { .. } => {
            let at = Placement { rot: at_b.rot, pos: *centre };
            return convex::pair(&Shape::Sphere { radius }, &at, b, at_b, margin, out);
        }
    };
    let normal = at_b.rot * nearest.normal;
    out.add(at_b.act(&nearest.on_surface), &normal, nearest.distance - radius, margin, 0);
}
