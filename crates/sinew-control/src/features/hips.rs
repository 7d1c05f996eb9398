//! The hips: how high they are carried.
//!
//! Standing, the centre of mass is kept at the height that is asked for.
//!
//! In a calm walk it is the hips whose height counts (a lifted leg raises the centre of mass, and hips that gave way to that would crouch): they vault over the standing
//! leg, `d` ahead of a pivot behind the middle of its sole, as a share of what an inverted pendulum sinks, and by no more than a `dip`
//! (`d`, heights and dip in shares of the leg):
//! ```text
//! z = height − dip · tanh(drop (1 − √(1 − d²)) / dip)
//! ```
//! What is missing there is asked of the centre of mass. A disturbed body keeps the height of its centre of mass by the same law without a dip.
//!
//! Both go up to where the leg is upright in the time `T` that it takes to be there (the target law, `a = 6 (z_T − z)/T² − (4 ż + 2 ż_T)/T`),
//! and then down over it. On stairs the hips sink before the lower foot lands, and rise over both feet.

use super::calm::mix;
use super::walk::Walker;
use crate::whole_body::Goal;
use crate::{Command, Observation};
use sinew_dynamics::spatial::Vec3;

/// Share of a step down that the hips make before the foot lands.
const SINK: f64 = 0.9;
/// How far the pivot of the hips is behind the middle of the sole, as a share of the leg.
const PIVOT: f64 = 0.04;

/// A point that vaults over the standing leg.
struct Vault {
    /// Its height and how fast that changes.
    height: [f64; 2],
    /// In the plane from the pivot to it, and its velocity.
    ahead: Vec3,
    velocity: Vec3,
    /// Height over the upright leg, and most that it sinks.
    top: f64,
    dip: f64,
}

impl Walker {
    /// How the height of the centre of mass should change now.
    pub(super) fn height(&self, seen: &Observation<'_>) -> Goal {
        let k = &self.body.kinetics;
        let (gait, leg) = (&self.manner, self.anatomy.leg);
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
        let (com, com_velocity) = (k.com(), k.com_velocity());
        let disturbed = Vault {
            height: [com.z, com_velocity.z],
            ahead: flat(com - stance),
            velocity: flat(com_velocity),
            top: stance.z + climb + tall,
            dip: f64::INFINITY,
        };
        let calm = self.calm.level();
        let mut acceleration = if calm < 1.0 { self.vaulted(&disturbed, climbing) } else { 0.0 };
        if calm > 0.0 {
            let forward = Command::directions(self.heading)[0];
            let [left, right] = self.anatomy.thighs.map(|thigh| k.point(thigh, &Vec3::zeros()));
            let (hips, velocity) = ((left.0 + right.0) * 0.5, (left.1 + right.1) * 0.5);
            let along = |v: Vec3| forward * v.dot(&forward);
            let vault = Vault {
                height: [hips.z, velocity.z],
                ahead: along(hips - stance) + forward * (PIVOT * leg),
                velocity: along(velocity),
                top: stance.z + climb + leg * gait.height,
                dip: gait.dip * leg,
            };
            acceleration = mix(acceleration, self.vaulted(&vault, climbing), calm);
        }
        // the ground carries the body at every moment: hips that accelerate down faster than g take the weight off the foot, and balance is lost
        let most = gait.bounce * self.gravity();
        Goal::Accelerate(Vec3::z() * acceleration.clamp(-most, most))
    }

    /// Vertical acceleration of a point that vaults, over ground that climbs at a rate.
    fn vaulted(&self, vault: &Vault, climbing: f64) -> f64 {
        let (gait, leg) = (&self.manner, self.anatomy.leg);
        let Vault { height: [z, rate], ahead, velocity, top, dip } = *vault;
        let upright = |d: &Vec3| (leg * leg - d.norm_squared()).max(0.25 * leg * leg).sqrt();
        // how far it sinks, and the share of a pendulum's vertical motion that is left of it
        let sunk = |d: &Vec3| {
            let pendulum = gait.drop * (leg - upright(d));
            let t = libm::tanh(pendulum / dip);
            if dip.is_finite() { (dip * t, 1.0 - t * t) } else { (pendulum, 1.0) }
        };
        let (d, v) = (ahead, velocity);
        let until = -d.dot(&v) / v.norm_squared().max(1e-6);
        if until > 0.0 {
            // up to where the leg is upright, in the time that it takes to be there
            let time = until.max((6.0 / gait.height_stiffness).sqrt());
            let above = top - sunk(&(d + v * until)).0;
            return 6.0 * (above + climbing * time - z) / (time * time)
                - (4.0 * rate + 2.0 * climbing) / time;
        }
        let (fallen, left) = sunk(&d);
        let rising = climbing - left * gait.drop * d.dot(&v) / upright(&d);
        -left * gait.drop * v.norm_squared() / upright(&d)
            + gait.height_stiffness * (top - fallen - z)
            + 2.0 * gait.height_stiffness.sqrt() * (rising - rate)
    }
}
