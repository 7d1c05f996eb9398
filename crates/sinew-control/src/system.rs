//! A system: one declaration of everything that the rest of Sinew must know of a kind of controller.
//!
//! The command line, the scenario reader, the lab, the studio's panels and the tables of the documentation read this and nothing else. A new
//! controller is a folder with a `static` of this type and a line in the [registry](crate::Registry).

use crate::controller::{ControlError, Controller};
use crate::params::{Group, Param, Style, Value};
use crate::prepare::{Prepare, Prepared};
use crate::request::{Request, RequestKind};
use crate::signal::{Meaning, Signal};
use crate::wants::Wants;
use core::fmt;
use sinew_dynamics::{Model, Role, Side};
use sinew_motion::Clip;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A kind of controller, declared.
pub struct System {
    /// Name in files and on the command line.
    pub name: &'static str,
    /// One sentence.
    pub about: &'static str,
    /// Its publication; empty for our own systems.
    pub paper: &'static str,
    /// Raised whenever the same preparation would give another result.
    pub version: u32,
    /// Its parameters.
    pub groups: &'static [Group],
    /// Ways of moving; the first is the studio's default.
    pub styles: &'static [Style],
    /// Requests that it takes while it runs.
    pub requests: &'static [RequestKind],
    /// Whether a character that lies on the ground counts as fallen.
    pub balances: bool,
    /// Signals that it reports after every decision.
    pub signals: &'static [&'static [Signal]],
    /// The body and the clips that it needs.
    pub needs: Needs,
    /// The world settings that it wants.
    pub wants: fn(&Order) -> Wants,
    /// Makes the simulated body from the given one, for example by adding springs or armature.
    pub body: fn(&Order, &Arc<Model>) -> Result<Arc<Model>, ControlError>,
    /// Its preparation, if it has one.
    pub prepare: Option<Prepare>,
    /// The motion that it follows, for systems that follow one.
    pub follows: Option<Follows>,
    /// Builds the controller; parameters that can be set later have their defaults.
    pub build: Build,
}

/// The motion that a system follows, for an order and its preparation.
pub type Follows = fn(&Order, &Prepared) -> Result<Followed, ControlError>;

/// A motion that is followed.
#[derive(Clone, Debug)]
pub struct Followed {
    /// The motion as the controller intends it; the last frame of a cycle is the first one, moved over the ground.
    pub clip: Clip,
    /// Whether it is repeated.
    pub cycles: bool,
    /// Remarks on the preparation for the user.
    pub notes: Vec<String>,
}

/// Makes a controller from an order and its preparation.
pub type Build = fn(&Order, &Prepared) -> Result<Box<dyn Controller>, ControlError>;

/// The body and the clips that a system needs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// Motion clips.
    pub clips: Clips,
    /// Two legs with feet.
    pub feet: bool,
    /// Two hands.
    pub hands: bool,
    /// Captured motions with their feet planted on level ground, instead of as they are.
    pub planted: bool,
}

impl Needs {
    /// Any body, and no clips.
    pub const NOTHING: Needs = Needs { clips: Clips::None, feet: false, hands: false, planted: false };
}

/// How many motion clips a system needs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Clips {
    /// None.
    #[default]
    None,
    /// Any number; without a clip the system uses a motion of its own.
    Any,
    /// One.
    One,
    /// One or more.
    Library,
}

/// What a controller is built from: its system, a body, clips and parameters.
#[derive(Clone, Debug)]
pub struct Order {
    /// The kind of controller.
    pub system: &'static System,
    /// The body.
    pub model: Arc<Model>,
    /// Motion clips on that body.
    pub clips: Vec<Arc<Clip>>,
    /// Parameters that differ from their defaults, by path: `group.name`.
    pub values: BTreeMap<String, Value>,
    /// The controllers that this one combines.
    pub parts: Vec<Order>,
}

impl fmt::Debug for System {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "System({})", self.name)
    }
}

impl PartialEq for System {
    /// Names are unique.
    fn eq(&self, other: &System) -> bool {
        self.name == other.name
    }
}

impl System {
    /// A system without parameters or needs, for the default world. Fill in the rest by struct update:
    /// `System { groups: &[…], ..System::new(…) }`.
    pub const fn new(name: &'static str, about: &'static str, build: Build) -> System {
        System {
            name,
            about,
            paper: "",
            version: 1,
            groups: &[],
            styles: &[],
            requests: &[],
            balances: true,
            signals: &[],
            needs: Needs::NOTHING,
            wants: |_| Wants::default(),
            body: |_, model| Ok(Arc::clone(model)),
            prepare: None,
            follows: None,
            build,
        }
    }

    /// A parameter by its path `group.name`, or by its name where only one group has it.
    pub fn param(&self, path: &str) -> Option<(&'static Group, &'static Param)> {
        let (group, name) = path.split_once('.').map_or((None, path), |(group, name)| (Some(group), name));
        let groups = self.groups.iter().filter(|g| group.is_none_or(|wanted| g.name == wanted));
        let mut found =
            groups.flat_map(|g| g.params.iter().map(move |p| (g, p))).filter(|(_, p)| p.name == name);
        let first = found.next()?;
        found.next().is_none().then_some(first)
    }

    /// The full path of a parameter given by its path or unique name, after a check of the value.
    ///
    /// # Errors
    /// When the name is unknown, or the value outside the range.
    pub fn check(&self, path: &str, value: Value) -> Result<(String, Value), ControlError> {
        let (group, param) = self.param(path).ok_or_else(|| no_parameter(self, path))?;
        match param.wants(&value) {
            None => Ok((format!("{}.{}", group.name, param.name), value)),
            Some(wanted) => Err(ControlError::Parameter(format!("`{path}` must be {wanted}, not {value}"))),
        }
    }

    /// A request by its name.
    pub fn request(&self, name: &str) -> Option<&'static RequestKind> {
        self.requests.iter().find(|kind| kind.name == name)
    }

    /// Whether it takes a request with these values.
    pub fn takes(&self, request: &Request) -> bool {
        let takes = |kind: &RequestKind, (name, value): &(&str, Value)| {
            kind.params.iter().any(|param| param.name == *name && param.wants(value).is_none())
        };
        self.request(request.name).is_some_and(|kind| request.values.iter().all(|value| takes(kind, value)))
    }

    /// A style by its name.
    pub fn style(&self, name: &str) -> Option<&'static Style> {
        self.styles.iter().find(|style| style.name == name)
    }

    /// All signals in their order.
    pub fn signals(&self) -> impl Iterator<Item = &'static Signal> + use<> {
        self.signals.iter().flat_map(|list| list.iter())
    }

    /// Index of the signal that counts footsteps, if there is one.
    pub fn footsteps(&self) -> Option<usize> {
        self.signals().position(|signal| signal.meaning == Some(Meaning::Footsteps))
    }

    /// What a body lacks, and the remedy.
    fn lacks(&self, order: &Order) -> Result<(), ControlError> {
        let model = &order.model;
        let has = |roles: [Role; 2]| roles.iter().all(|role| model.role(*role).is_some());
        let body = |what: &str, remedy: &str| {
            Err(ControlError::Body {
                model: model.name().to_owned(),
                what: what.to_owned(),
                remedy: format!("`{}` needs them; {remedy}", self.name),
            })
        };
        if self.needs.feet && !has(Side::BOTH.map(Role::Foot)) {
            return body("two feet", "name them in the model's roles (see docs/characters.md)");
        }
        if self.needs.hands && !has(Side::BOTH.map(Role::Hand)) {
            return body("two hands", "name them in the model's roles (see docs/characters.md)");
        }
        let clips = order.clips.len();
        let wanted = match self.needs.clips {
            Clips::None if clips > 0 => "no clip",
            Clips::One if clips != 1 => "one clip",
            Clips::Library if clips == 0 => "a clip or more",
            _ => return Ok(()),
        };
        Err(ControlError::Parameter(format!("`{}` takes {wanted}, and there are {clips}", self.name)))
    }
}

impl Order {
    /// A system on a body, without clips and with default parameters.
    pub fn new(system: &'static System, model: Arc<Model>) -> Order {
        Order { system, model, clips: Vec::new(), values: BTreeMap::new(), parts: Vec::new() }
    }

    /// Sets a parameter by its path or unique name.
    ///
    /// # Errors
    /// When the name is unknown, or the value outside the range.
    pub fn set(&mut self, path: &str, value: Value) -> Result<(), ControlError> {
        let (path, value) = self.system.check(path, value)?;
        self.values.insert(path, value);
        Ok(())
    }

    /// The present value of a parameter.
    pub fn value(&self, path: &str) -> Option<Value> {
        let (group, param) = self.system.param(path)?;
        let said = self.values.get(&format!("{}.{}", group.name, param.name));
        Some(said.cloned().unwrap_or_else(|| param.default()))
    }

    /// Sets the parameters of a style, and all others in the same groups to their defaults.
    pub fn restyle(&mut self, style: &Style) {
        for group in touched(self.system) {
            self.values.retain(|path, _| path.split_once('.').is_none_or(|(g, _)| g != group.name));
        }
        for (name, value) in style.changes {
            if let Some((group, param)) = self.system.param(name) {
                self.values.insert(format!("{}.{}", group.name, param.name), Value::Number(*value));
            }
        }
    }

    /// The controller.
    ///
    /// # Errors
    /// When body or clips do not suit the system.
    pub fn build(&self, prepared: &Prepared) -> Result<Box<dyn Controller>, ControlError> {
        self.system.lacks(self)?;
        let mut controller = (self.system.build)(self, prepared)?;
        for (path, value) in &self.values {
            apply(controller.as_mut(), path, value);
        }
        Ok(controller)
    }
}

/// The groups that have parameters in any style of a system.
fn touched(system: &'static System) -> impl Iterator<Item = &'static Group> {
    let names = system.styles.iter().flat_map(|style| style.changes).map(|(name, _)| *name);
    let mut groups: Vec<&'static Group> = names.filter_map(|name| Some(system.param(name)?.0)).collect();
    groups.sort_by_key(|g| g.name);
    groups.dedup_by_key(|g| g.name);
    groups.into_iter()
}

/// Sets a parameter of a running controller by its full path; false when it cannot take effect at once.
pub(crate) fn apply(controller: &mut dyn Controller, path: &str, value: &Value) -> bool {
    let Some((group, name)) = path.split_once('.') else { return false };
    controller.parameters(group).is_some_and(|group| group.set_value(name, value))
}

/// Sets all parameters that a style concerns on a running controller.
pub(crate) fn apply_style(controller: &mut dyn Controller, order: &Order) {
    for group in touched(order.system) {
        for param in group.params {
            let path = format!("{}.{}", group.name, param.name);
            let value = order.values.get(&path).cloned().unwrap_or_else(|| param.default());
            apply(controller, &path, &value);
        }
    }
}

pub(crate) fn no_parameter(system: &System, path: &str) -> ControlError {
    let name = system.name;
    ControlError::Parameter(format!(
        "`{name}` has no parameter `{path}`; `sinew controllers {name}` lists them"
    ))
}

impl RequestKind {
    /// A request with one more value.
    ///
    /// # Errors
    /// When the name is unknown, or the value outside the range.
    pub fn with(
        &'static self,
        mut request: Request,
        name: &str,
        value: Value,
    ) -> Result<Request, ControlError> {
        let Some(param) = self.params.iter().find(|p| p.name == name) else {
            let known: Vec<&str> = self.params.iter().map(|p| p.name).collect();
            let problem = format!("a {} has no `{name}`; known: {}", self.name, known.join(", "));
            return Err(ControlError::Parameter(problem));
        };
        if let Some(wanted) = param.wants(&value) {
            return Err(ControlError::Parameter(format!("`{name}` must be {wanted}, not {value}")));
        }
        request.values.push((param.name, value));
        Ok(request)
    }
}
