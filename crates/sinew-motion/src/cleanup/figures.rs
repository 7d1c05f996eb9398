//! How clean a motion is, in numbers.

use super::foot::{FootShape, paths};
use crate::contacts::ContactKind;
use crate::{Clip, FootContacts};
use serde::Serialize;
use sinew_dynamics::spatial::{Vec3, rotation};
use sinew_dynamics::{BodyId, Data, JointKind, Model, Role, Side, forward_kinematics};

/// Contacts shorter than this do not count for skate, s.
const SHORTEST: f64 = 0.05;
/// Parts of the axis of a sole about whose points it may turn.
const AXIS: usize = 10;
/// Limits are kept up to this, rad.
const LIMIT: f64 = 1e-6;

/// Measures of a motion with known contacts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Figures {
    /// Path along the ground of the touching edge of the sole (heel or toes), or of the stillest point of a flat foot, per contact of at
    /// least 50 ms: mean, mm.
    pub skate_mm: f64,
    /// The worst contact, mm.
    pub skate_worst_mm: f64,
    /// Distance of touching edges from their level: mean, mm.
    pub height_mm: f64,
    /// The worst, mm.
    pub height_worst_mm: f64,
    /// Deepest point of a sole under the ground, mm: in any frame on level ground, while it is down on other ground.
    pub penetration_mm: f64,
    /// Joint values outside their limits.
    pub limit_violations: usize,
    /// Number of contacts.
    pub contacts: usize,
}

/// Measures a clip against the levels of the contacts.
pub fn measure(clip: &Clip, contacts: &FootContacts) -> Figures {
    let model = clip.model();
    let mut figures = Figures { limit_violations: limit_violations(clip), ..Figures::default() };
    let (mut paths_sum, mut heights, mut samples) = (0.0, 0.0, 0.0);
    for side in Side::BOTH {
        let Some(shape) = FootShape::of(model, side) else { continue };
        let path = &paths(clip, &[shape.body])[0];
        let level = &contacts.level[side as usize];
        let kind = |i: usize| contacts.kind(side, i);
        let mut at = 0;
        while at < contacts.len() {
            let end = (at..contacts.len()).find(|&i| kind(i) != kind(at)).unwrap_or(contacts.len());
            let edges: &[[Vec3; 2]] = match kind(at) {
                None => &[],
                Some(ContactKind::Heel) => &shape.edges[..1],
                Some(ContactKind::Ball) => &shape.edges[1..],
                Some(ContactKind::Flat) => &shape.edges,
            };
            for edge in edges {
                for i in at..end {
                    // a tilted edge touches with one corner
                    let low = edge.iter().map(|c| path.point(i, c).z).fold(f64::INFINITY, f64::min);
                    let off = (low - level[i]).abs();
                    heights += off;
                    samples += 1.0;
                    figures.height_worst_mm = figures.height_worst_mm.max(1e3 * off);
                }
            }
            if !edges.is_empty() && (end - at - 1) as f64 >= SHORTEST * clip.rate {
                // a foot that turns about a point of its axis, or rolls over a corner, does not skate
                let way = |local: &Vec3| -> f64 {
                    let step = |i: usize| (path.point(i, local) - path.point(i - 1, local)).xy().norm();
                    (at + 1..end).map(step).sum()
                };
                let (back, front) = (edges[0], edges[edges.len() - 1]);
                let axis = |k: usize| {
                    let [back, front] = [back, front].map(|[left, right]| (left + right) * 0.5);
                    back.lerp(&front, k as f64 / AXIS as f64)
                };
                let points = (0..=AXIS).map(axis).chain(edges.iter().flatten().copied());
                let skate = points.map(|p| way(&p)).fold(f64::INFINITY, f64::min);
                paths_sum += skate;
                figures.contacts += 1;
                figures.skate_worst_mm = figures.skate_worst_mm.max(1e3 * skate);
            }
            at = end;
        }
        // under the ground on which the foot stands next or stood last
        let flat = level.iter().all(|&z| z == 0.0);
        for i in 0..clip.len() {
            if flat || kind(i).is_some() {
                let depth = shape.bottom().map(|c| level[i] - path.point(i, &c).z).fold(0.0, f64::max);
                figures.penetration_mm = figures.penetration_mm.max(1e3 * depth);
            }
        }
    }
    figures.skate_mm = 1e3 * paths_sum / (figures.contacts as f64).max(1.0);
    figures.height_mm = if samples > 0.0 { 1e3 * heights / samples } else { 0.0 };
    figures
}

/// Joint values of a clip that are outside their limits.
fn limit_violations(clip: &Clip) -> usize {
    let model = clip.model();
    let outside = |q: &[f64]| model.joints().iter().filter(|j| beyond(model, j, q) > LIMIT).count();
    clip.frames().map(outside).sum()
}

/// How far a joint is beyond its limits, rad or m.
fn beyond(model: &Model, joint: &sinew_dynamics::JointInfo, q: &[f64]) -> f64 {
    let Some([low, high]) = model.bodies()[joint.body.0].joints[joint.nth].range else { return 0.0 };
    match joint.kind {
        JointKind::Free => 0.0,
        JointKind::Ball => rotation::log(&crate::ik::chain::quat_at(q, joint.q)).norm() - high,
        _ => (low - q[joint.q]).max(q[joint.q] - high),
    }
}

/// Mean angle between the orientations of all parts of two motions of one character, rad.
pub fn pose_difference(a: &Clip, b: &Clip) -> f64 {
    let model = a.model();
    let parts: Vec<BodyId> = Role::all().filter_map(|r| model.role(r)).collect();
    let mut data = [Data::new(model), Data::new(model)];
    let (mut sum, mut count) = (0.0, 0.0);
    for (qa, qb) in a.frames().zip(b.frames()) {
        forward_kinematics(model, &mut data[0], qa);
        forward_kinematics(model, &mut data[1], qb);
        for &part in &parts {
            let [ra, rb] = [0, 1].map(|k| rotation::from_matrix(&data[k].body_placement(model, part).rot));
            sum += rotation::log(&(ra.inverse() * rb)).norm();
            count += 1.0;
        }
    }
    if count > 0.0 { sum / count } else { 0.0 }
}
