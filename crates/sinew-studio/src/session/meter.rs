//! Measurements of a lane for the page: the present push, and computation times.

use sinew::control::{self, ControlStatus};
use sinew::dynamics::spatial::Vec3;
use sinew::world::StepFrame;
use std::time::Duration;

/// Time without any push after which the next one is counted from zero, s.
const NEXT_PUSH: f64 = 0.7;

/// A push: its force and its impulse so far.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Meter {
    /// Sum of the outside forces in the last step, N.
    pub force: Vec3,
    /// Their impulse since the push began, N·s.
    pub impulse: Vec3,
    /// Greatest force of this push, N.
    pub peak: f64,
    /// Time of the last push, s.
    pub last: f64,
    /// Pushes so far.
    pub count: u32,
}

impl Meter {
    /// Adds a step of this length.
    pub fn step(&mut self, frame: &StepFrame<'_>, dt: f64) {
        let force = frame.outside.iter().map(|o| o.force).sum::<Vec3>();
        self.force = force;
        if frame.outside.is_empty() {
            return;
        }
        if frame.time - self.last > NEXT_PUSH || self.count == 0 {
            *self = Meter { force, count: self.count + 1, ..Meter::default() };
        }
        self.impulse += force * dt;
        self.peak = self.peak.max(force.norm());
        self.last = frame.time;
    }
}

/// Computation times of a lane's steps since the last query.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spent {
    /// Steps.
    pub steps: u32,
    /// In the controller.
    pub control: Duration,
    /// In the world.
    pub world: Duration,
    /// Decisions that were less than good.
    pub poor: u32,
}

impl Spent {
    /// Adds a step.
    pub fn step(&mut self, spent: control::Spent) {
        self.steps += 1;
        self.control += spent.control;
        self.world += spent.step;
        self.poor += u32::from(spent.status != ControlStatus::Good);
    }
}
