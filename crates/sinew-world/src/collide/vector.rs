//! Small helpers on three-vectors and segments.

use sinew_dynamics::spatial::{Placement, Vec3};

/// Length of a vector.
#[inline(always)]
pub(super) fn length(v: &Vec3) -> f64 {
    v.norm_squared().sqrt()
}

/// An axis of a frame, in world axes.
#[inline(always)]
pub(super) fn axis(at: &Placement, k: usize) -> Vec3 {
    Vec3::new(at.rot[(0, k)], at.rot[(1, k)], at.rot[(2, k)])
}

/// A vector of world axes in the axes of a frame.
#[inline(always)]
pub(super) fn into_frame(at: &Placement, v: &Vec3) -> Vec3 {
    Vec3::new(axis(at, 0).dot(v), axis(at, 1).dot(v), axis(at, 2).dot(v))
}

/// The unit vector along `v`; `otherwise` when `v` has no length. NaN stays NaN.
#[inline]
pub(super) fn unit_or(v: &Vec3, otherwise: &Vec3) -> Vec3 {
    let n = length(v);
    if n <= 1e-150 { *otherwise } else { v / n }
}

/// Some unit vector perpendicular to the unit vector `n`.
pub(super) fn perpendicular(n: &Vec3) -> Vec3 {
    tangents(n).0
}

/// Two unit vectors that make a right-handed frame with the unit vector `n` as its third axis.
///
/// T. Duff et al., *Building an orthonormal basis, revisited*, JCGT 6 (2017).
#[inline]
pub(crate) fn tangents(n: &Vec3) -> (Vec3, Vec3) {
    let sign = 1.0_f64.copysign(n.z);
    let a = -1.0 / (sign + n.z);
    let b = n.x * n.y * a;
    (Vec3::new(1.0 + sign * n.x * n.x * a, sign * b, -sign * n.x), Vec3::new(b, sign + n.y * n.y * a, -n.y))
}

/// A segment: points `centre + s·along` with `|s| ≤ half` and `along` of unit length.
#[derive(Clone, Copy)]
pub(super) struct Segment {
    pub(super) centre: Vec3,
    pub(super) along: Vec3,
    pub(super) half: f64,
}

impl Segment {
    /// The axis of a capsule.
    #[inline(always)]
    pub(super) fn of_capsule(at: &Placement, half: f64) -> Segment {
        Segment { centre: at.pos, along: axis(at, 2), half }
    }

    /// The point at `s`.
    #[inline(always)]
    pub(super) fn at(&self, s: f64) -> Vec3 {
        self.centre + self.along * s
    }

    /// Where the point nearest to `p` is.
    #[inline(always)]
    pub(super) fn nearest(&self, p: &Vec3) -> f64 {
        clamp(self.along.dot(&(p - self.centre)), self.half)
    }
}

/// The number nearest to `x` in `[−half, half]`.
#[inline(always)]
pub(super) fn clamp(x: f64, half: f64) -> f64 {
    x.max(-half).min(half)
}

/// Where the nearest points of two segments are on each.
///
/// The squared distance is a convex quadratic in both parameters. The unconstrained minimum is clamped to the first
/// segment, the answer on the second is clamped, and the first is corrected for that. Near-parallel segments lose the
/// digits of the determinant, so that the four ends compete as well.
pub(super) fn nearest_of_segments(a: &Segment, b: &Segment) -> (f64, f64) {
    let r = a.centre - b.centre;
    let c = a.along.dot(&b.along);
    let (on_a, on_b) = (a.along.dot(&r), b.along.dot(&r));
    let det = 1.0 - c * c;
    let free = if det > 1e-14 { (c * on_b - on_a) / det } else { 0.0 };
    let t = clamp(c * clamp(free, a.half) + on_b, b.half);
    let s = clamp(c * t - on_a, a.half);
    if det > 1e-6 {
        return (s, t);
    }
    let mut best = (s, t);
    let mut least = (a.at(s) - b.at(t)).norm_squared();
    for k in 0..4 {
        let end = if k % 2 == 0 { 1.0 } else { -1.0 };
        let (s, t) = if k < 2 {
            let s = end * a.half;
            (s, b.nearest(&a.at(s)))
        } else {
            let t = end * b.half;
            (a.nearest(&b.at(t)), t)
        };
        let d = (a.at(s) - b.at(t)).norm_squared();
        if d < least {
            (best, least) = ((s, t), d);
        }
    }
    best
}
