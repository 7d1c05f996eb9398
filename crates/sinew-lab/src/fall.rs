//! The reason of a fall: the first failure in the second and a half before it.
//!
//! Every 10 ms, independent of the time step, the watch notes how far the capture point `ξ = c + ċ √(z/g)` is outside of the support (the convex hull of
//! the points that touch), how many joints of the legs are at their torque limits, and how fast loaded soles slide. At a fall
//! it asks, in this order: did a sole slide by more than 5 cm while the body was upright (a body that
//! topples slides too, but that is no reason; in a brisk walk the capture point is ahead of the feet at every step); were torques at their limits for most of the half
//! second before the capture point was lost; else the capture point itself is the reason.

use serde::Serialize;
use sinew_dynamics::spatial::Vec3;
use sinew_dynamics::{BodyId, Data, Model, Role, Side, center_of_mass, momentum};
use sinew_world::World;
use sinew_world::metrics::Fall;
use sinew_world::metrics::hull::{Point, convex_hull, margin};
use std::collections::VecDeque;

/// Time between two samples, s.
const EVERY: f64 = 0.01;
/// How long samples are kept, s.
const MEMORY: f64 = 1.5;
/// How long before a fall capture points count, s.
const RECENT: f64 = 1.0;
/// The body is upright while its centre of mass is at least at this share of its greatest height in memory: a lean of 30°.
const UP: f64 = 0.87;
/// A sole that slides farther than this has slipped, m.
const SLIDE: f64 = 0.05;
/// The capture point is near when it is less than this outside of the support, m.
const NEAR: f64 = 0.15;
/// How long before the balance was lost torques count, s.
const TRIED: f64 = 0.5;
/// Share of samples with a torque at its limit above which the torques count as saturated.
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
    /// Time since the previous sample, s.
    span: f64,
    /// Distance of the capture point outside the support, m; negative inside; `None` without contact.
    outside: Option<f64>,
    saturated: bool,
    /// Speed of the faster of the loaded soles, m/s.
    slide: f64,
    /// Height of the centre of mass over what it stands on, m.
    height: f64,
}

/// A sample.
#[derive(Clone, Debug, Default)]
pub struct Looks(VecDeque<Look>);

/// Watches a character.
#[derive(Clone, Debug)]
pub struct Watch {
    /// Samples.
    pub looks: Looks,
    data: Data,
    /// Degrees of freedom of the legs, and bodies of the feet.
    legs: Vec<usize>,
    feet: Vec<usize>,
    points: Vec<Point>,
    support: Vec<Point>,
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
            looks: Looks::default(),
            data: Data::new(model),
            legs: legs.collect(),
            feet: feet.filter_map(|role| model.role(role)).map(|b| b.0).collect(),
            points: Vec::new(),
            support: Vec::new(),
        }
    }

    /// Samples the last step.
    pub fn look(&mut self, model: &Model, world: &World) {
        let dt = world.settings().dt;
        if !reached(world.time(), dt, EVERY) {
            return;
        }
        let (actor, frame) = (&world.actors()[0], world.frame(0));
        let com = center_of_mass(model, &mut self.data, &actor.q);
        let speed = momentum(model, &mut self.data, &actor.q, &actor.v).linear / model.mass();
        let touching = frame.contacts.iter().filter(|c| c.other.is_none());
        self.points.clear();
        self.points.extend(touching.clone().map(|c| [c.point.x, c.point.y]));
        convex_hull(&mut self.points, &mut self.support);
        let ground = touching.clone().map(|c| c.point.z).fold(f64::INFINITY, f64::min);
        let g = model.gravity().norm().max(1e-3);
        let outside = (!self.support.is_empty()).then(|| {
            let xi = capture_point(&com, &speed, ground, g);
            -margin(&self.support, &[xi.x, xi.y])
        });
        let limits = model.effort_limits();
        let saturated = self.legs.iter().any(|&k| frame.tau[k].abs() > 0.995 * limits[k]);
        let weight = model.mass() * g;
        let slides = touching.filter(|c| self.feet.contains(&c.body) && c.force.z > 0.1 * weight).map(|c| {
            let v = actor.data().point_velocity(model, BodyId(c.body), &c.point);
            (v - c.normal * v.dot(&c.normal)).norm()
        });
        let slide = slides.fold(0.0, f64::max);
        let looks = &mut self.looks.0;
        let span = looks.back().map_or(EVERY, |last| frame.time - last.time);
        let height = match looks.back() {
            Some(last) if !ground.is_finite() => last.height,
            _ => com.z - ground,
        };
        looks.push_back(Look { time: frame.time, span, outside, saturated, slide, height });
        while looks.front().is_some_and(|look| look.time + MEMORY < frame.time) {
            looks.pop_front();
        }
    }
}

impl Looks {
    /// Why it fell at this time.
    pub fn reason(&self, time: f64, fall: &Fall) -> Reason {
        let what = fall.to_string();
        let looks = &self.0;
        let recent = || looks.iter().filter(|look| time - look.time < RECENT);
        let tall = looks.iter().map(|look| look.height).fold(0.0, f64::max);
        let up = looks.iter().take_while(|look| look.height >= UP * tall);
        let slid: f64 = up.map(|look| look.slide * look.span).sum();
        if slid > SLIDE {
            let why = format!("A foot slipped: it slid {:.0} cm while it carried weight.", 100.0 * slid);
            return Reason { kind: "slip", what, why };
        }
        let left = looks.iter().rposition(|l| l.outside.is_some_and(|o| o < 0.0)).unwrap_or(0);
        // only the half second before: a toppling body is at its torque limits anyway
        let lost = looks.iter().skip(left).position(|l| l.outside.is_some_and(|o| o > NEAR));
        let until = left + lost.unwrap_or(0);
        let from = looks.get(until).map_or(time, |look| look.time) - TRIED - 0.5 * EVERY;
        let before = || looks.iter().take(until).filter(|look| look.time >= from);
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
            let ago = looks.get(left).map_or(0.0, |l| time - l.time);
            let why = format!(
                "The capture point left the support {ago:.1} s before and got {:.0} cm away: farther than a step could reach.",
                100.0 * farthest
            );
            return Reason { kind: "capture", what, why };
        }
        Reason { kind: "other", what, why: "It sank down while its capture point was over the feet.".into() }
    }
}

/// Whether a time that is a multiple of `every` seconds was reached by the step of length `dt` that ends at `now`, to the nearest step.
fn reached(now: f64, dt: f64, every: f64) -> bool {
    let count = |time: f64| libm::floor(time / every);
    count(now + 0.5 * dt) > count(now - 0.5 * dt)
}

/// Where a step would bring the body to rest: `c + ċ √(z/g)`, on the ground.
pub fn capture_point(com: &Vec3, velocity: &Vec3, ground: f64, gravity: f64) -> Vec3 {
    let time = ((com.z - ground).max(0.05) / gravity).sqrt();
    Vec3::new(com.x + velocity.x * time, com.y + velocity.y * time, ground)
}
