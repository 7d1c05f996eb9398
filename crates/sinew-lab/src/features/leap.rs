//! What is looked at in a jump: how high the soles were, where and how they landed, and whether it stands still afterwards.

use crate::{Simulation, Watch};
use sinew_control::whole_body::Sole;
use sinew_dynamics::spatial::Vec3;
use sinew_dynamics::{Data, Model, Side, forward_kinematics};
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
}

/// A jump as it was done.
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
        Stand { lowest, middle, heading: libm::atan2(ahead.y, ahead.x) }
    }

    /// From the middle of the soles before to where they landed, in the plane, m; NaN when it did not land.
    pub(super) fn distance(&self) -> f64 {
        let both = self.before.zip(self.landing);
        both.map_or(f64::NAN, |(a, (_, b))| libm::hypot(b.x - a.middle.x, b.y - a.middle.y))
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
        let actor = &simulation.world().actors()[Simulation::ACTOR];
        let now = self.stand(actor.model(), &actor.q);
        self.before.get_or_insert(now);
        self.last = Some(now);
        self.clearance = self.clearance.max(now.lowest);
        self.until = simulation.world().time();
        if actor.v.iter().any(|v| v.abs() > STILL) {
            self.moved_until = self.until;
        }
        let flying = simulation.telemetry().get("jump_phase") == Some(FLIGHT);
        if self.flying && !flying && self.landing.is_none() {
            self.landing = Some((self.until, now.middle));
        }
        self.flying = flying;
    }
}
