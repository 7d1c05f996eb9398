//! Experiments with contact-aware tracking: those of Muico, Lee, Popović and Popović 2009, and our own.
//!
//! With `--mocap DIR` they follow captured motions: a walk, a run and turns of `DIR/snu/walk` and `DIR/cmu`, and `nqr.clips` all of them. Without it they
//! use built-in motions, and the results say so.

mod basins;
mod captured;
mod ledges;
mod pushes;
mod speed;
mod steering;
mod walks;

use crate::context::{Case, Context};
use crate::experiment::{Cost, Experiment};
use crate::findings::Findings;
use crate::scenario::{ControllerPlan, GroundPlan};
use crate::{LabError, Scenario, Simulation, Watch};
use sinew_control::nqr::NQR;
use sinew_control::{System, Value};
use std::path::PathBuf;

const PAPER: &str = "Muico, Lee, Popović, Popović 2009";

/// The body of the paper.
const BODY: &str = "human29";

/// The motions of the experiments.
#[derive(Clone, Debug)]
struct Motions {
    walk: PathBuf,
    run: Option<PathBuf>,
    /// Walks that turn or stop, played once.
    once: Vec<PathBuf>,
}

/// Captured motions, or built-in ones.
fn motions(context: &Context<'_>, found: &mut Findings) -> Motions {
    if let Some(folder) = context.mocap.as_ref().filter(|f| f.join("snu/walk").is_dir()) {
        let of = |name: &str| folder.join(name).with_extension("bvh");
        let run = Some(of("cmu/16_35")).filter(|file| file.is_file());
        let once =
            ["snu/walk/wd2_WalkSameSame01", "snu/walk/walk_left_45degree", "snu/walk/walk_left_90degree"];
        return Motions { walk: of("snu/walk/wd2_WalkSameSame01"), run, once: once.map(of).to_vec() };
    }
    found.note("No captured motions: without `--mocap DIR` (with `snu/walk` and `cmu` in it) built-in motions are followed.");
    Motions { walk: "walk".into(), run: None, once: vec!["start".into()] }
}

/// A motion followed on level ground with default parameters.
fn follow(name: impl Into<String>, clip: &std::path::Path, seconds: f64) -> Scenario {
    let mut scenario = Scenario {
        name: name.into(),
        character: BODY.to_owned(),
        controller: ControllerPlan { clips: vec![clip.to_owned()], ..ControllerPlan::new(&NQR) },
        ground: GroundPlan::Flat { friction: 1.0 },
        jitter: [0.0, 0.03],
        seconds,
        ..Scenario::default()
    };
    scenario.controller.values.insert("making.choose".to_owned(), Value::Flag(false));
    scenario
}

/// The same with a parameter that differs.
fn with(mut scenario: Scenario, path: &str, value: impl Into<Value>) -> Scenario {
    scenario.controller.values.insert(path.to_owned(), value.into());
    scenario
}

/// The same with another system.
fn by(mut scenario: Scenario, system: &'static System) -> Scenario {
    scenario.controller.system = system;
    scenario
}

/// Cases of built-in characters; what they share is prepared first, so that it is prepared once.
fn cases(scenarios: impl IntoIterator<Item = Scenario>) -> Result<Vec<Case>, LabError> {
    let cases: Vec<Case> = scenarios.into_iter().map(Case::built_in).collect::<Result<_, _>>()?;
    for case in &cases {
        let order = case.scenario.controller.order(case.scenario.body.build(&case.model)?)?;
        order.prepare(&crate::store::REMEMBERED, &|_| true)?;
    }
    Ok(cases)
}

/// Mean of the cost of equation 18 over a run, and how far it came.
#[derive(Default)]
struct Costs {
    sum: f64,
    count: f64,
}

impl Costs {
    fn mean(&self) -> f64 {
        self.sum / self.count
    }
}

impl Watch for Costs {
    fn see(&mut self, simulation: &Simulation) {
        if let Some(cost) = simulation.signal("cost") {
            (self.sum, self.count) = (self.sum + cost, self.count + 1.0);
        }
    }
}

/// All of them.
pub(crate) const EXPERIMENTS: &[Experiment] = &[
    Experiment {
        id: "nqr.basins",
        title: "Cost against γ for both laws: walk, run, circles, repeated ledges (F3a to F3f)",
        paper: "the nonlinear law is stable over a wider range of γ, cheaper, and alone on ledges of 4 cm; without adaptation nothing is stable",
        source: PAPER,
        bar: "the nonlinear law walks for at least as many γ as the linear one on the walk and the circles",
        cost: Cost::Hours,
        run: basins::basins,
    },
    Experiment {
        id: "nqr.adaptation",
        title: "Without adaptation, the published and the symmetric one, folded into the contact problem or not (NA)",
        paper: "without adaptation the character collapses more easily",
        source: PAPER,
        bar: "the published adaptation walks, folded in at 120 Hz and beside the usual contacts",
        cost: Cost::Minutes,
        run: basins::adaptation,
    },
    Experiment {
        id: "nqr.walks",
        title: "A straight walk for ever, slower and faster ones from the same clip, starts and stops (W1, W2, SS)",
        paper: "a perpetual walk, slower and faster walks, starting, stopping, standing",
        source: PAPER,
        bar: "all stay up",
        cost: Cost::Minutes,
        run: walks::walks,
    },
    Experiment {
        id: "nqr.rates",
        title: "60 frames per second instead of 120 (HZ)",
        paper: "the nonlinear law walks straight, the linear one diverges quickly",
        source: PAPER,
        bar: "the nonlinear law walks straight at 60 Hz",
        cost: Cost::Minutes,
        run: walks::rates,
    },
    Experiment {
        id: "nqr.ledges",
        title: "Ledges up and down, once and at every cycle, stairs down, a run over ledges (R2, U1, U2)",
        paper: "stairs of 6 cm down by the turning controller; a run takes 4 cm up and fails at 2 cm down; uphill it trips",
        source: PAPER,
        bar: "one ledge of −4 to +4 cm; repeated ledges of 2 cm down",
        cost: Cost::Minutes,
        run: ledges::ledges,
    },
    Experiment {
        id: "nqr.pushes",
        title: "Push thresholds beside those of the walker by features",
        paper: "",
        source: "our own",
        bar: "measured, not judged",
        cost: Cost::Hours,
        run: pushes::pushes,
    },
    Experiment {
        id: "nqr.turns",
        title: "Turns of 15, 45, 60, 90 and 180° to both sides by the planner (TU)",
        paper: "all five turns",
        source: PAPER,
        bar: "no fall, and the heading within 15° in the end",
        cost: Cost::Minutes,
        run: steering::turns,
    },
    Experiment {
        id: "nqr.steering",
        title: "Two minutes of steering with twenty changes of direction (IP)",
        paper: "interactive control, no figure",
        source: PAPER,
        bar: "10 of 10 seeds",
        cost: Cost::Minutes,
        run: steering::steering,
    },
    Experiment {
        id: "nqr.speed",
        title: "Time of plan, sweep, decision and step",
        paper: "plans take hours; 1.6 ms per step at 120 Hz, about 5 times real time",
        source: PAPER,
        bar: "a cycle planned within 5 s, swept within 0.1 s; 50 times real time at 120 Hz",
        cost: Cost::Seconds,
        run: speed::speed,
    },
    Experiment {
        id: "nqr.clips",
        title: "Captured walks with nothing set, on two bodies, with their variants; half of them set aside",
        paper: "",
        source: "our own",
        bar: "four fifths of the walks, and of their variants, for 20 s or to their end from every start",
        cost: Cost::Hours,
        run: captured::clips,
    },
];
