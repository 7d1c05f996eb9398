//! The force of a hand on one character, applied to the other one at the same place, for different time steps.

use sinew::dynamics::spatial::Vec3;

/// The hand's force since the other character's last step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Pull {
    sum: Vec3,
    count: u32,
    /// The mean before that.
    last: Vec3,
}

impl Pull {
    /// Adds the force in a step of the held character.
    pub(super) fn take(&mut self, force: Vec3) {
        self.sum += force;
        self.count += 1;
    }

    /// Its mean; the last mean when the other's steps are shorter.
    pub(super) fn mean(&self) -> Vec3 {
        if self.count == 0 { self.last } else { self.sum / f64::from(self.count) }
    }

    /// Called after a step of the other character.
    pub(super) fn passed_on(&mut self) {
        *self = Pull { last: self.mean(), ..Pull::default() };
    }
}
