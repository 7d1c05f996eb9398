//! Two capsules: the nearest points of their axes, and two ends when they lie along each other.
//!
//! Capsules side by side touch in a line. When the axes make less than about 6° the two ends of the stretch that they
//! share stand for it; each has its own gap, and those farther than the margin drop out. Features: 0 nearest points, 1
//! and 2 the ends of the stretch (on the negative and positive side of the axis of the larger capsule).

use super::manifold::Manifold;
use super::vector::{Segment, length, nearest_of_segments, perpendicular, unit_or};
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
        // the stretch that both share; each of its ends is the end of one of them
        let c = sa.along.dot(&sb.along);
        let middle = sa.along.dot(&(sb.centre - sa.centre));
        let beside = |side: f64| {
            let (end_a, end_b) = (side * ha, side * sb.half.copysign(c));
            if side * (middle + c * end_b) > *ha {
                (end_a, sb.nearest(&sa.at(end_a)))
            } else {
                (sa.nearest(&sb.at(end_b)), end_b)
            }
        };
        let (low, high) = (beside(-1.0), beside(1.0));
        if low.0 < high.0 {
            let gap = |(s, t): (f64, f64)| length(&(sa.at(s) - sb.at(t))) - ra - rb;
            // where the axes cross at a small angle the nearest points lie between the ends
            if gap(low).min(gap(high)) > least + 1e-9 * (ra + rb) {
                add(s, t, 0);
            }
            add(low.0, low.1, 1);
            add(high.0, high.1, 2);
            return;
        }
    }
    add(s, t, 0);
}
