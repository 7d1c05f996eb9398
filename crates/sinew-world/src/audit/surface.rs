//! How far a point is from the surface of a shape.
//!
//! Signed distances in the shape's frame, negative inside. Exact for sphere, capsule, box and cylinder; for an ellipsoid to
//! first order near the surface, `k₀ (k₀ − 1)/k₁` with `k₀ = |p/h|`, `k₁ = |p/h²|`; a mesh counts as the box around its
//! corners, and anything inside that as on its surface.

use sinew_dynamics::spatial::Vec3;
use sinew_dynamics::{BodySpec, Shape};

/// Distance of a point (body's frame) from the nearest surface of the body's shapes; `None`: it has none that collide.
pub(super) fn distance(body: &BodySpec, point: &Vec3) -> Option<f64> {
    let from = |geom: &sinew_dynamics::Geom| {
        Some(signed(&geom.shape, &geom.placement().inverse().act(point))?.abs())
    };
    let collides = |geom: &&sinew_dynamics::Geom| geom.contype != 0 || geom.conaffinity != 0;
    body.geoms.iter().filter(collides).filter_map(from).min_by(f64::total_cmp)
}

fn signed(shape: &Shape, p: &Vec3) -> Option<f64> {
    let radial = libm::hypot(p.x, p.y);
    Some(match shape {
        Shape::Plane { .. } => return None,
        Shape::Sphere { radius } => p.norm() - radius,
        Shape::Capsule { radius, half } => libm::hypot(radial, (p.z.abs() - half).max(0.0)) - radius,
        Shape::Cylinder { radius, half } => corner(&[radial - radius, p.z.abs() - half]),
        Shape::Box { half } => corner((p.abs() - half).as_slice()),
        Shape::Ellipsoid { half } => {
            let (k0, k1) = (p.component_div(half).norm(), p.component_div(&half.component_mul(half)).norm());
            if k1 > 0.0 { k0 * (k0 - 1.0) / k1 } else { -half.min() }
        }
        Shape::Mesh { vertices, .. } => {
            let first = *vertices.first()?;
            let (low, high) = vertices.iter().fold((first, first), |(l, h), v| (l.inf(v), h.sup(v)));
            let (middle, half) = ((low + high) * 0.5, (high - low) * 0.5);
            corner(((p - middle).abs() - half).as_slice()).max(0.0)
        }
    })
}

/// Distance from a corner: each entry is how far the point is beyond one face.
fn corner(beyond: &[f64]) -> f64 {
    let outside: f64 = beyond.iter().map(|b| b.max(0.0) * b.max(0.0)).sum();
    let inside = beyond.iter().copied().fold(f64::NEG_INFINITY, f64::max).min(0.0);
    libm::sqrt(outside) + inside
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A point moved from the surface along the normal by δ is at distance δ.
    #[test]
    fn distances_along_the_normal() {
        let half = Vec3::new(0.3, 0.2, 0.1);
        let shapes = [
            Shape::Sphere { radius: 0.2 },
            Shape::Capsule { radius: 0.1, half: 0.3 },
            Shape::Cylinder { radius: 0.1, half: 0.3 },
            Shape::Box { half },
            Shape::Ellipsoid { half },
        ];
        for shape in &shapes {
            for dir in [Vec3::x(), -Vec3::y(), Vec3::z(), -Vec3::z()] {
                // the point farthest along a frame axis, on that axis where the shape is flat there
                let reach = shape.support(&dir).dot(&dir);
                for delta in [-1e-4, 0.0, 1e-4] {
                    let d = signed(shape, &(dir * (reach + delta))).expect("a distance");
                    assert!((d - delta).abs() < 1e-7, "{shape:?} {dir:?}: {d} for {delta}");
                }
            }
        }
        let from_edge = signed(&Shape::Box { half }, &Vec3::new(0.6, 0.6, 0.0)).expect("a distance");
        assert!((from_edge - 0.5).abs() < 1e-15);
    }
}
