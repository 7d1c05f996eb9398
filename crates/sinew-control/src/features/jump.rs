//! Jumps: standing, twisting, forward, scissor kicks and splits in the air.
//!
//! The state machine of the paper's section on jumping: crouch, thrust, flight, landing.
//!
//! - *Crouch*: the centre of mass follows the target law (equations 6 and 7) down; trunk forward, arms back.
//! - *Thrust*: to rise by `h` the centre of mass must leave with `v = √(2gh)`. Over what is left of the stroke, `s`, the
//!   constant acceleration `(v² − ż²)/2s` does that, in the time `2s/(v + ż)`. The heels rise when the legs are nearly straight.
//!   It is less important than the angular momentum and the place of the mass: legs too weak for it jump lower, and land.
//!   A turn by `θ` needs the angular momentum `I θ/t`, `t` being the time until landing; feet hold it by friction.
//! - *Flight*: legs and arms are placed (`air`).
//! - *Landing*: the knees give way and come up again; then, or as soon as only a step can save it, the [`Walker`] takes over.
//!
//! A jump by `d` forward: the feet land where the landing can be stopped, `v/ω` ahead of the centre of mass, so that
//! `d = o + v t + v/ω` with the offset `o` of the centre of mass from the feet at take-off.

use super::air::{Flight, arms, time_to_fall};
use super::feet::{FRICTION_USED, Feet, Foot, Heel};
use super::gait::Gait;
use super::posture::{lean, pose, spin};
use super::technique::Technique;
use super::walk::Walker;
use crate::whole_body::{Axes, Goal, LIMIT_HORIZON, Objective, Task, reach};
use crate::{
    Advanced, Choice, Command, ControlError, ControlStatus, Controller, Observation, Out, Parameters,
    Request, Start, parameters,
};
use core::f64::consts::PI;
use sinew_dynamics::spatial::Vec3;
use sinew_dynamics::{Model, Side};
use std::sync::Arc;

/// Height of the centre of mass before a jump and after it, as a share of that with straight legs: however it walks.
const UPRIGHT: f64 = 0.975;

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

impl Choice for Legs {
    const ALL: &'static [Legs] = &[Legs::Hang, Legs::Scissor, Legs::Split];
    const NAMES: &'static [&'static str] = &["hang", "scissor", "split"];
}

parameters! {
    /// A jump.
    ///
    /// ```
    /// use sinew_control::features::Jump;
    /// let half_turn = Jump { twist: std::f64::consts::PI, ..Jump::default() };
    /// assert_eq!(half_turn.forward, 0.0);
    /// ```
    #[derive(Copy)]
    pub struct Jump {
        /// How far the centre of mass rises after take-off.
        height: number(0.3, [0.01, 2.0]).unit("m").slider(0.05, 0.5).main();
        /// How deep it crouches.
        crouch: number(0.3, [0.05, 0.6]).unit("leg");
        /// Turn to the left about the vertical.
        twist: number(0.0, [-MOST_TURN, MOST_TURN]).unit("°").slider(-PI, PI).main();
        /// Distance forward.
        forward: number(0.0, [-2.0, 3.0]).unit("m").slider(0.0, 0.8).main();
        /// What the legs do in the air.
        legs: choice(Legs, Legs::Hang, "hang").main();
    }
}

/// Where a jump is.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Phase {
    /// Standing, before or after.
    Stand,
    /// Crouching since.
    Crouch(f64),
    /// Thrusting since.
    Thrust(f64),
    /// In the air.
    Flight(Flight),
    /// Landed at.
    Landing(f64),
}

/// A body that jumps when asked to, and stands (or walks) otherwise.
///
/// ```
/// use sinew_control::{Action, Episode, Request, features::JUMPER};
///
/// let human = sinew_dynamics::characters::load("human")?;
/// let mut episode = Episode::on_flat_ground(&JUMPER, human)?;
/// let jump = JUMPER.request("jump").unwrap();
/// episode.perform(&Action::Ask(Request::new(jump)))?;
/// episode.run(2.0)?;
/// assert_eq!(episode.signal("jump_phase"), Some(4.0), "it has landed");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Jumper {
    /// Stands before and after.
    pub walker: Walker,
    /// How it jumps.
    pub technique: Technique,
    /// The same in seconds.
    timed: Technique,
    jump: Jump,
    phase: Phase,
    /// Heading at the beginning of a jump, rad.
    heading: f64,
    /// All turns so far, rad: headings of commands are relative to it.
    turned: f64,
    waiting: bool,
    jumps: usize,
}

/// Speed of the centre of mass under which it stands still enough to jump, m/s.
const AT_REST: f64 = 0.1;
/// A thrust that takes longer than this multiple of its stroke over the speed of take-off is given up; one as planned takes 2.
const PATIENCE: f64 = 8.0;
/// Time in which nothing is decided after a take-off and, half as long again, after a landing, in units of `√(leg/g)`.
const SHORT: f64 = 0.325;
/// Distance of a jump forward, as a share of the leg, from which on the centre of mass leaves all of its lead ahead of the feet.
const FAR: f64 = 0.54;
/// Most turn of a jump, rad.
const MOST_TURN: f64 = 1.5 * PI;

impl Jumper {
    /// For a body with a pelvis, thighs and two feet.
    ///
    /// # Errors
    /// When the body lacks one of them.
    pub fn new(model: Arc<Model>) -> Result<Jumper, ControlError> {
        Ok(Jumper {
            walker: Walker::new(model)?,
            technique: Technique::default(),
            timed: Technique::default(),
            jump: Jump::default(),
            phase: Phase::Stand,
            heading: 0.0,
            turned: 0.0,
            waiting: false,
            jumps: 0,
        })
    }

    /// Asks for a jump as soon as it stands; numbers beyond their range are brought back to its end. Headings of commands turn with it:
    /// what faced along the commanded heading before faces along it afterwards, plus the twist.
    ///
    /// # Errors
    /// When a number of it is NaN.
    pub fn jump(&mut self, mut jump: Jump) -> Result<(), ControlError> {
        if [jump.height, jump.crouch, jump.twist, jump.forward].iter().any(|x| x.is_nan()) {
            let problem = "a number of it is NaN".to_owned();
            return Err(ControlError::Request { name: super::systems::JUMP.name.to_owned(), problem });
        }
        jump.keep_in_range();
        (self.jump, self.waiting) = (jump, true);
        Ok(())
    }

    /// Jumps that have landed.
    pub fn jumps(&self) -> usize {
        self.jumps
    }

    /// Speed of take-off, upwards.
    fn speed(&self) -> f64 {
        (2.0 * self.walker.gravity() * self.jump.height).sqrt()
    }

    fn floor(&self) -> f64 {
        self.walker.feet.middle().z
    }

    /// Height of the centre of mass in the crouch.
    fn crouched(&self) -> f64 {
        let anatomy = &self.walker.anatomy;
        self.floor() + anatomy.tall * UPRIGHT - self.jump.crouch * anatomy.leg
    }

    /// Height of the centre of mass at take-off: legs straight, heels up.
    fn released(&self) -> f64 {
        self.floor() + self.timed.release * self.walker.anatomy.tall
    }

    /// Height of the centre of mass at landing.
    fn landed(&self) -> f64 {
        self.floor() + self.timed.landing * self.walker.anatomy.tall
    }

    /// Changes of phase.
    fn proceed(&mut self, seen: &Observation<'_>) {
        let (released, landed, speed) = (self.released(), self.landed(), self.speed());
        let crouched = self.crouched();
        let Technique { crouch_time, rise_time, .. } = self.timed;
        let w = &mut self.walker;
        let unit = w.anatomy.time_unit(w.gravity());
        let (com, rate) = (w.body.kinetics.com(), w.body.kinetics.com_velocity());
        let touching = Side::BOTH.map(|s| Feet::touches(w.anatomy.sole(s), seen));
        match self.phase {
            Phase::Stand => {
                if self.waiting && w.stands() && rate.norm() < AT_REST {
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
            Phase::Thrust(since) => {
                if com.z > released || rate.z >= speed {
                    w.feet.state = [Foot::Swing; 2];
                    let lasts = time_to_fall(com.z - landed, rate.z, w.gravity());
                    let heading = self.heading + self.jump.twist;
                    self.phase = Phase::Flight(Flight { since: seen.time, lasts, heading });
                } else if seen.time - since > PATIENCE * (released - crouched) / speed {
                    // it cannot: legs too weak, or held fast
                    self.phase = Phase::Landing(seen.time);
                }
            }
            Phase::Flight(flight) => {
                if seen.time - flight.since > SHORT * unit && rate.z < 0.0 && touching != [false; 2] {
                    self.jumps += 1;
                    self.turned += self.jump.twist;
                    self.phase = Phase::Landing(seen.time);
                    w.resume(seen);
                    // a foot that is still high up comes down beside the other
                    for side in Side::BOTH.into_iter().filter(|side| !touching[*side as usize]) {
                        w.feet.plant_beside(side);
                    }
                    w.heading = flight.heading;
                    self.heading = flight.heading;
                }
            }
            Phase::Landing(since) => {
                // settled, or about to fall: then it must step
                let omega = (w.gravity() / (com.z - w.feet.middle().z).max(0.1)).sqrt();
                let beyond = w.feet.polygon.margin(&(com + rate / omega)) < -0.02 * w.anatomy.leg;
                if seen.time - since > rise_time || (seen.time - since > 1.5 * SHORT * unit && beyond) {
                    self.phase = Phase::Stand;
                }
            }
        }
    }

    /// Share of the landing that is still to come.
    fn unsettled(&self, elapsed: f64) -> f64 {
        1.0 - (elapsed / self.timed.rise_time).clamp(0.0, 1.0)
    }

    /// Acceleration of the centre of mass after a landing: down into the knees and up again, and over the feet by feedback on
    /// the divergent component `ξ = c + ċ/ω` through the centre of pressure `ξ + k (ξ − middle)/ω`.
    fn settle(&self, elapsed: f64) -> Vec3 {
        let (t, w) = (&self.timed, &self.walker);
        let (k, gravity) = (&w.body.kinetics, w.gravity());
        let (com, rate, middle) = (k.com(), k.com_velocity(), w.feet.middle());
        let share = self.unsettled(elapsed);
        let tall = w.anatomy.tall * UPRIGHT * (1.0 - t.give * share);
        let stiffness = w.gait.height_stiffness + (t.soft - w.gait.height_stiffness) * share;
        let lift = stiffness * (middle.z + tall - com.z) - 2.0 * stiffness.sqrt() * rate.z;
        let lift = lift.clamp(-0.5 * gravity, t.most_brake * gravity);
        let height = (com.z - middle.z).max(0.3 * w.anatomy.tall);
        let omega = ((gravity + lift) / height).sqrt();
        let xi = com + rate / omega;
        let gain = w.gait.ankle_gain / w.anatomy.time_unit(gravity) / omega;
        let pressure = xi + (xi - middle) * gain;
        let mut a = (com - pressure) * (omega * omega);
        a.z = lift;
        a
    }

    /// How the centre of mass should accelerate, and the angular momentum that the body should have, while the feet push.
    fn thrust(&self, seen: &Observation<'_>) -> (Vec3, Vec3) {
        let (t, w, jump) = (&self.timed, &self.walker, &self.jump);
        let (k, leg, gravity) = (&w.body.kinetics, w.anatomy.leg, w.gravity());
        let (com, rate) = (k.com(), k.com_velocity());
        let [forward, _] = Command::directions(self.heading);
        let (crouched, released, speed) = (self.crouched(), self.released(), self.speed());
        if let Phase::Landing(since) = self.phase {
            return (self.settle(seen.time - since), Vec3::zeros());
        }
        let start = w.feet.middle() + forward * (t.set_back * jump.forward + t.early * t.shift * leg);
        if let Phase::Crouch(since) = self.phase {
            let at = Vec3::new(start.x, start.y, crouched);
            let left = t.crouch_time - (seen.time - since);
            return (reach(&com, &rate, &at, &Vec3::zeros(), left.max(t.patience)), Vec3::zeros());
        }
        let stroke = (released - com.z).max(0.01);
        let lift = (speed * speed - rate.z * rate.z.abs()) / (2.0 * stroke);
        let left = 2.0 * stroke / (speed + rate.z.max(0.0));
        // the flight that follows
        let flight = time_to_fall(released - self.landed(), speed, gravity);
        let omega = (gravity / (t.landing * w.anatomy.tall)).sqrt();
        let run = (jump.forward - t.lead * leg * (jump.forward / (FAR * leg)).clamp(-1.0, 1.0))
            / (flight + 1.0 / omega);
        let ahead = (1.0 - t.early) * t.shift * leg + 0.5 * run * 2.0 * (released - crouched) / speed;
        // without time left to correct its place it leaves with the planned velocity, and gets there later
        let time = left.max(t.patience);
        let at = start + forward * (ahead + run * (time - left));
        let mut a = reach(&com, &rate, &at, &(forward * run), time);
        // what is missing near the end cannot be made up for
        let planned = speed * speed / (2.0 * (released - crouched).max(0.01));
        a.z = lift.clamp(0.0, t.most_lift * planned);
        let facing = w.anatomy.heading_of(k, w.anatomy.pelvis);
        let turned = libm::remainder(facing - self.heading, core::f64::consts::TAU);
        let turn = t.inertia * w.anatomy.turning * (jump.twist - turned) / (flight + left);
        // the body leaves leaning forward; when it turns, so does its lean, and it must come upright in the air
        let across = Command::directions(self.heading)[1];
        let pitch = t.pitch_back * jump.twist.abs() / PI;
        let inertia = across.dot(&(k.derived().inertia.to_mat3() * across));
        (a, Vec3::z() * turn - across * (pitch * inertia / flight))
    }

    /// Objectives while the feet push.
    ///
    /// A force `m (c̈ + g)` through the centre of pressure `p` changes the angular momentum about the centre of mass, `z` above
    /// the ground, by `L̇_y = −z m c̈_x − (p_x − c_x) m (c̈_z + g)`, and likewise across. So the angular momentum comes first,
    /// `p` stays within the feet, and the horizontal acceleration is what these leave.
    fn push_off(&mut self, seen: &Observation<'_>) {
        let (mut wanted, spinning) = self.thrust(seen);
        let (crouched, released) = (self.crouched(), self.released());
        let unsettled = match self.phase {
            Phase::Landing(since) => Some(self.unsettled(seen.time - since)),
            _ => None,
        };
        let Jumper { walker: w, timed: t, jump, phase, heading, .. } = self;
        let thrusting = matches!(phase, Phase::Thrust(_));
        let k = &w.body.kinetics;
        let (com, mass) = (k.com(), k.model().mass());
        // the heels rise late in the thrust
        let done = (com.z - crouched) / (released - crouched);
        if thrusting && done > t.heel_off {
            w.feet.state = [Foot::Toe; 2];
        }
        let height = (com.z - w.feet.middle().z).max(0.1);
        let force = mass * (wanted.z + w.body.kinetics.model().gravity().norm()).max(1.0);
        // what the feet can give: by the centre of pressure, and about the vertical by friction
        let most = Vec3::new(0.1, 0.1, t.grip) * (w.anatomy.leg * force);
        let change = match thrusting || unsettled.is_some() {
            true => ((spinning - k.angular_momentum()) * t.momentum_gain).inf(&most).sup(&-most),
            false => Vec3::zeros(),
        };
        let pressure = Vec3::new(
            com.x - (height * mass * wanted.x + change.y) / force,
            com.y - (height * mass * wanted.y - change.x) / force,
            0.0,
        );
        let pressure = w.feet.polygon.clamp(&pressure, 0.01);
        w.pressure = Vec3::new(pressure.x, pressure.y, w.feet.middle().z);
        wanted.x = ((com.x - pressure.x) * force - change.y) / (mass * height);
        wanted.y = ((com.y - pressure.y) * force + change.x) / (mass * height);
        let o = &mut w.objectives;
        w.feet.hold(&w.anatomy, k, Heel::down(t.heel_weight), FRICTION_USED, o, &mut w.holds);
        // what the legs cannot give is missing in height, not in balance
        let goal = Goal::Accelerate(wanted);
        o.push(Objective::new(2, 1.0, Task::Com { goal, axes: Axes::horizontal() }));
        o.push(Objective::new(3, t.lift_weight, Task::Com { goal, axes: Axes::vertical() }));
        // a swing of the arms is no reason to bend the trunk, but a turn is made by both
        let turning = (jump.twist.abs() / core::f64::consts::FRAC_PI_2).min(1.0);
        let between = |straight: f64| straight + (1.0 - straight) * turning;
        let trunk_weight = between(t.thrust_trunk) * w.gait.trunk_weight;
        let mut gait = Gait { twist_weight: t.twist_weight, trunk_weight, ..w.gait.clone() };
        if thrusting || unsettled.is_some() {
            let target = k.angular_momentum() + change / t.momentum_gain;
            spin(&w.anatomy, mass, 2, t.momentum_weight, t.momentum_gain, target, o);
        } else {
            spin(&w.anatomy, mass, 3, gait.momentum_weight, gait.momentum_gain, Vec3::zeros(), o);
        }
        // trunk, arms, pose
        let (mut bent, mut facing, mut swing) = (1.0, *heading - t.wind_up * jump.twist, -t.arms_back);
        if thrusting {
            (bent, facing, swing) = ((1.0 - done / t.unfold).clamp(0.0, 1.0), *heading, t.arms_up);
            gait.twist_weight *= if jump.twist == 0.0 { 1.0 } else { 0.0 };
        }
        if let Some(share) = unsettled {
            let tilt = t.landing_lean * share;
            lean(&w.anatomy, &gait, *heading, [tilt, gait.lean + tilt], 0.0, [0.0; 2], o);
            arms(&w.anatomy, k, t, [*heading, 0.0], [0.2, 0.15], o);
            pose(&w.anatomy, k, &gait, &mut w.rest_gains, o);
            return;
        }
        let trunk = t.release_lean + (t.crouch_lean - t.release_lean) * bent;
        lean(&w.anatomy, &gait, facing, [t.crouch_tilt * bent, trunk], 0.0, [0.0; 2], o);
        gait.arm_weight *= t.thrust_rest;
        let loose = Technique { arm_weight: t.arm_weight * between(t.thrust_arms), ..t.clone() };
        arms(&w.anatomy, k, &loose, [facing, 0.0], [swing, 0.1], o);
        pose(&w.anatomy, k, &gait, &mut w.rest_gains, o);
    }

    /// Objectives in the air.
    fn fly(&mut self, flight: &Flight) {
        let landed = self.landed();
        let Walker { anatomy, body, gait, objectives, rest_gains, .. } = &mut self.walker;
        let k = &body.kinetics;
        let left = time_to_fall(k.com().z - landed, k.com_velocity().z, k.model().gravity().norm());
        flight.compose(anatomy, k, gait, &self.timed, &self.jump, left, rest_gains, objectives);
    }
}

impl Controller for Jumper {
    fn start(&self) -> Start {
        self.walker.start()
    }

    fn reset(&mut self, seen: &Observation<'_>) -> Result<(), ControlError> {
        (self.phase, self.waiting, self.jumps, self.turned) = (Phase::Stand, false, 0, 0.0);
        self.walker.reset(seen)
    }

    fn act(&mut self, seen: &Observation<'_>, command: &Command, out: &mut Out<'_>) -> ControlStatus {
        self.technique.keep_in_range();
        let w = &mut self.walker;
        match self.phase {
            // the walker does the rest itself
            Phase::Stand => w.body.kinetics.update(seen.q, seen.v),
            _ => w.sense(seen),
        }
        self.timed = self.technique.in_seconds(w.anatomy.time_unit(w.gravity()));
        self.proceed(seen);
        self.walker.objectives.clear();
        self.walker.holds.clear();
        match self.phase {
            Phase::Stand => {
                // a jump in a walk: it stops first, and walks on afterwards
                let velocity = if self.waiting { [0.0; 2] } else { command.velocity };
                let command = Command { velocity, heading: command.heading + self.turned };
                return self.walker.act(seen, &command, out);
            }
            Phase::Crouch(_) | Phase::Thrust(_) | Phase::Landing(_) => self.push_off(seen),
            Phase::Flight(flight) => self.fly(&flight),
        }
        let w = &mut self.walker;
        w.body.limit_horizon = LIMIT_HORIZON;
        let status = w.body.solve(&w.objectives, &w.holds);
        out.torque().copy_from_slice(w.body.torque());
        status
    }

    fn feasible(&self, command: &Command) -> Command {
        self.walker.feasible(command)
    }

    fn signals(&self, into: &mut Vec<f64>) {
        self.walker.signals(into);
        into.push(match self.phase {
            Phase::Stand => 0.0,
            Phase::Crouch(_) => 1.0,
            Phase::Thrust(_) => 2.0,
            Phase::Flight(_) => 3.0,
            Phase::Landing(_) => 4.0,
        });
    }

    fn parameters(&mut self, group: &str) -> Option<&mut dyn Parameters> {
        match group {
            "technique" => Some(&mut self.technique),
            _ => self.walker.parameters(group),
        }
    }

    fn ask(&mut self, request: &Request) -> Result<(), ControlError> {
        self.jump(request.fill())
    }

    fn change_body(&mut self, model: &Arc<Model>) -> Result<(), ControlError> {
        self.walker.change_body(model)
    }

    fn take_over(&mut self, from: &dyn Controller, seen: &Observation<'_>) -> Result<(), ControlError> {
        self.reset(seen)?;
        self.walker.fall_in_with(from);
        Ok(())
    }

    fn advance(&mut self, seen: &Observation<'_>, next: &mut Advanced) -> bool {
        self.walker.advance(seen, next)
    }
}
