//! From what a person does to where and when each foot stands, and where the hips go between.
//!
//! The middle between the feet walks along a path: each step moves its end by the step's length and turn, and the foot lands
//! half a width beside it. So the first step from standing is half as long for the foot as the next, and a step of no length
//! brings the feet together. In the middle of each double support the hips are over the middle between the feet.

use super::foot::Plant;
use super::puppet::Puppet;
use super::score::{Deed, Score};
use crate::Travel;
use sinew_dynamics::spatial::Vec3;

/// Where the hips are at a time: over the ground, and their heading.
#[derive(Clone, Copy, Debug)]
pub(super) struct Knot {
    pub(super) time: f64,
    pub(super) at: Vec3,
    pub(super) yaw: f64,
}

/// One foot carries while the other swings.
#[derive(Clone, Copy, Debug)]
pub(super) struct Support {
    pub(super) from: f64,
    pub(super) to: f64,
    /// Left foot stands.
    pub(super) left: bool,
    pub(super) at: Vec3,
    /// Length of the step, legs.
    pub(super) length: f64,
    /// Landing of the foot that swings.
    pub(super) landing: f64,
    /// Landing and lifting off of the foot that carries.
    pub(super) land: f64,
    pub(super) off: f64,
}

/// From both feet to both feet through the air.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hop {
    pub(super) start: f64,
    pub(super) bottom: f64,
    pub(super) off: f64,
    pub(super) land: f64,
    pub(super) absorbed: f64,
    pub(super) end: f64,
    /// Depth of the crouch, m.
    pub(super) crouch: f64,
}

/// Everything that happens.
pub(super) struct Timeline {
    pub(super) plants: [Vec<Plant>; 2],
    pub(super) knots: Vec<Knot>,
    pub(super) supports: Vec<Support>,
    pub(super) hops: Vec<Hop>,
    pub(super) duration: f64,
}

impl Timeline {
    /// The deeds `times` times over, stretched by `tempo`.
    pub(super) fn new(score: &Score, puppet: &Puppet, tempo: f64, times: usize) -> Timeline {
        let mut made = Maker::new(score, puppet, tempo);
        for deed in (0..times).flat_map(|_| &score.deeds) {
            match *deed {
                Deed::Stand { seconds } => made.stand(seconds * tempo),
                Deed::Steps { count, forward, left, turn } => {
                    (0..count).for_each(|_| made.step(forward, left, turn));
                }
                Deed::Jump { crouch, flight, forward, turn } => made.jump(crouch, flight, forward, turn),
            }
        }
        made.finish()
    }
}

struct Maker<'a> {
    score: &'a Score,
    leg: f64,
    tempo: f64,
    width: f64,
    time: f64,
    /// End of the path.
    at: Vec3,
    yaw: f64,
    next_left: bool,
    /// When the hips were last over the middle.
    middle: f64,
    line: Timeline,
}

impl<'a> Maker<'a> {
    fn new(score: &'a Score, puppet: &Puppet, tempo: f64) -> Maker<'a> {
        let line = Timeline {
            plants: [vec![], vec![]],
            knots: vec![],
            supports: vec![],
            hops: vec![],
            duration: 0.0,
        };
        let mut made = Maker {
            score,
            leg: puppet.leg,
            tempo,
            width: score.style.get("width") * puppet.leg,
            time: 0.0,
            at: Vec3::zeros(),
            yaw: 0.0,
            next_left: score.first_left,
            middle: 0.0,
            line,
        };
        for side in 0..2 {
            let plant = made.plant(side, -1.0);
            made.line.plants[side].push(Plant { strike: plant.flat, ..plant });
        }
        made.knot(0.0);
        made
    }

    /// A plant of a foot beside the end of the path.
    fn plant(&self, side: usize, land: f64) -> Plant {
        let sign = if side == 0 { 1.0 } else { -1.0 };
        let travel = Travel { yaw: self.yaw, shift: self.at };
        let style = &self.score.style;
        let step = style.get("step_time") * self.tempo;
        Plant {
            at: travel.apply(&Vec3::new(0.0, sign * 0.5 * self.width, 0.0)),
            yaw: self.yaw + sign * style.angle("toe_out"),
            land,
            off: f64::INFINITY,
            flat: style.angle("tiptoe"),
            strike: style.angle("strike"),
            push: 0.0,
            load: style.get("load") * step,
            roll: style.get("roll") * step,
            lift: style.get("clearance") * self.leg,
        }
    }

    fn knot(&mut self, time: f64) {
        let [left, right] =
            [0, 1].map(|side| *self.line.plants[side].last().expect("feet stand from the beginning"));
        self.middle = time;
        self.line.knots.push(Knot {
            time,
            at: (left.at + right.at) * 0.5,
            yaw: 0.5 * (left.yaw + right.yaw),
        });
    }

    fn stand(&mut self, seconds: f64) {
        self.time += seconds;
        self.knot(self.time);
    }

    fn step(&mut self, forward: f64, left: f64, turn: f64) {
        let style = &self.score.style;
        let step = style.get("step_time") * self.tempo;
        let double = style.get("double_support") * step;
        let side = usize::from(!self.next_left);
        let standing = self.line.plants[1 - side].last().expect("feet stand from the beginning");
        let (carrier, landed) = (standing.at, standing.land);
        self.yaw += turn;
        let ahead = Travel { yaw: self.yaw - 0.5 * turn, shift: Vec3::zeros() };
        self.at += ahead.direction(&Vec3::new(forward, left, 0.0)) * self.leg;

        let off = self.time + double;
        let land = self.time + step;
        let mut plant = self.plant(side, land);
        let old = self.line.plants[side].last_mut().expect("feet stand from the beginning");
        // short steps roll less
        let moved = (plant.at - old.at).norm() / self.leg;
        let behind = (carrier - old.at).norm() / self.leg;
        old.off = off;
        old.push = style.angle("toe_off") * (0.25 + 0.75 * (behind / 0.6).min(1.0));
        old.roll = old.roll.min(0.6 * (off - old.land).max(0.0));
        plant.strike *= (moved / 1.0).min(1.0);
        self.line.plants[side].push(plant);
        let from = self.middle;
        self.time = land;
        // in running the hips are midway in the middle of the flight
        self.knot(land + double * if double < 0.0 { 0.5 } else { style.get("middle") });
        self.middle = land + 0.5 * double;
        let length = 0.5 * moved;
        self.line.supports.push(Support {
            from,
            to: self.middle,
            left: side == 1,
            at: carrier,
            length,
            landing: land,
            land: landed,
            off: land + double,
        });
        self.next_left = !self.next_left;
    }

    fn jump(&mut self, crouch: f64, flight: f64, forward: f64, turn: f64) {
        let style = &self.score.style;
        let step = style.get("step_time") * self.tempo;
        let start = self.time;
        let bottom = start + 0.9 * step;
        let off = bottom + 0.5 * step;
        let land = off + flight * self.tempo;
        self.knot(bottom);
        self.knot(off);
        self.yaw += turn;
        self.at +=
            Travel { yaw: self.yaw, shift: Vec3::zeros() }.direction(&Vec3::x()) * (forward * self.leg);
        for side in 0..2 {
            let mut plant = self.plant(side, land);
            let old = self.line.plants[side].last_mut().expect("feet stand from the beginning");
            (old.off, old.push, old.roll) = (off, style.angle("toe_off"), 0.5 * step);
            (plant.load, plant.lift) = (0.12 * step, 0.0);
            self.line.plants[side].push(plant);
        }
        self.knot(land);
        let absorbed = land + 0.45 * step;
        self.time = absorbed + 1.1 * step;
        self.knot(self.time);
        let crouch = crouch * self.leg;
        self.line.hops.push(Hop { start, bottom, off, land, absorbed, end: self.time, crouch });
    }

    fn finish(mut self) -> Timeline {
        self.line.duration = self.time;
        self.line
    }
}
