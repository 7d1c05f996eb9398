//! Contact models.

use core::fmt;
use sinew_dynamics::spatial::Vec3;

/// The law between bodies that touch.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum ContactModel {
    /// Rigid bodies: forces that just prevent overlap, with Coulomb friction, found together with those of joint limits, dry
    /// friction, grips and welds (Stewart and Trinkle 1996).
    Complementarity {
        /// The cone in which contact forces lie.
        cone: Cone,
    },
    /// Soft bodies: springs and dampers where shapes overlap.
    Penalty(Penalty),
}

impl Default for ContactModel {
    fn default() -> ContactModel {
        ContactModel::Complementarity { cone: Cone::Exact }
    }
}

impl fmt::Display for ContactModel {
    /// As it stands in recordings.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ContactModel::Complementarity { cone: Cone::Exact } => f.write_str("complementarity, exact cone"),
            ContactModel::Complementarity { cone: Cone::Polyhedral { sides } } => {
                write!(f, "complementarity, cone of {sides} sides")
            }
            ContactModel::Penalty(Penalty {
                stiffness,
                damping,
                lock_speed,
                limit_stiffness,
                limit_damping,
                anchor,
            }) => {
                write!(f, "penalty, {stiffness} N/m, {damping} N·s/m, ")?;
                match anchor {
                    Some(Anchor { stiffness, damping }) => {
                        write!(f, "anchored by {stiffness} N/m, {damping} N·s/m, {lock_speed} rad/s; ")?;
                    }
                    None => write!(f, "{lock_speed} m/s; ")?,
                }
                write!(f, "limits {limit_stiffness} N·m/rad, {limit_damping} N·m·s/rad")
            }
        }
    }
}

/// The cone of friction, and with it the way of solving.
///
/// Sides are inscribed: the corners of the polygon lie on Coulomb's circle, so friction is never stronger than `μ N`. Static
/// friction in the least favourable direction is weaker by a factor of at least `cos(π/sides)`; a sliding body is braked by
/// between `cos(π/sides)·μ N` and `μ N`, in a direction at most `π/sides` from its velocity's opposite.
///
/// | sides | `1 − cos(π/sides)` | greatest angle |
/// | ---: | ---: | ---: |
/// | 4 | 29 % | 45° |
/// | 8 | 7.6 % | 22.5° |
/// | 16 | 1.9 % | 11.25° |
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cone {
    /// Coulomb's circular cone, solved by iteration to `tolerance`: fast, and the default.
    Exact,
    /// A cone with flat sides, solved by Lemke's pivoting to rounding: several times the cost of the exact cone for 4 sides,
    /// growing with about the square of contacts × sides.
    Polyhedral {
        /// Number of sides, at least 3.
        sides: usize,
    },
}

/// Springs and dampers, one at every point where shapes overlap.
///
/// With overlap `δ`, speed of separation `w` and sliding velocity `g` of a point,
/// ```text
/// N = max(0, stiffness δ − damping w),     F = N n − μ N min(1, |g|/lock_speed) g/|g|
/// ```
/// A contact never pulls. Friction ramps up through zero speed, so a body on a slope creeps at up to `lock_speed`. With an [`Anchor`]
/// friction is a spring instead, and a sticking point does not creep. Joint limits are springs and dampers of the same kind, and dry friction in joints has the same ramp (rad/s). Such a world has no
/// grips and welds.
///
/// Forces are taken as they are at each evaluation: a step must be short beside `2π √(m/stiffness)` and `m/damping`, with `m` the
/// mass that the point shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Penalty {
    /// N/m of overlap.
    pub stiffness: f64,
    /// N·s/m.
    pub damping: f64,
    /// Sliding speed from which friction is all that Coulomb's law gives, m/s. Of dry friction in joints alone when contacts have an anchor.
    pub lock_speed: f64,
    /// Of joint limits, N·m/rad; N/m for slides.
    pub limit_stiffness: f64,
    /// Of joint limits, N·m·s/rad; N·s/m for slides.
    pub limit_damping: f64,
    /// Springs along the surface, in the place of the ramp.
    pub anchor: Option<Anchor>,
}

/// A spring and a damper along the surface, from a point to where it first touched (Cundall and Strack 1979).
///
/// With stretch `s`, the way that the point has slid since it touched, and sliding velocity `g`,
/// ```text
/// F = −stiffness s − damping g,  shortened to μ N;     |stiffness s| ≤ μ N
/// ```
/// A spring that would be stretched further slips: `s` is shortened, and the anchor follows the point. What rolls does not stretch it.
/// The force depends on the past: Runge-Kutta steps need it [held](crate::Integrator::Rk4Held).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Anchor {
    /// N/m.
    pub stiffness: f64,
    /// N·s/m.
    pub damping: f64,
}

impl Penalty {
    /// The force on a body at a point that overlaps by `depth` (m) along the unit `normal` towards the body, and moves with
    /// `velocity` relative to the other side, N. With the ramp of friction, because the force of an anchor depends on the past.
    ///
    /// ```
    /// use sinew_dynamics::spatial::Vec3;
    /// use sinew_world::Penalty;
    /// let force = Penalty::lee2010().force(0.01, &Vec3::z(), &Vec3::new(0.02, 0.0, -0.1), 1.0);
    /// assert!((force.z - 28.944).abs() < 1e-3 && (force.x + 11.578).abs() < 1e-3);
    /// ```
    pub fn force(&self, depth: f64, normal: &Vec3, velocity: &Vec3, friction: f64) -> Vec3 {
        if depth <= 0.0 {
            return Vec3::zeros();
        }
        let leaving = normal.dot(velocity);
        let load = self.load(depth, leaving);
        let sliding = velocity - normal * leaving;
        normal * load - sliding * (friction * load / sliding.norm().max(self.lock_speed))
    }

    /// The part along the normal at a speed of separation.
    pub(crate) fn load(&self, depth: f64, leaving: f64) -> f64 {
        (depth * self.stiffness - leaving * self.damping).max(0.0)
    }

    /// The contact of Lee, Kim and Lee, "Data-driven biped control" (2010): 2000 N/m and `2 √2000` N·s/m per vertex of the
    /// feet, at 900 steps per second, forces held over each of them. The paper gives no constants for joint limits; those are ours.
    ///
    /// ```
    /// use sinew_world::{ContactModel, Integrator, Penalty, Terrain, World};
    /// let mut world = World::new(Terrain::flat());
    /// world.configure(|s| s.contact = ContactModel::Penalty(Penalty::lee2010()));
    /// world.configure(|s| s.integrator = Integrator::Rk4Held);
    /// world.configure(|s| s.dt = 1.0 / 900.0);
    /// ```
    pub fn lee2010() -> Penalty {
        Penalty {
            stiffness: 2000.0,
            damping: 2.0 * libm::sqrt(2000.0),
            lock_speed: 0.05,
            limit_stiffness: 1000.0,
            limit_damping: 0.5,
            anchor: None,
        }
    }

    /// The ground of Yin, Loken and van de Panne, "SIMBICON: simple biped locomotion control" (2007): 1e5 N/m and 6000 N·s/m in both
    /// directions, at 20 000 steps per second; joint stops of 800 N·m/rad and 80 N·m·s/rad. In the paper nothing slips; here Coulomb's law holds.
    pub fn yin2007() -> Penalty {
        let (stiffness, damping) = (1e5, 6000.0);
        let anchor = Some(Anchor { stiffness, damping });
        Penalty {
            stiffness,
            damping,
            limit_stiffness: 800.0,
            limit_damping: 80.0,
            anchor,
            ..Penalty::lee2010()
        }
    }
}
