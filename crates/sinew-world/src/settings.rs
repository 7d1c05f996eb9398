//! How a world is stepped.

/// Settings of a [`World`](crate::World), each with its default.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Time step, s. Default 0.001.
    pub dt: f64,
    /// Greatest change of a constraint's velocity in the last sweep of the contact solver, m/s. Default 1e-9.
    pub tolerance: f64,
    /// Most sweeps of the contact solver. Default 50.
    pub sweeps: usize,
    /// Share of an overlap that is undone in one step. Default 0.1.
    pub recovery: f64,
    /// Overlap that is left alone, m. Default 2e-5.
    pub slop: f64,
    /// Greatest speed at which an overlap is undone, m/s. Default 0.5.
    pub recovery_speed: f64,
    /// Greatest speed of a joint, rad/s or m/s, held by a constraint. Default 100: a limb that turns by more than a tenth of
    /// a radian in a step is fed by its own gyroscopic force, which the integrator takes at the step's beginning. With shorter
    /// steps it may be more.
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
            tolerance: 1e-9,
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
