//! Set-ups in messages: everything that panels change has a key of its own, the rest is the text of a scenario.

use super::catalogue::{Said, said};
use crate::session::error::SessionError;
use crate::session::setup::{MOST_LANES, OWN, Setup, TerrainPlan, scenario};
use serde::{Deserialize, Serialize};
use sinew::control::{Param, Parameters, Registry, System, Value};
use sinew::lab::Scenario;
use sinew::lab::scenario::{BodyPlan, ControllerPlan, GroundPlan};
use std::collections::BTreeMap;

/// Everything that a world is made of. Small enough for a link.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SetupMessage {
    /// The ground of all.
    pub terrain: TerrainPlan,
    /// One character, or two side by side.
    pub lanes: Vec<LaneMessage>,
}

impl Default for SetupMessage {
    fn default() -> SetupMessage {
        SetupMessage { terrain: TerrainPlan::default(), lanes: vec![LaneMessage::default()] }
    }
}

/// One character.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LaneMessage {
    /// A built-in character, or the name of an uploaded one.
    pub character: String,
    /// The name of a system; empty: the default one.
    pub controller: String,
    /// One of its styles; empty: none; left out: its first.
    pub style: Option<String>,
    /// Parameters on top of that, by path or unique name, as they stand on the screen.
    pub values: BTreeMap<String, Said>,
    /// Numbers of the body that differ from its file's.
    pub body: BTreeMap<String, f64>,
    /// Everything else, as the text of a scenario; empty: nothing else.
    pub scenario: String,
}

impl Default for LaneMessage {
    fn default() -> LaneMessage {
        LaneMessage {
            character: Scenario::default().character,
            controller: String::new(),
            style: None,
            values: BTreeMap::new(),
            body: BTreeMap::new(),
            scenario: String::new(),
        }
    }
}

impl SetupMessage {
    /// A set-up as a message.
    pub fn of(setup: &Setup) -> SetupMessage {
        let lane = |scenario: &Scenario| LaneMessage::of(scenario, &setup.terrain);
        SetupMessage { terrain: setup.terrain.clone(), lanes: setup.lanes.iter().map(lane).collect() }
    }

    /// The set-up of this message.
    ///
    /// # Errors
    /// When a name is unknown.
    pub fn read(&self, registry: &Registry) -> Result<Setup, SessionError> {
        if self.lanes.is_empty() || self.lanes.len() > MOST_LANES {
            return Err(SessionError::Refused("a set-up has one or two characters"));
        }
        let terrain = self.terrain.clone().checked()?;
        let lanes: Result<Vec<Scenario>, _> =
            self.lanes.iter().map(|lane| lane.read(&terrain, registry)).collect();
        let mut lanes = lanes?;
        if terrain.kind == OWN {
            // the first one's ground for all
            let ground = lanes[0].ground.clone();
            lanes.iter_mut().for_each(|lane| lane.ground.clone_from(&ground));
        }
        Ok(Setup { terrain, lanes })
    }
}

impl LaneMessage {
    fn of(lane: &Scenario, terrain: &TerrainPlan) -> LaneMessage {
        let plan = &lane.controller;
        let path = |(path, value): (&String, &Value)| {
            let (_, param) = plan.system.param(path)?;
            Some((path.clone(), said(value, param)))
        };
        LaneMessage {
            character: lane.character.clone(),
            controller: plan.system.name.to_owned(),
            style: Some(plan.style.map_or_else(String::new, |style| style.name.to_owned())),
            values: plan.values.iter().filter_map(path).collect(),
            body: lane.body.changed().map(|(name, value)| (name.to_owned(), value)).collect(),
            scenario: rest(lane, terrain),
        }
    }

    /// The scenario of this message, on a ground.
    ///
    /// # Errors
    /// When a name is unknown.
    pub fn read(&self, terrain: &TerrainPlan, registry: &Registry) -> Result<Scenario, SessionError> {
        let system = self.system(registry)?;
        let said = match self.scenario.as_str() {
            "" => scenario(system, terrain),
            text => Scenario::parse_with(text, "scenario", registry)?.become_system(system),
        };
        let style = match self.style.as_deref() {
            None => system.styles.first(),
            Some("") => None,
            Some(name) => Some(system.style(name).ok_or_else(|| {
                SessionError::unknown("style", name, system.styles.iter().map(|style| style.name))
            })?),
        };
        let mut plan = ControllerPlan { style, ..ControllerPlan::new(system) };
        plan.clips = said.controller.clips;
        for (path, value) in &self.values {
            let (path, value) = checked(system, path, value)?;
            plan.values.insert(path, value);
        }
        Ok(Scenario {
            character: self.character.clone(),
            controller: plan,
            body: self.body()?,
            ground: terrain.ground().unwrap_or(said.ground),
            seed: terrain.seed,
            ..said
        })
    }

    fn system(&self, registry: &Registry) -> Result<&'static System, SessionError> {
        match self.controller.as_str() {
            "" => Ok(registry.usual()),
            name => {
                registry.get(name).ok_or_else(|| SessionError::unknown("controller", name, registry.names()))
            }
        }
    }

    fn body(&self) -> Result<BodyPlan, SessionError> {
        let mut body = BodyPlan::default();
        for (name, value) in &self.body {
            if !body.set_value(name, &Value::Number(*value)) {
                let known = BodyPlan::PARAMS.iter().map(|param| param.name);
                return Err(SessionError::unknown("number of the body", name, known));
            }
        }
        Ok(body)
    }
}

/// A parameter's whole path, and its value within its range.
fn checked(system: &'static System, path: &str, said: &Said) -> Result<(String, Value), SessionError> {
    let unknown = || {
        let known = system.groups.iter().flat_map(|group| group.params).map(|param: &Param| param.name);
        SessionError::unknown("parameter", path, known)
    };
    let (_, param) = system.param(path).ok_or_else(unknown)?;
    Ok(system.check(path, said.value(param))?)
}

/// The part of a scenario that has no key of its own; empty if there is none.
fn rest(lane: &Scenario, terrain: &TerrainPlan) -> String {
    let usual = Scenario { ground: GroundPlan::default(), ..scenario(lane.controller.system, terrain) };
    let rest = Scenario {
        character: usual.character.clone(),
        controller: ControllerPlan { clips: lane.controller.clips.clone(), ..usual.controller.clone() },
        body: usual.body,
        ground: if terrain.kind == OWN { lane.ground.clone() } else { GroundPlan::default() },
        seed: usual.seed,
        ..lane.clone()
    };
    if rest == usual { String::new() } else { rest.to_toml() }
}
