//! Why it fell: what went wrong first in the second and a half before.
//!
//! Every 10 ms the watch notes how far the capture point `ξ = c + ċ √(z/g)` is outside of the support (the convex hull of
//! the points that touch), how many joints of the legs are at their torque limits, and how fast loaded soles slide. At a fall
//! it asks, in this order: did a sole slide by more than 5 cm while the capture point was still near (a body that
//! topples slides too, but that is no reason); were torques at their limits for most of the half
//! second before the capture point was lost; else the capture point itself is the reason.

use serde::Serialize;
use sinew::dynamics::spatial::Vec3;
use sinew::dynamics::{BodyId, Data, Model, Role, Side, center_of_mass, momentum};
use sinew::world::World;
use sinew::world::metrics::Fall;
use std::collections::VecDeque;

/// Steps between two looks.
const EVERY: u64 = 10;
/// Looks that are remembered.
const MEMORY: usize = 150;
/// A sole that slid so far, m, slipped.
const SLIDE: f64 = 0.05;
/// The capture point is near when it is less than this outside of the support, m.
const NEAR: f64 = 0.15;
/// Looks in the half second before the balance was lost.
const TRIED: usize = 50;
/// Share of the looks with a torque at its limit that counts as saturated.
const SATURATED: f64 = 0.6;

/// Why a character fell.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Reason {
    /// `slip`, `torque`, `capture` or `other`.
    pub kind: &'static str,
    /// What it came to: the head touched the ground.
    pub what: String,
    /// Why, in a sentence.
    pub why: String,
}

#[derive(Clone, Copy, Debug, Default)]
struct Look {
    time: f64,
    /// How far the capture point is outside, m; negative inside; nothing when nothing touches.
    outside: Option<f64>,
    saturated: bool,
    /// Speed of the faster of the loaded soles, m/s.
    slide: f64,
}

/// The memory of the last moments.
#[derive(Clone, Debug)]
pub struct Watch {
    looks: VecDeque<Look>,
    data: Data,
    /// Degrees of freedom of the legs, and bodies of the feet.
    legs: Vec<usize>,
    feet: Vec<usize>,
}

impl Watch {
    /// For a body.
    pub fn new(model: &Model) -> Watch {
        let thighs = Side::BOTH.map(|s| model.role(Role::Thigh(s)));
        let under = |body: BodyId| {
            let mut up = std::iter::successors(Some(body), |b| model.bodies()[b.0].parent.map(BodyId));
            up.any(|b| thighs.contains(&Some(b)))
        };
        let legs = model.joints().iter().filter(|j| under(j.body)).flat_map(|j| j.v..j.v + j.kind.nv());
        let feet = Side::BOTH.into_iter().flat_map(|s| [Role::Foot(s), Role::Toe(s)]);
        Watch {
            looks: VecDeque::with_capacity(MEMORY),
            data: Data::new(model),
            legs: legs.collect(),
            feet: feet.filter_map(|role| model.role(role)).map(|b| b.0).collect(),
        }
    }

    /// Looks at the step that was just taken.
    pub fn look(&mut self, model: &Model, world: &World) {
        if !world.steps().is_multiple_of(EVERY) {
            return;
        }
        let (actor, frame) = (&world.actors()[0], world.frame(0));
        let com = center_of_mass(model, &mut self.data, &actor.q);
        let speed = momentum(model, &mut self.data, &actor.q, &actor.v).linear / model.mass();
        let touching = frame.contacts.iter().filter(|c| c.other.is_none());
        let mut points: Vec<[f64; 2]> = touching.clone().map(|c| [c.point.x, c.point.y]).collect();
        let ground = touching.clone().map(|c| c.point.z).fold(f64::INFINITY, f64::min);
        let g = model.gravity().norm().max(1e-3);
        let outside = (!points.is_empty()).then(|| {
            let xi = capture_point(&com, &speed, ground, g);
            -margin(&convex_hull(&mut points), &[xi.x, xi.y])
        });
        let limits = model.effort_limits();
        let saturated = self.legs.iter().any(|&k| frame.tau[k].abs() > 0.995 * limits[k]);
        let weight = model.mass() * g;
        let slides = touching.filter(|c| self.feet.contains(&c.body) && c.force.z > 0.1 * weight).map(|c| {
            let v = actor.data().point_velocity(model, BodyId(c.body), &c.point);
            (v - c.normal * v.dot(&c.normal)).norm()
        });
        let slide = slides.fold(0.0, f64::max);
        if self.looks.len() == MEMORY {
            self.looks.pop_front();
        }
        self.looks.push_back(Look { time: frame.time, outside, saturated, slide });
    }

    /// Why it fell at this time.
    pub fn reason(&self, time: f64, fall: &Fall) -> Reason {
        let what = fall.to_string();
        let dt = EVERY as f64 * 1e-3;
        let recent = || self.looks.iter().filter(|look| time - look.time < 1.0);
        let near = recent().filter(|look| look.outside.is_none_or(|o| o < NEAR));
        let slid: f64 = near.map(|look| look.slide * dt).sum();
        if slid > SLIDE {
            let why = format!("A foot slipped: it slid {:.0} cm while it carried weight.", 100.0 * slid);
            return Reason { kind: "slip", what, why };
        }
        let left = self.looks.iter().rposition(|l| l.outside.is_some_and(|o| o < 0.0)).unwrap_or(0);
        // the half second before it was lost: whoever topples is at the limits anyway
        let lost = self.looks.iter().skip(left).position(|l| l.outside.is_some_and(|o| o > NEAR));
        let until = left + lost.unwrap_or(0);
        let before = || self.looks.iter().take(until).skip(until.saturating_sub(TRIED));
        let full = before().filter(|l| l.saturated).count() as f64 / before().count().max(1) as f64;
        if full > SATURATED {
            let why = format!(
                "Torques of the legs were at their limits for {:.0} % of the half second before it lost its balance: it was too weak.",
                100.0 * full
            );
            return Reason { kind: "torque", what, why };
        }
        let farthest = recent().filter_map(|l| l.outside).fold(f64::NEG_INFINITY, f64::max);
        if farthest > 0.0 {
            let ago = self.looks.get(left).map_or(0.0, |l| time - l.time);
            let why = format!(
                "The capture point left the support {ago:.1} s before and got {:.0} cm away: farther than a step could reach.",
                100.0 * farthest
            );
            return Reason { kind: "capture", what, why };
        }
        Reason { kind: "other", what, why: "It gave way while its capture point was over the feet.".into() }
    }
}

/// Where a step would bring the body to rest: `c + ċ √(z/g)`, on the ground.
pub fn capture_point(com: &Vec3, velocity: &Vec3, ground: f64, gravity: f64) -> Vec3 {
    let time = ((com.z - ground).max(0.05) / gravity).sqrt();
    Vec3::new(com.x + velocity.x * time, com.y + velocity.y * time, ground)
}

/// The convex hull, counter-clockwise (Andrew's monotone chain).
fn convex_hull(points: &mut [[f64; 2]]) -> Vec<[f64; 2]> {
    if points.len() < 3 {
        return points.to_vec();
    }
    points.sort_unstable_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
    let mut hull: Vec<[f64; 2]> = Vec::new();
    let mut chain = |point: &[f64; 2], base: usize| {
        while let [.., a, b] = hull.as_slice()
            && hull.len() > base
            && cross(a, b, point) <= 0.0
        {
            hull.pop();
        }
        hull.push(*point);
        hull.len()
    };
    let corners = points.iter().map(|p| chain(p, 1)).last().unwrap_or(0);
    for point in points.iter().rev().skip(1) {
        chain(point, corners);
    }
    hull.pop();
    hull
}

fn cross(a: &[f64; 2], b: &[f64; 2], c: &[f64; 2]) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

/// Distance inside of a hull; negative outside.
fn margin(hull: &[[f64; 2]], p: &[f64; 2]) -> f64 {
    let edge = |(a, b): (&[f64; 2], &[f64; 2])| {
        let (d, e) = ([b[0] - a[0], b[1] - a[1]], [p[0] - a[0], p[1] - a[1]]);
        let along = ((d[0] * e[0] + d[1] * e[1]) / (d[0] * d[0] + d[1] * d[1]).max(1e-12)).clamp(0.0, 1.0);
        libm::hypot(e[0] - along * d[0], e[1] - along * d[1])
    };
    let pairs = || hull.iter().zip(hull.iter().cycle().skip(1));
    let near = pairs().map(edge).fold(f64::INFINITY, f64::min);
    let inside = hull.len() > 2 && pairs().all(|(a, b)| cross(a, b, p) >= 0.0);
    match hull {
        [] => f64::NEG_INFINITY,
        [one] => -libm::hypot(p[0] - one[0], p[1] - one[1]),
        _ if inside => near,
        _ => -near,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn margins_of_a_square_a_line_and_a_point() {
        let mut square = [[0.0, 0.0], [1.0, 1.0], [1.0, 0.0], [0.0, 1.0], [0.5, 0.5]];
        let hull = convex_hull(&mut square);
        assert_eq!(hull.len(), 4);
        assert!((margin(&hull, &[0.5, 0.25]) - 0.25).abs() < 1e-12);
        assert!((margin(&hull, &[1.0, 3.0]) + 2.0).abs() < 1e-12);
        assert!((margin(&convex_hull(&mut [[0.0, 0.0], [1.0, 0.0]]), &[0.5, 2.0]) + 2.0).abs() < 1e-12);
        assert!((margin(&convex_hull(&mut [[1.0, 0.0]]), &[4.0, 4.0]) + 5.0).abs() < 1e-12);
    }
}
