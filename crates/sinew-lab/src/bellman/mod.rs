//! Experiments with the linear Bellman equation and combined controllers: those of da Silva's thesis, chapters 5 and 6, and our own.

mod acrobot;
mod brick;
mod dive;
mod mixed;
mod particle;
mod problems;
mod robot;
mod sine;

use crate::experiment::{Cost, Experiment};

/// The paper.
const PAPER: &str = "M. da Silva, PhD thesis, MIT, chapters 5 and 6; da Silva, Durand, Popović, Linear Bellman Combination for Control of Character Animation, ACM TOG 28(3), SIGGRAPH 2009";
/// The paper prints no such experiment.
const OURS: &str = "Our own; the thesis has no such experiment";

/// All of them.
pub(crate) const EXPERIMENTS: &[Experiment] = &[
    Experiment {
        id: "bellman.orders",
        title: "A particle: the order of every stepper and scheme",
        paper: "third order and Fourier differences best",
        source: PAPER,
        bar: "observed orders within 0.15 of the stepper's in time alone, and no less than 0.2 below it refined together",
        cost: Cost::Seconds,
        run: particle::orders,
    },
    Experiment {
        id: "bellman.rollout",
        title: "A particle: the policy of a grid against the closed form",
        paper: "indistinguishable, with 16 as with 500 nodes",
        source: PAPER,
        bar: "ways 1e-4 apart at most with 500 nodes, 1e-2 with 16",
        cost: Cost::Seconds,
        run: particle::rollout,
    },
    Experiment {
        id: "bellman.iteration",
        title: "A particle: accuracy against value iteration",
        paper: "the linear form is more accurate",
        source: PAPER,
        bar: "order of the linear form at least 0.9",
        cost: Cost::Seconds,
        run: particle::iteration,
    },
    Experiment {
        id: "bellman.brick",
        title: "A brick on ice: accuracy and time against value iteration",
        paper: "faster convergence, considerably faster",
        source: PAPER,
        bar: "no less accurate on the finest grid, at least 3 times faster",
        cost: Cost::Seconds,
        run: brick::convergence,
    },
    Experiment {
        id: "bellman.brick_policy",
        title: "A brick on ice: the cost of the policy against value iteration's",
        paper: "less than a third",
        source: PAPER,
        bar: "none: reported as found",
        cost: Cost::Seconds,
        run: brick::policy,
    },
    Experiment {
        id: "bellman.speed",
        title: "How fast is a grid solved?",
        paper: "",
        source: OURS,
        bar: "500 × 500 nodes, 200 steps in 2 s on one core",
        cost: Cost::Seconds,
        run: brick::speed,
    },
    Experiment {
        id: "bellman.robot",
        title: "An omniwheel robot on its way to a goal",
        paper: "circular arcs and shuffles",
        source: PAPER,
        bar: "straight and without a turn, to rounding",
        cost: Cost::Seconds,
        run: robot::straight,
    },
    Experiment {
        id: "bellman.obstacle",
        title: "An omniwheel robot around an obstacle",
        paper: "first to the side, then around",
        source: PAPER,
        bar: "never in the obstacle, within 0.3 m of the goal in the end",
        cost: Cost::Seconds,
        run: robot::obstacle,
    },
    Experiment {
        id: "bellman.sine",
        title: "The sine particle: a goal between those of two components",
        paper: "ends at 1.23 and costs 63,574; the blend ends at 0.82 and costs 70,076",
        source: PAPER,
        bar: "ends at 1.22 to 1.24, the blend at 0.80 to 0.84, cost ratio 1.09 to 1.11",
        cost: Cost::Seconds,
        run: sine::combination,
    },
    Experiment {
        id: "bellman.sine_targets",
        title: "The sine particle with noise: all goals between",
        paper: "the combination always costs less",
        source: PAPER,
        bar: "for the end that it represents, no higher cost than the blend, and within 1 % of the direct solution",
        cost: Cost::Seconds,
        run: sine::targets,
    },
    Experiment {
        id: "bellman.acrobot",
        title: "A gymnast on a bar, begun between two ways to a handstand",
        paper: "the combination comes closest, the trackers are far off",
        source: PAPER,
        bar: "at 1.5 s closer than each tape and than half of each",
        cost: Cost::Seconds,
        run: acrobot::acrobot,
    },
    Experiment {
        id: "bellman.dive",
        title: "A diver between too little and too much rotation",
        paper: "the combination enters vertically, a fixed blend misses",
        source: PAPER,
        bar: "none: reported as found",
        cost: Cost::Minutes,
        run: dive::interpolation,
    },
    Experiment {
        id: "bellman.dive_speeds",
        title: "A diver with tapes for three speeds of rotation, at eight others",
        paper: "vertical more often, and cheaper in every case, than the tracker of 1 rad/s",
        source: PAPER,
        bar: "none: reported as found",
        cost: Cost::Minutes,
        run: dive::coordination,
    },
    Experiment {
        id: "bellman.dive_pushed",
        title: "A diver pushed in the air: shares over time",
        paper: "the combination reacts and compensates",
        source: PAPER,
        bar: "none: reported as found",
        cost: Cost::Minutes,
        run: dive::pushed,
    },
];
