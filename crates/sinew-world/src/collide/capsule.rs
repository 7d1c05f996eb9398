//! Two capsules: the nearest points of their axes, and two ends when they lie along each other.
//!
//! Capsules side by side touch in a line. When the axes make less than about 6° the two ends of the stretch that they
//! share stand for it; each has its own gap, and those farther than the margin drop out. Features: 0 nearest points, 1
//! and 2 the ends of the stretch (on the negative and positive side of the first axis).

use super::manifold::Manifold;
use super::vector::{Segment, clamp, length, nearest_of_segments, perpendicular, unit_or};
use sinew_dynamics::Shape;
use sinew_dynamics::spatial::Placement;

/// Squared sine of the angle under which two axes count as lying along each other.
pub(super) const ALONG: f64 = 0.01;

/// Appends the touches of two capsules.
pub(super) fn pair(
    a: &Shape,
    at_a: &Placement,
    b: &Shape,
    at_b: &Placement,
    margin: f64,
    out: &mut Manifold,
) {
    let (Shape::Capsule { radius: ra, half: ha }, Shape::Capsule { radius: rb, half: hb }) = (a, b) else {
        return;
    };
    let (sa, sb) = (Segment::of_capsule(at_a, *ha), Segment::of_capsule(at_b, *hb));
    let (s, t) = nearest_of_segments(&sa, &sb);
    let least = length(&(sa.at(s) - sb.at(t))) - ra - rb;
    if !(least <= margin) {
        return;
    }

    // axes that cross leave only directions across both
    let across = sa.along.cross(&sb.along);
    let fallback = unit_or(&across, &perpendicular(&sa.along));
    let mut add = |s: f64, t: f64, feature: u32| {
        let (p, q) = (sa.at(s), sb.at(t));
        let off = p - q;
        let normal = unit_or(&off, &fallback);
        out.add(q + normal * *rb, &normal, length(&off) - ra - rb, margin, feature);
    };
    if across.norm_squared() < ALONG {
        // the stretch of the first axis that lies beside the second one
        let c = sa.along.dot(&sb.along);
        let middle = sa.along.dot(&(sb.centre - sa.centre));
        let reach = (c * sb.half).abs();
        let (low, high) = ((middle - reach).max(-ha), (middle + reach).min(*ha));
        if low < high {
            let beside = |s: f64| clamp(sb.along.dot(&(sa.at(s) - sb.centre)), sb.half);
            let (t_low, t_high) = (beside(low), beside(high));
            let gap = |s: f64, t: f64| length(&(sa.at(s) - sb.at(t))) - ra - rb;
            // where the axes cross at a small angle the nearest points lie between the ends
            if gap(low, t_low).min(gap(high, t_high)) > least + 1e-9 * (ra + rb) {
                add(s, t, 0);
            }
            add(low, t_low, 1);
            add(high, t_high, 2);
            return;
        }
    }
    add(s, t, 0);
}
