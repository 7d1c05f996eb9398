//! Experiments with data-driven control: those of Lee, Kim and Lee 2010.
//!
//! With `--mocap DIR` they run on captured walks: `DIR/snu/walk` holds the clips that the paper's authors published. Without captured walks they use
//! the system's own walk, and the results say so.

mod ablations;
mod pushes;
mod robustness;
mod speed;
mod walks;

use crate::context::{Case, Context};
use crate::experiment::{Cost, Experiment};
use crate::features::Pace;
use crate::findings::Findings;
use crate::scenario::{ControllerPlan, GroundPlan};
use crate::{LabError, Scenario};
use sinew_control::Value;
use sinew_control::data_driven::{DATA_DRIVEN, clip_speed};
use std::path::PathBuf;

const PAPER: &str =
    "Y. Lee, S. Kim, J. Lee, Data-Driven Biped Control, ACM TOG 29(4), article 129, SIGGRAPH 2010";

/// Friction of the ground, and of the soles.
const FRICTION: f64 = 2.0;
/// Speeds are measured from this time on, s.
const WARM_UP: f64 = 5.0;

/// A walk that is followed.
#[derive(Clone, Debug)]
struct Walk {
    name: &'static str,
    /// The row of the paper's gain table, as a style.
    row: &'static str,
    /// The clip; `None`: the system's own walk.
    clip: Option<PathBuf>,
}

/// The walks of the paper's figure 5: name, row, file.
const WALKS: [(&str, &str, &str); 8] = [
    ("normal", "lee-normal", "wd2_WalkSameSame01"),
    ("slow", "lee-slow", "wd2_WalkForwardSlow01"),
    ("fast", "lee-fast", "wd2_WalkForwardVFast00"),
    ("gentle", "lee-gentle", "wd2_WalkForwardNormal00"),
    ("wide swing", "lee-wide-swing", "wd2_WalkHandWav00"),
    ("brisk", "lee-brisk", "wd2_WalkAzuma01"),
    ("march", "lee-march", "wd2_WalkSoldier00"),
    ("backward", "lee-backward", "wd2_WalkBackward00"),
];

/// The captured walks, or the system's own.
fn walks(context: &Context<'_>, found: &mut Findings) -> Vec<Walk> {
    let folder = context.mocap.as_ref().map(|folder| folder.join("snu").join("walk"));
    if let Some(folder) = folder.filter(|folder| folder.is_dir()) {
        let walk = |(name, row, file): (&'static str, &'static str, &str)| {
            let clip = Some(folder.join(format!("{file}.bvh")));
            Walk { name, row, clip }
        };
        return WALKS.map(walk).to_vec();
    }
    found.note(
        "No captured walks: without `--mocap DIR` (with `snu/walk` in it) this is the system's own walk.",
    );
    vec![Walk { name: "own", row: "lee-normal", clip: None }]
}

impl Walk {
    /// The scenario of the walk, repeated for a duration.
    fn scenario(&self, seconds: f64) -> Scenario {
        let mut controller = ControllerPlan::new(&DATA_DRIVEN);
        if let Some(clip) = &self.clip {
            controller.clips = vec![clip.clone()];
            controller.values.insert("setup.contacts".to_owned(), Value::Name("ankles".to_owned()));
        }
        Scenario {
            name: self.name.to_owned(),
            character: "human42".to_owned(),
            ground: GroundPlan::Flat { friction: FRICTION },
            controller,
            seconds,
            ..Scenario::default()
        }
    }

    /// Its captured speed, m/s.
    fn speed(&self) -> Result<f64, LabError> {
        let scenario = self.scenario(0.0);
        Ok(clip_speed(&scenario.controller.order(scenario.built_in()?)?)?)
    }
}

/// A scenario with a parameter that differs.
fn with(mut scenario: Scenario, path: &str, value: impl Into<Value>) -> Scenario {
    scenario.controller.values.insert(path.to_owned(), value.into());
    scenario
}

/// Cases of built-in characters.
fn cases(scenarios: impl IntoIterator<Item = Scenario>) -> Result<Vec<Case>, LabError> {
    scenarios.into_iter().map(Case::built_in).collect()
}

/// Looks at the speed.
fn pace(_: &Case) -> Pace {
    Pace::from(WARM_UP)
}

/// All of them.
pub(crate) const EXPERIMENTS: &[Experiment] = &[
    Experiment {
        id: "data-driven.walks",
        title: "The eight walks for a minute with one set of gains, with the paper's, and once from standing to standing",
        paper: "all walks and their stops, each with gains of its own",
        source: PAPER,
        bar: "every walk for 60 s, within 10 % of the clip's speed, with one set",
        cost: Cost::Minutes,
        run: walks::walks,
    },
    Experiment {
        id: "data-driven.ablations",
        title: "How many steps without one of the rules",
        paper: "no synchronisation 3 to 6 steps, no stance hip 2 to 4, no swing hip 6 to 10; without ankle or height rule some gaits go on",
        source: PAPER,
        bar: "reported",
        cost: Cost::Minutes,
        run: ablations::ablations,
    },
    Experiment {
        id: "data-driven.robustness",
        title: "A load on one leg, longer and shorter legs, slopes, friction",
        paper: "15 kg on a leg, legs ±50 %, one leg 3 % shorter, slopes +6° and −4°, friction 60 to 1200 %",
        source: PAPER,
        bar: "the paper's on every item",
        cost: Cost::Minutes,
        run: robustness::robustness,
    },
    Experiment {
        id: "data-driven.pushes",
        title: "Pushes of 0.4 s every 4 s for 40 s while walking, at eight phases",
        paper: "160, 130, 80 and 105 N from the front, the rear, the right and the left",
        source: PAPER,
        bar: "at least 160, 130, 80, 105 N: the greatest force such that it and every smaller one passes in every phase",
        cost: Cost::Hours,
        run: pushes::pushes,
    },
    Experiment {
        id: "data-driven.speed",
        title: "How fast it is computed",
        paper: "real time at 30 frames per second",
        source: PAPER,
        bar: "at least 100 times real time on one core at 900 steps per second",
        cost: Cost::Seconds,
        run: speed::speed,
    },
];
