//! Experiments with control by features and priorities: those of de Lasa, Mordatch and Hertzmann 2010, and robustness.

mod balance;
pub(crate) mod bodies;
mod grounds;
pub(crate) mod jumps;
mod leap;
mod limbs;
mod person;
mod priorities;
mod puppet;
mod pushes;
mod settings;
mod shoves;
mod solver;
mod speed;
mod steering;
mod styles;
mod walks;
pub(crate) mod watch;

pub(crate) use watch::{Pace, leg};

use crate::experiment::{Cost, Experiment};
use crate::scenario::ControllerPlan;
use crate::{LabError, Scenario, context::Case};
use sinew_control::features::{BALANCER, Gait, JUMPER, Jump, Stance, WALKER};
use sinew_control::{Command, Request};

/// The paper.
const PAPER: &str = "M. de Lasa, I. Mordatch, A. Hertzmann, Feature-Based Locomotion Controllers, ACM TOG 29(4), SIGGRAPH 2010";
/// The paper prints no such experiment.
const OURS: &str = "Our own; the paper has no such experiment";

/// A walk of the human along x.
fn walk(name: impl Into<String>, speed: f64, seconds: f64) -> Scenario {
    let commands = vec![(0.0, Command::forward(speed))];
    Scenario { name: name.into(), commands, seconds, ..Scenario::default() }
}

/// A walker with a gait.
fn walker(gait: &Gait) -> ControllerPlan {
    ControllerPlan::new(&WALKER).with_group("gait", gait)
}

/// A balancer with a stance.
pub(crate) fn balancer(stance: &Stance) -> ControllerPlan {
    ControllerPlan::new(&BALANCER).with_group("stance", stance)
}

/// Asks for a jump at a time.
fn jump_at(time: f64, jump: &Jump) -> Vec<(f64, Request)> {
    JUMPER.request("jump").map(|kind| (time, Request::of(kind, jump))).into_iter().collect()
}

/// Cases of built-in characters.
fn cases(scenarios: impl IntoIterator<Item = Scenario>) -> Result<Vec<Case>, LabError> {
    scenarios.into_iter().map(Case::built_in).collect()
}

/// All of them.
pub(crate) const EXPERIMENTS: &[Experiment] = &[
    Experiment {
        id: "features.speed",
        title: "How fast is walking computed?",
        paper: "all examples at 50 to 100 % of real time on a dual-core 3 GHz Xeon",
        source: PAPER,
        bar: "at least 10 times real time on one core with control and dynamics at 1 kHz, 20 times at 100 Hz",
        cost: Cost::Seconds,
        run: speed::speed,
    },
    Experiment {
        id: "features.balance",
        title: "Standing still, leaning, on slopes and on ground that moves",
        paper: "stable",
        source: PAPER,
        bar: "standing, the centre of mass within 5 mm of the middle of the feet, the centre of pressure always inside; it moves by 5 mm at most leaning and on slopes of 10°, by 6 cm on platforms; no footstep",
        cost: Cost::Seconds,
        run: balance::balance,
    },
    Experiment {
        id: "features.squat",
        title: "Squats: the height of the centre of mass follows a command",
        paper: "deep-knee squats; the centre of mass at 80 % of its height",
        source: PAPER,
        bar: "the height within 1 cm of the commanded one at any time after 3 s, no footstep",
        cost: Cost::Seconds,
        run: balance::squat,
    },
    Experiment {
        id: "features.priorities",
        title: "Strict priorities against weights: pushes while standing and walking, squats",
        paper: "prioritised is more robust; weighted drifts: the error of the centre of mass grows while that of the pose shrinks, then it fails",
        source: PAPER,
        bar: "prioritised survives no fewer pushes than weighted, standing and walking, balances one of 20 N·s and no weaker one than weighted, and follows squats within 1 cm and no worse",
        cost: Cost::Minutes,
        run: priorities::priorities,
    },
    Experiment {
        id: "features.jumps",
        title: "A standing jump from twenty beginnings",
        paper: "consistent landings",
        source: PAPER,
        bar: "20 of 20: both feet 15 cm off the ground, within 15° of the heading, lands and stands still for 5 s",
        cost: Cost::Minutes,
        run: jumps::jumps,
    },
    Experiment {
        id: "features.jump_heights",
        title: "Standing jumps of five heights by three bodies",
        paper: "consistent landings, only height parameters changed",
        source: PAPER,
        bar: "all 15 land and stand still for 5 s; feet clear the ground by half of the height asked for",
        cost: Cost::Minutes,
        run: jumps::heights,
    },
    Experiment {
        id: "features.jump_twist",
        title: "Jumps with a turn of 90° and 180°",
        paper: "both shown; three parameters differ from the plain jump",
        source: PAPER,
        bar: "20 of 20 of each within 15° of the turn, land and stand still for 5 s",
        cost: Cost::Minutes,
        run: jumps::twists,
    },
    Experiment {
        id: "features.jump_kicks",
        title: "A scissor kick and a split in the air",
        paper: "both shown; together with the twists authored in about 30 minutes",
        source: PAPER,
        bar: "20 of 20 of each open their legs by 57° and more in the air, land and stand still for 5 s",
        cost: Cost::Minutes,
        run: jumps::kicks,
    },
    Experiment {
        id: "features.jump_forward",
        title: "A jump forward",
        paper: "shown, without a figure",
        source: PAPER,
        bar: "20 of 20 land at least 0.4 m ahead and stand still for 5 s",
        cost: Cost::Minutes,
        run: jumps::forward,
    },
    Experiment {
        id: "features.walk",
        title: "A normal walk settles into a cycle",
        paper: "stable after a few steps",
        source: PAPER,
        bar: "100 footsteps without a fall; speed at landing varies by less than 2 % after ten",
        cost: Cost::Seconds,
        run: walks::walk,
    },
    Experiment {
        id: "features.slow_fast_sad",
        title: "Slow, fast and sad walks",
        paper: "all three shown",
        source: PAPER,
        bar: "50 footsteps each without a fall",
        cost: Cost::Seconds,
        run: walks::moods,
    },
    Experiment {
        id: "features.styles",
        title: "Eight styles of walking, and all changes from one to another in the middle of a walk",
        paper: "parameters change interactively; slow, fast and sad walks shown",
        source: PAPER,
        bar: "no fall in any of the 56 changes, and speed within 10 % in each style",
        cost: Cost::Minutes,
        run: styles::styles,
    },
    Experiment {
        id: "features.parameters",
        title: "Every parameter of the paper's table 2 swept while walking",
        paper: "interactive changes are possible; hip shift, swing time and step length must be changed together",
        source: PAPER,
        bar: "no fall over the whole range of each",
        cost: Cost::Seconds,
        run: settings::parameters,
    },
    Experiment {
        id: "features.lean",
        title: "Does lean change the speed?",
        paper: "lean does not influence speed",
        source: PAPER,
        bar: "speed changes by less than 3 %",
        cost: Cost::Seconds,
        run: settings::lean,
    },
    Experiment {
        id: "features.person",
        title: "Does it walk like a person? Its gait beside people's, from 0.4 to 2 m/s",
        paper: "arm swing and counter-rotation of hips and shoulders emerge from angular momentum and relaxed arms",
        source: PAPER,
        bar: "at every speed: heel first (sole at landing at least 8° up from 0.6 to 1.6 m/s, 5° at 2), standing knee at most 12° from 0.8 m/s on, swinging knee 55 to 70°, hips rise by 1.5 to 6 cm, pelvis turns by less than 10°, trunk within 8°, hands symmetric within 5 cm, two humps of force from 1.2 m/s on, toes 1.5 cm clear, friction under 60 %, each sagittal curve 80 % inside the band of people, speed within 3 %",
        cost: Cost::Seconds,
        run: person::person,
    },
    Experiment {
        id: "features.limbs",
        title: "Limbs that grow while it stands and walks",
        paper: "succeeds without retuning",
        source: PAPER,
        bar: "no fall while arms, legs, trunk and head grow to twice their size (mass and strength by the cube), or to twice their mass",
        cost: Cost::Minutes,
        run: limbs::limbs,
    },
    Experiment {
        id: "features.bodies",
        title: "The same controller on other bodies, at equal Froude number",
        paper: "asymmetric human, baby, ostrich and dinosaur walk without any change",
        source: PAPER,
        bar: "20 footsteps without a fall of each body whose legs have six degrees of freedom or more",
        cost: Cost::Minutes,
        run: bodies::bodies,
    },
    Experiment {
        id: "features.weighted_jump",
        title: "A jump with weights instead of priorities",
        paper: "failed: numerically sensitive and infeasible, although only the ankles' objective is added",
        source: PAPER,
        bar: "none: a figure for the reader",
        cost: Cost::Seconds,
        run: priorities::weighted_jump,
    },
    Experiment {
        id: "features.weighted_walk",
        title: "A walk with weights instead of priorities, objective by objective",
        paper: "a stiff walk with contact, centre of mass, swing and pose only; angular momentum and arms are very sensitive",
        source: PAPER,
        bar: "none: a figure for the reader",
        cost: Cost::Seconds,
        run: priorities::weighted_walk,
    },
    Experiment {
        id: "features.solver",
        title: "The solver of priorities against null spaces by eigenvectors",
        paper: "interior point always works and is slower; an active set is faster, with slightly sticky contacts",
        source: PAPER,
        bar: "equal to 1e-6 on random stacks with repeated rows",
        cost: Cost::Seconds,
        run: solver::solver,
    },
    Experiment {
        id: "features.precision",
        title: "Single precision",
        paper: "priorities need double precision; weights work in single",
        source: PAPER,
        bar: "none: all arithmetic is in double precision",
        cost: Cost::Seconds,
        run: solver::precision,
    },
    Experiment {
        id: "features.rates",
        title: "Steps of 1 to 10 ms",
        paper: "1 kHz with forward dynamics, 100 Hz with accelerations taken as they are",
        source: PAPER,
        bar: "walks 100 footsteps at 1 kHz with forward dynamics, and at 100 Hz with accelerations taken as they are",
        cost: Cost::Seconds,
        run: settings::rates,
    },
    Experiment {
        id: "features.swing_time",
        title: "Shorter steps are more stable",
        paper: "a shorter swing is more stable: less time on one foot",
        source: PAPER,
        bar: "the shortest step survives no weaker a push from the side than the longest",
        cost: Cost::Hours,
        run: settings::swing_time,
    },
    Experiment {
        id: "features.walk_long",
        title: "Half an hour of walking at four speeds",
        paper: "",
        source: OURS,
        bar: "0.4, 0.8, 1.2 and 1.5 m/s for 30 simulated minutes each, no fall, speed within 10 %",
        cost: Cost::Hours,
        run: walks::long,
    },
    Experiment {
        id: "features.turn",
        title: "Turning by 90° on the spot and while walking",
        paper: "",
        source: OURS,
        bar: "faces within 10° of the new direction after at most three footsteps, no fall",
        cost: Cost::Seconds,
        run: steering::turn,
    },
    Experiment {
        id: "features.backward",
        title: "Walking backward at 0.4 m/s",
        paper: "",
        source: OURS,
        bar: "no fall in a minute, speed within 10 %",
        cost: Cost::Seconds,
        run: steering::backward,
    },
    Experiment {
        id: "features.sideways",
        title: "Walking sideways at 0.3 m/s",
        paper: "",
        source: OURS,
        bar: "no fall in a minute to either side, speed within 10 %",
        cost: Cost::Seconds,
        run: steering::sideways,
    },
    Experiment {
        id: "features.push_walk",
        title: "Pushes while walking: eight directions, eight phases of the stride",
        paper: "the paper's walk is not robust against pushes",
        source: PAPER,
        bar: "prefix thresholds of 0.9 N·s/kg from front and rear and 0.5 from the sides, and 50 N·s in every direction",
        cost: Cost::Hours,
        run: pushes::walking,
    },
    Experiment {
        id: "features.shoves",
        title: "Pushes at random: when, where, from where and how long",
        paper: "",
        source: OURS,
        bar: "98 of 100 up to 0.9 N·s/kg survived, at 0.3 to 1.3 m/s",
        cost: Cost::Minutes,
        run: shoves::human,
    },
    Experiment {
        id: "features.bipeds",
        title: "Every built-in biped at an adult's speeds up to 1.3 m/s, and pushed at random",
        paper: "",
        source: OURS,
        bar: "no fall in a minute at equal Froude number, speed within 20 %; 95 of 100 pushes of 0.5 N·s/kg survived by each",
        cost: Cost::Minutes,
        run: shoves::bipeds,
    },
    Experiment {
        id: "features.push_stand",
        title: "Pushes while standing",
        paper: "",
        source: OURS,
        bar: "prefix thresholds of 0.35 N·s/kg without a step and 0.8 with steps, in every direction",
        cost: Cost::Hours,
        run: pushes::standing,
    },
    Experiment {
        id: "features.slopes",
        title: "Slopes up and down by 10°",
        paper: "",
        source: OURS,
        bar: "no fall, at four fifths of the speed asked for or more",
        cost: Cost::Seconds,
        run: grounds::slopes,
    },
    Experiment {
        id: "features.stairs",
        title: "Stairs of 10 cm, up and down, at 0.5 m/s, seen",
        paper: "",
        source: OURS,
        bar: "all steps climbed without a fall",
        cost: Cost::Seconds,
        run: grounds::stairs,
    },
    Experiment {
        id: "features.ledges",
        title: "Ledges of 3 cm that the controller does not see",
        paper: "",
        source: OURS,
        bar: "no fall over ledges and trenches, at four fifths of the speed asked for or more",
        cost: Cost::Seconds,
        run: grounds::ledges,
    },
    Experiment {
        id: "features.friction",
        title: "Slippery ground",
        paper: "",
        source: OURS,
        bar: "no fall from a friction of 0.4 up, at four fifths of the speed asked for or more",
        cost: Cost::Seconds,
        run: grounds::friction,
    },
    Experiment {
        id: "features.leg_load",
        title: "15 kg on one shin",
        paper: "",
        source: OURS,
        bar: "no fall in a minute of walking, at four fifths of the speed asked for or more",
        cost: Cost::Seconds,
        run: bodies::leg_load,
    },
    Experiment {
        id: "features.backpack",
        title: "25 kg on the trunk",
        paper: "",
        source: OURS,
        bar: "no fall in a minute of walking, at four fifths of the speed asked for or more",
        cost: Cost::Seconds,
        run: bodies::backpack,
    },
];
