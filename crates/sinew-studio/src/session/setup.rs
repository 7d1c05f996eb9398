//! What can be chosen: who, moved by what, in which style, on which ground. Small enough for a link.

use super::body::{BodyPlan, Slider, slider};
use super::driver::CONTROLLERS;
use serde::{Deserialize, Serialize};
use sinew::control::features::{Gait, Stance, Style};
use sinew::dynamics::characters;
use sinew::lab::scenario::GroundPlan;
use sinew::world::terrain::Course;
use std::collections::BTreeMap;

/// Most set-ups side by side.
pub const MOST_LANES: usize = 2;

/// Everything that a world is made of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Setup {
    /// The ground of all.
    pub terrain: TerrainPlan,
    /// One character, or two side by side.
    pub lanes: Vec<LaneSetup>,
}

impl Default for Setup {
    fn default() -> Setup {
        Setup { terrain: TerrainPlan::default(), lanes: vec![LaneSetup::default()] }
    }
}

/// One character.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LaneSetup {
    /// A built-in character, or the name of an uploaded one.
    pub character: String,
    /// A controller of [`CONTROLLERS`].
    pub controller: String,
    /// The name of a [`Style`].
    pub style: String,
    /// Parameters of the gait that differ from the style's.
    pub gait: BTreeMap<String, f64>,
    /// Numbers of [`STANCE`] that differ from theirs.
    pub stance: BTreeMap<String, f64>,
    /// How the body differs from its file.
    pub body: BodyPlan,
}

impl Default for LaneSetup {
    fn default() -> LaneSetup {
        LaneSetup {
            character: "human".into(),
            controller: CONTROLLERS[0].name.into(),
            style: Style::ALL[0].name.into(),
            gait: BTreeMap::new(),
            stance: BTreeMap::new(),
            body: BodyPlan::default(),
        }
    }
}

/// The ground.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TerrainPlan {
    /// One of [`TERRAINS`].
    pub kind: String,
    /// From 0 to 1; when it is left out, that of [`TERRAINS`].
    #[serde(default = "unsaid")]
    pub difficulty: f64,
    /// Seed of what is random in it.
    pub seed: u64,
}

impl Default for TerrainPlan {
    fn default() -> TerrainPlan {
        TerrainPlan { kind: TERRAINS[0].name.into(), difficulty: TERRAINS[0].difficulty, seed: 2 }
    }
}

/// How the balancer stands: it squats, so that there is something to see, and steps before it topples.
pub const STANCE: [Slider; 5] = [
    slider("squat_depth", "squat depth", [0.0, 0.35], 0.01, 0.18, "×"),
    slider("squat_period", "squat time", [1.5, 6.0], 0.1, 2.5, "s"),
    slider("lean_forward", "lean forward", [-0.06, 0.1], 0.005, 0.0, "leg"),
    slider("lean_left", "lean left", [-0.12, 0.12], 0.005, 0.0, "leg"),
    slider("step_beyond", "steps beyond", [0.0, 0.3], 0.01, 0.02, "m"),
];

/// A difficulty that nobody gave: [`Setup::checked`] puts the ground's own in its place.
fn unsaid() -> f64 {
    f64::NAN
}

/// A ground, and how difficult it is when it is chosen: so that the walker masters it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct TerrainName {
    /// Key in messages.
    pub name: &'static str,
    /// From 0 to 1.
    pub difficulty: f64,
}

/// Grounds that can be chosen, the default first.
pub const TERRAINS: [TerrainName; 10] = [
    terrain("flat", 0.1),
    terrain("uphill", 0.1),
    terrain("downhill", 0.1),
    terrain("stairs", 0.1),
    terrain("ramps", 0.1),
    terrain("ledges", 0.05),
    terrain("blocks", 0.02),
    terrain("stones", 0.02),
    terrain("rough", 0.1),
    terrain("mixed", 0.05),
];

const fn terrain(name: &'static str, difficulty: f64) -> TerrainName {
    TerrainName { name, difficulty }
}

impl LaneSetup {
    /// The gait of style and parameters.
    pub fn gait(&self) -> Gait {
        let mut gait = Style::named(&self.style).map_or_else(Gait::default, Style::gait);
        for (name, value) in &self.gait {
            gait.get_mut(name).into_iter().for_each(|parameter| *parameter = *value);
        }
        gait
    }

    /// The stance of a balancer.
    pub fn stance(&self) -> Stance {
        let mut stance = Stance::default();
        for slider in &STANCE {
            let value =
                self.stance.get(slider.name).map_or(slider.default, |v| v.clamp(slider.min, slider.max));
            stance.get_mut(slider.name).into_iter().for_each(|parameter| *parameter = value);
        }
        stance
    }

    /// What is wrong with it, given the names of uploaded characters.
    fn problem(&self, uploaded: &[&str]) -> Option<String> {
        if !characters::names().any(|n| n == self.character) && !uploaded.contains(&self.character.as_str()) {
            let known = characters::names().collect::<Vec<_>>().join(", ");
            return Some(format!("there is no character `{}`; built in are {known}", self.character));
        }
        if !CONTROLLERS.iter().any(|c| c.name == self.controller) {
            return Some(format!("there is no controller `{}`", self.controller));
        }
        if Style::named(&self.style).is_none() {
            let known = Style::ALL.iter().map(|s| s.name).collect::<Vec<_>>().join(", ");
            return Some(format!("there is no style `{}`; known: {known}", self.style));
        }
        let known = |name: &str| STANCE.iter().any(|s| s.name == name);
        if let Some((name, value)) = self.stance.iter().find(|(n, v)| !known(n) || !v.is_finite()) {
            return Some(format!("there is no number `{name}` of the stance with value {value}"));
        }
        let wrong = self.gait.iter().find(|(name, value)| bounded_gait(name, **value).is_none());
        wrong.map(|(name, value)| format!("there is no parameter `{name}` of the gait with value {value}"))
    }
}

impl Setup {
    /// The same with all numbers in their ranges.
    ///
    /// # Errors
    /// In words, when it names what nobody has.
    pub fn checked(mut self, uploaded: &[&str]) -> Result<Setup, String> {
        if self.lanes.is_empty() || self.lanes.len() > MOST_LANES {
            return Err(format!("a set-up has one or {MOST_LANES} characters, not {}", self.lanes.len()));
        }
        let Some(ground) = TERRAINS.iter().find(|t| t.name == self.terrain.kind) else {
            let known: Vec<&str> = TERRAINS.iter().map(|t| t.name).collect();
            return Err(format!("there is no terrain `{}`; known: {}", self.terrain.kind, known.join(", ")));
        };
        if let Some(problem) = self.lanes.iter().find_map(|lane| lane.problem(uploaded)) {
            return Err(problem);
        }
        let difficulty = self.terrain.difficulty;
        self.terrain.difficulty =
            if difficulty.is_finite() { difficulty.clamp(0.0, 1.0) } else { ground.difficulty };
        for lane in &mut self.lanes {
            lane.body = lane.body.bounded();
            for (name, value) in &mut lane.gait {
                *value = bounded_gait(name, *value).unwrap_or(*value);
            }
        }
        Ok(self)
    }
}

impl TerrainPlan {
    /// The ground as a scenario has it.
    pub fn ground(&self) -> GroundPlan {
        let (start, friction, d) = (2.5, 1.0, self.difficulty);
        let course = |course| GroundPlan::Course { course, difficulty: d };
        match self.kind.as_str() {
            "uphill" => GroundPlan::Slope { start, pitch: (2.0 + 13.0 * d).to_radians(), friction },
            "downhill" => GroundPlan::Slope { start, pitch: -(2.0 + 13.0 * d).to_radians(), friction },
            "stairs" => GroundPlan::Stairs { start, run: 0.34, rise: 0.03 + 0.14 * d, steps: 12, friction },
            "ramps" => course(Course::Ramps),
            "ledges" => course(Course::Ledges),
            "blocks" => course(Course::Blocks),
            "stones" => course(Course::Stones),
            "rough" => course(Course::Rough),
            "mixed" => course(Course::Mixed),
            _ => GroundPlan::Flat { friction },
        }
    }
}

/// A parameter of the gait within the range of its slider; nothing when there is none.
pub fn bounded_gait(name: &str, value: f64) -> Option<f64> {
    let default = Gait::default().get(name)?;
    let [min, max] = gait_range(name, default);
    value.is_finite().then(|| value.clamp(min, max))
}

/// Range of the slider of a parameter of the gait: where something can be seen, within what the controller takes.
pub fn gait_range(name: &str, default: f64) -> [f64; 2] {
    let [low, high] = Gait::range(name).unwrap_or([0.0, 1.0]);
    match name {
        "height" => [0.7, high],
        "lean" | "nod" => [-0.4, 0.5],
        "lift" => [0.01, 0.25],
        "spread" => [0.05, 0.5],
        "step_time" => [1.1, 3.0],
        "double_support" => [0.05, 0.5],
        "heel_off" => [0.3, high],
        "turn" => [0.1, 1.0],
        "speed_up" => [0.02, 0.3],
        _ => [low, if default > 0.0 { high.min(4.0 * default) } else { high }],
    }
}
