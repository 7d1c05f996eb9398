//! Experiments of SIMBICON (Yin, Loken, van de Panne 2007), the baseline of the others.

mod gaits;
mod pushes;
mod walks;

use crate::context::Case;
use crate::experiment::{Cost, Experiment};
use crate::scenario::ControllerPlan;
use crate::{LabError, Scenario};
use sinew_control::simbicon::SIMBICON;
use sinew_control::{Command, WorldPlan};
use sinew_world::ContactModel;

const PAPER: &str = "Yin, Loken, van de Panne 2007";

/// A run straight ahead.
fn run(character: &str, name: impl Into<String>, speed: f64, seconds: f64) -> Scenario {
    let (commands, controller) = (vec![(0.0, Command::forward(speed))], ControllerPlan::new(&SIMBICON));
    let (name, character) = (name.into(), character.to_owned());
    Scenario { name, character, commands, controller, seconds, ..Scenario::default() }
}

/// Steps of 1 ms with rigid contacts.
fn rigid() -> WorldPlan {
    WorldPlan { step: Some(1e-3), contact: Some(ContactModel::default()), ..WorldPlan::default() }
}

/// Cases of built-in characters.
fn cases(scenarios: impl IntoIterator<Item = Scenario>) -> Result<Vec<Case>, LabError> {
    scenarios.into_iter().map(Case::built_in).collect()
}

/// All of them.
pub(crate) const EXPERIMENTS: &[Experiment] = &[
    Experiment {
        id: "simbicon.gaits",
        title: "The gaits of the planar biped, one minute each",
        paper: "walk, high-step and crouch walk, run, fast run are stable; no speeds are known to us",
        source: PAPER,
        bar: "60 s without a fall each, forward, on the paper's ground at 20 kHz and with rigid contacts at 1 kHz",
        cost: Cost::Minutes,
        run: gaits::gaits,
    },
    Experiment {
        id: "simbicon.transitions",
        title: "From each planar gait to each other",
        paper: "transitions between the gaits, some of them direct",
        source: PAPER,
        bar: "20 ordered pairs, each at four moments of the stride: all change and go on for 10 s",
        cost: Cost::Minutes,
        run: gaits::transitions,
    },
    Experiment {
        id: "simbicon.walk",
        title: "A walk in space, one minute on level ground",
        paper: "walks, with gains that we do not know",
        source: PAPER,
        bar: "60 s without a fall with human-simbicon and human, on springs at 20 kHz and with rigid contacts at 1 kHz",
        cost: Cost::Minutes,
        run: walks::walk,
    },
    Experiment {
        id: "simbicon.steering",
        title: "Speeds and turns that are asked for",
        paper: "",
        source: "our own",
        bar: "no fall; turns by 90° within 6 s, the heading within 15° in the end",
        cost: Cost::Seconds,
        run: walks::steering,
    },
    Experiment {
        id: "simbicon.slopes",
        title: "Slopes that it does not see (BL-04)",
        paper: "a hand-tuned walker by foot placement: flat and 2° downhill work, 3° and more fail",
        source: "da Silva 2008",
        bar: "60 s without a fall on level ground and 2° downhill",
        cost: Cost::Seconds,
        run: walks::slopes,
    },
    Experiment {
        id: "simbicon.pushes",
        title: "Push thresholds beside those of the walker by features",
        paper: "",
        source: "our own",
        bar: "measured, not judged: the baseline of others",
        cost: Cost::Hours,
        run: pushes::pushes,
    },
];
