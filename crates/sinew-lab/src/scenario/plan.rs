//! The controller of a scenario: a system with its style, parameters and clips.

use super::clips::load;
use crate::LabError;
use sinew_control::{ControlError, Order, Parameters, Registry, Style, System, Value};
use sinew_dynamics::Model;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// The controller of a scenario.
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
    /// Its style.
    pub style: Option<&'static Style>,
    /// Parameters that override the style's, by path: `group.name`.
    pub values: BTreeMap<String, Value>,
    /// Files of motions.
    pub clips: Vec<PathBuf>,
}

/// A change of parameters during the run.
#[derive(Clone, Debug, PartialEq)]
pub enum Setting {
    /// Another style.
    Style(&'static Style),
    /// A parameter by its path, and its new value.
    Value(String, Value),
}

impl Default for ControllerPlan {
    /// The default controller with default parameters.
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

    /// With the parameters of a group that differ from their defaults, as far as the system has them.
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
    /// When the name is unknown, or the value outside the range.
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Result<ControllerPlan, ControlError> {
        let (path, value) = self.system.check(name, value.into())?;
        self.values.insert(path, value);
        Ok(self)
    }

    /// Switches to another system and keeps what both have: the style, and parameters of the same path.
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

    /// The order for this controller on a body.
    ///
    /// # Errors
    /// When a motion file cannot be read, or does not fit the body.
    pub fn order(&self, model: Arc<Model>) -> Result<Order, LabError> {
        let mut order = self.order_without_clips(Arc::clone(&model))?;
        order.clips = self
            .clips
            .iter()
            .map(|file| load(file, &model, self.system.needs.planted))
            .collect::<Result<_, _>>()?;
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
