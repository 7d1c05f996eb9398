//! Steps: when one begins, what it goes through, when it ends.
//!
//! ```text
//! standing ──asked to move, or falling──▶ shifting the weight ──divergent component where a step begins──▶ step
//!    ▲                                                                                                      │ lift-off after the
//!    └──────────asked to stand, feet beside each other, capture point well inside──────── landing ◀──────────┘ double support
//! ```
//! A step's landing is planned anew at every decision until shortly before it.

use super::calm::HEAVY_LEGS;
use super::feet::{Feet, Foot};
use super::pace::{angle, is_rest};
use super::planner::{DETOURS, Landing};
use super::walk::Walker;
use crate::{Command, Observation};
use sinew_dynamics::Side;
use sinew_dynamics::spatial::Vec3;

/// Share of the way to the toes that the pressure has gone when the heel may rise in a step down.
const ON_TOES: f64 = 0.9;
/// Upward part of the normal of a sole under which it has not landed, whatever it touches.
const ON_TIP: f64 = 0.75;
/// Height of a swinging foot from which on it is free of the ground, m.
const FREE: f64 = 0.004;
/// Turn of the command that makes a standing body step, and the one at which a walking body may stand, rad.
const TURN_TO_STEP: f64 = 0.15;
const TURN_TO_STAND: f64 = 0.05;
/// How far across the divergent component may be from where a step begins, as a share of the leg, and the longest shift, s.
const SHIFTED: f64 = 0.02;
const LONGEST_SHIFT: f64 = 1.0;
/// Share of the double support that a step from standing has behind it when the weight is shifted.
const AFTER_SHIFT: f64 = 0.6;
/// Time from one plan of the landing to the next, s; a pushed body plans at every decision.
const REPLAN: f64 = 0.005;
/// Time before a landing from which on its place stays, and within which a touch is a landing, s.
const SETTLED: f64 = 0.06;
/// Share of a swing before which a touch is no landing, and the distance from its place within which it is one, as a share of the leg.
const LATE_SWING: f64 = 0.5;
const NEAR: f64 = 0.2;
/// Shares of a swing: up to the first it is lifted over what it meets; after the second a bump, after the third a touch, is a stumble.
const OVER_UNTIL: f64 = 0.9;
const BUMP_FROM: f64 = 0.1;
const TOUCH_FROM: f64 = 0.35;
/// Where a walk may end, as shares of the leg: feet no further ahead of each other, no further apart, and the capture point so far inside.
const BESIDE: f64 = 0.15;
const APART: f64 = 0.45;
const INSIDE: f64 = 0.04;

/// When and how a foot left the ground.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lift {
    /// s.
    pub(super) time: f64,
    /// Middle of the sole.
    pub(super) place: Vec3,
    /// How far the toes point down at the ankle, rad.
    pub(super) ankle: f64,
}

/// A step under way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    /// The standing side.
    pub(super) stance: Side,
    /// When the standing foot landed, s.
    pub(super) since: f64,
    /// Whether the weight is still being shifted onto the standing foot, from rest.
    pub(super) shifting: bool,
    /// How the other foot left the ground.
    pub(super) lifted: Option<Lift>,
    /// How far the heel of the foot behind had risen when the standing foot landed, rad.
    pub(super) risen: f64,
    /// Whether it has been off the ground since.
    pub(super) free: bool,
    /// Where and when it lands, and when that was planned.
    pub(super) landing: Landing,
    planned: f64,
    /// By how much the next steps are longer than usual, because the ground does not carry everywhere.
    pub(super) detours: [Vec3; DETOURS],
    /// How much of a step down they are, 0 to 1: in those the pressure goes to the toes, because the heel has to rise.
    pub(super) downs: [f64; DETOURS],
    /// Where the weight comes from: the toe of the other foot.
    pub(super) old: Vec3,
    /// How much higher the standing foot is than the one before it, m.
    pub(super) climbed: f64,
    /// Whether the swinging foot met something on its way, to be lifted over it; and whether it did when it was nearly there.
    pub(super) stumbled: bool,
    pub(super) bumped: bool,
    /// Whether it stands on its tip or its edge, which is no landing.
    pub(super) tipped: bool,
}

impl Walker {
    /// A step that begins now on a foot.
    fn step_on(&self, stance: Side, time: f64, shifting: bool) -> Step {
        let sole = self.anatomy.sole(stance.other());
        let place = self.body.kinetics.point(sole.body, &sole.center).0;
        let landing = Landing { place, time: self.step_time(), cost: 0.0 };
        Step {
            stance,
            since: time,
            shifting,
            lifted: None,
            risen: 0.0,
            free: false,
            landing,
            planned: f64::NEG_INFINITY,
            detours: [Vec3::zeros(); DETOURS],
            downs: [0.0; DETOURS],
            old: self.feet.carrying_point(stance, self.anatomy.sole(stance), &self.body.kinetics),
            climbed: 0.0,
            stumbled: false,
            bumped: false,
            tipped: false,
        }
    }

    /// Changes of state: which leg stands, which swings.
    pub(super) fn proceed(&mut self, seen: &Observation<'_>, command: &Command) {
        match self.step {
            None => self.advance_standing(seen, command),
            Some(step) if step.shifting => self.advance_shift(step, seen),
            Some(step) => self.advance_step(step, seen, command),
        }
    }

    /// Standing: a step when asked to, or when the ankles cannot hold.
    fn advance_standing(&mut self, seen: &Observation<'_>, command: &Command) {
        let moving = !is_rest(command);
        let turning = angle(command.heading - self.heading).abs() > TURN_TO_STEP;
        let least = self.bearing.step_beyond.map_or(self.manner.margin, |beyond| -beyond);
        let falling = self.feet.polygon.margin(&self.xi) < least * self.anatomy.leg;
        if moving || turning || falling {
            self.follow(command);
            let cost = |stance: Side| {
                let s = self.situation(&self.step_on(stance, seen.time, true), seen.time);
                s.plan(self.footholds(stance.other(), None, seen)).cost
            };
            let stance = if cost(Side::Left) <= cost(Side::Right) { Side::Left } else { Side::Right };
            self.step = Some(self.step_on(stance, seen.time, !falling));
        }
    }

    /// Shifting the weight, until the divergent component is where a step begins.
    fn advance_shift(&mut self, mut step: Step, seen: &Observation<'_>) {
        let s = self.situation(&step, seen.time);
        let miss = self.xi - s.stance - s.offset(&s.sideways, s.usual);
        let across = miss.dot(&s.sideways) / s.sideways.norm().max(1e-9);
        if across.abs() < SHIFTED * self.anatomy.leg || seen.time - step.since > LONGEST_SHIFT {
            step.shifting = false;
            step.since = seen.time - AFTER_SHIFT * self.manner.double_support * s.usual;
        }
        self.step = Some(step);
    }

    /// A step under way: lift-off, a new plan, landing.
    fn advance_step(&mut self, mut step: Step, seen: &Observation<'_>, command: &Command) {
        let swing = step.stance.other();
        let (elapsed, usual) = (seen.time - step.since, self.step_time());
        if self.pushed() || seen.time - step.planned > REPLAN - 1e-6 {
            step.planned = seen.time;
            (step.detours, step.downs) = self.detours(&step, seen);
            // shortly before the landing its place is no longer changed
            if step.lifted.is_none() || step.landing.time - elapsed > SETTLED {
                let chosen = step.lifted.map(|_| step.landing.place.z);
                step.landing = self.situation(&step, seen.time).plan(self.footholds(swing, chosen, seen));
            }
        }
        // a pushed body has no time to stand on both feet
        let time = if self.pushed() { usual.min(step.landing.time) } else { usual };
        if step.lifted.is_none() && elapsed >= self.manner.double_support * time {
            let sole = self.anatomy.sole(swing);
            let k = &self.body.kinetics;
            let along = k.placement(sole.body).rot * sole.flat.tr_mul(&Vec3::x());
            let pitch = libm::asin(-along.dot(&self.feet.anchor(swing).normal).clamp(-1.0, 1.0));
            let ankle = pitch - self.hanging(swing)[0];
            step.lifted = Some(Lift { time: seen.time, place: k.point(sole.body, &sole.center).0, ankle });
            self.feet.state[swing as usize] = Foot::Swing;
        }
        // ankles do not bend far enough to let the hips down over a flat foot: with the pressure on the toes, the heel may rise
        let foot = self.feet.anchor(step.stance).at;
        let way = self.toe_of(step.stance) - foot;
        let gone = (self.pressure - foot).dot(&way) / way.norm_squared().max(1e-9);
        let on_toes = step.downs[0] > 0.0 && gone > ON_TOES;
        // legs that are most of the body's mass need all of the standing foot to swing against
        let late = elapsed > self.manner.heel_off * usual && self.anatomy.leg_share < HEAVY_LEGS;
        // a heel that carries does not rise, unless the toes hinge: then it is the foot that must carry
        let ahead = gone > 0.0 || !self.anatomy.sole(step.stance).toes.is_empty();
        let rises = on_toes || late && (ahead || self.rises_early(&step, seen.time));
        if step.lifted.is_some() && rises {
            self.feet.state[step.stance as usize] = Foot::Toe;
        }
        if let Some(Lift { time: since, .. }) = step.lifted {
            let sole = self.anatomy.sole(swing);
            let phase = (seen.time - since) / (step.landing.time - (since - step.since)).max(0.05);
            let (down, bumps) = (Feet::touches(sole, seen), Feet::bumps(sole, seen));
            step.free = step.free || self.obstacles(&step, seen).clearance() > FREE;
            let left = step.landing.time - elapsed;
            let up = self.body.kinetics.placement(sole.body).rot * sole.flat.tr_mul(&Vec3::z());
            step.tipped = down && up.z < ON_TIP;
            if down
                && phase > LATE_SWING
                && !step.tipped
                && (left < SETTLED || step.bumped || self.short_of(&step) < NEAR * self.anatomy.leg)
            {
                if late {
                    self.feet.state[step.stance as usize] = Foot::Toe;
                }
                self.step = Some(step);
                return self.land(swing, seen, command);
            }
            // over it while there is time or a riser is seen, else down before it
            let over = phase < OVER_UNTIL || self.obstacles(&step, seen).blocked || Feet::scrapes(sole, seen);
            step.stumbled |= bumps && phase > BUMP_FROM && over || down && phase > TOUCH_FROM;
            step.bumped |= bumps && !over;
        }
        self.step = Some(step);
    }

    /// How far the swinging foot is from where it should land, in the plane, m.
    fn short_of(&self, step: &Step) -> f64 {
        let sole = self.anatomy.sole(step.stance.other());
        let d = step.landing.place - self.body.kinetics.point(sole.body, &sole.center).0;
        libm::hypot(d.x, d.y)
    }

    /// A foot has landed: the next step begins, or standing.
    fn land(&mut self, side: Side, seen: &Observation<'_>, command: &Command) {
        self.feet.plant(side, self.anatomy.sole(side), &self.body.kinetics, seen);
        self.feet.feel(&self.anatomy, &self.body.kinetics, seen);
        self.steps += 1;
        self.calm.land();
        let risen = self.step.map_or(0.0, |step| self.risen(&step, seen.time)[0]);
        // a step whose length is that of a tread says nothing of other steps
        if self.step.is_some_and(|step| step.detours != [Vec3::zeros(); DETOURS]) {
            self.mark = None;
        }
        self.learn(seen.time);
        self.follow(command);
        let asked = is_rest(command) && angle(command.heading - self.heading).abs() < TURN_TO_STAND;
        let leg = self.anatomy.leg;
        let apart = self.feet.anchors[0].at - self.feet.anchors[1].at;
        // with the feet side by side
        let ahead = apart.dot(&Command::directions(self.heading)[0]).abs();
        let beside = ahead < BESIDE * leg && apart.norm() < APART.max(1.2 * self.anatomy.apart) * leg;
        let settled = self.feet.polygon.margin(&self.xi) > INSIDE * leg && beside;
        if asked && settled {
            self.step = None;
            self.velocity = [0.0; 2];
            (self.trim, self.mark) = (Vec3::zeros(), None);
            // both feet carry from now on
            self.feet.state = [Foot::Flat; 2];
        } else {
            let climbed = self.feet.anchor(side).at.z - self.feet.anchor(side.other()).at.z;
            let old = self.toe_of(side.other());
            self.step = Some(Step { climbed, old, risen, ..self.step_on(side, seen.time, false) });
        }
    }
}
