//! Pushes: external forces for an exact number of steps.

use sinew_dynamics::BodyId;
use sinew_dynamics::spatial::Vec3;

/// A force on a body, constant in the world, for a number of steps.
///
/// The applied impulse is exactly `force · dt · steps`.
///
/// ```
/// use sinew_dynamics::{BodyId, spatial::Vec3};
/// use sinew_world::Push;
/// let push = Push::of_impulse(0, BodyId(0), Vec3::zeros(), Vec3::new(30.0, 0.0, 0.0), 0.4, 0.001);
/// assert_eq!(push.steps, 400);
/// assert!((push.force.x * 0.4 - 30.0).abs() < 1e-12);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Push {
    /// Index of the actor.
    pub actor: usize,
    /// The body pushed.
    pub body: BodyId,
    /// Where, in the body's frame, m.
    pub point: Vec3,
    /// World axes, N.
    pub force: Vec3,
    /// Steps that it lasts, from the next one on.
    pub steps: u64,
}

impl Push {
    /// A push of a given impulse (N·s) over about `seconds`: at least one step, the force chosen so that the impulse is exact.
    pub fn of_impulse(actor: usize, body: BodyId, point: Vec3, impulse: Vec3, seconds: f64, dt: f64) -> Push {
        let steps = (seconds / dt).round().max(1.0);
        Push { actor, body, point, force: impulse / (steps * dt), steps: steps as u64 }
    }
}

/// A spring and damper that drags a point of a body towards a target: the mouse's hand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hand {
    /// Index of the actor.
    pub actor: usize,
    /// The body held.
    pub body: BodyId,
    /// Where, in the body's frame, m.
    pub point: Vec3,
    /// Its target in the world, m.
    pub target: Vec3,
    /// Stiffness, N/m.
    pub stiffness: f64,
    /// Damping, N·s/m.
    pub damping: f64,
    /// Greatest force, N.
    pub strength: f64,
}
