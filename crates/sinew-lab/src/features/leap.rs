//! Measurements of a jump: height of the soles, angles of the legs in the air, place and direction of the landing, and whether the
//! character stands still afterwards.

use crate::{Simulation, Watch};
use sinew_control::whole_body::Sole;
use sinew_dynamics::spatial::Vec3;
use sinew_dynamics::{Data, Model, Role, Side, forward_kinematics};
use std::f64::consts::TAU;

/// Telemetry `jump_phase` in flight.
const FLIGHT: f64 = 3.0;
/// It stands still when no coordinate moves faster than this, m/s or rad/s.
pub(super) const STILL: f64 = 0.05;

/// Both soles at one time.
#[derive(Clone, Copy)]
struct Stand {
    lowest: f64,
    middle: Vec3,
    heading: f64,
    /// Of the trunk.
    facing: f64,
    /// Angles between the legs, from hip to sole, fore and aft and to the sides.
    legs: [f64; 2],
}

/// A measured jump.
pub(super) struct Leap {
    data: Data,
    soles: Vec<Sole>,
    before: Option<Stand>,
    last: Option<Stand>,
    flying: bool,
    /// When it landed, s, and where the middle of the soles was.
    landing: Option<(f64, Vec3)>,
    /// Greatest height of the lowest point of both soles, m.
    pub(super) clearance: f64,
    /// Greatest angle between the legs in the air, fore and aft and to the sides, rad.
    pub(super) scissors: f64,
    pub(super) split: f64,
    /// Least and greatest turn of the trunk about the vertical in the air, relative to its initial heading, rad.
    trunk: Option<[f64; 2]>,
    /// Until when it moved, s.
    pub(super) moved_until: f64,
    /// When it was last looked at, s.
    until: f64,
}

impl Leap {
    pub(super) fn of(model: &Model) -> Leap {
        Leap {
            data: Data::new(model),
            soles: Side::BOTH.iter().filter_map(|side| Sole::of(model, *side).ok()).collect(),
            before: None,
            last: None,
            flying: false,
            landing: None,
            clearance: 0.0,
            scissors: 0.0,
            split: 0.0,
            trunk: None,
            moved_until: 0.0,
            until: 0.0,
        }
    }

    fn stand(&mut self, model: &Model, q: &[f64]) -> Stand {
        forward_kinematics(model, &mut self.data, q);
        let (mut lowest, mut middle, mut ahead) = (f64::INFINITY, Vec3::zeros(), Vec3::zeros());
        for sole in &self.soles {
            let at = self.data.body_placement(model, sole.body);
            lowest = sole.corners.iter().map(|c| at.act(c).z).fold(lowest, f64::min);
            middle += at.act(&sole.center) / self.soles.len() as f64;
            ahead += at.act(&sole.toe()) - at.act(&sole.heel());
        }
        let pelvis = model.role(Role::Pelvis).map(|body| self.data.body_placement(model, body).rot);
        let line = |sole: &Sole, side: Side| {
            let hip = self.data.body_placement(model, model.role(Role::Thigh(side))?).pos;
            let down = self.data.body_placement(model, sole.body).act(&sole.center) - hip;
            // in the frame of the pelvis
            Some(pelvis.map_or(down, |turn| turn.tr_mul(&down)))
        };
        let lines: Vec<Vec3> =
            self.soles.iter().zip(Side::BOTH).filter_map(|(sole, side)| line(sole, side)).collect();
        let legs = match lines[..] {
            [left, right] => [0, 1].map(|axis| {
                let angle = |v: &Vec3| libm::atan2(v[axis], -v.z);
                (angle(&left) - angle(&right)).abs()
            }),
            _ => [f64::NAN; 2],
        };
        let trunk = model.role(Role::Trunk).map(|body| self.data.body_placement(model, body).rot);
        let facing = trunk.map_or(f64::NAN, |turn| libm::atan2(turn[(1, 0)], turn[(0, 0)]));
        Stand { lowest, middle, heading: libm::atan2(ahead.y, ahead.x), facing, legs }
    }

    /// How far ahead of the middle of the soles before they landed, m; NaN when it did not land.
    pub(super) fn distance(&self) -> f64 {
        let both = self.before.zip(self.landing);
        both.map_or(f64::NAN, |(a, (_, b))| {
            let (s, c) = libm::sincos(a.heading);
            (b.x - a.middle.x) * c + (b.y - a.middle.y) * s
        })
    }

    /// Range of the trunk's turn about the vertical in the air, rad.
    pub(super) fn trunk_turn(&self) -> f64 {
        self.trunk.map_or(f64::NAN, |[low, high]| high - low)
    }

    /// Turn of the soles from before to the end, rad, in −π..π.
    pub(super) fn turn(&self) -> f64 {
        self.before.zip(self.last).map_or(f64::NAN, |(a, b)| libm::remainder(b.heading - a.heading, TAU))
    }

    /// How long it had been standing still in the end, s; NaN when it did not land.
    pub(super) fn still(&self) -> f64 {
        self.landing.map_or(f64::NAN, |(landed, _)| self.until - self.moved_until.max(landed))
    }

    /// From the landing until it stood still, s; NaN when it did not land.
    pub(super) fn settling(&self) -> f64 {
        self.landing.map_or(f64::NAN, |(landed, _)| (self.moved_until - landed).max(0.0))
    }
}

impl Watch for Leap {
    fn see(&mut self, simulation: &Simulation) {
        let now = self.stand(simulation.model(), simulation.q());
        self.before.get_or_insert(now);
        self.last = Some(now);
        self.clearance = self.clearance.max(now.lowest);
        self.until = simulation.world().time();
        if simulation.v().iter().any(|v| v.abs() > STILL) {
            self.moved_until = self.until;
        }
        let flying = simulation.signal("jump_phase") == Some(FLIGHT);
        if flying && self.landing.is_none() {
            let [fore_and_aft, sideways] = now.legs;
            (self.scissors, self.split) = (self.scissors.max(fore_and_aft), self.split.max(sideways));
            let turned =
                self.before.map_or(f64::NAN, |before| libm::remainder(now.facing - before.facing, TAU));
            let [low, high] = self.trunk.unwrap_or([turned; 2]);
            self.trunk = Some([low.min(turned), high.max(turned)]);
        }
        if self.flying && !flying && self.landing.is_none() {
            self.landing = Some((self.until, now.middle));
        }
        self.flying = flying;
    }
}
