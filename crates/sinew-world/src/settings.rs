//! Settings of the time stepping.

use crate::contact_model::ContactModel;
use core::fmt;
use serde::{Deserialize, Serialize};

/// Settings of a [`World`](crate::World), each with its default. Those from `tolerance` on are for complementarity and do not
/// concern spring contacts.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Time step, s. Default 0.001.
    pub dt: f64,
    /// Integrator. Default: semi-implicit Euler.
    pub integrator: Integrator,
    /// Contact model. Default: complementarity with the exact cone of friction.
    pub contact: ContactModel,
    /// Rate of a turning coordinate, rad/s, above which a step takes the products of velocities at its middle instead of its
    /// beginning; steps in which a force from outside is greater than the weight do as well. Default 10. Zero: in every step
    /// with a turning coordinate, at two to three times the cost; infinity: never, and fast spins gain energy.
    pub midpoint_above: f64,
    /// Greatest change of a constraint's velocity in the last sweep of the contact solver, m/s; ten times that
    /// once all constraints were solved at once, where it is what redundant ones share by. Default 1e-9.
    pub tolerance: f64,
    /// The same as a share of the greatest change of velocity that a contact among those solved together asks for: contacts at rest
    /// are solved to [`tolerance`](Settings::tolerance), fast motion to this relative accuracy. Not used where grips are held. Default 1e-6.
    pub relative_tolerance: f64,
    /// Most sweeps of the iterative contact solver. Default 50.
    pub sweeps: usize,
    /// Share of an overlap that is undone in one step. Default 0.1.
    pub recovery: f64,
    /// Overlap that is not corrected, m. Default 2e-5.
    pub slop: f64,
    /// Greatest speed at which an overlap is undone, m/s. Default 0.5.
    pub recovery_speed: f64,
    /// Greatest speed of a joint, rad/s or m/s, held by a constraint. Default 100: a tenth of a radian in a step of 1 ms, as far
    /// as its equation can be trusted. With shorter steps it may be more.
    pub joint_speed: f64,
    /// Share of the approach speed with which shapes bounce back. Default 0.
    pub restitution: f64,
    /// Approach speed under which nothing bounces, m/s. Default 0.05.
    pub bounce_speed: f64,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            dt: 0.001,
            integrator: Integrator::default(),
            contact: ContactModel::default(),
            midpoint_above: 10.0,
            tolerance: 1e-9,
            relative_tolerance: 1e-6,
            sweeps: 50,
            recovery: 0.1,
            slop: 2e-5,
            recovery_speed: 0.5,
            joint_speed: 100.0,
            restitution: 0.0,
            bounce_speed: 0.05,
        }
    }
}

impl Settings {
    /// Speed at which an overlap is undone: a share of it per step, and never faster than a fall by the overlap ends, so
    /// that no body rises above the surface. The correction then adds no energy: it restores at most the
    /// lost height.
    pub(crate) fn recovery_rate(&self, overlap: f64) -> f64 {
        let fall = (2.0 * STANDARD_GRAVITY * overlap).sqrt();
        (self.recovery * overlap / self.dt).min(fall).min(self.recovery_speed)
    }
}

/// m/s².
const STANDARD_GRAVITY: f64 = 9.80665;

/// The integrator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Integrator {
    /// Velocity from forces at the beginning of the step, position from the new velocity.
    #[default]
    SemiImplicitEuler,
    /// Runge-Kutta of fourth order, on the rotations themselves. Only for penalty contacts, whose forces are functions of the
    /// state; what is reported and recorded are means over the step.
    Rk4,
    /// The same with contact forces as they are at the beginning held over the step, like the torques of the joints. A controller
    /// that computes torques for the contact forces of this step (Lee, Kim and Lee 2010) needs it: with forces evaluated at
    /// every stage, torques and forces do not match, and the simulation diverges within a second.
    Rk4Held,
}

impl Integrator {
    /// Whether steps are Runge-Kutta's.
    pub fn is_runge_kutta(self) -> bool {
        matches!(self, Integrator::Rk4 | Integrator::Rk4Held)
    }
}

impl fmt::Display for Integrator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Integrator::SemiImplicitEuler => "semi-implicit Euler",
            Integrator::Rk4 => "Runge-Kutta",
            Integrator::Rk4Held => "Runge-Kutta, contact forces held",
        })
    }
}
