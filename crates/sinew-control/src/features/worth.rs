//! What it may still cost to stay up: the value function of walker and balancer.
//!
//! In units of a footstep. Standing, with the divergent component ξ, and what a push that is felt does to it soon, at the depth `d` within the
//! edge of the feet, as a share of the leg:
//! ```text
//! v = ½ (max(0, d₀ − d)/s)²        while d ≥ 0
//! ```
//! the cost of bringing ξ back, which an inverted pendulum pays with the square of the distance. Beyond the edge there is no way back: a body that may not
//! step pays for a fall. A body that may step pays no more than a footstep, and while stepping a footstep and what the planned landing costs above
//! the usual one. It is a fitted function of balance, not the solution of an equation, and knows nothing of effort or style.

use super::walk::Walker;
use crate::Observation;

/// Depth of ξ within the feet beyond which standing is free, d₀, as a share of the leg.
const FREE: f64 = 0.03;
/// Distance that costs half a footstep, s, as a share of the leg.
const SCALE: f64 = 0.05;
/// How long a push that is felt is taken to last, s.
const SOON: f64 = 0.1;
/// Greatest value: the cost of a fall.
const FALL: f64 = 100.0;

impl Walker {
    /// The value; `steps` says whether it may step.
    pub(super) fn worth(&mut self, seen: &Observation<'_>, steps: bool) -> f64 {
        let k = &mut self.body.kinetics;
        k.update(seen.q, seen.v);
        let height = (k.com().z - self.feet.middle().z).max(0.3 * self.anatomy.tall);
        let omega = libm::sqrt(k.model().gravity().norm() / height);
        let xi = k.com() + (k.com_velocity() + self.push.acceleration * SOON) / omega;
        let depth = self.feet.polygon.margin(&xi) / self.anatomy.leg;
        let lack = (FREE - depth).max(0.0) / SCALE;
        let back = if depth < 0.0 { FALL } else { 0.5 * lack * lack };
        let value = match self.step.filter(|_| steps) {
            Some(step) => 1.0 + step.landing.cost.max(0.0),
            None if steps => back.min(1.0),
            None => back,
        };
        if value.is_finite() { value.min(FALL) } else { FALL }
    }
}
