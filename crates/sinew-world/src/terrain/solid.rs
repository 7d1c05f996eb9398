//! A half-space or a box of the terrain: what is inside, how far away, and its top under a vertical line.

use crate::collide::Bounds;
use sinew_dynamics::Shape;
use sinew_dynamics::spatial::{Placement, Vec3};

/// Cosine above which a direction counts as the normal of a face.
const ALIGNED: f64 = 1.0 - 1e-9;
/// Points nearer than this to two faces are on their edge, m.
const EDGE: f64 = 1e-5;
/// Rounding between pieces that are meant to join leaves no slit, m.
pub(super) const SEAM: f64 = 1e-9;

/// A convex part of a piece.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Solid {
    /// Index of the piece it belongs to.
    pub(super) piece: usize,
    pub(super) shape: Shape,
    pub(super) at: Placement,
    pub(super) bounds: Bounds,
}

/// The top of a solid under a vertical line: height and normal.
pub(super) type Top = (f64, Vec3);

impl Solid {
    pub(super) fn half_space(piece: usize, at: Placement) -> Solid {
        Solid::new(piece, Shape::Plane { half: [0.0, 0.0] }, at)
    }

    pub(super) fn block(piece: usize, half: Vec3, at: Placement) -> Solid {
        Solid::new(piece, Shape::Box { half }, at)
    }

    fn new(piece: usize, shape: Shape, at: Placement) -> Solid {
        let bounds = Bounds::of(&shape, &at);
        Solid { piece, shape, at, bounds }
    }

    /// Signed distance of a point to the solid's surface.
    pub(super) fn distance(&self, p: &Vec3) -> f64 {
        let local = self.at.rot.tr_mul(&(p - self.at.pos));
        let Shape::Box { half } = &self.shape else { return local.z };
        let off = local.abs() - half;
        off.map(|x| x.max(0.0)).norm_squared().sqrt() + off.max().min(0.0)
    }

    /// Whether everything within the bounds is outside of a half-space; never said of blocks.
    pub(super) fn is_beyond(&self, bounds: &Bounds) -> bool {
        let Shape::Plane { .. } = &self.shape else { return false };
        let normal = self.at.rot.column(2);
        let least = |k: usize| (normal[k] * bounds.low[k]).min(normal[k] * bounds.high[k]);
        least(0) + least(1) + least(2) > normal.dot(&self.at.pos)
    }

    /// Whether a point of the surface lies on an edge; a half-space has none.
    pub(super) fn on_edge(&self, p: &Vec3) -> bool {
        let Shape::Box { half } = &self.shape else { return false };
        let off = self.at.rot.tr_mul(&(p - self.at.pos)).abs() - half;
        off.iter().filter(|x| x.abs() < EDGE).count() >= 2
    }

    /// The shortest way out for a point inside: depth and normal of the face, of those that do not look against `n`.
    pub(super) fn way_out(&self, p: &Vec3, n: &Vec3) -> Option<(f64, Vec3)> {
        let local = self.at.rot.tr_mul(&(p - self.at.pos));
        let against = |normal: &Vec3| normal.dot(n) < -0.7;
        let Shape::Box { half } = &self.shape else {
            let normal = self.at.rot.column(2).into_owned();
            return (!against(&normal)).then_some((-local.z, normal));
        };
        let mut best: Option<(f64, Vec3)> = None;
        for k in 0..3 {
            let axis = self.at.rot.column(k).into_owned();
            for (depth, normal) in [(half[k] - local[k], axis), (half[k] + local[k], -axis)] {
                if best.is_none_or(|(least, _)| depth < least) && !against(&normal) {
                    best = Some((depth, normal));
                }
            }
        }
        best
    }

    /// Whether a unit vector is the normal of one of the faces.
    pub(super) fn has_face(&self, n: &Vec3) -> bool {
        let local = self.at.rot.tr_mul(n);
        match &self.shape {
            Shape::Box { .. } => local.amax() > ALIGNED,
            _ => local.z > ALIGNED,
        }
    }

    /// Where the vertical line through `x`, `y` enters from above.
    pub(super) fn top(&self, x: f64, y: f64) -> Option<Top> {
        // the line is o + z·d in the frame of the solid
        let o = self.at.rot.tr_mul(&(Vec3::new(x, y, 0.0) - self.at.pos));
        let d = self.at.rot.row(2).transpose();
        let Shape::Box { half } = &self.shape else {
            return Some((-o.z / d.z, self.at.rot.column(2).into_owned()));
        };
        let (mut low, mut high, mut face) = (f64::NEG_INFINITY, f64::INFINITY, 2);
        for k in 0..3 {
            if d[k].abs() < 1e-12 {
                if o[k].abs() > half[k] + SEAM {
                    return None;
                }
                continue;
            }
            let (s, t) = ((-half[k] - o[k]) / d[k], (half[k] - o[k]) / d[k]);
            low = low.max(s.min(t));
            if s.max(t) < high {
                (high, face) = (s.max(t), k);
            }
        }
        let normal = self.at.rot.column(face) * 1.0_f64.copysign(d[face]);
        (low <= high + SEAM).then_some((high, normal))
    }
}
