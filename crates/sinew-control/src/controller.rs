//! The seam between a world and whatever moves a character in it.

use crate::command::Command;
use crate::observation::Observation;
use crate::out::Out;
use crate::params::Parameters;
use crate::request::Request;
use sinew_dynamics::Model;
use std::any::Any;
use std::fmt;
use std::sync::Arc;

/// Moves a character by torques of its joints.
///
/// Two methods make a controller; the others have defaults. Everything that its future depends on is in the value, tables shared by
/// `Arc`, so that a plain copy is an exact snapshot. `crates/sinew-control/examples/own_controller.rs` is a whole one.
pub trait Controller: Copies + fmt::Debug + Send + Sync {
    /// How the body begins.
    fn start(&self) -> Start;

    /// Puts the controller in phase with the character as it is now.
    ///
    /// # Errors
    /// When it cannot act on this body.
    fn reset(&mut self, seen: &Observation<'_>) -> Result<(), ControlError>;

    /// Called before every step of the world: writes joint torques, or a law affine in the contact forces.
    fn act(&mut self, seen: &Observation<'_>, command: &Command, out: &mut Out<'_>) -> ControlStatus;

    /// Appends what it tells of its last decision: a number for each of its system's [`signals`](crate::System::signals), in order.
    fn signals(&self, into: &mut Vec<f64>) {
        let _ = into;
    }

    /// Its parameters of a group of its system, to read and to change.
    fn parameters(&mut self, group: &str) -> Option<&mut dyn Parameters> {
        let _ = group;
        None
    }

    /// The controllers that it is made of.
    fn parts(&mut self) -> &mut [Box<dyn Controller>] {
        &mut []
    }

    /// Takes a request: one of its system's [`requests`](crate::System::requests), with values that were checked.
    ///
    /// # Errors
    /// When it cannot be done.
    fn ask(&mut self, request: &Request) -> Result<(), ControlError> {
        Err(ControlError::Request {
            name: request.name.to_owned(),
            problem: "nothing can be asked for".to_owned(),
        })
    }

    /// Goes on with another body of the same joints, which the character has from this step on.
    ///
    /// # Errors
    /// When it cannot act on this body.
    fn change_body(&mut self, model: &Arc<Model>) -> Result<(), ControlError> {
        Err(ControlError::BodyChange { model: model.name().to_owned() })
    }

    /// Takes over from another controller in the middle of a run: begins with the character as it is, and keeps what it can of the other's
    /// stride.
    ///
    /// # Errors
    /// When it cannot act on this body.
    fn take_over(&mut self, from: &dyn Controller, seen: &Observation<'_>) -> Result<(), ControlError> {
        let _ = from;
        self.reset(seen)
    }

    /// The cost that is still to come from this state on, for controllers that have a value function.
    fn value(&mut self, seen: &Observation<'_>) -> Option<f64> {
        let _ = seen;
        None
    }

    /// Moves the body on without physics after [`act`](Controller::act), for controllers that can: writes the next state and what the
    /// soles claim to feel. False when it cannot.
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
    /// Whether the soles stand on the ground: the body is lifted or lowered until they do.
    pub on_ground: bool,
}

impl Start {
    /// At rest on the ground.
    pub fn standing(model: &Model, q: &[f64]) -> Start {
        Start { q: q.to_vec(), v: vec![0.0; model.nv()], on_ground: true }
    }
}

/// The next state as a controller claims it, without physics.
#[derive(Clone, Debug, Default)]
pub struct Advanced {
    /// How long it takes, s: the step, or less.
    pub dt: f64,
    /// Configuration.
    pub q: Vec<f64>,
    /// Velocity.
    pub v: Vec<f64>,
    /// What touches, with the forces that it claims.
    pub contacts: Vec<sinew_world::ContactForce>,
}

/// Copies behind a `dyn`: implemented for every controller that is `Clone`.
pub trait Copies {
    /// A copy.
    fn boxed_clone(&self) -> Box<dyn Controller>;

    /// The value itself, to be recognised.
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
    /// A body that changes under a controller that cannot follow.
    #[error(
        "the controller cannot go on with the changed body \"{model}\"; choose one that can, or change the body before the run"
    )]
    BodyChange {
        /// Name of the body.
        model: String,
    },
    /// A request that cannot be done.
    #[error("`{name}` cannot be done: {problem}")]
    Request {
        /// Name of the request.
        name: String,
        /// Why.
        problem: String,
    },
    /// A parameter that there is not, or a value that it does not take.
    #[error("{0}")]
    Parameter(String),
    /// A preparation that was given up or did not succeed.
    #[error("the preparation failed: {0}")]
    Preparation(String),
    /// A law in the contact forces, from a system that did not declare one; or signals in another number than declared.
    #[error("`{system}` breaks its own declaration: {problem}")]
    Declaration {
        /// The system.
        system: &'static str,
        /// What it did.
        problem: String,
    },
}
