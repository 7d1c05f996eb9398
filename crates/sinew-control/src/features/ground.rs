//! The ground as a walker sees it: where it can carry a foot, how high it is, and what is in the way.

use super::posture::flat_on;
use super::stepping::Step;
use super::walk::Walker;
use crate::{Command, Observation};
use sinew_dynamics::Side;
use sinew_dynamics::spatial::Vec3;

/// Unevenness under a sole that carries it well, m.
pub(super) const EVEN: f64 = 0.012;
/// A sole of this size should find even ground, as a multiple of its own, and what it costs where it does not, in metres of detour.
const ROOMY: f64 = 1.15;
const EDGE: f64 = 0.1;
/// Upward part of the normal of level ground.
pub(super) const LEVEL: f64 = 0.998;
/// What it costs a foot on its way to go to another tread, in metres of detour.
const CHANGE: f64 = 0.15;
/// How far a swinging foot looks ahead, m.
const AHEAD: f64 = 0.06;
/// Step of the search for even ground, how far it goes, and how far where nothing carries, m.
const SEARCH: (f64, usize, usize) = (0.02, 12, 40);

/// What may be in the way of a swinging foot.
pub(super) struct Obstacles {
    /// Whether the ground rises ahead higher than the foot is lifted.
    pub(super) blocked: bool,
    /// The highest ground under it.
    pub(super) under: f64,
    /// Height of its lowest corner.
    pub(super) lowest: f64,
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
    pub(super) fn unseen(&self, side: Side, seen: &Observation<'_>) -> f64 {
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
    pub(super) fn highest(&self, from: &Vec3, to: &Vec3, seen: &Observation<'_>) -> f64 {
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
}
