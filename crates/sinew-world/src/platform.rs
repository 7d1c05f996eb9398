//! Kinematic platforms: shapes that move on a given path, unaffected by contacts.

use sinew_dynamics::Shape;
use sinew_dynamics::spatial::{Placement, Quat, Vec3};

/// A shape that moves on a path.
#[derive(Clone, Debug, PartialEq)]
pub struct Platform {
    /// Name, unique in the world.
    pub name: String,
    /// Its shape.
    pub shape: Shape,
    /// Its path.
    pub path: Path,
    /// Coefficient of sliding friction.
    pub friction: f64,
}

/// How a platform moves with time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Path {
    /// Constant velocity and turning rate (world axes) from a start.
    Steady {
        /// Placement at time zero: position.
        position: Vec3,
        /// Velocity, m/s.
        velocity: Vec3,
        /// Angular velocity about the platform's own origin, rad/s.
        spin: Vec3,
    },
    /// Harmonic translation about a centre: `centre + amplitude·sin(2π f t + phase)`.
    Harmonic {
        /// Middle of the motion.
        centre: Vec3,
        /// Amplitude along each axis, m.
        amplitude: Vec3,
        /// Frequency, Hz.
        frequency: f64,
        /// Phase, rad.
        phase: f64,
    },
}

impl Path {
    /// Placement, velocity and angular velocity at a time.
    ///
    /// ```
    /// use sinew_dynamics::spatial::Vec3;
    /// use sinew_world::Path;
    /// let path = Path::Steady { position: Vec3::zeros(), velocity: Vec3::x() * 0.5, spin: Vec3::zeros() };
    /// assert_eq!(path.at(2.0).0.pos.x, 1.0);
    /// ```
    pub fn at(&self, time: f64) -> (Placement, Vec3, Vec3) {
        match *self {
            Path::Steady { position, velocity, spin } => {
                let quat = sinew_dynamics::spatial::rotation::exp(&(spin * time));
                (Placement::new(quat, position + velocity * time), velocity, spin)
            }
            Path::Harmonic { centre, amplitude, frequency, phase } => {
                let w = 2.0 * core::f64::consts::PI * frequency;
                let (c, s) = sinew_dynamics::spatial::rotation::cos_sin(w * time + phase);
                (Placement::new(Quat::identity(), centre + amplitude * s), amplitude * (w * c), Vec3::zeros())
            }
        }
    }
}
