//! The seam between a world and whatever moves a character in it.

use sinew_dynamics::Model;
use sinew_dynamics::spatial::Vec3;
use sinew_world::{Actuation, ContactForce, Terrain, World};
use std::any::Any;
use std::fmt;
use std::sync::Arc;

/// What a controller sees of the world before a step.
#[derive(Clone, Copy, Debug)]
pub struct Observation<'a> {
    /// The body.
    pub model: &'a Arc<Model>,
    /// Time, s.
    pub time: f64,
    /// Length of the step that comes, s.
    pub dt: f64,
    /// Configuration.
    pub q: &'a [f64],
    /// Velocity.
    pub v: &'a [f64],
    /// Contacts of the last step, as soles and hands feel them.
    pub contacts: &'a [ContactForce],
    /// The ground, as eyes see it.
    pub terrain: &'a Terrain,
}

impl<'a> Observation<'a> {
    /// What an actor of a world sees now.
    pub fn of(world: &'a World, actor: usize) -> Observation<'a> {
        let me = &world.actors()[actor];
        Observation {
            model: me.model(),
            time: world.time(),
            dt: world.settings().dt,
            q: &me.q,
            v: &me.v,
            contacts: world.report().contacts(actor),
            terrain: world.terrain(),
        }
    }
}

/// What the user asks for, in the world's horizontal plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Command {
    /// Velocity relative to the heading: forward, left, m/s.
    pub velocity: [f64; 2],
    /// Where to face: angle from the x axis about the vertical, rad.
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

/// How a decision came about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum ControlStatus {
    /// As designed.
    #[default]
    Good,
    /// An optimisation stopped early: the most important objectives are met, lesser ones are not.
    Partial,
    /// An optimisation failed; the body goes soft for this step.
    FellBack,
}

/// Why a controller cannot act.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ControlError {
    /// The body lacks something that the controller needs.
    #[error("\"{model}\" has no {what}: {remedy}")]
    Body {
        /// Name of the body.
        model: String,
        /// What is missing.
        what: String,
        /// What to do.
        remedy: String,
    },
    /// A saved state of another kind of controller.
    #[error("the saved state belongs to another kind of controller")]
    State,
}

/// Named figures of a controller at one instant, for plots and for "why did it fall".
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Telemetry {
    /// Name and value.
    pub values: Vec<(&'static str, f64)>,
}

impl Telemetry {
    /// Notes a figure.
    pub fn put(&mut self, name: &'static str, value: f64) {
        self.values.push((name, value));
    }

    /// The figure of that name.
    pub fn get(&self, name: &str) -> Option<f64> {
        self.values.iter().find(|(n, _)| *n == name).map(|(_, v)| *v)
    }
}

/// Everything that a controller remembers, warm starts included.
pub struct ControllerState(Box<dyn Any + Send>);

impl ControllerState {
    /// Wraps a memory.
    pub fn new(memory: impl Any + Send) -> ControllerState {
        ControllerState(Box::new(memory))
    }

    /// The memory, if it is of that kind.
    pub fn get<T: Any>(&self) -> Result<&T, ControlError> {
        self.0.downcast_ref().ok_or(ControlError::State)
    }
}

impl fmt::Debug for ControllerState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ControllerState")
    }
}

/// Moves a character by torques of its joints.
pub trait Controller {
    /// Puts the controller in phase with the character as it is now.
    fn reset(&mut self, seen: &Observation<'_>) -> Result<(), ControlError>;

    /// Called before every step of the world. Writes joint torques; the status says when an optimisation fell back.
    fn act(&mut self, seen: &Observation<'_>, command: &Command, out: &mut Actuation) -> ControlStatus;

    /// Named figures for plots and for "why did it fall".
    fn telemetry(&self, into: &mut Telemetry);

    /// Exact save, warm starts included.
    fn save(&self) -> ControllerState;

    /// Exact restore.
    fn restore(&mut self, state: &ControllerState) -> Result<(), ControlError>;
}
