//! The hips: how high the centre of mass is carried.
//!
//! Standing, at the height that is asked for. In a step, up to where the leg is upright, in the time `T` that it takes to be there
//! (the target law, `a = 6 (z_T − z)/T² − (4 ż + 2 ż_T)/T`), and then down over the leg as a share of what an inverted pendulum sinks,
//! `leg − √(leg² − d²)`. On stairs the hips sink before the lower foot lands, and rise over both feet.

use super::walk::Walker;
use crate::Observation;
use crate::whole_body::Goal;
use sinew_dynamics::spatial::Vec3;

/// Share of a step down that the hips make before the foot lands.
const SINK: f64 = 0.9;

impl Walker {
    /// How the height of the centre of mass should change now.
    pub(super) fn height(&self, seen: &Observation<'_>) -> Goal {
        let k = &self.body.kinetics;
        let (gait, leg) = (&self.gait, self.anatomy.leg);
        let tall = self.anatomy.tall * gait.height;
        let Some(step) = self.step else {
            let [rise, rate, acceleration] = self.bearing.rise.map(|x| Vec3::z() * x);
            return Goal::Track {
                position: Vec3::z() * (self.feet.middle().z + tall) + rise,
                velocity: rate,
                acceleration,
                stiffness: gait.height_stiffness,
                damping: 2.0 * gait.height_stiffness.sqrt(),
            };
        };
        let stance = self.feet.anchor(step.stance).at;
        let rise = (step.landing.place.z - stance.z).clamp(-0.3 * leg, 0.3 * leg);
        // on stairs, the hips sink before the lower foot lands, and rise over both feet
        let before = |rise: f64| rise * if rise < 0.0 { SINK } else { 0.5 };
        let (ahead, behind) = (before(rise), step.climbed - before(step.climbed));
        let whole = step.landing.time;
        let share = ((seen.time - step.since) / whole).clamp(0.0, 1.0);
        let climb = ahead * share - behind * (1.0 - share);
        let climbing = if share < 1.0 { (ahead + behind) / whole } else { 0.0 };
        let flat = |v: Vec3| Vec3::new(v.x, v.y, 0.0);
        let (d, v) = (flat(k.com() - stance), flat(k.com_velocity()));
        let over = |d: &Vec3| {
            let upright = (leg * leg - d.norm_squared()).max(0.25 * leg * leg).sqrt();
            (stance.z + climb + tall - gait.drop * (leg - upright), upright)
        };
        let damping = 2.0 * gait.height_stiffness.sqrt();
        // the ground carries the body at every moment: hips that leap take the weight off the foot, and with it all balance
        let most = gait.bounce * self.gravity();
        let until = -d.dot(&v) / v.norm_squared().max(1e-6);
        let acceleration = if until > 0.0 {
            // up to where the leg is upright, in the time that it takes to be there
            let time = until.max((6.0 / gait.height_stiffness).sqrt());
            let (top, _) = over(&(d + v * until));
            6.0 * (top + climbing * time - k.com().z) / (time * time)
                - (4.0 * k.com_velocity().z + 2.0 * climbing) / time
        } else {
            let (height, upright) = over(&d);
            let rising = climbing - gait.drop * d.dot(&v) / upright;
            -gait.drop * v.norm_squared() / upright
                + gait.height_stiffness * (height - k.com().z)
                + damping * (rising - k.com_velocity().z)
        };
        Goal::Accelerate(Vec3::z() * acceleration.clamp(-most, most))
    }
}
