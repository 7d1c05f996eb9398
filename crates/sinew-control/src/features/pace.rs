//! The pace: velocity and heading follow the command step by step, and what steps miss of it is learnt.

use super::walk::Walker;
use crate::Command;

/// Share of the legs in the mass of a person, and how much of their hurry the heaviest legs keep.
const USUAL_LEGS: f64 = 0.33;
const LEAST_HURRY: f64 = 0.6;

/// Greatest speeds ahead, back and to a side that are followed, as shares of `√(g·leg)`: 2.05, 1.6 and 0.8 m/s for a leg of 0.93 m.
const MOST_AHEAD: f64 = 0.68;
const MOST_BACK: f64 = 0.53;
const MOST_ASIDE: f64 = 0.26;

impl Walker {
    /// Changes the velocity towards the commanded one by what a step can, and the heading likewise.
    pub(super) fn follow(&mut self, command: &Command) {
        // NaN commands nothing
        if !command.velocity.iter().chain([&command.heading]).all(|x| x.is_finite()) {
            return;
        }
        let command = self.within_reach(command);
        let most = self.manner.speed_up * self.speed_unit();
        let change = [0, 1].map(|i| command.velocity[i] - self.velocity[i]);
        let share = (most / libm::hypot(change[0], change[1]).max(1e-9)).min(1.0);
        self.velocity = [0, 1].map(|i| self.velocity[i] + change[i] * share);
        // a step that changes speed teaches nothing of steps that do not
        if libm::hypot(change[0], change[1]) > 1e-3 {
            (self.mark, self.learnt) = (None, 0);
        }
        let turn = angle(command.heading - self.heading);
        self.heading += turn.clamp(-self.manner.turn, self.manner.turn);
    }

    /// The command with no more speed than this body walks at.
    pub(super) fn within_reach(&self, command: &Command) -> Command {
        let [ahead, left] = command.velocity.map(|v| v / self.speed_unit());
        let most = if ahead < 0.0 { MOST_BACK } else { MOST_AHEAD };
        let beyond = libm::hypot(ahead / most, left / MOST_ASIDE);
        let share = if beyond > 1.0 { 1.0 / beyond } else { 1.0 };
        Command { velocity: command.velocity.map(|v| v * share), ..*command }
    }

    /// Compares the step that ends with what was asked for: the pendulum is a simple model, and legs are not.
    pub(super) fn learn(&mut self, time: f64) {
        let com = self.body.kinetics.com();
        if let Some((since, from)) = self.mark.replace((time, com)) {
            let [forward, left] = Command::directions(self.heading);
            let wanted = forward * self.velocity[0] + left * self.velocity[1];
            let mut missing = wanted - (com - from) / (time - since).max(0.1);
            missing.z = 0.0;
            // much from the first steps, and little by little from later ones: a push or a limp is no mistake of ours
            let gain = (1.0 / (self.learnt as f64 + 1.6)).max(0.3);
            self.learnt += 1;
            let (most, unit) = (0.03 * self.speed_unit(), self.speed_unit());
            self.trim += missing * gain.min(most / missing.norm().max(1e-9));
            self.trim *= (0.12 * unit / self.trim.norm().max(1e-9)).min(1.0);
        }
    }

    /// Unit of speed of a body of this size, `√(g·leg)`, m/s.
    pub(super) fn speed_unit(&self) -> f64 {
        (self.gravity() * self.anatomy.leg).sqrt()
    }

    /// Usual time of a step at the present speed, s.
    pub(super) fn step_time(&self) -> f64 {
        let froude = libm::hypot(self.velocity[0], self.velocity[1]) / self.speed_unit();
        // heavy legs are not hurried: what swings them throws the rest of the body about
        let light = (USUAL_LEGS / self.anatomy.leg_share).powi(2).clamp(LEAST_HURRY, 1.0);
        let time = self.manner.step_time - self.manner.step_time_decrease * light * froude;
        time.max(1.2) * self.anatomy.time_unit(self.gravity())
    }

    /// Sway at a time, rad, with a frequency in units of `√(g/leg)`; none while standing.
    pub(super) fn sway(&self, time: f64, frequency: f64) -> f64 {
        if self.step.is_none() || self.manner.sway == 0.0 {
            return 0.0;
        }
        self.manner.sway * libm::sin(frequency * time / self.anatomy.time_unit(self.gravity()))
    }

    /// How much of a walk a speed makes: 0 on the spot, 1 from three quarters of a metre per second on for a person.
    pub(super) fn briskness(&self, speed: f64) -> f64 {
        (speed / (0.25 * self.speed_unit())).clamp(0.0, 1.0)
    }
}

/// Whether no velocity is asked for, or none that is a number.
pub(super) fn is_rest(command: &Command) -> bool {
    let [forward, left] = command.velocity;
    !(libm::hypot(forward, left) > 1e-3)
}

/// An angle in −π..π.
pub(super) fn angle(x: f64) -> f64 {
    libm::remainder(x, core::f64::consts::TAU)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_dynamics::spatial::Vec3;
    use sinew_dynamics::{Change, Model, Role, Side, characters};
    use std::sync::Arc;

    #[test]
    fn heavy_legs_take_longer_steps() {
        let human = characters::load("human").unwrap();
        let shin = human.bodies()[human.role(Role::Shin(Side::Left)).unwrap().0].name.clone();
        let load = Change::AddPointMass { body: shin, mass: 15.0, at: Vec3::zeros() };
        let loaded = Model::new(human.spec().changed(&[load]).unwrap()).unwrap();
        let time = |model: Model, speed: f64| {
            let mut walker = Walker::new(Arc::new(model)).unwrap();
            walker.velocity = [speed, 0.0];
            walker.step_time()
        };
        assert_eq!(time(human.clone(), 0.0), time(loaded.clone(), 0.0));
        let (usual, longer) = (time(human, 1.0), time(loaded, 1.0));
        assert!(longer > usual + 0.02, "{usual} and {longer} s");
    }
}
