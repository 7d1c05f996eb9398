//! How clean a motion is, in numbers.

use super::foot::{FootShape, paths};
use crate::{Clip, FootContacts};
use serde::Serialize;
use sinew_dynamics::spatial::{Vec3, rotation};
use sinew_dynamics::{BodyId, Data, JointKind, Model, Role, Side, forward_kinematics};

/// Contacts shorter than this do not count for skate, s.
const SHORTEST: f64 = 0.05;
/// Limits are kept up to this, rad.
const LIMIT: f64 = 1e-6;

/// Measures of a motion with known contacts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Figures {
    /// Path of the touching edge of the sole (heel or toes) along the ground per contact of at least 50 ms: mean, mm.
    pub skate_mm: f64,
    /// The worst contact, mm.
    pub skate_worst_mm: f64,
    /// Distance of touching edges from the ground: mean, mm.
    pub height_mm: f64,
    /// The worst, mm.
    pub height_worst_mm: f64,
    /// Deepest point of a sole under level ground in any frame, mm.
    pub penetration_mm: f64,
    /// Joint values outside their limits.
    pub limit_violations: usize,
    /// Number of contacts.
    pub contacts: usize,
}

/// Measures a clip. `level` is whether the ground is the plane z = 0; on terrain heights are those from each contact's mean.
pub fn measure(clip: &Clip, contacts: &FootContacts, level: bool) -> Figures {
    let model = clip.model();
    let mut figures = Figures { limit_violations: limit_violations(clip), ..Figures::default() };
    let (mut paths_sum, mut heights, mut samples) = (0.0, 0.0, 0.0);
    for side in Side::BOTH {
        let Some(shape) = FootShape::of(model, side) else { continue };
        let path = &paths(clip, &[shape.body])[0];
        for (flags, local) in
            [(&contacts.heel[side as usize], &shape.heel), (&contacts.toe[side as usize], &shape.toe)]
        {
            let mut at = 0;
            while at < flags.len() {
                let end = (at..flags.len()).find(|&i| !flags[i]).unwrap_or(flags.len());
                if end > at {
                    let points: Vec<Vec3> = (at..end).map(|i| path.point(i, local)).collect();
                    let ground = if level {
                        0.0
                    } else {
                        points.iter().map(|p| p.z).sum::<f64>() / points.len() as f64
                    };
                    for p in &points {
                        heights += (p.z - ground).abs();
                        samples += 1.0;
                        figures.height_worst_mm = figures.height_worst_mm.max(1e3 * (p.z - ground).abs());
                    }
                    if (end - at - 1) as f64 >= SHORTEST * clip.rate {
                        let step = |w: &[Vec3]| libm::hypot(w[1].x - w[0].x, w[1].y - w[0].y);
                        let skate: f64 = points.windows(2).map(step).sum();
                        paths_sum += skate;
                        figures.contacts += 1;
                        figures.skate_worst_mm = figures.skate_worst_mm.max(1e3 * skate);
                    }
                }
                at = end + 1;
            }
        }
        if level {
            let depth = |i: usize| shape.bottom().map(|c| -path.point(i, &c).z).fold(0.0, f64::max);
            let deepest = (0..clip.len()).map(depth).fold(0.0, f64::max);
            figures.penetration_mm = figures.penetration_mm.max(1e3 * deepest);
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
