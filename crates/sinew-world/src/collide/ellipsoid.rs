//! The point of an ellipsoid nearest to a given point.
//!
//! With half axes `e` and the point `y` moved to the octant `y ≥ 0`, the nearest point is `x_i = e_i² y_i / (t + e_i²)`
//! where `t` is the largest root of
//!
//! ```text
//! F(t) = Σ (e_i y_i / (t + e_i²))² − 1,   t > −e_min²
//! ```
//!
//! `F` falls and is convex there, so that Newton's iteration from the left of the root rises to it without overshoot. The
//! start `t₀ = max(−e_i² + e_i y_i)` makes every term at most 1, so that `F(t₀) ≤ 2` and a handful of steps are enough.
//! The unknown is `s = t + e_min²`, in which nothing cancels near the middle plane. When `y` lies in that plane, deep
//! inside, there may be no root: the nearest point is then off the plane, straight from the equation of the ellipsoid.
//!
//! D. Eberly, *Distance from a point to an ellipse, an ellipsoid, or a hyperellipsoid* (Geometric Tools, 2013) has the case
//! analysis; the start and the iteration are different.

use super::point::Nearest;
use super::vector::unit_or;
use sinew_dynamics::spatial::Vec3;

/// Most Newton steps; the iteration ends by itself after 4 to 8.
const STEPS: usize = 64;
/// Half axes count as at least this part of the longest one.
const THINNEST: f64 = 1e-9;

/// Signed distance of a point to an ellipsoid with these half axes.
pub(super) fn nearest(p: &Vec3, half: &Vec3) -> Nearest {
    let longest = half.amax();
    if half.sum().is_nan() {
        return Nearest { distance: f64::NAN, normal: Vec3::z(), on_surface: *p };
    }
    if !(longest > 0.0) {
        return super::point::of_ball(p, 0.0);
    }
    let e = half.map(|h| h.max(THINNEST * longest));
    let y = p.abs();
    let m = e.imin();

    // distances of the other poles from that of the shortest axis, without cancellation
    let lead = e.map(|h| (h - e[m]) * (h + e[m]));
    let ey = e.component_mul(&y);
    let mut s = f64::NEG_INFINITY;
    for i in 0..3 {
        s = s.max(ey[i] - lead[i]);
    }
    let sum = |s: f64| {
        let (mut f, mut df) = (-1.0, 0.0);
        for i in 0..3 {
            // 0/0 stands for an axis on which the point has no coordinate
            if ey[i] > 0.0 {
                let inverse = 1.0 / (s + lead[i]);
                let square = ey[i] * inverse * (ey[i] * inverse);
                f += square;
                df -= 2.0 * square * inverse;
            }
        }
        (f, df)
    };

    let mut x = Vec3::zeros();
    if s <= 0.0 && sum(0.0).0 <= 0.0 {
        // in the middle plane and deep inside: off the plane by what is left
        let mut left = 1.0;
        for i in 0..3 {
            if lead[i] > 0.0 {
                x[i] = e[i] * e[i] * y[i] / lead[i];
                left -= (x[i] / e[i]) * (x[i] / e[i]);
            }
        }
        x[m] = e[m] * left.max(0.0).sqrt();
    } else {
        s = s.max(0.0);
        for _ in 0..STEPS {
            let (f, df) = sum(s);
            let step = -f / df;
            // the iteration rises; rounding is all that is left when it does not
            if !(step > 1e-15 * s) {
                break;
            }
            s += step;
        }
        for i in 0..3 {
            x[i] = if ey[i] > 0.0 { e[i] * (ey[i] / (s + lead[i])) } else { 0.0 };
        }
    }

    // back to the octant of the point; the gradient of the ellipsoid's equation is the normal
    let on_surface = x.zip_map(p, f64::copysign);
    let gradient =
        Vec3::new(on_surface.x / (e.x * e.x), on_surface.y / (e.y * e.y), on_surface.z / (e.z * e.z));
    let normal = unit_or(&gradient, &Vec3::z());
    Nearest { distance: normal.dot(&(p - on_surface)), normal, on_surface }
}
