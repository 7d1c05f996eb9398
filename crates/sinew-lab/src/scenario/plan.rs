//! What moves the character: a system, and what is said of it.

use super::clips::load;
use crate::LabError;
use sinew_control::{ControlError, Order, Parameters, Registry, Style, System, Value};
use sinew_dynamics::Model;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// What moves the character.
///
/// ```
/// use sinew_control::features::{Gait, WALKER};
/// use sinew_lab::scenario::ControllerPlan;
/// let plan = ControllerPlan::new(&WALKER).with_group("gait", &Gait { lift: 0.15, ..Gait::default() });
/// assert_eq!(plan.values.len(), 1);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ControllerPlan {
    /// The kind of controller.
    pub system: &'static System,
    /// How it moves.
    pub style: Option<&'static Style>,
    /// Parameters on top of that, by path: `group.name`.
    pub values: BTreeMap<String, Value>,
    /// Files of motions.
    pub clips: Vec<PathBuf>,
}

/// A change of parameters while it runs.
#[derive(Clone, Debug, PartialEq)]
pub enum Setting {
    /// Another style.
    Style(&'static Style),
    /// A parameter by its path takes a value.
    Value(String, Value),
}

impl Default for ControllerPlan {
    /// The usual controller, as it is.
    fn default() -> ControllerPlan {
        ControllerPlan::new(Registry::built_in().usual())
    }
}

impl ControllerPlan {
    /// A system with default parameters.
    pub fn new(system: &'static System) -> ControllerPlan {
        ControllerPlan { system, style: None, values: BTreeMap::new(), clips: Vec::new() }
    }

    /// In a style.
    #[must_use]
    pub fn with_style(self, style: &'static Style) -> ControllerPlan {
        ControllerPlan { style: Some(style), ..self }
    }

    /// With the parameters of a group that differ from their defaults; what the system does not have is left out.
    #[must_use]
    pub fn with_group(mut self, group: &str, parameters: &dyn Parameters) -> ControllerPlan {
        for group in self.system.groups.iter().filter(|g| g.name == group) {
            for param in group.params {
                let path = format!("{}.{}", group.name, param.name);
                match parameters.value(param.name).filter(|value| *value != param.default()) {
                    Some(value) => self.values.insert(path, value),
                    None => self.values.remove(&path),
                };
            }
        }
        self
    }

    /// With a parameter, by its path or unique name.
    ///
    /// # Errors
    /// When there is none of that name, or it does not take the value.
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Result<ControllerPlan, ControlError> {
        let (path, value) = self.system.check(name, value.into())?;
        self.values.insert(path, value);
        Ok(self)
    }

    /// Another system with all that it has in common with this one: style and parameters of the same path.
    #[must_use]
    pub fn become_system(&self, system: &'static System) -> ControllerPlan {
        let fits =
            |path: &String, value: &Value| system.param(path).is_some_and(|(_, p)| p.wants(value).is_none());
        ControllerPlan {
            system,
            style: self.style.and_then(|style| system.style(style.name)),
            values: self.values.clone().into_iter().filter(|(path, value)| fits(path, value)).collect(),
            clips: self.clips.clone(),
        }
    }

    /// What a controller is made of, on a body.
    ///
    /// # Errors
    /// When a motion file cannot be read, or does not fit the body.
    pub fn order(&self, model: Arc<Model>) -> Result<Order, LabError> {
        let mut order = self.order_without_clips(Arc::clone(&model))?;
        order.clips = self.clips.iter().map(|file| load(file, &model)).collect::<Result<_, _>>()?;
        Ok(order)
    }

    /// The same without its clips.
    pub(crate) fn order_without_clips(&self, model: Arc<Model>) -> Result<Order, LabError> {
        let mut order = Order::new(self.system, model);
        self.style.into_iter().for_each(|style| order.restyle(style));
        order.values.extend(self.values.clone());
        Ok(order)
    }
}
