//! Steering: the velocity and the heading that the user asks for.

use sinew_dynamics::spatial::Vec3;

/// The velocity and heading that the user asks for, in the world's horizontal plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Command {
    /// Velocity relative to the heading: forward, left, m/s.
    pub velocity: [f64; 2],
    /// Direction to face: angle from the x axis about the vertical, rad.
    pub heading: f64,
}

impl Command {
    /// Stand still, facing along x.
    pub const STAND: Command = Command { velocity: [0.0, 0.0], heading: 0.0 };

    /// Walk forward along x.
    pub fn forward(speed: f64) -> Command {
        Command { velocity: [speed, 0.0], heading: 0.0 }
    }

    /// Unit vectors forward and left.
    pub fn directions(heading: f64) -> [Vec3; 2] {
        let (s, c) = libm::sincos(heading);
        [Vec3::new(c, s, 0.0), Vec3::new(-s, c, 0.0)]
    }
}
