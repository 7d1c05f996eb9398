//! The swinging foot: where the ground can carry it, and its way there.

use super::feet::Feet;
use super::posture::{bend_knee, flat_on, orient, point, turned};
use super::stepping::Step;
use super::walk::Walker;
use crate::whole_body::{Axes, Goal};
use crate::{Command, Observation};
use sinew_dynamics::Side;
use sinew_dynamics::spatial::Vec3;

/// Unevenness under a sole that carries it well, m.
const EVEN: f64 = 0.012;
/// A sole of this size should find even ground, as a multiple of its own, and what it costs where it does not, in metres of detour.
const ROOMY: f64 = 1.15;
const EDGE: f64 = 0.1;
/// Upward part of the normal of level ground.
const LEVEL: f64 = 0.998;
/// What it costs a foot on its way to go to another tread, in metres of detour.
const CHANGE: f64 = 0.15;
/// How much higher a foot is lifted that met something on its way, as a share of the leg.
const STUMBLE_LIFT: f64 = 0.06;
/// How far a swinging foot looks ahead, and the height at which it passes over an edge, m.
const AHEAD: f64 = 0.06;
const CLEAR: f64 = 0.03;
/// Share of the swing for which a foot that still touches the ground is held where it is, in the plane.
const STUCK: f64 = 0.2;
/// Steps of the simulation that a foot must be early by to be early at all.
const WORTH_IT: f64 = 5.0;
/// Distance from the next tread within which a foot comes down on it, m.
const NEARLY_THERE: f64 = 0.08;
/// Stiffness of the orientation of a swinging foot, 1/s², and its weight as a share of that of its place.
const SWING_STIFFNESS: f64 = 400.0;
const SWING_SHARE: f64 = 0.05;
/// Share of the swing in which a foot that rolled over its toes becomes flat again.
const UNROLL: f64 = 0.4;
/// Step of the search for even ground, how far it goes, and how far where nothing carries, m.
const SEARCH: (f64, usize, usize) = (0.02, 12, 40);

/// What may be in the way of a swinging foot.
pub(super) struct Obstacles {
    /// Whether the ground rises ahead higher than the foot is lifted.
    pub(super) blocked: bool,
    /// The highest ground under it.
    under: f64,
    /// Height of its lowest corner.
    lowest: f64,
}

impl Obstacles {
    /// Height of its lowest corner over the highest ground under it.
    pub(super) fn clearance(&self) -> f64 {
        self.lowest - self.under
    }
}

impl Walker {
    /// Where a foot can land, for a place where it would like to: the nearest one ahead or behind where the whole sole meets even ground,
    /// at the height of that ground. A foot on its way to a tread, at the height `chosen`, does not lightly go to another.
    pub(super) fn footholds(
        &self,
        side: Side,
        chosen: Option<f64>,
        seen: &Observation<'_>,
    ) -> impl Fn(&Vec3) -> Vec3 {
        let sole = self.anatomy.sole(side);
        let forward = Command::directions(self.heading)[0];
        let unseen = self.unseen(side.other(), seen);
        let terrain = seen.terrain;
        let ground = move |p: &Vec3| Vec3::new(p.x, p.y, terrain.height(p.x, p.y) + unseen);
        let uneven = move |at: &Vec3| {
            let normal = terrain.normal(at.x, at.y);
            let turn = flat_on(&normal, &forward) * sole.flat;
            let off = |c: &Vec3, size: f64| {
                let under = ground(&(at + turn * (c - sole.center) * size));
                // where there is no ground, nothing carries
                if under.z.is_finite() { (under - at).dot(&normal).abs() } else { f64::INFINITY }
            };
            let most = |size: f64| sole.corners.iter().map(|c| off(c, size)).fold(0.0, f64::max);
            (most(1.0), most(ROOMY))
        };
        let (stride, most, furthest) = SEARCH;
        // with no ground anywhere, as high as the standing foot
        let stance = self.feet.anchor(side.other()).at.z;
        move |place| {
            let mut best = (f64::INFINITY, Vec3::new(place.x, place.y, stance));
            for k in 0..=2 * furthest {
                if k > 2 * most && best.0.is_finite() {
                    break;
                }
                // 0, +1, −1, +2, −2, … strides
                let offset = stride * (k.div_ceil(2) as f64) * if k % 2 == 1 { 1.0 } else { -1.0 };
                let at = ground(&(place + forward * offset));
                if !at.z.is_finite() {
                    continue;
                }
                let (bumps, around) = uneven(&at);
                let changes = chosen.is_some_and(|z| (at.z - z).abs() > EVEN);
                let cost = offset.abs()
                    + if changes { CHANGE } else { 0.0 }
                    + if bumps < EVEN { 0.0 } else { 1.0 + bumps }
                    + if around < EVEN { 0.0 } else { EDGE };
                if cost < best.0 {
                    best = (cost, at);
                }
                if cost <= offset.abs() {
                    break;
                }
            }
            best.1
        }
    }

    /// How much higher the ground is under a standing foot than it looks: eyes may be wrong, soles are not.
    fn unseen(&self, side: Side, seen: &Observation<'_>) -> f64 {
        let (anchor, sole) = (self.feet.anchor(side), self.anatomy.sole(side));
        let gap = |p: Vec3| p.z - seen.terrain.height(p.x, p.y);
        let corners = sole.corners.iter().map(|c| gap(anchor.at + anchor.turn * (c - sole.center)));
        let least = corners.fold(gap(anchor.at), |a, b| if b.abs() < a.abs() { b } else { a });
        if least.abs() < EVEN || !least.is_finite() { 0.0 } else { least }
    }

    /// The height of a step onto a level place; none on slopes, which have no edges.
    pub(super) fn tread(&self, place: &Vec3, seen: &Observation<'_>, height: f64) -> f64 {
        if seen.terrain.normal(place.x, place.y).z > LEVEL { height } else { 0.0 }
    }

    /// The highest ground between two places.
    fn highest(&self, from: &Vec3, to: &Vec3, seen: &Observation<'_>) -> f64 {
        let at = |k: usize| from + (to - from) * (k as f64 / 8.0);
        (0..=8).map(|k| seen.terrain.height(at(k).x, at(k).y)).fold(f64::NEG_INFINITY, f64::max)
    }

    /// What may be in the way of the swinging foot.
    pub(super) fn obstacles(&self, step: &Step, seen: &Observation<'_>) -> Obstacles {
        let (k, sole) = (&self.body.kinetics, self.anatomy.sole(step.stance.other()));
        let unseen = self.unseen(step.stance, seen);
        let ground = |p: &Vec3| seen.terrain.height(p.x, p.y) + unseen;
        let mut way = step.landing.place - k.point(sole.body, &sole.center).0;
        way.z = 0.0;
        let ahead = way * (AHEAD / way.norm().max(AHEAD));
        let mut found = Obstacles { blocked: false, under: f64::NEG_INFINITY, lowest: f64::INFINITY };
        for corner in &sole.corners {
            let p = k.point(sole.body, corner).0;
            let (here, there) = (ground(&p), ground(&(p + ahead)));
            found.blocked |= there > p.z + EVEN && there > here + EVEN;
            found.under = found.under.max(here);
            found.lowest = found.lowest.min(p.z);
        }
        found
    }

    /// Objectives of the swinging foot: up over whatever lies between, and down in time.
    pub(super) fn swing(&mut self, step: &Step, seen: &Observation<'_>) {
        let Some((since, from)) = step.lifted else { return };
        let gait = &self.gait;
        let sole = self.anatomy.sole(step.stance.other());
        let left = step.landing.time - (seen.time - step.since);
        let whole = (step.landing.time - (since - step.since)).max(0.05);
        let phase = (seen.time - since) / whole;
        let place = step.landing.place;
        // stairs: up early and down late; a foot that met something on its way is lifted over it
        let slack = (self.tread(&place, seen, place.z - from.z).abs() / (0.1 * self.anatomy.leg)).min(1.0);
        let (high, low) = if step.stumbled { (0.0, 0.8) } else { (0.5 - 0.2 * slack, 0.5 + 0.15 * slack) };
        let lift = gait.lift + if step.stumbled { STUMBLE_LIFT } else { 0.0 };
        let highest = self.highest(&from, &place, seen) + self.unseen(step.stance, seen);
        let top = highest.max(from.z).max(place.z) + lift * self.anatomy.leg;
        let to = |height: f64, rate: f64, time: f64| Goal::Reach {
            position: Vec3::z() * height,
            velocity: Vec3::z() * rate,
            time,
        };
        let here = self.body.kinetics.point(sole.body, &sole.center).0;
        let Obstacles { blocked, under, lowest } = self.obstacles(step, seen);
        let hang = here.z - lowest;
        let up = if (phase < low || step.tipped) && !step.bumped {
            to(top + hang * slack, 0.0, ((high - phase) * whole).max(0.05))
        } else if slack > 0.0
            && (libm::hypot(place.x - here.x, place.y - here.y) > NEARLY_THERE || under > place.z + EVEN)
            && !step.bumped
        {
            // not down before it is there: a riser or the edge of the last tread may be in the way
            to(under.max(place.z) + CLEAR * slack + hang, 0.0, 0.05)
        } else {
            // into the ground, further the longer it is not met
            to(place.z - 0.005 - 0.4 * (-left).max(0.0), -0.1, left)
        };
        let caught = step.bumped
            || step.stumbled && phase < low && (Feet::touches(sole, seen) || Feet::bumps(sole, seen));
        // it is lifted before it goes anywhere
        let stuck = phase < STUCK && !step.free;
        let early = gait.early * self.anatomy.time_unit(self.gravity());
        let early = if early > WORTH_IT * seen.dt { early * (1.0 - slack) } else { 0.0 };
        let (target, time) = if stuck {
            (here, 0.05)
        } else if caught || blocked {
            (here, left.min(0.1))
        } else {
            (place, if early > 0.0 { (left - early).max(0.06) } else { left })
        };
        let across = Goal::Reach { position: target, velocity: Vec3::zeros(), time };
        let normal = seen.terrain.normal(place.x, place.y);
        let forward = Command::directions(self.heading)[0];
        let pitch = self.rolled() * (1.0 - phase / UNROLL).max(0.0);
        let flat = turned(normal.cross(&forward) * pitch) * flat_on(&normal, &forward) * sole.flat;
        let weight = gait.swing_weight;
        self.objectives.push(point(3, weight, sole.body, sole.center, across, Axes::horizontal()));
        self.objectives.push(point(3, weight, sole.body, sole.center, up, Axes::vertical()));
        self.objectives.push(orient(3, SWING_SHARE * weight, sole.body, flat, SWING_STIFFNESS, Axes::all()));
        let share = (1.0 - 2.0 * phase).max(0.0);
        if share > 0.0 {
            let k = &self.body.kinetics;
            bend_knee(&self.anatomy, k, gait, self.heading, step.stance.other(), share, &mut self.objectives);
        }
    }
}
