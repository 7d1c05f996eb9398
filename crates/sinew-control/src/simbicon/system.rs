//! The declaration of the system.

use super::control::Simbicon;
use super::gait::{Gait, PLANAR, Space};
use super::style::STYLES;
use crate::{Group, Needs, Order, Signal, System, Wants};
use sinew_world::{Anchor, ContactModel, Penalty};
use std::sync::Arc;

const GAIT: Group = Group { name: "gait", about: "How a body in space walks", params: Gait::PARAMS };
const PLANE: Group =
    Group { name: "planar", about: "How a body in the plane of x and z walks", params: &PLANAR };
const SPACE: Group = Group {
    name: "space",
    about: "Additional parameters of a body in space: lateral balance, steering, trunk and arms",
    params: Space::PARAMS,
};

const SIGNALS: &[Signal] = &[
    Signal::footsteps(),
    Signal::new("state", "", "0 left leg lifts, 1 left leg lands, 2 right leg lifts, 3 right leg lands"),
    Signal::new("distance_x", "m", "How far the centre of mass is ahead of the standing ankle"),
    Signal::new("distance_y", "m", "How far the centre of mass is to the left of the standing ankle"),
    Signal::new("speed_x", "m/s", "Speed of the centre of mass forward"),
    Signal::new("speed_y", "m/s", "Speed of the centre of mass to the left"),
    Signal::new("thigh_x", "rad", "Angle forward at which the swinging thigh is aimed"),
    Signal::new("thigh_y", "rad", "Angle to the left at which the swinging thigh is aimed"),
];

/// [`Simbicon`].
pub static SIMBICON: System = System {
    paper: "Yin, Loken, van de Panne 2007: SIMBICON: Simple Biped Locomotion Control",
    groups: &[GAIT, PLANE, SPACE],
    styles: STYLES,
    signals: &[SIGNALS],
    needs: Needs { feet: true, ..Needs::NOTHING },
    wants,
    ..System::new(
        "simbicon",
        "Walks and runs by target poses, and balances by where the swinging foot lands",
        |order, _| Ok(Box::new(Simbicon::new(Arc::clone(&order.model))?)),
    )
};

/// The paper's ground. The paper has one contact point at each end of a planar foot, our soles have two corners there.
fn wants(_: &Order) -> Wants {
    let paper = Penalty::yin2007();
    let half = |anchor: Anchor| Anchor { stiffness: 0.5 * anchor.stiffness, damping: 0.5 * anchor.damping };
    let springs = Penalty {
        stiffness: 0.5 * paper.stiffness,
        damping: 0.5 * paper.damping,
        anchor: paper.anchor.map(half),
        ..paper
    };
    Wants { step: 5e-5, step_at_most: 0.002, contact: ContactModel::Penalty(springs), ..Wants::default() }
}
