//! The heel: when it rises, and how far.
//!
//! In a calm walk the heel of the standing foot rises before the other foot lands, from a share `s₀` (`heel_off`) of the step on, the more
//! the longer the step, so that long legs reach far without letting the hips sink:
//! ```text
//! rise(s) = heel_rise · min(1.3, stride/0.75) · ((s − s₀)/(1 − s₀))²
//! ```
//! After the landing the foot rolls on over its toes until it leaves the ground. Disturbed, the heel stays down until the other foot
//! has landed.

use super::calm::mix;
use super::feet::Heel;
use super::stepping::Step;
use super::walk::Walker;

/// Stiffness of a foot that rolls over its toes, 1/s².
const ROLL_STIFFNESS: f64 = 150.0;
/// Length of a step, as a share of the leg, at which the heel rises by `heel_rise`, and the most by which it rises more.
const LONG: f64 = 0.75;
const MOST: f64 = 1.3;

impl Walker {
    /// Share of the present step that is over.
    fn share(&self, step: &Step, time: f64) -> f64 {
        (time - step.since) / step.landing.time.max(0.05)
    }

    /// Whether the heel of the standing foot is to rise already.
    pub(super) fn rises_early(&self, step: &Step, time: f64) -> bool {
        self.calm.level() > 0.5 && self.stride() > 0.0 && self.share(step, time) > self.manner.heel_off
    }

    /// How far the heel of the standing foot has risen, rad, and its rate, rad/s.
    pub(super) fn risen(&self, step: &Step, time: f64) -> [f64; 2] {
        let within = (1.0 - self.manner.heel_off).max(1e-3);
        let share = ((self.share(step, time) - self.manner.heel_off) / within).clamp(0.0, 1.1);
        let most = self.calm.level() * self.manner.heel_rise * (self.stride() / LONG).min(MOST);
        [most * share * share, 2.0 * most * share / (within * step.landing.time.max(0.05))]
    }

    /// How far the foot behind has rolled over its toes, rad, once the other one has landed, and its rate.
    pub(super) fn roll(&self, time: f64) -> Option<[f64; 2]> {
        let step = self.step.filter(|s| !s.shifting && s.lifted.is_none())?;
        let within = self.manner.double_support * self.step_time();
        let share = ((time - step.since) / within).clamp(0.0, 1.0);
        let (from, to) = (step.risen, self.rolled().max(step.risen));
        let rise = mix(from, to, share);
        let rate = self.calm.level() * (to - from) / within;
        (self.rolled() > 0.0 && rise > 0.0).then_some([rise, rate])
    }

    /// How far it rolls at this speed, rad: not at all backwards.
    pub(super) fn rolled(&self) -> f64 {
        self.manner.roll * self.briskness(self.velocity[0])
    }

    /// What the heel of a foot on its toes should do now.
    pub(super) fn heel(&self, time: f64) -> Heel {
        let gait = &self.manner;
        let rolling = |[rise, rate]: [f64; 2]| Heel {
            rise,
            rate: rate * gait.heel_lead,
            stiffness: ROLL_STIFFNESS,
            weight: gait.roll_weight,
        };
        if let Some(rise) = self.roll(time) {
            return rolling(rise);
        }
        match self.step.filter(|step| step.lifted.is_some()).map(|step| self.risen(&step, time)) {
            Some(rise) if rise[0] > 0.0 => rolling(rise),
            _ => Heel::down(gait.heel_weight),
        }
    }
}
