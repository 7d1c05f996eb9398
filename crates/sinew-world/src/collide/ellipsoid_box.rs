//! An ellipsoid against a box or a capsule's axis: the feature of the straight shape that is nearest, by trial.
//!
//! In the frame of the box the ellipsoid has centre `c` and matrix `Q` (see [`super::ellipsoid_pair`]). Every feature of a
//! box leaves some coordinates free and fixes the others at `±h`:
//!
//! | feature | fixed | distance |
//! | --- | --- | --- |
//! | face | one, `k` | `\|c_k\| − h_k − √Q_kk`, at the point `c ∓ Q_k/√Q_kk` |
//! | edge | two | point and ellipse: the shadow of the ellipsoid along the edge has the block of `Q` as matrix |
//! | corner | three | point and ellipsoid |
//!
//! The answer is right when the point of contact lies within the free sides and the normal points away from the box on
//! the fixed ones. A free coordinate that leaves its side is fixed there, a fixed one with the wrong normal is freed; this
//! ends after one to three trials. Should it not, or is the overlap deep, the general method takes over. A capsule's axis is
//! a box with only one side.

use super::ellipsoid::nearest;
use super::ellipsoid_pair::matrix;
use super::manifold::Manifold;
use super::vector::{axis, clamp, into_frame, length, tangents, unit_or};
use sinew_dynamics::spatial::{Mat3, Placement, Vec3};

/// Most features tried.
const TRIALS: usize = 8;
/// Overlaps deeper than this part of the least half axis are left to the general method.
const DEEP: f64 = 0.5;

/// An ellipsoid in the frame of the other shape.
struct Seen<'a> {
    half: &'a Vec3,
    /// Its axes.
    axes: Mat3,
    c: Vec3,
    q: Mat3,
}

impl<'a> Seen<'a> {
    fn new(half: &'a Vec3, at: &Placement, from: &Placement) -> Seen<'a> {
        let axes = from.rot.tr_mul(&at.rot);
        let c = into_frame(from, &(at.pos - from.pos));
        let q = matrix(half, &Placement { rot: axes, pos: c });
        Seen { half, axes, c, q }
    }

    /// The point farthest along `n`.
    fn support(&self, n: &Vec3) -> Vec3 {
        let p = self.q * n;
        let reach = n.dot(&p).max(0.0).sqrt();
        if reach > 0.0 { self.c + p / reach } else { self.c }
    }

    /// Outward normal and distance of a point.
    fn of_point(&self, x: &Vec3) -> (Vec3, f64) {
        let found = nearest(&self.axes.tr_mul(&(x - self.c)), self.half);
        (self.axes * found.normal, found.distance)
    }

    /// Outward normal and distance of the line through `x` along a unit vector, seen along it.
    fn of_line(&self, x: &Vec3, s: &Vec3, t: &Vec3) -> (Vec3, f64) {
        let (qs, qt) = (self.q * s, self.q * t);
        let (ss, st, tt) = (s.dot(&qs), s.dot(&qt), t.dot(&qt));
        let off = x - self.c;
        let y = [s.dot(&off), t.dot(&off)];
        // the axes of the shadow: (cos, sin) is the direction of the longer one
        let (middle, difference) = (0.5 * (ss + tt), 0.5 * (ss - tt));
        let spread = (difference * difference + st * st).sqrt();
        let (long, short) = (middle + spread, middle - spread);
        let (cos, sin) = if spread > 1e-15 * middle {
            // the half angle of (difference, st), from whichever half has no cancellation
            let (x, y) =
                if difference >= 0.0 { (spread + difference, st) } else { (st, spread - difference) };
            let size = (x * x + y * y).sqrt();
            (x / size, y / size)
        } else {
            (1.0, 0.0)
        };
        let (u, v) = (cos * y[0] + sin * y[1], cos * y[1] - sin * y[0]);
        // an ellipsoid cut at its middle stands for the ellipse
        let short = if short < 0.0 { 0.0 } else { short };
        let axes = Vec3::new(long.sqrt(), short.sqrt(), long.sqrt());
        let found = nearest(&Vec3::new(u, v, 0.0), &axes);
        let (nu, nv) = (found.normal.x, found.normal.y);
        let n = s * (cos * nu - sin * nv) + t * (sin * nu + cos * nv);
        (unit_or(&n, s), found.distance)
    }
}

/// Appends the touch of a box (first) and an ellipsoid; `false` when the general method has to find it.
pub(super) fn box_pair(
    box_half: &Vec3,
    at_box: &Placement,
    half: &Vec3,
    at: &Placement,
    margin: f64,
    out: &mut Manifold,
) -> bool {
    let seen = Seen::new(half, at, at_box);
    let reach = Vec3::new(seen.q[(0, 0)].sqrt(), seen.q[(1, 1)].sqrt(), seen.q[(2, 2)].sqrt());
    let gaps = seen.c.abs() - box_half - reach;
    if !(gaps.x <= margin && gaps.y <= margin && gaps.z <= margin) {
        return true;
    }

    // begin with the best face, and the sides beyond which its point of contact lies
    let k = gaps.imax();
    let mut sides = [0.0; 3];
    sides[k] = 1.0_f64.copysign(seen.c[k]);
    for _ in 0..TRIALS {
        // the normal points out of the ellipsoid, towards the box
        let corner = Vec3::new(sides[0] * box_half.x, sides[1] * box_half.y, sides[2] * box_half.z);
        let fixed = sides.iter().filter(|s| **s != 0.0).count();
        let (n, distance) = match fixed {
            3 => seen.of_point(&corner),
            2 => {
                let free = sides.iter().position(|s| *s == 0.0).unwrap_or(0);
                let unit = |k: usize| Vec3::from_fn(|i, _| if i == k { 1.0 } else { 0.0 });
                seen.of_line(&corner, &unit((free + 1) % 3), &unit((free + 2) % 3))
            }
            1 => {
                let k = sides.iter().position(|s| *s != 0.0).unwrap_or(0);
                let n = Vec3::from_fn(|i, _| if i == k { -sides[i] } else { 0.0 });
                (n, sides[k] * seen.c[k] - box_half[k] - reach[k])
            }
            _ => return false,
        };

        // sides that the normal leaves by the wrong way are freed, coordinates beyond their side are fixed
        let on = seen.support(&n);
        let mut settled = true;
        for i in 0..3 {
            if sides[i] != 0.0 {
                if n[i] * sides[i] > 1e-9 {
                    (sides[i], settled) = (0.0, false);
                }
            } else if on[i].abs() > box_half[i] * (1.0 + 1e-12) {
                (sides[i], settled) = (1.0_f64.copysign(on[i]), false);
            }
        }
        if settled {
            // deep inside there are several ways out, and this need not be the shortest
            if distance < -DEEP * half.min().min(box_half.min()) {
                return false;
            }
            out.add(at_box.act(&on), &(at_box.rot * n), distance, margin, 0);
            return true;
        }
    }
    false
}

/// Appends the touch of a capsule (first) and an ellipsoid.
pub(super) fn capsule_pair(
    radius: f64,
    reach: f64,
    at_capsule: &Placement,
    half: &Vec3,
    at: &Placement,
    margin: f64,
    out: &mut Manifold,
) {
    let away = length(&(at.pos - at_capsule.pos));
    if !(away <= margin + radius + reach + half.amax()) {
        return;
    }
    // world axes, from the centre of the capsule
    let seen = Seen::new(half, at, &Placement { rot: Mat3::identity(), pos: at_capsule.pos });
    let along = axis(at_capsule, 2);
    let (s, t) = tangents(&along);
    let (mut n, mut distance) = seen.of_line(&Vec3::zeros(), &s, &t);
    if distance - radius > margin {
        return;
    }
    let mut on = seen.support(&n);
    let place = along.dot(&on);
    if !(place.abs() <= reach) {
        (n, distance) = seen.of_point(&(along * clamp(place, reach)));
        on = seen.support(&n);
    }
    out.add(at_capsule.pos + on, &n, distance - radius, margin, 0);
}
