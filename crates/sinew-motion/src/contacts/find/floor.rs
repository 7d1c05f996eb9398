//! The captured floor: a plane near the slow low frames of both feet.
//!
//! Floors of captures tilt by up to two in a hundred, which is as much as a foot is lifted over a few steps. The plane is found by
//! reweighted least squares with weights that are those of an L1 fit near zero and vanish far off, and pull downwards: feet are above the
//! floor. It stays level unless its tilt explains the heights clearly better.

use super::Seen;
use crate::contacts::ground::Plane;
use crate::filter;
use sinew_dynamics::spatial::Vec3;

/// Slow: this many leg lengths a second, or this part of the foot's greatest speed.
const SLOW: (f64, f64) = (0.12, 0.1);
/// Low: less than this above the least height within ±0.5 s, leg lengths.
const LOW: f64 = 0.03;
const AROUND: f64 = 0.5;
/// Reweightings, weight of points above, distance up to which all weigh alike, m, and beyond which none, leg lengths.
const ROUNDS: usize = 25;
const ABOVE: f64 = 0.35;
const NEAR: f64 = 0.01;
const FAR: f64 = 0.12;
/// Pull of the tilt to zero, greatest tilt, and the share of the median distance that it must save.
const RIDGE: f64 = 0.05;
const STEEPEST: f64 = 0.03;
const SAVES: f64 = 0.3;

/// The floor of what is seen.
pub(super) fn fit(seen: &Seen) -> Plane {
    let mut points = Vec::new();
    let half = filter::frames(AROUND, seen.rate);
    for foot in &seen.feet {
        let least = filter::running_extreme(&foot.low, half, f64::min);
        for i in 0..foot.low.len() {
            let slow = foot.slow[i] < (SLOW.0 * seen.leg).max(SLOW.1 * foot.fast[i]);
            if slow && foot.low[i] < least[i] + LOW * seen.leg {
                let lower = if foot.heel[i].z < foot.ball[i].z { foot.heel[i] } else { foot.ball[i] };
                points.push(lower);
            }
        }
    }
    let still = Plane { height: 0.0, slope: [0.0, 0.0], residual: 0.0 };
    if points.is_empty() {
        let lowest = seen.feet.iter().flat_map(|f| &f.low).copied().fold(f64::INFINITY, f64::min);
        return Plane { height: if lowest.is_finite() { lowest } else { 0.0 }, ..still };
    }
    let (level, level_miss) = robust(&points, seen.leg, false);
    let (tilted, tilted_miss) = robust(&points, seen.leg, true);
    if tilted_miss < (1.0 - SAVES) * level_miss { tilted } else { level }
}

/// A plane, and the median distance from it.
fn robust(points: &[Vec3], leg: f64, tilts: bool) -> (Plane, f64) {
    let centre = points.iter().sum::<Vec3>() / points.len() as f64;
    let mut heights: Vec<f64> = points.iter().map(|p| p.z).collect();
    heights.sort_by(f64::total_cmp);
    // begins low: most points of a walk are on the floor, on stairs the lowest are
    let mut plane = Plane { height: heights[heights.len() / 4], slope: [0.0, 0.0], residual: 0.0 };
    for _ in 0..ROUNDS {
        let (mut a, mut b) = (nalgebra::Matrix3::<f64>::zeros(), Vec3::zeros());
        for p in points {
            let off = p.z - plane.at(p.x, p.y);
            if off.abs() > FAR * leg {
                continue;
            }
            let weight = if off > 0.0 { ABOVE } else { 1.0 } / off.abs().max(NEAR);
            let row = Vec3::new(p.x - centre.x, p.y - centre.y, 1.0);
            a += row * row.transpose() * weight;
            b += row * (p.z * weight);
        }
        let total = a[(2, 2)];
        if !(total > 0.0) {
            break;
        }
        if tilts {
            // a unit of way weighs as much as all points
            (0..2).for_each(|k| a[(k, k)] += RIDGE * total);
            let Some(x) = a.lu().solve(&b) else { break };
            let mut slope = [x.x, x.y];
            let steep = libm::hypot(slope[0], slope[1]);
            if steep > STEEPEST {
                slope = slope.map(|s| s * STEEPEST / steep);
            }
            let height = x.z - slope[0] * centre.x - slope[1] * centre.y;
            plane = Plane { height, slope, residual: 0.0 };
        } else {
            plane.height = b.z / total;
        }
    }
    let mut misses: Vec<f64> = points.iter().map(|p| (p.z - plane.at(p.x, p.y)).abs()).collect();
    misses.sort_by(f64::total_cmp);
    let miss = misses[misses.len() / 2];
    plane.residual = miss;
    (plane, miss)
}
