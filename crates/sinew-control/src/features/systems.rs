//! The declarations of the three controllers by features.

use super::balance::{Balancer, Stance};
use super::gait::Gait;
use super::jump::{Jump, Jumper};
use super::style::STYLES;
use super::technique::Technique;
use super::walk::Walker;
use crate::whole_body::Priorities;
use crate::{Group, Needs, Order, RequestKind, Signal, Style, System, Wants};
use std::sync::Arc;

const PAPER: &str = "de Lasa, Mordatch, Hertzmann 2010: Feature-Based Locomotion Controllers";

/// Legs with feet, and nothing else.
const NEEDS: Needs = Needs { feet: true, ..Needs::NOTHING };

const GAIT: Group = Group { name: "gait", about: "How it walks and stands", params: Gait::PARAMS };
const TECHNIQUE: Group = Group { name: "technique", about: "How it jumps", params: Technique::PARAMS };
const STANCE: Group = Group { name: "stance", about: "How it balances on both feet", params: Stance::PARAMS };
const PRIORITIES: Group =
    Group { name: "priorities", about: "How its objectives outweigh each other", params: Priorities::PARAMS };

/// Contacts solved to a tenth of a micrometre per second: torques are no better, and it takes half the time.
fn wants(_: &Order) -> Wants {
    Wants { tolerance: 1e-7, ..Wants::default() }
}

/// Asks for a [`Jump`].
pub(super) const JUMP: RequestKind =
    RequestKind::new("jump", "Jumps as soon as it stands", Jump::PARAMS).key('j').from_standing();

/// Signals of standing and walking that all three have, in the order of [`Walker::tell`].
const WALKING: &[Signal] = &[
    Signal::footsteps(),
    Signal::new(
        "capture_x",
        "m",
        "Capture point: where the pressure would have to be to come to rest over it",
    ),
    Signal::new("capture_y", "m", "Capture point, across"),
    Signal::new("pressure_x", "m", "Centre of pressure that is asked for"),
    Signal::new("pressure_y", "m", "Centre of pressure that is asked for, across"),
    Signal::new(
        "margin",
        "m",
        "Distance of the capture point from the edge of the support polygon, inside positive",
    ),
    Signal::new("push_x", "m/s²", "Acceleration by the push that it feels"),
    Signal::new("push_y", "m/s²", "Acceleration by the push that it feels, across"),
    Signal::new("fallbacks", "", "Decisions without a solution so far"),
    Signal::new("landing_x", "m", "Where the swinging foot is to land"),
    Signal::new("landing_y", "m", "Where the swinging foot is to land, across"),
    Signal::new("landing_time", "s", "How long after the last landing it is to land"),
];

/// Further signals of a [`Balancer`].
const BALANCING: &[Signal] = &[
    Signal::new("squat_phase", "rad", "Phase of the squat under way, from top to top"),
    Signal::new("ground_vx", "m/s", "Velocity of the ground as the soles feel it"),
    Signal::new("ground_vy", "m/s", "Velocity of the ground as the soles feel it, across"),
    Signal::new("ground_vz", "m/s", "Velocity of the ground as the soles feel it, upwards"),
];

/// Further signals of a [`Jumper`].
const JUMPING: &[Signal] =
    &[Signal::new("jump_phase", "", "0 standing or walking, 1 crouch, 2 thrust, 3 flight, 4 landing")];

/// Squats as deep as can be seen, and steps only in need.
const SQUATS: &[Style] = &[Style {
    name: "squats",
    changes: &[("squat_depth", 0.18), ("squat_period", 2.5), ("step_beyond", 0.02)],
}];

/// [`Walker`].
pub static WALKER: System = System {
    paper: PAPER,
    groups: &[GAIT, PRIORITIES],
    styles: STYLES,
    signals: &[WALKING],
    needs: NEEDS,
    wants,
    ..System::new("walker", "Stands, walks, turns and catches pushes by stepping", |order, _| {
        Ok(Box::new(Walker::new(Arc::clone(&order.model))?))
    })
};

/// [`Jumper`].
pub static JUMPER: System = System {
    paper: PAPER,
    groups: &[GAIT, TECHNIQUE, PRIORITIES],
    styles: STYLES,
    requests: &[JUMP],
    signals: &[WALKING, JUMPING],
    needs: NEEDS,
    wants,
    ..System::new("jumper", "Walks like the walker, and jumps when asked", |order, _| {
        Ok(Box::new(Jumper::new(Arc::clone(&order.model))?))
    })
};

/// [`Balancer`].
pub static BALANCER: System = System {
    paper: PAPER,
    groups: &[GAIT, STANCE, PRIORITIES],
    styles: SQUATS,
    signals: &[WALKING, BALANCING],
    needs: NEEDS,
    wants,
    ..System::new("balancer", "Stands, squats and leans, and steps only when it must", |order, _| {
        Ok(Box::new(Balancer::new(Arc::clone(&order.model))?))
    })
};
