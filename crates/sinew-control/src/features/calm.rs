//! How undisturbed a walk is.
//!
//! Undisturbed on level ground, people walk with long legs: they land on the heel, roll over the foot, and let the hips rise and fall.
//! People who are pushed, stumble, or cross uneven ground walk with flat feet and level hips, which is safer. Both ways are references of the same
//! objectives, and a level between 0 (disturbed) and 1 (calm) mixes them.
//!
//! The level falls within a twentieth of a second when something disturbs. It rises again, more slowly, once two feet have landed undisturbed,
//! so that the body goes back to its walk without a jerk.

use super::disturbance::FINE;
use super::ground::{EVEN, LEVEL};
use super::walk::Walker;
use crate::Observation;
use sinew_dynamics::spatial::Vec3;

/// Time in which calm is lost, s.
const LOST_IN: f64 = 0.05;
/// Step time of a body that always walks as if disturbed, as a share of that of a calm walk.
const GUARDED_STEP: f64 = 0.93;
/// Undisturbed landings until it comes back.
const LANDINGS: usize = 2;
/// Time of a step from which on its landing has been planned, s.
const PLANNED: f64 = 0.02;
/// Greatest detour of a landing on even ground, m.
const DETOUR: f64 = 0.01;
/// Froude number (`v/√(g·leg)`) from which on the pressure rolls over the foot, and within which it does so wholly.
const ROLLS_FROM: f64 = 0.13;
const ROLLS_WITHIN: f64 = 0.26;
/// Share of the mass above which swinging legs disturb the body in a calm walk.
const GUARDED_LEGS: f64 = 0.4;
/// Share of the mass from which on legs are heavy.
pub(super) const HEAVY_LEGS: f64 = 0.55;

/// How undisturbed a walk is.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Calm {
    /// 0 to 1, in equal shares of time.
    share: f64,
    /// Landings since the last disturbance.
    landings: usize,
    /// Whether the ground of this step is uneven.
    uneven: bool,
    /// Whether it always walks as if disturbed.
    guarded: bool,
    /// How much of a push is still felt, 0 to 1.
    struck: f64,
}

impl Calm {
    /// 0: disturbed, 1: calm.
    pub(super) fn level(&self) -> f64 {
        smooth(self.share)[0]
    }

    /// A foot has landed.
    pub(super) fn land(&mut self) {
        self.landings += 1;
    }

    /// A time step, disturbed or not; `back` is the time in which calm comes back, s.
    fn proceed(&mut self, disturbed: bool, pushed: bool, dt: f64, back: f64) {
        let struck = if pushed { 1.0 / LOST_IN } else { -1.0 / back.max(dt) };
        self.struck = (self.struck + struck * dt).clamp(0.0, 1.0);
        if disturbed {
            self.landings = 0;
        }
        let rate = if self.landings >= LANDINGS { 1.0 / back.max(dt) } else { -1.0 / LOST_IN };
        self.share = (self.share + rate * dt).clamp(0.0, 1.0);
    }
}

impl Walker {
    /// Takes notice of what disturbs.
    pub(super) fn calm_down(&mut self, seen: &Observation<'_>) {
        self.calm.uneven = match self.step {
            Some(step) if seen.time - step.since > PLANNED => {
                let stance = self.feet.anchor(step.stance);
                let rise = step.landing.place.z - stance.at.z;
                let detour = step.detours[0].norm() > DETOUR;
                rise.abs() > EVEN || step.climbed.abs() > EVEN || detour || stance.normal.z < LEVEL
            }
            Some(_) => self.calm.uneven,
            None => false,
        };
        let stumbles = self.step.is_some_and(|s| s.stumbled || s.bumped);
        let heavy = self.heavy_legs();
        let pushed = self.pushed();
        // steps to the side, backwards and on the spot do not roll from heel to toe
        let [ahead, aside] = self.velocity;
        let straight = self.step.is_some() && ahead > aside.abs();
        // without a sense of pushes the body always walks as if disturbed
        let numb = seen.dt > FINE;
        self.calm.guarded = heavy || numb;
        let disturbed = !straight || numb || pushed || self.calm.uneven || stumbles || heavy;
        let back = self.manner.recovery * self.anatomy.time_unit(self.gravity());
        self.calm.proceed(disturbed, pushed, seen.dt, back);
        // what was learnt in a calm walk is wrong in a disturbed one
        if self.calm.share > 0.0 && self.calm.share < 1.0 {
            (self.mark, self.learnt) = (None, 0);
        }
    }

    /// Whether its legs are too heavy for a calm walk.
    fn heavy_legs(&self) -> bool {
        self.anatomy.leg_share >= GUARDED_LEGS
    }

    /// Length of a step straight on, as a share of the leg; 0 backwards.
    pub(super) fn stride(&self) -> f64 {
        (self.velocity[0] * self.step_time() / self.anatomy.leg).max(0.0)
    }

    /// How it walks at the present level of calm: a disturbed body takes quick steps, lets its hips follow the legs, and has
    /// loose arms and, when pushed, a soft trunk.
    pub(super) fn settle_manner(&mut self) {
        let (brisk, heavy) = (self.rolls(), self.heavy_legs());
        let (gait, now) = (&self.gait, &mut self.manner);
        now.clone_from(gait);
        let (braced, yielding) = (1.0 - self.calm.level(), smooth(self.calm.struck)[0]);
        let scale = |x: &mut f64, by: f64, share: f64| *x *= mix(1.0, by, share);
        // a body that always walks as if disturbed does not hurry
        let quick = if self.calm.guarded { GUARDED_STEP } else { gait.brace_step };
        scale(&mut now.step_time, quick, braced);
        scale(&mut now.step_time_decrease, quick, braced);
        scale(&mut now.hurry, 1.28, braced);
        scale(&mut now.heel_off, 0.93, braced);
        scale(&mut now.roll, 0.6, braced);
        scale(&mut now.height, 0.988, braced);
        scale(&mut now.height_stiffness, 0.71, braced);
        now.drop *= mix(mix(2.0, 1.0, brisk), 1.55, braced);
        // a heavy shin that swings fast changes the body's speed
        scale(&mut now.knee, if heavy { 0.68 } else { 1.12 }, braced);
        scale(&mut now.pitch_weight, 0.5, braced);
        scale(&mut now.up_until, 1.11, braced);
        scale(&mut now.down_from, 0.735, braced);
        scale(&mut now.arm_swing, 0.74, braced);
        scale(&mut now.arm_swing_weight, 0.2, braced);
        scale(&mut now.arm_weight, 0.3, braced);
        scale(&mut now.trunk_stiffness, gait.brace_trunk, yielding);
        scale(&mut now.trunk_weight, gait.brace_trunk, yielding);
    }

    /// How far the pressure rolls over the foot in a calm walk: 0 stays in the middle, 1 goes from the heel to the toes.
    pub(super) fn rolling(&self) -> f64 {
        self.calm.level() * self.rolls()
    }

    /// The same for a speed.
    fn rolls(&self) -> f64 {
        ((self.velocity[0] / self.speed_unit() - ROLLS_FROM) / ROLLS_WITHIN).clamp(0.0, 1.0)
    }

    /// How much of the way to the toes the pressure goes before the heel rises, in a calm walk.
    pub(super) fn to_toes(&self) -> f64 {
        let froude = self.velocity[0] / self.speed_unit();
        self.calm.level()
            * ((froude - self.manner.toes_from) / self.manner.toes_within.max(1e-3)).clamp(0.0, 1.0)
    }

    /// From the place where the pressure begins under a foot to the middle of its sole.
    pub(super) fn heel_first(&self, forward: Vec3) -> Vec3 {
        forward * (self.manner.heel_first * self.rolling() * self.anatomy.leg)
    }
}

/// `x² (3 − 2x)` between 0 and 1, and its derivative.
pub(super) fn smooth(x: f64) -> [f64; 2] {
    let x = x.clamp(0.0, 1.0);
    [x * x * (3.0 - 2.0 * x), 6.0 * x * (1.0 - x)]
}

/// From `a` to `b` by a share.
pub(super) fn mix(a: f64, b: f64, share: f64) -> f64 {
    a + (b - a) * share
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calm_is_lost_at_once_and_comes_back_after_two_landings() {
        let (mut calm, dt, back) = (Calm::default(), 1e-3, 0.5);
        let run = |calm: &mut Calm, disturbed: bool, seconds: f64| {
            let mut least_change = 0.0_f64;
            for _ in 0..(seconds / dt) as usize {
                let before = calm.level();
                calm.proceed(disturbed, disturbed, dt, back);
                least_change = least_change.max((calm.level() - before).abs());
            }
            least_change
        };
        run(&mut calm, false, 1.0);
        assert_eq!(calm.level(), 0.0, "no foot has landed");
        calm.land();
        calm.land();
        assert!(run(&mut calm, false, 0.6) < 2.0 * dt / back, "it comes back without a jerk");
        assert_eq!(calm.level(), 1.0);
        run(&mut calm, true, 0.06);
        assert_eq!(calm.level(), 0.0);
        calm.land();
        run(&mut calm, false, 1.0);
        assert_eq!(calm.level(), 0.0, "one landing is not enough");
    }
}
