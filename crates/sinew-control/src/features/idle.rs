//! Idle: a standing person shifts the weight and breathes.
//!
//! After a while of quiet standing the weight goes over to one leg and, some seconds later, to the other, and the chest breathes. Both are
//! slow against the balance of the feet, which follows them as it follows a lean. Places and times come from the golden ratio, so that
//! nothing repeats and nothing is random.

use super::calm::smooth;
use super::walk::Walker;
use crate::{Command, Observation};
use core::f64::consts::TAU;
use sinew_dynamics::spatial::Vec3;

/// Time of quiet standing after which it begins, and in which it grows to all of it, s.
const BEGINS: f64 = 6.0;
const GROWS: f64 = 3.0;
/// Time from one shift of the weight to the next, and how long one takes, s.
const EVERY: f64 = 7.0;
const TAKES: f64 = 2.0;
/// How far the weight goes to the side and to the front, as shares of the leg.
const ASIDE: f64 = 0.035;
const AHEAD: f64 = 0.012;
/// Frequency of breath, Hz, and how far the trunk goes with it, rad.
const BREATHS: f64 = 0.23;
const BREATH: f64 = 0.012;

/// Where the weight rests after a number of shifts: to the left and ahead, −1 to 1.
fn rest(count: f64) -> [f64; 2] {
    let golden = |n: f64| 2.0 * (n * 0.618_033_988_749_895).fract() - 1.0;
    let side = if (count as u64).is_multiple_of(2) { 1.0 } else { -1.0 };
    // in the middle before the first
    let shifted = if count < 1.0 { 0.0 } else { 1.0 };
    [shifted * side * (0.75 + 0.25 * golden(count)), shifted * golden(count + 0.5)]
}

impl Walker {
    /// Notices how long it has stood: nothing is asked of it, and nobody pushes.
    pub(super) fn stand_about(&mut self, seen: &Observation<'_>) {
        let quiet = self.step.is_none() && !self.pushed() && self.bearing.step_beyond.is_none();
        self.stood = if quiet { self.stood + seen.dt } else { 0.0 };
    }

    /// Its present share, 0 to 1.
    fn idleness(&self) -> f64 {
        self.gait.idle * smooth((self.stood - BEGINS) / GROWS)[0]
    }

    /// Where the weight goes, in the plane, m.
    pub(super) fn idle_shift(&self) -> Vec3 {
        let idle = self.idleness();
        if idle == 0.0 {
            return Vec3::zeros();
        }
        let shifts = (self.stood - BEGINS) / EVERY;
        let [share, _] = smooth(shifts.fract() * EVERY / TAKES);
        let ([from, to], [forward, left]) =
            ([rest(shifts.floor()), rest(shifts.floor() + 1.0)], Command::directions(self.heading));
        let at = |k: usize| from[k] + (to[k] - from[k]) * share;
        (left * (ASIDE * at(0)) + forward * (AHEAD * at(1))) * (idle * self.anatomy.leg)
    }

    /// How far the trunk leans back with the breath, rad.
    pub(super) fn breath(&self) -> f64 {
        self.idleness() * BREATH * libm::sin(TAU * BREATHS * self.stood)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_dynamics::characters;
    use std::sync::Arc;

    #[test]
    fn the_weight_shifts_from_leg_to_leg_continuously() {
        let mut walker = Walker::new(Arc::new(characters::load("human").unwrap())).unwrap();
        let (mut last, mut ends) = (Vec3::zeros(), [0.0_f64; 2]);
        for k in 0..60_000 {
            walker.stood = 1e-3 * f64::from(k);
            let shift = walker.idle_shift();
            assert!((shift - last).norm() < 1.5e-4, "it leaps at {} s", walker.stood);
            assert!(
                walker.stood > BEGINS || shift.norm() == 0.0,
                "a body that has just come to stand is still"
            );
            (last, ends) = (shift, [ends[0].min(shift.y), ends[1].max(shift.y)]);
        }
        assert!(ends[0] < -0.02 && ends[1] > 0.02, "{ends:?} m");
    }
}
