//! The interface between a world and the code that moves a character in it.

use crate::command::Command;
use crate::observation::Observation;
use crate::out::Out;
use crate::params::Parameters;
use crate::request::Request;
use sinew_dynamics::Model;
use std::any::Any;
use std::fmt;
use std::sync::Arc;

/// Moves a character by joint torques.
///
/// `start`, `reset` and `act` are required; the other methods have defaults. A controller holds its whole state (large tables behind an
/// `Arc`), so a clone is an exact snapshot. `crates/sinew-control/examples/own_controller.rs` is a complete example.
pub trait Controller: Copies + fmt::Debug + Send + Sync {
    /// The state in which the body begins.
    fn start(&self) -> Start;

    /// Puts the controller in phase with the character as it is now.
    ///
    /// # Errors
    /// When it cannot act on this body.
    fn reset(&mut self, seen: &Observation<'_>) -> Result<(), ControlError>;

    /// Called before every step of the world: writes joint torques, or a law affine in the contact forces.
    fn act(&mut self, seen: &Observation<'_>, command: &Command, out: &mut Out<'_>) -> ControlStatus;

    /// The command that the controller follows: the given one, with its speed limited to what the body can do.
    fn feasible(&self, command: &Command) -> Command {
        *command
    }

    /// Appends one number for each of the system's [`signals`](crate::System::signals), in their order, about the last decision.
    fn signals(&self, into: &mut Vec<f64>) {
        let _ = into;
    }

    /// The parameters of one of the system's groups, to read and to change.
    fn parameters(&mut self, group: &str) -> Option<&mut dyn Parameters> {
        let _ = group;
        None
    }

    /// The controllers that this one combines.
    fn parts(&mut self) -> &mut [Box<dyn Controller>] {
        &mut []
    }

    /// Takes one of the system's [`requests`](crate::System::requests). Its values have been checked.
    ///
    /// # Errors
    /// When the controller cannot do it.
    fn ask(&mut self, request: &Request) -> Result<(), ControlError> {
        Err(ControlError::Request {
            name: request.name.to_owned(),
            problem: "this controller takes no requests".to_owned(),
        })
    }

    /// Continues with another body of the same joints, which the character has from this step on.
    ///
    /// # Errors
    /// When it cannot act on this body.
    fn change_body(&mut self, model: &Arc<Model>) -> Result<(), ControlError> {
        Err(ControlError::BodyChange { model: model.name().to_owned() })
    }

    /// Takes over from another controller in the middle of a run: begins with the character as it is, and continues the other's stride
    /// where it can.
    ///
    /// # Errors
    /// When it cannot act on this body.
    fn take_over(&mut self, from: &dyn Controller, seen: &Observation<'_>) -> Result<(), ControlError> {
        let _ = from;
        self.reset(seen)
    }

    /// The expected cost from this state on, for controllers that have a value function.
    fn value(&mut self, seen: &Observation<'_>) -> Option<f64> {
        let _ = seen;
        None
    }

    /// Moves the body without physics, after [`act`](Controller::act): writes the next state and the contact forces that it assumes.
    /// Returns false if the controller cannot do this.
    fn advance(&mut self, seen: &Observation<'_>, next: &mut Advanced) -> bool {
        let _ = (seen, next);
        false
    }
}

/// Where a body begins.
#[derive(Clone, Debug, PartialEq)]
pub struct Start {
    /// Configuration, at the origin and facing along x.
    pub q: Vec<f64>,
    /// Velocity.
    pub v: Vec<f64>,
    /// Whether to lift or lower the body until its soles stand on the ground.
    pub on_ground: bool,
}

impl Start {
    /// At rest on the ground.
    pub fn standing(model: &Model, q: &[f64]) -> Start {
        Start { q: q.to_vec(), v: vec![0.0; model.nv()], on_ground: true }
    }
}

/// The next state according to a controller, without physics.
#[derive(Clone, Debug, Default)]
pub struct Advanced {
    /// Duration, s: the time step, or less.
    pub dt: f64,
    /// Configuration.
    pub q: Vec<f64>,
    /// Velocity.
    pub v: Vec<f64>,
    /// Contacts, with the forces that the controller assumes.
    pub contacts: Vec<sinew_world::ContactForce>,
}

/// Copies behind a `dyn`: implemented for every controller that is `Clone`.
pub trait Copies {
    /// A copy.
    fn boxed_clone(&self) -> Box<dyn Controller>;

    /// The value itself, for a downcast to its type.
    fn as_any(&self) -> &dyn Any;
}

impl<T: Controller + Clone + 'static> Copies for T {
    fn boxed_clone(&self) -> Box<dyn Controller> {
        Box::new(self.clone())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl Clone for Box<dyn Controller> {
    fn clone(&self) -> Box<dyn Controller> {
        self.as_ref().boxed_clone()
    }
}

/// How well a decision could be computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum ControlStatus {
    /// As designed.
    #[default]
    Good,
    /// An optimisation stopped early: the most important objectives are met, lesser ones are not.
    Partial,
    /// An optimisation failed: the joints are weak springs for this step.
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
    /// The body changed, and the controller cannot continue with the new one.
    #[error(
        "the controller cannot continue with the changed body \"{model}\"; choose one that can, or change the body before the run"
    )]
    BodyChange {
        /// Name of the body.
        model: String,
    },
    /// A request that the controller cannot do.
    #[error("`{name}` cannot be done: {problem}")]
    Request {
        /// Name of the request.
        name: String,
        /// Why.
        problem: String,
    },
    /// An unknown parameter, or a value outside its range.
    #[error("{0}")]
    Parameter(String),
    /// A preparation that was cancelled or failed.
    #[error("the preparation failed: {0}")]
    Preparation(String),
    /// A controller did what its system does not declare: it wrote a torque law, or the wrong number of signals.
    #[error("`{system}` breaks its own declaration: {problem}")]
    Declaration {
        /// The system.
        system: &'static str,
        /// What it did.
        problem: String,
    },
}
