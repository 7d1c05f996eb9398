//! Data-driven control (Lee, Kim, Lee 2010, "Data-Driven Biped Control"): captured walks adjusted and re-timed at every step.
//!
//! Balance has two sources. Thirty times a second, five rules with one or two gains each adjust the captured pose of the next frame
//! (`balance`). And a step ends when the simulated foot lands, not when the captured one did (`control`). Inverse dynamics tracks the
//! adjusted pose (`track`). There is no optimisation and no preparation: any stream of fragments of captured motion can be fed in
//! during the run (`motion`).
//!
//! ```text
//!  clip ─► fragments ─► queue ─ seg ───────────► captured velocity, place, foot angle ─┐
//!           (motion)      │                                                            ▼
//!                         └─── stitch ─► pose of the next frame ─► five rules ─► target ─► accelerations ─► torques
//!                         ▲                                      (balance)       │        (track, 900 Hz)
//!                         └──── early or late landing, warp from the target ◄────┘
//! ```
//!
//! Inverse dynamics needs the forces of the soft ground in the coming step and the pushes, so the system declares that it knows them.
//! `docs/data-driven.md` has the equations beside the code, and measurements.

mod balance;
mod body;
mod control;
mod figure;
mod gains;
mod motion;
mod styles;
mod track;

pub use gains::{Gains, Refresh, Rules, WarpFrom};
pub use styles::STYLES;

use crate::{
    Choice, Clips, Contacts, ControlError, Controller, Group, Needs, Order, Param, Peeks, Prepared, Signal,
    Stage, System, Value, Wants,
};
use control::DataDriven;
use figure::Figure;
pub use motion::FootRule;
use motion::Motion;
use sinew_motion::motions;
use sinew_world::{ContactModel, Integrator, Penalty};
use std::sync::Arc;

/// The walk that it follows without a clip, from standing to standing, in the notation of the built-in motions.
const OWN: &str =
    "style step_time 0.66 double_support 0.28 width 0.13 strike 13 toe_off -34 roll 0.55 ahead 0.04 sway 0.5
stand 0.7
first right
steps 10 forward 0.5
steps 1 forward 0
stand 0.7";

/// Parameters that are fixed when a run begins.
const SETUP: &[Param] = &[
    Param::flag(
        "repeat",
        "Whether the middle cycle of the clip is repeated; otherwise the clip is played once",
        true,
    )
    .at(Stage::Build),
    Param::choice("contacts", "When feet are down", "clip", FootRule::NAMES).at(Stage::Build),
    Param::number(
        "friction",
        "Friction of the soles; the less of soles and ground counts",
        2.0,
        [0.05, 20.0],
    )
    .at(Stage::Build),
    Param::flag(
        "points",
        "Whether the soles are the authors' 78 points each, and not the body's own shapes",
        true,
    )
    .at(Stage::Build),
];

/// Its signals.
const SIGNALS: &[Signal] = &[
    Signal::footsteps(),
    Signal::new("swing", "", "Swinging legs: 0 none, 1 left, 2 right, 3 both"),
    Signal::new("phase", "", "Phase of the step"),
    Signal::new("late", "", "Frames by which the step is late"),
    Signal::new("excess_speed", "m/s", "Speed of the pelvis, simulated less captured, along the way"),
    Signal::new("excess_speed_across", "m/s", "The same to the left"),
    Signal::new(
        "excess_place",
        "m",
        "Place of the pelvis over the standing foot, simulated less captured, along",
    ),
    Signal::new("excess_place_across", "m", "The same to the left"),
];

/// Data-driven control.
pub static DATA_DRIVEN: System = System {
    paper: "Lee, Kim, Lee 2010: Data-Driven Biped Control",
    groups: &[
        Group { name: "gains", about: "How it tracks and balances", params: Gains::PARAMS },
        Group { name: "rules", about: "What takes part", params: Rules::PARAMS },
        Group { name: "setup", about: "Soles and motion", params: SETUP },
    ],
    styles: STYLES,
    signals: &[SIGNALS],
    needs: Needs { clips: Clips::Any, feet: true, ..Needs::NOTHING },
    wants,
    body: |order, model| match order.value("setup.points") {
        Some(Value::Flag(false)) => Ok(Arc::clone(model)),
        _ => body::with_point_soles(model, number(order, "setup.friction")),
    },
    ..System::new("data-driven", "Follows captured walks, adjusted and re-timed at every step", build)
};

fn number(order: &Order, path: &str) -> f64 {
    match order.value(path) {
        Some(Value::Number(x)) => x,
        _ => 0.0,
    }
}

/// The paper's world except the integrator: springs under 78 points per foot, 900 steps per second. With Runge-Kutta steps the contact
/// forces are held over the step, as in an explicit scheme, and half of the walks diverge at a hard landing.
fn wants(_: &Order) -> Wants {
    Wants {
        step: 1.0 / 900.0,
        step_at_most: 1.0 / 450.0,
        contact: ContactModel::Penalty(Penalty::lee2010()),
        contacts: Contacts::Springs,
        integrator: Integrator::SemiImplicitEuler,
        peeks: Peeks { contact_forces: true, outside: true, law: false },
        ..Wants::default()
    }
}

fn motion(order: &Order, figure: &Figure) -> Result<Motion, ControlError> {
    let repeated = order.value("setup.repeat") != Some(Value::Flag(false));
    let rule = match order.value("setup.contacts") {
        Some(Value::Name(name)) => FootRule::named(&name).unwrap_or(FootRule::Clip),
        _ => FootRule::Clip,
    };
    if let Some(clip) = order.clips.first() {
        return Motion::new(figure, clip, (repeated, rule));
    }
    let clip = motions::play("walk", OWN, &order.model)
        .map_err(|e| ControlError::Parameter(format!("its own walk: {e}")))?;
    Motion::new(figure, &clip, (repeated, FootRule::Clip))
}

fn build(order: &Order, _: &Prepared) -> Result<Box<dyn Controller>, ControlError> {
    let figure = Figure::new(&order.model)?;
    let motion = motion(order, &figure)?;
    Ok(Box::new(DataDriven::new(figure, motion)))
}

/// The mean speed of an order's clip, m/s: of its middle cycle when that is repeated, or of the whole clip.
///
/// # Errors
/// As for building a controller.
pub fn clip_speed(order: &Order) -> Result<f64, ControlError> {
    Ok(motion(order, &Figure::new(&order.model)?)?.speed)
}
