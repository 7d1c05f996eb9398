//! The force of a hand that pulls at one character, handed on to the other: the same at the same place, whatever their time steps.

use sinew::dynamics::spatial::Vec3;

/// What the hand's force was since the other character's last step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Pull {
    sum: Vec3,
    count: u32,
    /// The mean before that.
    last: Vec3,
}

impl Pull {
    /// Takes the force of a step of the one that is held.
    pub(super) fn take(&mut self, force: Vec3) {
        self.sum += force;
        self.count += 1;
    }

    /// Its mean, or what it was when the other's steps are shorter.
    pub(super) fn mean(&self) -> Vec3 {
        if self.count == 0 { self.last } else { self.sum / f64::from(self.count) }
    }

    /// The other one has stepped.
    pub(super) fn passed_on(&mut self) {
        *self = Pull { last: self.mean(), ..Pull::default() };
    }
}
