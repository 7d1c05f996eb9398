//! Set-ups: a ground with one scenario, or two side by side.

use super::error::SessionError;
use serde::{Deserialize, Serialize};
use sinew::control::{Registry, System};
use sinew::dynamics::Model;
use sinew::dynamics::characters;
use sinew::lab::Scenario;
use sinew::lab::scenario::{ControllerPlan, GroundPlan};
use sinew::world::terrain::Course;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Most scenarios side by side.
pub const MOST_LANES: usize = 2;
/// Duration of a saved scenario by default, s.
const SECONDS: f64 = 20.0;
/// Where the ground of the studio's slopes and stairs begins, m.
const START: f64 = 2.5;

/// The description of a world. The ground of all scenarios is that of `terrain`.
#[derive(Clone, Debug, PartialEq)]
pub struct Setup {
    /// The ground of all.
    pub terrain: TerrainPlan,
    /// One scenario, or two side by side.
    pub lanes: Vec<Scenario>,
}

impl Setup {
    /// The default controller on level ground.
    pub fn usual(registry: &Registry) -> Setup {
        let terrain = TerrainPlan::default();
        Setup { lanes: vec![scenario(registry.usual(), &terrain)], terrain }
    }

    /// A scenario on its own ground.
    pub fn of(scenario: Scenario, present: &TerrainPlan) -> Setup {
        Setup { terrain: TerrainPlan::of(&scenario, present), lanes: vec![scenario] }
    }

    /// Whether the first scenario has commands.
    pub fn has_commands(&self) -> bool {
        self.lanes.first().is_some_and(|lane| !lane.commands.is_empty())
    }
}

/// The default run of a system in the studio, in the system's first style.
pub fn scenario(system: &'static System, terrain: &TerrainPlan) -> Scenario {
    let usual = ControllerPlan::new(system);
    Scenario {
        name: "studio".to_owned(),
        controller: ControllerPlan { style: system.styles.first(), ..usual },
        ground: terrain.ground().unwrap_or_default(),
        seed: terrain.seed,
        seconds: SECONDS,
        ..Scenario::default()
    }
}

/// The same run by another system. A run with a style gets a style of the new system.
pub fn switched(scenario: &Scenario, system: &'static System) -> Scenario {
    let plain = scenario.controller.style.is_none() && !scenario.controller.system.styles.is_empty();
    let mut other = scenario.clone().become_system(system);
    if other.controller.style.is_none() && !plain {
        other.controller.style = system.styles.first();
    }
    other
}

/// A character of a set-up: built in or uploaded.
///
/// # Errors
/// When there is none of that name.
pub fn character(name: &str, uploads: &BTreeMap<String, Arc<Model>>) -> Result<Arc<Model>, SessionError> {
    match uploads.get(name) {
        Some(model) => Ok(Arc::clone(model)),
        None => characters::load(name)
            .map(Arc::new)
            .map_err(|_| SessionError::unknown("character", name, characters::names())),
    }
}

/// The choice of a ground.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TerrainPlan {
    /// The name of one of [`TERRAINS`], or [`OWN`] for the scenario's ground.
    pub kind: String,
    /// From 0 to 1; when it is left out, that of [`TERRAINS`].
    #[serde(default = "unsaid")]
    pub difficulty: f64,
    /// Seed of what is random in it.
    pub seed: u64,
}

/// The kind for a scenario's ground that is none of the studio's choices.
pub const OWN: &str = "own";

impl Default for TerrainPlan {
    fn default() -> TerrainPlan {
        let Terrain { kind, difficulty } = TERRAINS[0];
        TerrainPlan { kind: kind.name().into(), difficulty, seed: 2 }
    }
}

/// A missing difficulty, which [`TerrainPlan::checked`] replaces by the ground's default.
fn unsaid() -> f64 {
    f64::NAN
}

/// A kind of ground that can be chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Level.
    Flat,
    /// A slope up.
    Uphill,
    /// A slope down.
    Downhill,
    /// A flight of stairs.
    Stairs,
    /// A generated course.
    Course(Course),
}

/// A ground with its default difficulty, which the walker masters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Terrain {
    /// What it is.
    pub kind: Kind,
    /// From 0 to 1.
    pub difficulty: f64,
}

/// Grounds that can be chosen, the default first.
pub const TERRAINS: [Terrain; 10] = [
    Terrain { kind: Kind::Flat, difficulty: 0.1 },
    Terrain { kind: Kind::Uphill, difficulty: 0.1 },
    Terrain { kind: Kind::Downhill, difficulty: 0.1 },
    Terrain { kind: Kind::Stairs, difficulty: 0.1 },
    Terrain { kind: Kind::Course(Course::Ramps), difficulty: 0.1 },
    Terrain { kind: Kind::Course(Course::Ledges), difficulty: 0.05 },
    Terrain { kind: Kind::Course(Course::Blocks), difficulty: 0.02 },
    Terrain { kind: Kind::Course(Course::Stones), difficulty: 0.02 },
    Terrain { kind: Kind::Course(Course::Rough), difficulty: 0.1 },
    Terrain { kind: Kind::Course(Course::Mixed), difficulty: 0.05 },
];

impl Kind {
    /// Key in messages.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Flat => "flat",
            Kind::Uphill => "uphill",
            Kind::Downhill => "downhill",
            Kind::Stairs => "stairs",
            Kind::Course(course) => course.name(),
        }
    }

    /// The scenario's ground for a difficulty.
    pub fn ground(self, difficulty: f64) -> GroundPlan {
        let (start, friction, d) = (START, 1.0, difficulty);
        match self {
            Kind::Flat => GroundPlan::Flat { friction },
            Kind::Uphill => GroundPlan::Slope { start, pitch: (2.0 + 13.0 * d).to_radians(), friction },
            Kind::Downhill => GroundPlan::Slope { start, pitch: -(2.0 + 13.0 * d).to_radians(), friction },
            Kind::Stairs => {
                GroundPlan::Stairs { start, run: 0.34, rise: 0.03 + 0.14 * d, steps: 12, friction }
            }
            Kind::Course(course) => GroundPlan::Course { course, difficulty: d },
        }
    }

    /// The difficulty that a ground would have if it were of this kind.
    fn difficulty(ground: &GroundPlan) -> Option<f64> {
        let d = match *ground {
            GroundPlan::Slope { pitch, .. } => (pitch.abs().to_degrees() - 2.0) / 13.0,
            GroundPlan::Stairs { rise, .. } => (rise - 0.03) / 0.14,
            GroundPlan::Course { difficulty, .. } => return Some(difficulty),
            _ => return None,
        };
        Some((1e9 * d).round() / 1e9)
    }
}

impl TerrainPlan {
    /// The choice that gives a scenario's ground to the bit, or [`OWN`]; a level ground keeps the difficulty of the present choice.
    pub fn of(scenario: &Scenario, present: &TerrainPlan) -> TerrainPlan {
        let difficulty = Kind::difficulty(&scenario.ground).unwrap_or(present.difficulty);
        let same = |terrain: &&Terrain| {
            (0.0..=1.0).contains(&difficulty) && terrain.kind.ground(difficulty) == scenario.ground
        };
        let kind = TERRAINS.iter().find(same).map_or(OWN, |terrain| terrain.kind.name());
        TerrainPlan { kind: kind.to_owned(), difficulty: difficulty.clamp(0.0, 1.0), seed: scenario.seed }
    }

    /// The same with its numbers in their ranges.
    ///
    /// # Errors
    /// When there is no such ground.
    pub fn checked(mut self) -> Result<TerrainPlan, SessionError> {
        let usual = match TERRAINS.iter().find(|terrain| terrain.kind.name() == self.kind) {
            Some(terrain) => terrain.difficulty,
            None if self.kind == OWN => 0.0,
            None => {
                let known = TERRAINS.iter().map(|terrain| terrain.kind.name());
                return Err(SessionError::unknown("terrain", &self.kind, known));
            }
        };
        self.difficulty = if self.difficulty.is_finite() { self.difficulty.clamp(0.0, 1.0) } else { usual };
        self.seed = self.seed.min(i64::MAX as u64);
        Ok(self)
    }

    /// The ground, unless it is a scenario's own.
    pub fn ground(&self) -> Option<GroundPlan> {
        let terrain = TERRAINS.iter().find(|terrain| terrain.kind.name() == self.kind)?;
        Some(terrain.kind.ground(self.difficulty))
    }
}
