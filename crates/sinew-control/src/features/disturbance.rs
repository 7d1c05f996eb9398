//! What pushes the body besides the ground: Newton's second law, read backwards.
//!
//! Between two ticks the body gained the momentum `Δp`; what gravity and the contacts that were felt do not explain is a push:
//! ```text
//! a = (Δp/Δt − Σ f)/m − g
//! ```
//! A body that changes in the middle of a run keeps its momentum, so that a load that it takes on is no push.

use crate::Observation;
use crate::whole_body::Kinetics;
use sinew_dynamics::spatial::Vec3;

/// Time constant of the low-pass filter, s.
const SMOOTHING: f64 = 0.01;

/// Longest step over which the difference of two velocities is an acceleration, s: in a coarser one the body's own turning
/// looks like a push.
pub(super) const FINE: f64 = 2.5e-3;

/// An estimate of the horizontal acceleration by pushes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Disturbance {
    /// m/s², in the horizontal plane.
    pub(crate) acceleration: Vec3,
    /// Time and momentum at the last tick.
    last: Option<(f64, Vec3)>,
}

impl Disturbance {
    /// Takes over what happened since the last tick, which must have been one step of the world.
    pub(crate) fn feel(&mut self, k: &Kinetics, seen: &Observation<'_>) {
        let mass = k.model().mass();
        let now = k.com_velocity() * mass;
        let before = self.last.replace((seen.time, now));
        let Some((time, momentum)) = before else { return };
        let elapsed = seen.time - time;
        if (elapsed - seen.dt).abs() > 1e-6 || elapsed > FINE {
            return;
        }
        let ground: Vec3 = seen.contacts.iter().map(|c| c.force).sum();
        let felt = ((now - momentum) / elapsed - ground) / mass - k.model().gravity();
        let share = (elapsed / SMOOTHING).min(1.0);
        let felt = Vec3::new(felt.x, felt.y, 0.0);
        self.acceleration += (felt - self.acceleration) * share;
    }
}
