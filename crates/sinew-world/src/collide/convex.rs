//! Any two convex shapes: distance or depth of the cores, then the patch of the features that face each other.
//!
//! The cores' distance comes from [`gjk`]; when they overlap, their depth from [`epa`]. The radii of the cores are then
//! taken off. That gives the normal and one pair of nearest points, which is all for round shapes; shapes with faces and
//! edges across the normal get the corners of the patch they share, and the nearest points besides when no corner is as
//! deep (feature [`NEAREST`]).

use super::epa;
use super::face::{Feature, patch};
use super::gjk::{self, Gap};
use super::manifold::Manifold;
use super::support::Core;
use sinew_dynamics::Shape;
use sinew_dynamics::spatial::Placement;

/// Feature number of the nearest points.
const NEAREST: u32 = 0;

/// Appends the touches of two convex shapes.
pub(super) fn pair(
    a: &Shape,
    at_a: &Placement,
    b: &Shape,
    at_b: &Placement,
    margin: f64,
    out: &mut Manifold,
) {
    // a mesh without corners touches nothing
    let nothing = |shape: &Shape| matches!(shape, Shape::Mesh { vertices, .. } if vertices.is_empty());
    let finite = (at_a.rot.sum() + at_a.pos.sum() + at_b.rot.sum() + at_b.pos.sum()).is_finite();
    if nothing(a) || nothing(b) || !finite {
        return;
    }
    let origin = at_a.pos;
    let (core_a, core_b) = (Core::new(a, at_a, &origin), Core::new(b, at_b, &origin));
    let round = core_a.radius + core_b.radius;
    let scale = core_a.size() + core_b.size();
    let (normal, least, on_b) = match gjk::distance(&core_a, &core_b, margin + round, scale) {
        Gap::Far => return,
        Gap::Apart { normal, distance, b } => (normal, distance - round, b + normal * core_b.radius),
        Gap::Overlap { towards } => {
            let found = epa::depth(&core_a, &core_b, &towards, scale);
            (found.normal, -found.depth - round, found.b + found.normal * core_b.radius)
        }
    };
    if !(least <= margin) {
        return;
    }

    let shared =
        patch(&Feature::looking(&core_a, &-normal), &Feature::looking(&core_b, &normal), &normal, margin);
    let points = &shared.points[..shared.len];
    let lowest = points.iter().fold(f64::INFINITY, |low, p| low.min(p.gap));
    if lowest > least + 1e-9 * scale {
        out.add(origin + on_b, &normal, least, margin, NEAREST);
    }
    for p in points {
        out.add(origin + p.on_b, &normal, p.gap, margin, p.name.wrapping_add(1));
    }
}
