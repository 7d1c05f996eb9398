//! A capsule and a box, in the frame of the box.
//!
//! The squared distance of the point `x(t) = p + t·u` of the axis to the box is convex in `t`, and its derivative
//! `g(t) = Σ u_i (x_i − clamp(x_i, ±h_i))` is piecewise linear with breaks where a coordinate enters or leaves the box: six
//! evaluations narrow the root down to one linear piece, exactly. An axis that pierces the box overlaps it by the least
//! of six separating directions: the faces, and the products of the axis with the edges.
//!
//! A capsule that lies on a face or along an edge gets two points, at the ends of the stretch of its axis over that
//! feature. Features: 0 nearest point, 1 and 2 the ends of the stretch (negative and positive side of the capsule).

use super::capsule::ALONG;
use super::manifold::Manifold;
use super::point;
use super::vector::{Segment, axis, clamp, into_frame, length, nearest_of_segments};
use sinew_dynamics::spatial::{Placement, Vec3};

/// Appends the touches of a capsule (first) and a box.
pub(super) fn pair(
    radius: f64,
    reach: f64,
    at_capsule: &Placement,
    half: &Vec3,
    at_box: &Placement,
    margin: f64,
    out: &mut Manifold,
) {
    let p = into_frame(at_box, &(at_capsule.pos - at_box.pos));
    let u = into_frame(at_box, &axis(at_capsule, 2));
    // the sphere around the capsule is cheap to rule out
    let away = p - p.zip_map(half, clamp);
    if !(length(&away) <= margin + radius + reach) {
        return;
    }

    let t = nearest(&p, &u, reach, half);
    let x = p + u * t;
    let off = x - x.zip_map(half, clamp);
    let apart = length(&off);
    let pierced = !(apart > 1e-12 * half.amax());
    let (normal, t, least) = if pierced { pierce(&p, &u, reach, half) } else { (off / apart, t, apart) };
    if !(least - radius <= margin) {
        return;
    }

    let mut add = |t: f64, normal: &Vec3, gap: f64, feature: u32| {
        let on_box = p + u * t - normal * gap;
        out.add(at_box.act(&on_box), &(at_box.rot * normal), gap - radius, margin, feature);
    };
    if let Some(ends) = stretch(&p, &u, reach, half, &normal).filter(|_| !pierced || normal.amax() == 1.0) {
        let gaps = ends.map(|t| {
            let x = p + u * t;
            if pierced {
                (normal, normal.dot(&x) - normal.abs().dot(half))
            } else {
                let nearest = point::of_box(&x, half);
                (nearest.normal, nearest.distance)
            }
        });
        if gaps[0].1.min(gaps[1].1) > least + 1e-9 * (radius + half.amax()) {
            add(t, &normal, least, 0);
        }
        add(ends[0], &gaps[0].0, gaps[0].1, 1);
        add(ends[1], &gaps[1].0, gaps[1].1, 2);
    } else {
        add(t, &normal, least, 0);
    }
}

/// Where the axis comes nearest to the box.
fn nearest(p: &Vec3, u: &Vec3, reach: f64, half: &Vec3) -> f64 {
    let slope = |t: f64| {
        let x = p + u * t;
        u.dot(&(x - x.zip_map(half, clamp)))
    };
    let (mut low, mut high) = (-reach, reach);
    let (mut g_low, mut g_high) = (slope(low), slope(high));
    if g_low >= 0.0 {
        return low;
    }
    if g_high <= 0.0 {
        return high;
    }
    for i in 0..3 {
        if u[i].abs() < 1e-14 {
            continue;
        }
        for side in [-half[i], half[i]] {
            let t = (side - p[i]) / u[i];
            if t > low && t < high {
                let g = slope(t);
                if g > 0.0 {
                    (high, g_high) = (t, g);
                } else {
                    (low, g_low) = (t, g);
                }
            }
        }
    }
    // the derivative is linear between the last two breaks
    let rise = g_high - g_low;
    if rise > 0.0 { (low - g_low * (high - low) / rise).max(low).min(high) } else { low }
}

/// The direction of least overlap of an axis that pierces the box: normal, where on the axis, gap.
fn pierce(p: &Vec3, u: &Vec3, reach: f64, half: &Vec3) -> (Vec3, f64, f64) {
    let mut best = (Vec3::z(), f64::NEG_INFINITY);
    let mut along_edge = None;
    for i in 0..3 {
        let gap = p[i].abs() - half[i] - reach * u[i].abs();
        if gap > best.1 {
            let mut normal = Vec3::zeros();
            normal[i] = 1.0_f64.copysign(p[i]);
            best = (normal, gap);
        }
    }
    for i in 0..3 {
        let mut edge = Vec3::zeros();
        edge[i] = 1.0;
        let cross = u.cross(&edge);
        let size = length(&cross);
        if size > 1e-6 {
            let normal = cross * (1.0_f64.copysign(cross.dot(p)) / size);
            let gap = normal.dot(p) - normal.abs().dot(half);
            // in a tie the face wins, because it gives more points
            if gap > best.1 + 1e-9 * half.amax() {
                best = (normal, gap);
                along_edge = Some(edge);
            }
        }
    }
    let (normal, gap) = best;
    let t = if let Some(edge) = along_edge {
        // over the edge that the axis has to pass
        let centre = half.zip_map(&normal, f64::copysign).component_mul(&(Vec3::repeat(1.0) - edge));
        let axis = Segment { centre: *p, along: *u, half: reach };
        nearest_of_segments(&axis, &Segment { centre, along: edge, half: edge.dot(half) }).0
    } else {
        // the lowest point of the axis
        let rise = normal.dot(u);
        if rise.abs() > 1e-9 { -reach.copysign(rise) } else { clamp(-u.dot(p), reach) }
    };
    (normal, t, gap)
}

/// The stretch of the axis over the feature of the box with this normal, when the axis lies along it.
fn stretch(p: &Vec3, u: &Vec3, reach: f64, half: &Vec3, normal: &Vec3) -> Option<[f64; 2]> {
    let rise = normal.dot(u);
    if rise * rise > ALONG {
        return None;
    }
    let (mut low, mut high) = (-reach, reach);
    let mut bounded = false;
    for i in 0..3 {
        // the feature extends along the axes that its normal has no part in
        if normal[i] * normal[i] > ALONG {
            continue;
        }
        bounded = true;
        if u[i].abs() > 1e-14 {
            let (s, t) = ((-half[i] - p[i]) / u[i], (half[i] - p[i]) / u[i]);
            low = low.max(s.min(t));
            high = high.min(s.max(t));
        } else if p[i].abs() > half[i] {
            return None;
        }
    }
    (bounded && low + 1e-9 * reach < high).then_some([low, high])
}
