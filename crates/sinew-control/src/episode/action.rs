//! What changes a run's future from outside: steering, parameters, requests, another body. Now, or planned for a time.

use super::{Episode, EpisodeError};
use crate::params::{Stage, Style, Value};
use crate::request::Request;
use crate::system::{apply, apply_style, no_parameter};
use crate::{Command, ControlError};
use sinew_dynamics::Model;
use std::sync::Arc;

/// Something that changes the future.
#[derive(Clone, Debug)]
pub enum Action {
    /// A new steering command.
    Command(Command),
    /// A value for a parameter, given by its path or unique name.
    Set(String, Value),
    /// Another way of moving: the parameters of a style.
    Style(&'static Style),
    /// A request.
    Ask(Request),
    /// A change of the character's body: a description, and the new body, which has the same joints.
    Body(String, Arc<Model>),
}

impl Episode {
    /// Performs an action now, between two steps.
    ///
    /// # Errors
    /// When it cannot be done; then nothing has changed.
    pub fn perform(&mut self, action: &Action) -> Result<(), EpisodeError> {
        match action {
            Action::Command(command) => self.command = *command,
            Action::Set(path, value) => self.set(path, value)?,
            Action::Style(style) => {
                self.order.restyle(style);
                apply_style(self.controller.as_mut(), &self.order);
            }
            Action::Ask(request) => self.controller.ask(request)?,
            Action::Body(what, base) => {
                let model = (self.order.system.body)(&self.order, base)?;
                self.world.change_body(self.actor, what, model)?;
                self.base = Arc::clone(base);
            }
        }
        Ok(())
    }

    /// Plans an action for a time: it happens before the step that begins then. An action for a time in the past happens before the next
    /// step.
    pub fn plan(&mut self, time: f64, action: Action) {
        let place = self.actions.partition_point(|(from, _)| *from <= time).max(self.done);
        Arc::make_mut(&mut self.actions).insert(place, (time, action));
    }

    /// Drops planned actions for which `keep` is false: after a switch, for example, those that the new controller does not take.
    pub fn keep_planned(&mut self, keep: impl Fn(&Action) -> bool) {
        let done = self.done;
        let mut place = 0;
        Arc::make_mut(&mut self.actions).retain(|(_, action)| {
            place += 1;
            place <= done || keep(action)
        });
    }

    /// Sets a parameter that acts at once; for any other, builds the controller again and lets it take over from the present one.
    fn set(&mut self, path: &str, value: &Value) -> Result<(), EpisodeError> {
        let (group, param) =
            self.order.system.param(path).ok_or_else(|| no_parameter(self.order.system, path))?;
        let mut order = self.order.clone();
        order.set(path, value.clone())?;
        match param.stage {
            Stage::Live => {
                let path = format!("{}.{}", group.name, param.name);
                if !apply(self.controller.as_mut(), &path, value) {
                    let problem = format!("`{path}` is declared and cannot be set");
                    return Err(ControlError::Declaration { system: order.system.name, problem }.into());
                }
                self.order = order;
            }
            Stage::Build => self.replace(order, self.prepared.clone(), self.plan.clone())?,
            Stage::Prepare => {
                let problem =
                    format!("`{path}` needs a new preparation and cannot change in the middle of a run");
                return Err(ControlError::Parameter(problem).into());
            }
        }
        Ok(())
    }
}
