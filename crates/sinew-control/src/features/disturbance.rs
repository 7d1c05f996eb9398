//! What pushes the body besides the ground: Newton's second law, read backwards.
//!
//! Between two ticks the centre of mass gained `Δċ`; what gravity and the contacts that were felt do not explain is a push:
//! ```text
//! a = Δċ/Δt − g − Σ f/m
//! ```

use crate::Observation;
use crate::whole_body::Kinetics;
use sinew_dynamics::spatial::Vec3;

/// Time constant of the low-pass filter, s.
const SMOOTHING: f64 = 0.01;

/// An estimate of the horizontal acceleration by pushes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Disturbance {
    /// m/s², in the horizontal plane.
    pub(crate) acceleration: Vec3,
    /// Time and velocity of the centre of mass at the last tick.
    last: Option<(f64, Vec3)>,
}

impl Disturbance {
    /// Takes over what happened since the last tick, which must have been one step of the world.
    pub(crate) fn feel(&mut self, k: &Kinetics, seen: &Observation<'_>) {
        let now = k.com_velocity();
        let before = self.last.replace((seen.time, now));
        let Some((time, velocity)) = before else { return };
        let elapsed = seen.time - time;
        if (elapsed - seen.dt).abs() > 1e-6 {
            return;
        }
        let ground: Vec3 = seen.contacts.iter().map(|c| c.force).sum();
        let felt = (now - velocity) / elapsed - k.model().gravity() - ground / k.model().mass();
        let share = (elapsed / SMOOTHING).min(1.0);
        let felt = Vec3::new(felt.x, felt.y, 0.0);
        self.acceleration += (felt - self.acceleration) * share;
    }
}
