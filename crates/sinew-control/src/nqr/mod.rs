//! Contact-aware tracking of a captured motion (Muico, Lee, Popović, Popović 2009).
//!
//! A clip becomes a plan with torques and contact forces ([`spacetime`](crate::spacetime)); a Riccati sweep over its cycles treats
//! planned forces as controls, so that it sees through changes of contact (`sweep`); at run time the cost to go is combined with the
//! true dynamics at the present state (`law`), and torques are corrected where real contacts differ from planned ones. Offline: seconds.
//! Online, at 120 Hz: one factorisation of the mass matrix, one system of 35 unknowns.
//!
//! What to know beside the paper: `control` (index), `anchor`, `phase`, `planner` (turns joined at a hub), `prepare` (readings that are chosen per clip).

mod anchor;
mod control;
mod law;
mod phase;
mod planner;
mod policy;
mod prepare;
mod sweep;
#[cfg(test)]
mod tests;
mod values;
mod weights;

use crate::observation::Peeks;
use crate::parameters;
use crate::params::{Choice, Group, Stage};
use crate::signal::Signal;
use crate::system::{Clips, Needs, Order, System};
use crate::wants::{Contacts, Wants};
use control::Tracker;
use policy::Policy;
use sinew_world::{Cone, ContactModel};
use std::sync::Arc;

/// Which law follows the plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lookahead {
    /// The quadratic cost to go with the dynamics at the present state.
    Nonlinear,
    /// The gains of the sweep.
    Linear,
}

impl Choice for Lookahead {
    const ALL: &'static [Lookahead] = &[Lookahead::Nonlinear, Lookahead::Linear];
    const NAMES: &'static [&'static str] = &["nqr", "lqr"];
}

/// What adaptation keeps as planned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Adaptation {
    /// Torso, shoulders and joints, with the published weights.
    Published,
    /// All coordinates, weighted by the mass matrix: as if joints had rotor inertia.
    Symmetric,
}

impl Choice for Adaptation {
    const ALL: &'static [Adaptation] = &[Adaptation::Published, Adaptation::Symmetric];
    const NAMES: &'static [&'static str] = &["published", "symmetric"];
}

/// Whether the clip is repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Play {
    /// If it comes back to where it was.
    Guess,
    /// Its best cycle, again and again.
    Cycle,
    /// From beginning to end.
    Once,
}

impl Choice for Play {
    const ALL: &'static [Play] = &[Play::Guess, Play::Cycle, Play::Once];
    const NAMES: &'static [&'static str] = &["guess", "cycle", "once"];
}

parameters! {
    /// How a prepared clip is followed.
    pub struct Params {
        /// Adaptation to real contacts; below 0: what the preparation found best, 0: none.
        gamma: number(-1.0, [-1.0, 10.0]).slider(-1.0, 0.1).main();
        /// How fast the plan follows the character sideways.
        leak: number(3.0, [0.0, 20.0]).unit("1/s");
        /// Where in the cycle it begins.
        phase: number(0.0, [0.0, 1.0]).at(Stage::Build);
        /// The law that follows the plan.
        law: choice(Lookahead, Lookahead::Nonlinear, "nqr").main();
        /// What adaptation keeps as planned.
        adaptation: choice(Adaptation, Adaptation::Published, "published");
        /// Whether adaptation is solved together with the contacts, instead of following the forces of the last step.
        folded: flag(false).at(Stage::Build);
        /// Frames by which a landing may come too early for the phase to jump to it; below 0: as the preparation found best.
        early: number(-1.0, [-1.0, 120.0]);
        /// Frames for which the phase waits for a landing that comes late; below 0: as the preparation found best.
        late: number(-1.0, [-1.0, 120.0]);
        /// Whether the plan's ground follows the ground under feet that land.
        follow_height: flag(true);
    }
}

parameters! {
    /// How a clip is prepared.
    pub struct Making {
        /// Whether the clip is repeated.
        play: choice(Play, Play::Guess, "guess").at(Stage::Prepare);
        /// Height to which feet rise at least in the middle of their swing.
        clearance: number(0.05, [0.0, 0.3]).unit("m").at(Stage::Prepare).main();
        /// Whether readings are chosen by short runs with pushes; else the usual ones are taken.
        choose: flag(true).at(Stage::Prepare);
        /// How fast the clip is played.
        speed: number(1.0, [0.25, 4.0]).at(Stage::Prepare);
        /// Factor of the way over the ground.
        stride: number(1.0, [0.25, 2.0]).at(Stage::Prepare);
        /// Angle by which the way turns, in every cycle or in all, left positive.
        turn: number(0.0, [-180.0, 180.0]).unit("°").at(Stage::Prepare);
        /// Whether the plan has 60 frames per second instead of 120.
        half: flag(false).at(Stage::Prepare);
    }
}

const SIGNALS: &[Signal] = &[
    Signal::footsteps(),
    Signal::phase(),
    Signal::new("off", "rad", "Root mean square of the joints' distance from the plan"),
    Signal::new("floor", "m", "Height of the ground under the plan"),
    Signal::new("held", "frames", "How long the phase waits for a landing"),
    Signal::new("cost", "", "Distance from the plan as the published weights count it, equation 18"),
];

const CLIP: &[Signal] = &[Signal::new("clip", "", "The clip that is played: 0 straight, then turns")];

parameters! {
    /// How transitions of the planner are measured.
    pub struct Planning {
        /// Runs of each clip after each.
        trials: number(2.0, [1.0, 20.0]).at(Stage::Prepare);
    }
}

/// Walks and turns where it is told to: clips that are followed one after the other.
pub static NQR_PLANNER: System = System {
    paper: NQR.paper,
    version: 1,
    groups: &[
        Group { name: "track", about: "How plans are followed", params: Params::PARAMS },
        Group { name: "making", about: "How the walk is prepared", params: Making::PARAMS },
        Group { name: "planning", about: "How transitions are measured", params: Planning::PARAMS },
    ],
    signals: &[SIGNALS, CLIP],
    needs: NQR.needs,
    wants,
    prepare: Some(|order, _, progress| {
        let trials = match order.value("planning.trials") {
            Some(crate::Value::Number(trials)) => trials,
            _ => Planning::default().trials,
        };
        planner::prepare(order, trials as usize, progress)
    }),
    ..System::new(
        "nqr-planner",
        "Walks and turns by a captured walk, where it is told to",
        |order, prepared| Ok(Box::new(planner::Steered::read(order, prepared, params(order))?)),
    )
};

/// What is said of how the plan is followed.
fn params(order: &Order) -> Params {
    let mut params = Params::default();
    for param in Params::PARAMS {
        if let Some(value) = order.value(&format!("track.{}", param.name)) {
            crate::Parameters::set_value(&mut params, param.name, &value);
        }
    }
    params
}

/// Follows one captured motion.
pub static NQR: System = System {
    paper: "Muico, Lee, Popović, Popović 2009: Contact-aware Nonlinear Control of Dynamic Characters",
    version: 3,
    groups: &[
        Group { name: "track", about: "How the plan is followed", params: Params::PARAMS },
        Group { name: "making", about: "How a clip is prepared", params: Making::PARAMS },
    ],
    signals: &[SIGNALS],
    needs: Needs { clips: Clips::One, feet: true, planted: true, ..Needs::NOTHING },
    wants,
    prepare: Some(prepare::prepare),
    follows: Some(|order, prepared| Policy::read(prepared.bytes(), &order.model)?.followed(order)),
    ..System::new("nqr", "Follows a captured motion closely, contacts in mind", |order, prepared| {
        let policy = Policy::read(prepared.bytes(), &order.model)?;
        Ok(Box::new(Tracker::new(Arc::clone(&order.model), Arc::new(policy), params(order))?))
    })
};

/// Eight steps to a frame; a flat cone and a law in the contact forces when adaptation is folded in.
fn wants(order: &Order) -> Wants {
    let folded = order.value("track.folded") == Some(crate::Value::Flag(true));
    let usual = Wants { step: 1.0 / 960.0, step_at_most: 1.0 / 100.0, ..Wants::default() };
    if !folded {
        return usual;
    }
    Wants {
        contact: ContactModel::Complementarity { cone: Cone::Polyhedral { sides: 4 } },
        contacts: Contacts::FlatCone,
        peeks: Peeks { law: true, ..Peeks::default() },
        ..usual
    }
}
