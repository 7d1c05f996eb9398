//! Signed distance to a shape: negative inside, zero on the surface, m.
//!
//! A skin is the zero surface of such a field. The distance to an ellipsoid is of first order: exact on the surface, with the right
//! gradient there. Boxes are cushions: faces stay where they are, the outline across the thinnest side is rounded much, edges little.

use sinew_dynamics::spatial::{Placement, Vec3};
use sinew_dynamics::{Geom, Shape};

/// Width of the smooth union with the other shapes of the body, as a part of the radius.
const BLEND: f64 = 0.7;
/// For shapes that nearly coincide with another and must not swell it.
const TIGHT: f64 = 0.15;

/// A shape as a distance field, in the world with the character in its reference placement.
#[derive(Clone, Debug)]
pub(super) struct Field {
    form: Form,
    /// The world seen from the form.
    into: Placement,
    /// Smallest half size: how thick it is.
    pub(super) radius: f64,
    /// Width of the smooth union with the other shapes of the body, as a part of the radius.
    pub(super) blend: f64,
    /// Its middle, and a ball about it that holds the shape.
    pub(super) center: Vec3,
    pub(super) reach: f64,
    /// Index of its colour.
    pub(super) color: usize,
}

#[derive(Clone, Debug)]
enum Form {
    /// Round ends at `from` and `from + along`.
    Rod {
        from: Vec3,
        along: Vec3,
        radius: f64,
    },
    Cylinder {
        radius: f64,
        half: f64,
        round: f64,
    },
    Ellipsoid {
        half: Vec3,
    },
    /// Half sizes without the rounding, of the longest, the second and the thinnest axis; `order` says which those are.
    Cushion {
        order: [usize; 3],
        flat: [f64; 3],
        outline: f64,
        edge: f64,
    },
}

impl Field {
    /// The field of a shape on a body at `rest`; none for planes and hulls.
    pub(super) fn of(geom: &Geom, rest: &Placement, color: usize) -> Option<Field> {
        let z = |half: f64| Vec3::new(0.0, 0.0, half);
        let (form, radius, reach) = match geom.shape {
            Shape::Plane { .. } | Shape::Mesh { .. } => return None,
            Shape::Sphere { radius } => {
                (Form::Rod { from: Vec3::zeros(), along: Vec3::zeros(), radius }, radius, radius)
            }
            Shape::Capsule { radius, half } => {
                (Form::Rod { from: z(-half), along: z(2.0 * half), radius }, radius, radius + half)
            }
            Shape::Cylinder { radius, half } => {
                let thin = radius.min(half);
                (Form::Cylinder { radius, half, round: 0.4 * thin }, thin, libm::hypot(radius, half))
            }
            Shape::Ellipsoid { half } => (Form::Ellipsoid { half }, half.min(), half.max()),
            Shape::Box { half } => (cushion(&half), half.min(), half.norm()),
        };
        let at = *rest * geom.placement();
        Some(Field { form, into: at.inverse(), radius, blend: BLEND, center: at.pos, reach, color })
    }

    /// A rod with round ends between two points of the world, which no shape of the model stands for.
    pub(super) fn rod(from: Vec3, to: Vec3, radius: f64, blend: f64, color: usize) -> Field {
        let along = to - from;
        let (center, reach) = (from + along * 0.5, radius + 0.5 * along.norm());
        let form = Form::Rod { from, along, radius };
        Field { form, into: Placement::identity(), radius, blend, center, reach, color }
    }

    /// A ball about a point of the world.
    pub(super) fn ball(center: Vec3, radius: f64, color: usize) -> Field {
        Field::rod(center, center, radius, TIGHT, color)
    }

    /// The same shape, which does not swell what it nearly coincides with.
    pub(super) fn tight(self) -> Field {
        Field { blend: TIGHT, ..self }
    }

    /// From a point of the world to the surface.
    pub(super) fn distance(&self, point: &Vec3) -> f64 {
        let p = self.into.act(point);
        match &self.form {
            Form::Rod { from, along, radius } => {
                let (off, square) = (p - from, along.norm_squared());
                let part = if square > 0.0 { (off.dot(along) / square).clamp(0.0, 1.0) } else { 0.0 };
                (off - along * part).norm() - radius
            }
            Form::Cylinder { radius, half, round } => {
                corner((p.x * p.x + p.y * p.y).sqrt() - radius + round, p.z.abs() - half + round) - round
            }
            Form::Ellipsoid { half } => {
                let scaled = p.component_div(half);
                let (k0, k1) = (scaled.norm(), scaled.component_div(half).norm());
                if k1 > 1e-9 { k0 * (k0 - 1.0) / k1 } else { -half.min() }
            }
            Form::Cushion { order: [i, j, k], flat, outline, edge } => {
                let across = corner(p[*i].abs() - flat[0], p[*j].abs() - flat[1]) - outline;
                corner(across, p[*k].abs() - flat[2]) - edge
            }
        }
    }
}

fn cushion(half: &Vec3) -> Form {
    let mut order = [0, 1, 2];
    order.sort_by(|&a, &b| half[b].total_cmp(&half[a]));
    let [long, wide, thin] = order.map(|i| half[i]);
    let edge = 0.6 * thin;
    let outline = f64::max(edge, 0.8 * wide) - edge;
    let flat = [long - edge - outline, wide - edge - outline, thin - edge];
    Form::Cushion { order, flat, outline, edge }
}

/// Distance to the corner that two half-planes at distances `u` and `v` make.
fn corner(u: f64, v: f64) -> f64 {
    let (a, b) = (u.max(0.0), v.max(0.0));
    u.max(v).min(0.0) + (a * a + b * b).sqrt()
}

/// Union of two surfaces, joined smoothly over the width `k` (Quilez, "Smooth minimum"): never greater than the lesser
/// distance, and equal to it where the distances differ by more than `k`.
pub(super) fn smooth_min(a: f64, b: f64, k: f64) -> f64 {
    let h = (1.0 - (a - b).abs() / k).max(0.0);
    a.min(b) - 0.25 * k * h * h
}

#[cfg(test)]
mod tests {
    use super::*;

    /// On the surface the distance is zero, and along the normal it grows like the length.
    #[test]
    fn distances_are_right_at_the_surface() {
        let half = Vec3::new(0.3, 0.2, 0.1);
        let shapes = [
            Shape::Sphere { radius: 0.2 },
            Shape::Capsule { radius: 0.1, half: 0.3 },
            Shape::Ellipsoid { half },
        ];
        for shape in shapes {
            let mut geom = Geom::new(shape);
            geom.pos = Vec3::new(0.1, -0.2, 0.3);
            let field = Field::of(&geom, &Placement::identity(), 0).unwrap();
            for dir in [Vec3::x(), Vec3::new(0.36, 0.48, 0.8), Vec3::new(-0.6, 0.0, -0.8)] {
                let on = geom.support(&dir);
                assert!(field.distance(&on).abs() < 1e-12);
                assert!((field.distance(&(on + dir * 1e-6)) - 1e-6).abs() < 1e-10);
            }
        }
        let faces = Field::of(&Geom::new(Shape::Box { half }), &Placement::identity(), 0).unwrap();
        assert!((0..3).all(|k| faces.distance(&(Vec3::ith(k, half[k]))).abs() < 1e-15));
    }

    #[test]
    fn a_smooth_union_touches_both() {
        assert_eq!(smooth_min(0.0, 1.0, 0.5), 0.0);
        assert_eq!(smooth_min(0.2, 0.2, 0.4), 0.1);
    }
}
