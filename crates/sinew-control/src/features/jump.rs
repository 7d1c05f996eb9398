//! Jumps: standing, twisting, forward, scissor kicks and splits in the air.
//!
//! The state machine of the paper's section on jumping: crouch, thrust, flight, landing. While the feet are down the
//! centre of mass follows target laws (equations 6 and 7); in the air, where nothing can change its path, the legs are
//! placed relative to it. A landing is handed to the [`Walker`], which stands, or steps when it must.
//!
//! To rise by `h` the centre of mass must leave with `v = √(2gh)`. Over a stroke `δ` a constant acceleration takes
//! `T = 2δ/v`. The time of flight is `2v/g`; a turn by `θ` needs the angular momentum `I_z θ/(2v/g)` at take-off.

use super::feet::{Feet, Foot};
use super::posture::{erect, flat_on, orient, rest};
use super::walk::Walker;
use crate::whole_body::{Axes, Goal, Objective, Task};
use crate::{Command, ControlError, ControlStatus, Controller, ControllerState, Observation, Telemetry};
use sinew_dynamics::spatial::{Mat3, Vec3, rotation};
use sinew_dynamics::{Model, Side};
use sinew_world::Actuation;
use std::sync::Arc;

/// What the legs do in the air.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Legs {
    /// They hang.
    Hang,
    /// One swings forward, the other back.
    Scissor,
    /// They spread to the sides.
    Split,
}

/// A jump.
///
/// ```
/// use sinew_control::features::Jump;
/// let half_turn = Jump { twist: std::f64::consts::PI, ..Jump::default() };
/// assert_eq!(half_turn.forward, 0.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Jump {
    /// By how much the centre of mass rises after take-off, m.
    pub height: f64,
    /// How deep it crouches, as a share of the leg.
    pub crouch: f64,
    /// Turn to the left about the vertical, rad.
    pub twist: f64,
    /// Distance forward, m.
    pub forward: f64,
    /// What the legs do in the air.
    pub legs: Legs,
}

impl Default for Jump {
    fn default() -> Jump {
        Jump { height: 0.25, crouch: 0.3, twist: 0.0, forward: 0.0, legs: Legs::Hang }
    }
}

/// Where a jump is.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Phase {
    /// Standing, before or after.
    Stand,
    /// Crouching since.
    Crouch(f64),
    /// Thrusting since, from this height.
    Thrust(f64),
    /// In the air since.
    Flight(f64),
}

/// A body that jumps when asked to, and stands (or walks) otherwise.
#[derive(Clone, Debug)]
pub struct Jumper {
    /// Stands before and after.
    pub walker: Walker,
    jump: Jump,
    phase: Phase,
    heading: f64,
    waiting: bool,
    jumps: usize,
}

/// Time to crouch in units of `√(leg/g)`.
const CROUCH_TIME: f64 = 1.6;

impl Jumper {
    /// For a body with a pelvis, thighs and two feet.
    ///
    /// # Errors
    /// When the body lacks one of them.
    pub fn new(model: Arc<Model>) -> Result<Jumper, ControlError> {
        Ok(Jumper {
            walker: Walker::new(model)?,
            jump: Jump::default(),
            phase: Phase::Stand,
            heading: 0.0,
            waiting: false,
            jumps: 0,
        })
    }

    /// Asks for a jump as soon as it stands.
    pub fn jump(&mut self, jump: Jump) {
        (self.jump, self.waiting) = (jump, true);
    }

    /// Jumps that have landed.
    pub fn jumps(&self) -> usize {
        self.jumps
    }

    /// Speed of take-off, upwards.
    fn speed(&self) -> f64 {
        (2.0 * self.walker.gravity() * self.jump.height).sqrt()
    }

    fn crouched(&self) -> f64 {
        let anatomy = &self.walker.anatomy;
        self.walker.feet.middle().z + anatomy.tall * self.walker.gait.height - self.jump.crouch * anatomy.leg
    }

    /// Height of the centre of mass at take-off: legs nearly straight.
    fn released(&self) -> f64 {
        self.walker.feet.middle().z + 1.02 * self.walker.anatomy.tall
    }

    /// Changes of phase.
    fn advance(&mut self, seen: &Observation<'_>) {
        let released = self.released();
        let w = &mut self.walker;
        let (com, rate) = (w.body.kinetics.com(), w.body.kinetics.com_velocity());
        let touching = Side::BOTH.map(|s| Feet::touches(w.anatomy.sole(s), seen));
        let crouch_time = CROUCH_TIME * w.anatomy.time_unit(w.gravity());
        match self.phase {
            Phase::Stand => {
                if self.waiting && w.stands() && rate.norm() < 0.1 {
                    self.waiting = false;
                    self.heading = w.heading;
                    self.phase = Phase::Crouch(seen.time);
                }
            }
            Phase::Crouch(since) => {
                if seen.time - since > crouch_time {
                    self.phase = Phase::Thrust(seen.time);
                }
            }
            Phase::Thrust(_) => {
                if com.z > released || touching == [false; 2] {
                    w.feet.state = [Foot::Swing; 2];
                    self.phase = Phase::Flight(seen.time);
                }
            }
            Phase::Flight(since) => {
                if seen.time - since > 0.1 && rate.z < 0.0 && touching != [false; 2] {
                    self.jumps += 1;
                    self.phase = Phase::Stand;
                    w.resume(seen);
                }
            }
        }
    }

    /// Objectives while the feet push.
    fn push_off(&mut self, seen: &Observation<'_>) {
        let [forward, _] = Command::directions(self.heading);
        let speed = self.speed();
        let flight = 2.0 * speed / self.walker.gravity();
        let stroke = self.released() - self.crouched();
        let thrust = 2.0 * stroke / speed;
        let crouch_time = CROUCH_TIME * self.walker.anatomy.time_unit(self.walker.gravity());
        let (crouched, released) = (self.crouched(), self.released());
        let w = &mut self.walker;
        let middle = w.feet.middle();
        // a jump forward begins with the weight on the toes
        let lean = forward * (0.25 * self.jump.forward).min(0.06 * w.anatomy.leg);
        let (mut target, mut velocity, time, spin) = match self.phase {
            Phase::Crouch(since) => {
                let at = middle + lean;
                (Vec3::new(at.x, at.y, crouched), Vec3::zeros(), crouch_time - (seen.time - since), 0.0)
            }
            Phase::Thrust(since) => {
                let run = forward * (self.jump.forward / flight);
                let at = middle + lean + run * (0.5 * thrust);
                let inertia = w.body.kinetics.turning_inertia();
                let goal = Vec3::new(at.x, at.y, released);
                let left = thrust - (seen.time - since);
                (goal, run + Vec3::z() * speed, left, inertia * self.jump.twist / flight)
            }
            _ => return,
        };
        if time < 0.03 {
            // late: keep accelerating
            target = w.body.kinetics.com() + velocity * 0.03;
            velocity = w.body.kinetics.com_velocity();
        }
        let goal = Goal::Reach { position: target, velocity, time };
        let com = |axes| Task::Com { goal, axes };
        let twisting = matches!(self.phase, Phase::Thrust(_)) && self.jump.twist != 0.0;
        let (k, o) = (&w.body.kinetics, &mut w.objectives);
        w.feet.hold(&w.anatomy, k, 0.1, o, &mut w.holds);
        o.push(Objective::new(2, 1.0, com(Axes::all())));
        let mut gait = w.gait.clone();
        if twisting {
            gait.twist_weight = 0.0;
            let task = Task::AngularMomentum { target: Vec3::z() * spin, gain: 15.0 };
            o.push(Objective::new(2, 0.1, task));
        }
        erect(&w.anatomy, &gait, self.heading, o);
        rest(&w.anatomy, &gait, k.model().mass(), o);
    }

    /// Objectives in the air: the legs relative to the centre of mass, ready to land.
    fn fly(&mut self, seen: &Observation<'_>, since: f64) {
        let flight = 2.0 * self.speed() / self.walker.gravity();
        let phase = ((seen.time - since) / flight).clamp(0.0, 1.0);
        let w = &mut self.walker;
        let facing = w.anatomy.heading_of(&w.body.kinetics, w.anatomy.pelvis);
        let [forward, left] = Command::directions(facing);
        let o = &mut w.objectives;
        // open in the first half, closed again before landing
        let open = libm::sin(std::f64::consts::PI * (phase / 0.8).min(1.0));
        let falling = w.body.kinetics.com_velocity();
        for side in Side::BOTH {
            let sign = if side == Side::Left { 1.0 } else { -1.0 };
            let sole = w.anatomy.sole(side);
            let hang = left * (sign * 0.5 * w.gait.spread * w.anatomy.leg)
                - Vec3::z() * (w.anatomy.tall * w.gait.height * 0.97);
            let turn = match self.jump.legs {
                Legs::Hang => Vec3::zeros(),
                Legs::Scissor => left * (sign * 0.8 * open),
                Legs::Split => forward * (sign * 0.8 * open),
            };
            // land ahead of the centre of mass by what its speed asks for
            let ahead = Vec3::new(falling.x, falling.y, 0.0) * (0.6 * w.anatomy.time_unit(9.81) * phase);
            let place = rotation::to_matrix(&rotation::exp(&turn)) * hang + ahead;
            let task = Task::Point {
                body: sole.body,
                point: sole.center,
                goal: Goal::hold(place, 150.0),
                axes: Axes::all(),
                from_com: true,
            };
            o.push(Objective::new(2, 10.0, task));
            let flat: Mat3 = flat_on(&Vec3::z(), &forward) * sole.flat;
            o.push(orient(3, 3.0, sole.body, flat, 150.0, Axes::all()));
        }
        let mut gait = w.gait.clone();
        gait.twist_weight = 0.0;
        erect(&w.anatomy, &gait, facing, o);
        gait.momentum_weight = 0.0;
        rest(&w.anatomy, &gait, w.body.kinetics.model().mass(), o);
    }
}

impl Controller for Jumper {
    fn reset(&mut self, seen: &Observation<'_>) -> Result<(), ControlError> {
        (self.phase, self.waiting, self.jumps) = (Phase::Stand, false, 0);
        self.walker.reset(seen)
    }

    fn act(&mut self, seen: &Observation<'_>, command: &Command, out: &mut Actuation) -> ControlStatus {
        if self.phase == Phase::Stand {
            // it stays as it landed, whatever way that faces
            let facing = if self.jumps > 0 || self.waiting { self.walker.heading } else { command.heading };
            let command = Command { heading: facing, ..*command };
            self.walker.body.kinetics.update(seen.q, seen.v);
            self.advance(seen);
            if self.phase == Phase::Stand {
                return self.walker.act(seen, &command, out);
            }
        } else {
            self.walker.body.kinetics.update(seen.q, seen.v);
            self.walker.feet.feel(&self.walker.anatomy, &self.walker.body.kinetics, seen);
            self.advance(seen);
        }
        self.walker.objectives.clear();
        self.walker.holds.clear();
        match self.phase {
            Phase::Stand => return self.walker.act(seen, command, out),
            Phase::Crouch(_) | Phase::Thrust(_) => self.push_off(seen),
            Phase::Flight(since) => self.fly(seen, since),
        }
        let w = &mut self.walker;
        let status = w.body.solve(&w.objectives, &w.holds);
        out.torque.copy_from_slice(w.body.torque());
        status
    }

    fn telemetry(&self, into: &mut Telemetry) {
        self.walker.telemetry(into);
        let phase = match self.phase {
            Phase::Stand => 0.0,
            Phase::Crouch(_) => 1.0,
            Phase::Thrust(_) => 2.0,
            Phase::Flight(_) => 3.0,
        };
        into.put("jump_phase", phase);
    }

    fn save(&self) -> ControllerState {
        ControllerState::new(self.clone())
    }

    fn restore(&mut self, state: &ControllerState) -> Result<(), ControlError> {
        *self = state.get::<Jumper>()?.clone();
        Ok(())
    }
}
