//! Who moves the character: one of the controllers, or nobody.

use super::setup::LaneSetup;
use serde::Serialize;
use sinew::control::features::{Balancer, Jump, Jumper, Walker};
use sinew::control::{Command, ControlError, ControlStatus, Controller, Observation, Telemetry};
use sinew::dynamics::Model;
use sinew::world::Actuation;
use std::sync::Arc;

/// A controller that can be chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ControllerName {
    /// Key in messages.
    pub name: &'static str,
    /// One line for the screen.
    pub about: &'static str,
}

/// What can be chosen, the default first.
pub const CONTROLLERS: [ControllerName; 4] = [
    ControllerName { name: "walker", about: "Stands, walks, turns and catches pushes by stepping" },
    ControllerName { name: "jumper", about: "The same, and jumps when asked" },
    ControllerName { name: "balancer", about: "Stands, squats and leans, and steps only when it must" },
    ControllerName { name: "none", about: "No torques: a ragdoll" },
];

/// The controller of a character.
#[derive(Clone, Debug)]
pub enum Driver {
    /// Walks.
    Walker(Box<Walker>),
    /// Walks and jumps.
    Jumper(Box<Jumper>),
    /// Stands.
    Balancer(Box<Balancer>),
    /// Nobody.
    Limp,
}

impl Driver {
    /// The controller of a set-up.
    ///
    /// # Errors
    /// When the body does not suit it.
    pub fn new(setup: &LaneSetup, model: &Arc<Model>) -> Result<Driver, ControlError> {
        let mut driver = match setup.controller.as_str() {
            "walker" => Driver::Walker(Box::new(Walker::new(Arc::clone(model))?)),
            "jumper" => Driver::Jumper(Box::new(Jumper::new(Arc::clone(model))?)),
            "balancer" => Driver::Balancer(Box::new(Balancer::new(Arc::clone(model))?)),
            _ => Driver::Limp,
        };
        driver.adopt(setup);
        Ok(driver)
    }

    /// Takes gait and stance of a set-up.
    pub fn adopt(&mut self, setup: &LaneSetup) {
        if let Some(walker) = self.walker_mut() {
            walker.gait = setup.gait();
        }
        if let Driver::Balancer(balancer) = self {
            balancer.stance = setup.stance();
        }
    }

    fn walker_mut(&mut self) -> Option<&mut Walker> {
        match self {
            Driver::Walker(walker) => Some(walker),
            Driver::Jumper(jumper) => Some(&mut jumper.walker),
            Driver::Balancer(balancer) => Some(&mut balancer.walker),
            Driver::Limp => None,
        }
    }

    /// Goes on with another body of the same joints.
    ///
    /// # Errors
    /// When the body does not suit the controller.
    pub fn change_body(&mut self, model: &Arc<Model>) -> Result<(), ControlError> {
        self.walker_mut().map_or(Ok(()), |walker| walker.change_body(Arc::clone(model)))
    }

    /// Puts the controller in phase with the character as it is now.
    ///
    /// # Errors
    /// When it cannot act on this body.
    pub fn reset(&mut self, seen: &Observation<'_>) -> Result<(), ControlError> {
        match self {
            Driver::Walker(walker) => walker.reset(seen),
            Driver::Jumper(jumper) => jumper.reset(seen),
            Driver::Balancer(balancer) => balancer.reset(seen),
            Driver::Limp => Ok(()),
        }
    }

    /// Takes over from another controller: who walks and is to jump or to stand keeps its stride, all others begin with the character
    /// as it is.
    ///
    /// # Errors
    /// When it cannot act on this body.
    pub fn relieve(&mut self, other: &Driver, seen: &Observation<'_>) -> Result<(), ControlError> {
        self.reset(seen)?;
        match (self, other) {
            (Driver::Jumper(jumper), Driver::Walker(walker)) => jumper.walker.clone_from(walker),
            (Driver::Balancer(balancer), Driver::Walker(walker)) => balancer.walker.clone_from(walker),
            _ => {}
        }
        Ok(())
    }

    /// Writes the torques of the next step.
    pub fn act(&mut self, seen: &Observation<'_>, command: &Command, out: &mut Actuation) -> ControlStatus {
        match self {
            Driver::Walker(walker) => walker.act(seen, command, out),
            Driver::Jumper(jumper) => jumper.act(seen, command, out),
            // it stands, wherever it is steered
            Driver::Balancer(balancer) => {
                balancer.act(seen, &Command { velocity: [0.0; 2], ..*command }, out)
            }
            Driver::Limp => {
                out.torque.fill(0.0);
                ControlStatus::Good
            }
        }
    }

    /// Asks for a jump; false when it does not jump.
    pub fn jump(&mut self, jump: Jump) -> bool {
        match self {
            Driver::Jumper(jumper) => jumper.jump(jump),
            _ => return false,
        }
        true
    }

    /// Named figures.
    pub fn telemetry(&self, into: &mut Telemetry) {
        match self {
            Driver::Walker(walker) => walker.telemetry(into),
            Driver::Jumper(jumper) => jumper.telemetry(into),
            Driver::Balancer(balancer) => balancer.telemetry(into),
            Driver::Limp => {}
        }
    }

    /// The configuration in which a body begins.
    pub fn rest(&self, model: &Model) -> Vec<f64> {
        match self {
            Driver::Walker(walker) => walker.rest().to_vec(),
            Driver::Jumper(jumper) => jumper.walker.rest().to_vec(),
            Driver::Balancer(balancer) => balancer.walker.rest().to_vec(),
            Driver::Limp => {
                let keys = &model.spec().keyframes;
                let key = keys.iter().find(|k| k.name == "ready").or(keys.first());
                key.map_or_else(|| model.neutral(), |k| k.q.clone())
            }
        }
    }
}
