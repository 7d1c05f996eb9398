//! Boxes along the axes of the world around shapes.

use super::vector::{axis, length};
use sinew_dynamics::Shape;
use sinew_dynamics::spatial::{Placement, Vec3};

/// An axis-aligned box around a shape.
///
/// ```
/// use sinew_dynamics::{Shape, spatial::{Placement, Vec3}};
/// use sinew_world::collide::Bounds;
/// let ball = Bounds::of(&Shape::Sphere { radius: 0.5 }, &Placement::identity());
/// assert_eq!(ball.high, Vec3::new(0.5, 0.5, 0.5));
/// assert!(ball.grown(0.1).meets(&Bounds { low: Vec3::repeat(0.55), high: Vec3::repeat(1.0) }));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Least coordinates, m.
    pub low: Vec3,
    /// Greatest coordinates, m.
    pub high: Vec3,
}

impl Bounds {
    /// Around nothing: joining anything gives that.
    pub const NOTHING: Bounds = Bounds {
        low: Vec3::new(f64::INFINITY, f64::INFINITY, f64::INFINITY),
        high: Vec3::new(f64::NEG_INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY),
    };

    /// Around a shape, as tight as the axes allow. A plane is a half-space, bounded only on top and only when level.
    #[inline]
    pub fn of(shape: &Shape, at: &Placement) -> Bounds {
        let reach = match shape {
            Shape::Plane { .. } => return Bounds::of_half_space(at),
            Shape::Sphere { radius } => Vec3::repeat(*radius),
            Shape::Capsule { radius, half } => axis(at, 2).abs() * *half + Vec3::repeat(*radius),
            Shape::Box { half } => {
                axis(at, 0).abs() * half.x + axis(at, 1).abs() * half.y + axis(at, 2).abs() * half.z
            }
            Shape::Ellipsoid { half } => {
                let row = |k: usize| {
                    length(&Vec3::new(
                        at.rot[(k, 0)] * half.x,
                        at.rot[(k, 1)] * half.y,
                        at.rot[(k, 2)] * half.z,
                    ))
                };
                Vec3::new(row(0), row(1), row(2))
            }
            Shape::Cylinder { radius, half } => {
                let along = axis(at, 2);
                along.map(|z| z.abs() * half + radius * (1.0 - z * z).max(0.0).sqrt())
            }
            Shape::Mesh { vertices, .. } => {
                let join = |b: Bounds, p: Vec3| Bounds { low: b.low.inf(&p), high: b.high.sup(&p) };
                return vertices.iter().map(|v| at.act(v)).fold(Bounds::NOTHING, join);
            }
        };
        Bounds { low: at.pos - reach, high: at.pos + reach }
    }

    fn of_half_space(at: &Placement) -> Bounds {
        let mut high = Vec3::repeat(f64::INFINITY);
        let normal = axis(at, 2);
        if normal == Vec3::z() {
            high.z = at.pos.z;
        }
        Bounds { low: Vec3::repeat(f64::NEG_INFINITY), high }
    }

    /// Larger by `by` (m) on all sides.
    #[inline]
    pub fn grown(&self, by: f64) -> Bounds {
        Bounds { low: self.low.add_scalar(-by), high: self.high.add_scalar(by) }
    }

    /// Around both.
    #[inline]
    pub fn joined(&self, other: &Bounds) -> Bounds {
        Bounds { low: self.low.inf(&other.low), high: self.high.sup(&other.high) }
    }

    /// Whether the two have a point in common; never with NaN.
    #[inline(always)]
    pub fn meets(&self, other: &Bounds) -> bool {
        // without branches, because the outcome of the comparisons is hard to predict
        (self.low.x <= other.high.x)
            & (other.low.x <= self.high.x)
            & (self.low.y <= other.high.y)
            & (other.low.y <= self.high.y)
            & (self.low.z <= other.high.z)
            & (other.low.z <= self.high.z)
    }
}
