//! Could the motion be real? The force and the centre of pressure that it implies.
//!
//! Inverse dynamics gives the wrench `(F, M₀)` that the ground must give at the root, from velocities and accelerations of the cubic curve
//! through the frames. On the ground's level it acts at the centre of pressure `P`, where its moment is vertical:
//! ```text
//! d = (p₀ − P):    d_x = (d_z F_x + M_y)/F_z,    d_y = (d_z F_y − M_x)/F_z
//! ```
//! What no ground can give: a pull, and a `P` outside the soles that are down. Weight times that distance is the moment of an invisible hand.

use super::changes::percentile;
use crate::{Clip, Interpolation, Outside, Sampler, Sole};
use serde::Serialize;
use sinew_dynamics::spatial::{Vec3, rotation};
use sinew_dynamics::{Data, Role, Side, forward_kinematics, rnea};

/// A smaller vertical force, in weights, has no centre of pressure to speak of.
const LIGHT: f64 = 0.2;
/// Looked at no more often than this, Hz.
const RATE: f64 = 120.0;

/// How far a motion is from possible.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Plausibility {
    /// Vertical force over the weight while a foot is down: 1st percentile.
    pub force_p1: f64,
    /// The same: 99th percentile.
    pub force_p99: f64,
    /// Size of the force over the weight in flight, where there is none: 95th percentile; 0 without flights.
    pub flight_force_p95: f64,
    /// Distance of the centre of pressure from the soles that are down, m: 95th percentile.
    pub pressure_outside_p95_m: f64,
    /// Joint accelerations: 99.9th percentile, rad/s².
    pub acceleration_p999: f64,
}

impl Plausibility {
    /// Of a clip with contacts; none without, or without a free root or feet.
    pub fn of(clip: &Clip) -> Option<Plausibility> {
        let contacts = clip.contacts.as_ref()?;
        let model = clip.model();
        let (at_q, at_v) = crate::layout::free_root(model)?;
        let soles = [Sole::of(model, Side::Left)?, Sole::of(model, Side::Right)?];
        model.role(Role::Foot(Side::Left))?;
        let curve = Sampler::new(clip, Interpolation::Cubic, Outside::Clamp);
        let mut data = Data::new(model);
        let (mut q, mut v, mut a) = (model.neutral(), vec![0.0; model.nv()], vec![0.0; model.nv()]);
        let weight = 9.81 * model.mass();
        let step = (libm::round(clip.rate / RATE) as usize).max(1);
        let (mut forces, mut flights, mut away, mut bends) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        // the curve knows less about the ends
        for k in (1..clip.len().saturating_sub(1)).step_by(step) {
            curve.state(k as f64 / clip.rate, &mut q, &mut v, &mut a);
            bends.extend(a.iter().skip(at_v + 6).map(|x| x.abs()));
            let tau = rnea(model, &mut data, &q, &v, &a);
            let force = Vec3::new(tau[at_v], tau[at_v + 1], tau[at_v + 2]);
            let own = Vec3::new(tau[at_v + 3], tau[at_v + 4], tau[at_v + 5]);
            let moment = rotation::to_matrix(&crate::layout::quat_at(&q, at_q + 3)) * own;
            let root = crate::layout::vec3_at(&q, at_q);
            forward_kinematics(model, &mut data, &q);
            let mut down = Vec::with_capacity(8);
            let mut level = 0.0;
            for (side, sole) in soles.iter().enumerate() {
                if contacts.heel[side][k] {
                    down.extend(sole.heel.iter().map(|p| p.in_world(model, &data)));
                    level = contacts.level[side][k];
                }
                if contacts.toe[side][k] {
                    down.extend(sole.toe.iter().map(|p| p.in_world(model, &data)));
                    level = contacts.level[side][k];
                }
            }
            if down.is_empty() {
                flights.push(force.norm() / weight);
                continue;
            }
            forces.push(force.z / weight);
            if force.z > LIGHT * weight {
                let z = root.z - level;
                let d =
                    Vec3::new((z * force.x + moment.y) / force.z, (z * force.y - moment.x) / force.z, 0.0);
                away.push(outside(&down, &(root - d)));
            }
        }
        [&mut forces, &mut flights, &mut away, &mut bends]
            .into_iter()
            .for_each(|list| list.sort_by(f64::total_cmp));
        Some(Plausibility {
            force_p1: percentile(&forces, 0.01),
            force_p99: percentile(&forces, 0.99),
            flight_force_p95: percentile(&flights, 0.95),
            pressure_outside_p95_m: percentile(&away, 0.95),
            acceleration_p999: percentile(&bends, 0.999),
        })
    }
}

/// Horizontal distance of a point from the convex hull of some; 0 inside.
fn outside(points: &[Vec3], p: &Vec3) -> f64 {
    // a point is inside when no line through two of the points has all of them on one side and it on the other
    let cross = |a: &Vec3, b: &Vec3, c: &Vec3| (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
    let mut least = points.iter().map(|a| (p - a).xy().norm()).fold(f64::INFINITY, f64::min);
    let mut inside = points.len() > 2;
    for (i, a) in points.iter().enumerate() {
        for b in points.iter().skip(i + 1) {
            let (low, high) = points
                .iter()
                .map(|c| cross(a, b, c))
                .fold((0.0_f64, 0.0_f64), |(low, high), x| (low.min(x), high.max(x)));
            let own = cross(a, b, p);
            let edge = low > -1e-12 || high < 1e-12;
            inside &= !(edge && (own < low - 1e-12 || own > high + 1e-12));
            let along = (b - a).xy();
            if along.norm_squared() > 1e-12 {
                let t = ((p - a).xy().dot(&along) / along.norm_squared()).clamp(0.0, 1.0);
                least = least.min(((p - a).xy() - along * t).norm());
            }
        }
    }
    if inside { 0.0 } else { least }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_from_hulls() {
        let square = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)].map(|(x, y)| Vec3::new(x, y, 0.3));
        let at = |x: f64, y: f64| outside(&square, &Vec3::new(x, y, 0.0));
        assert_eq!((at(0.5, 0.2), at(0.99, 0.99), at(1.0, 0.5)), (0.0, 0.0, 0.0));
        assert!((at(1.5, 0.5) - 0.5).abs() < 1e-12 && (at(2.0, 2.0) - 2f64.sqrt()).abs() < 1e-12);
        assert!((outside(&square[..2], &Vec3::new(0.5, -0.25, 0.0)) - 0.25).abs() < 1e-12);
    }
}
