//! Standing and walking.
//!
//! The paper's controller walks along curves fixed in the world and falls when pushed; this one keeps its objectives and
//! priorities (table 2) and gives them references from the divergent component of motion (`planner`): where the next foot
//! lands and when, and where the centre of pressure should be until then. Priorities:
//!
//! | level | objectives |
//! | --- | --- |
//! | 1 | planted feet stay |
//! | 2 | standing: the ground pushes along the line from the centre of pressure to the centre of mass; squats: height |
//! | 3 | stepping: the same, with a heavy weight; swinging foot, height of the hips, trunk, head, angular momentum, rest pose |

use super::anatomy::Anatomy;
use super::balance::Bearing;
use super::disturbance::Disturbance;
use super::feet::{Feet, Foot, Heel};
use super::gait::Gait;
use super::pace::{angle, is_rest};
use super::planner::{DETOURS, Landing, Situation};
use super::posture::{RestGains, bend_knee, keep_hands, lean, rest, swing_arms, twist_of};
use crate::whole_body::{
    Accelerated, Axes, Foothold, Goal, LIMIT_HORIZON, Objective, Priorities, Task, WholeBody,
};
use crate::{
    Advanced, Command, ControlError, ControlStatus, Controller, Observation, Out, Parameters, Start,
};
use sinew_dynamics::spatial::Vec3;
use sinew_dynamics::{Model, Scratch, Side};
use std::sync::Arc;

/// Share of the mass from which on legs are heavy.
const HEAVY_LEGS: f64 = 0.55;
/// Share of the way to the toes that the pressure has gone when the heel may rise in a step down.
const ON_TOES: f64 = 0.9;
/// Weight of the height of the centre of mass on the spot: a body that catches itself has other cares.
const ON_THE_SPOT: f64 = 144.0;
/// Time before a limit at which joints are braked in a step, s.
const SWING_HORIZON: f64 = 0.05;
/// Stiffness of a foot that rolls over its toes, 1/s².
const ROLL_STIFFNESS: f64 = 150.0;
/// Least force that is taken for a push, as a share of the weight.
const FELT: f64 = 0.05;
/// Upward part of the normal of a sole under which it has not landed, whatever it touches.
const ON_TIP: f64 = 0.75;
/// Height of a swinging foot from which on it is free of the ground, m.
const FREE: f64 = 0.004;

/// A step under way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    /// The standing side.
    pub(super) stance: Side,
    /// When the standing foot landed, s.
    pub(super) since: f64,
    /// Whether the weight is still being shifted onto the standing foot, from rest.
    shifting: bool,
    /// When and where the other foot left the ground.
    pub(super) lifted: Option<(f64, Vec3)>,
    /// Whether it has been off the ground since.
    pub(super) free: bool,
    /// Where and when it lands.
    pub(super) landing: Landing,
    /// By how much the next steps are longer than usual, because the ground does not carry everywhere.
    detours: [Vec3; DETOURS],
    /// How much of a step down they are, 0 to 1: in those the pressure goes to the toes, because the heel has to rise.
    downs: [f64; DETOURS],
    /// Where the weight comes from: the toe of the other foot.
    old: Vec3,
    /// How much higher the standing foot is than the one before it, m.
    pub(super) climbed: f64,
    /// Whether the swinging foot met something on its way, to be lifted over it; and whether it did when it was nearly there.
    pub(super) stumbled: bool,
    pub(super) bumped: bool,
    /// Whether it stands on its tip or its edge, which is no landing.
    pub(super) tipped: bool,
}

/// A body that stands, walks in any direction, turns, and catches pushes by stepping. No motion capture.
///
/// ```
/// use sinew_control::{Action, Command, Episode, features};
/// use sinew_dynamics::characters;
///
/// let mut episode = Episode::on_flat_ground(&features::WALKER, characters::load("human")?)?;
/// episode.perform(&Action::Command(Command::forward(0.8)))?;
/// episode.run(2.0)?;
/// assert!(episode.q()[0] > 0.4 && episode.q()[2] > 0.8);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Walker {
    /// How it walks.
    pub gait: Gait,
    pub(super) body: WholeBody,
    pub(super) anatomy: Anatomy,
    pub(super) feet: Feet,
    /// Where to be over the feet in standing.
    pub(super) bearing: Bearing,
    pub(super) step: Option<Step>,
    /// Present heading, rad, and velocity in its directions, m/s: they follow the command step by step.
    pub(super) heading: f64,
    pub(super) velocity: [f64; 2],
    /// What is added to that velocity, so that steps come out as long as they should, m/s; and where and when the centre of
    /// mass was at the last landing.
    pub(super) trim: Vec3,
    pub(super) mark: Option<(f64, Vec3)>,
    /// Steps at the present speed that it has learnt from.
    pub(super) learnt: usize,
    pub(super) objectives: Vec<Objective>,
    pub(super) holds: Vec<Foothold>,
    pub(super) rest_gains: RestGains,
    steps: usize,
    /// `√(g/z)`, the divergent component, and the centre of pressure that is asked for.
    omega: f64,
    xi: Vec3,
    pub(super) pressure: Vec3,
    push: Disturbance,
    /// Moves it without physics, when asked to.
    stepper: Scratch<Accelerated>,
}

impl Walker {
    /// A walker for a body with a pelvis, thighs and two feet.
    ///
    /// # Errors
    /// When the body lacks one of them.
    pub fn new(model: Arc<Model>) -> Result<Walker, ControlError> {
        Ok(Walker {
            gait: Gait::default(),
            anatomy: Anatomy::of(&model)?,
            body: WholeBody::new(model),
            feet: Feet::new(),
            bearing: Bearing::default(),
            step: None,
            heading: 0.0,
            velocity: [0.0; 2],
            trim: Vec3::zeros(),
            mark: None,
            learnt: 0,
            objectives: Vec::new(),
            holds: Vec::new(),
            rest_gains: RestGains::default(),
            steps: 0,
            omega: 3.0,
            xi: Vec3::zeros(),
            pressure: Vec3::zeros(),
            push: Disturbance::default(),
            stepper: Scratch::default(),
        })
    }

    /// The configuration in which the walker likes to stand, soles on level ground at height 0.
    pub fn rest(&self) -> &[f64] {
        &self.anatomy.rest
    }

    /// Steps taken.
    pub fn steps(&self) -> usize {
        self.steps
    }

    /// The optimisation with its last solution.
    pub fn body(&self) -> &WholeBody {
        &self.body
    }

    /// What it asked of the optimisation last.
    pub fn objectives(&self) -> &[Objective] {
        &self.objectives
    }

    /// How the levels of its objectives are told apart: strictly, unless changed.
    pub fn priorities_mut(&mut self) -> &mut Priorities {
        &mut self.body.priorities
    }

    /// Goes on in another walker's stride, with its own parameters. Both act on the same body.
    pub(super) fn fall_in_with(&mut self, from: &dyn Controller) {
        let Some(other) = from.as_any().downcast_ref::<Walker>() else { return };
        let (gait, priorities) = (self.gait.clone(), self.body.priorities.clone());
        self.clone_from(other);
        (self.gait, self.body.priorities) = (gait, priorities);
    }

    pub(super) fn gravity(&self) -> f64 {
        self.body.kinetics.model().gravity().norm()
    }

    /// Whether it stands on both feet.
    pub(super) fn stands(&self) -> bool {
        self.step.is_none()
    }

    /// Goes on from wherever the feet are now, both of them taken as planted.
    pub(super) fn resume(&mut self, seen: &Observation<'_>) {
        self.step = None;
        self.push = Disturbance::default();
        (self.trim, self.mark) = (Vec3::zeros(), None);
        self.velocity = [0.0; 2];
        self.heading = self.anatomy.heading_of(&self.body.kinetics, self.anatomy.pelvis);
        for side in Side::BOTH {
            self.feet.plant(side, self.anatomy.sole(side), &self.body.kinetics, seen);
        }
    }

    /// Takes over the state, and what it says of balance, pushes and the ground.
    pub(super) fn sense(&mut self, seen: &Observation<'_>) {
        self.body.kinetics.update(seen.q, seen.v);
        let k = &self.body.kinetics;
        let height = (k.com().z - self.floor()).max(0.3 * self.anatomy.tall);
        self.omega = (self.gravity() / height).sqrt();
        self.xi = k.com() + k.com_velocity() / self.omega;
        self.push.feel(k, seen);
        self.feet.feel(&self.anatomy, k, seen);
    }

    /// Where a planted foot carries last.
    fn toe_of(&self, side: Side) -> Vec3 {
        let (anchor, sole) = (self.feet.anchor(side), self.anatomy.sole(side));
        anchor.at + anchor.turn * (sole.toe() - sole.center)
    }

    /// Sideways vector from the standing foot to the usual place of the other.
    fn sideways(&self, stance: Side) -> Vec3 {
        let left = Command::directions(self.heading)[1];
        let sign = if stance == Side::Left { -1.0 } else { 1.0 };
        left * (sign * self.gait.spread * self.anatomy.leg)
    }

    /// What the planner knows of a step.
    fn situation(&self, step: &Step, time: f64) -> Situation<'_> {
        let [forward, left] = Command::directions(self.heading);
        let leg = self.anatomy.leg;
        let usual = self.step_time();
        let elapsed = if step.shifting { 0.0 } else { time - step.since };
        let first = (self.gait.hurry * usual).max(elapsed + 0.01);
        let sole = self.anatomy.sole(step.stance);
        let carrying = self.feet.carrying_point(step.stance, sole, &self.body.kinetics);
        let toe = self.toe_of(step.stance) - self.feet.anchor(step.stance).at;
        let heel_off = self.gait.heel_off * usual;
        Situation {
            xi: self.xi,
            stance: carrying + (self.feet.anchor(step.stance).at - carrying) * step.downs[0],
            old: step.old,
            leave: self.toe_of(step.stance),
            transfer: self.gait.transfer
                * usual
                * self.briskness(libm::hypot(self.velocity[0], self.velocity[1])),
            omega: self.omega,
            elapsed,
            velocity: self.trim
                + forward * self.velocity[0]
                + left * (self.velocity[1] + self.sway(time, 0.37) * self.speed_unit()),
            sideways: self.sideways(step.stance),
            detours: step.detours,
            toes: step.downs.map(|down| toe * down),
            onto_toes: [0.5 * heel_off, heel_off],
            usual,
            times: [first, (self.gait.delay * usual).max(first)],
            forward,
            reach: [0.65 * leg, 0.95 * leg, 0.11 * leg, 0.65 * leg],
            cross: self.gait.cross * leg,
            support: &self.feet.polygon,
            overreach: self.gait.overreach * leg,
            gain: self.ankle_gain(),
            push: if self.pushed() { self.push.acceleration } else { Vec3::zeros() },
            persistence: self.gait.persistence * self.anatomy.time_unit(self.gravity()),
            time_cost: self.gait.time_cost,
            offset_cost: self.gait.offset_cost,
            leg,
        }
    }

    /// By how much the next steps are longer than usual, because the ground does not carry everywhere, and how much of a step down
    /// they are.
    fn detours(&self, step: &Step, seen: &Observation<'_>) -> ([Vec3; DETOURS], [f64; DETOURS]) {
        let s = self.situation(step, seen.time);
        let (mut stance, mut sideways) = (self.feet.anchor(step.stance).at, s.sideways);
        let mut swing = step.stance.other();
        let mut chosen = step.lifted.map(|_| step.landing.place.z);
        let mut downs = [0.0; DETOURS];
        let detours = core::array::from_fn(|k| {
            let usual = stance + s.velocity * s.usual + sideways;
            let place = self.foothold(&usual, swing, chosen.take(), seen);
            let down = self.tread(&place, seen, stance.z - place.z) / (0.1 * self.anatomy.leg);
            downs[k] = down.clamp(0.0, 1.0);
            (stance, sideways, swing) = (place, -sideways, swing.other());
            let d = place - usual;
            Vec3::new(d.x, d.y, 0.0)
        });
        (detours, downs)
    }

    /// Whether somebody pushes.
    fn pushed(&self) -> bool {
        self.push.acceleration.norm() > FELT * self.gravity()
    }

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
            free: false,
            landing,
            detours: [Vec3::zeros(); DETOURS],
            downs: [0.0; DETOURS],
            old: self.feet.carrying_point(stance, self.anatomy.sole(stance), &self.body.kinetics),
            climbed: 0.0,
            stumbled: false,
            bumped: false,
            tipped: false,
        }
    }

    /// Changes of state: who stands, who swings.
    fn proceed(&mut self, seen: &Observation<'_>, command: &Command) {
        match self.step {
            None => self.advance_standing(seen, command),
            Some(step) if step.shifting => self.advance_shift(step, seen),
            Some(step) => self.advance_step(step, seen, command),
        }
    }

    /// Standing: a step when asked to, or when the ankles cannot hold.
    fn advance_standing(&mut self, seen: &Observation<'_>, command: &Command) {
        let moving = !is_rest(command);
        let turning = angle(command.heading - self.heading).abs() > 0.15;
        let least = self.bearing.step_beyond.map_or(self.gait.margin, |beyond| -beyond);
        let falling = self.feet.polygon.margin(&self.xi) < least * self.anatomy.leg;
        if moving || turning || falling {
            self.follow(command);
            let cost = |stance: Side| {
                let s = self.situation(&self.step_on(stance, seen.time, true), seen.time);
                s.plan(|place| self.foothold(place, stance.other(), None, seen)).cost
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
        if across.abs() < 0.02 * self.anatomy.leg || seen.time - step.since > 1.0 {
            step.shifting = false;
            step.since = seen.time - 0.6 * self.gait.double_support * s.usual;
        }
        self.step = Some(step);
    }

    /// A step under way: lift-off, a new plan, landing.
    fn advance_step(&mut self, mut step: Step, seen: &Observation<'_>, command: &Command) {
        let swing = step.stance.other();
        (step.detours, step.downs) = self.detours(&step, seen);
        let s = self.situation(&step, seen.time);
        let (elapsed, usual) = (s.elapsed, s.usual);
        // shortly before it lands, the foot goes where it goes
        if step.lifted.is_none() || step.landing.time - elapsed > 0.06 {
            let chosen = step.lifted.map(|_| step.landing.place.z);
            step.landing = s.plan(|place| self.foothold(place, swing, chosen, seen));
        }
        // who is pushed has no time to stand on both feet
        let time = if self.pushed() { usual.min(step.landing.time) } else { usual };
        if step.lifted.is_none() && elapsed >= self.gait.double_support * time {
            let sole = self.anatomy.sole(swing);
            step.lifted = Some((seen.time, self.body.kinetics.point(sole.body, &sole.center).0));
            self.feet.state[swing as usize] = Foot::Swing;
        }
        // ankles do not bend far enough to let the hips down over a flat foot: with the pressure on the toes, the heel may rise
        let foot = self.feet.anchor(step.stance).at;
        let way = self.toe_of(step.stance) - foot;
        let gone = (self.pressure - foot).dot(&way) / way.norm_squared().max(1e-9);
        let on_toes = step.downs[0] > 0.0 && gone > ON_TOES;
        // legs that are most of the body's mass need all of the standing foot to swing against
        let late = elapsed > self.gait.heel_off * usual && self.anatomy.leg_share < HEAVY_LEGS;
        // a heel that carries does not rise, unless the toes hinge: then it is the foot that must carry
        let ahead = gone > 0.0 || !self.anatomy.sole(step.stance).toes.is_empty();
        if step.lifted.is_some() && (on_toes || late && ahead) {
            self.feet.state[step.stance as usize] = Foot::Toe;
        }
        if let Some((since, _)) = step.lifted {
            let sole = self.anatomy.sole(swing);
            let phase = (seen.time - since) / (step.landing.time - (since - step.since)).max(0.05);
            let (down, bumps) = (Feet::touches(sole, seen), Feet::bumps(sole, seen));
            step.free = step.free || self.obstacles(&step, seen).clearance() > FREE;
            let left = step.landing.time - elapsed;
            let up = self.body.kinetics.placement(sole.body).rot * sole.flat.tr_mul(&Vec3::z());
            step.tipped = down && up.z < ON_TIP;
            if down
                && phase > 0.5
                && !step.tipped
                && (left < 0.06 || step.bumped || self.short_of(&step) < 0.2 * self.anatomy.leg)
            {
                if late {
                    self.feet.state[step.stance as usize] = Foot::Toe;
                }
                self.step = Some(step);
                return self.land(swing, seen, command);
            }
            // over it while there is time or a riser is seen, else down before it
            let over = phase < 0.9 || self.obstacles(&step, seen).blocked || Feet::scrapes(sole, seen);
            step.stumbled |= bumps && phase > 0.1 && over || down && phase > 0.35;
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
        // a step that is as long as a tread teaches nothing of others
        if self.step.is_some_and(|step| step.detours != [Vec3::zeros(); DETOURS]) {
            self.mark = None;
        }
        self.learn(seen.time);
        self.follow(command);
        let asked = is_rest(command) && angle(command.heading - self.heading).abs() < 0.05;
        let leg = self.anatomy.leg;
        let apart = self.feet.anchors[0].at - self.feet.anchors[1].at;
        // with the feet side by side
        let ahead = apart.dot(&Command::directions(self.heading)[0]).abs();
        let beside = ahead < 0.15 * leg && apart.norm() < 0.45 * leg;
        let settled = self.feet.polygon.margin(&self.xi) > 0.04 * leg && beside;
        if asked && settled {
            self.step = None;
            self.velocity = [0.0; 2];
            (self.trim, self.mark) = (Vec3::zeros(), None);
            // both feet carry from now on
            self.feet.state = [Foot::Flat; 2];
        } else {
            let climbed = self.feet.anchor(side).at.z - self.feet.anchor(side.other()).at.z;
            let old = self.toe_of(side.other());
            self.step = Some(Step { climbed, old, ..self.step_on(side, seen.time, false) });
        }
    }

    /// Height of the ground under the standing foot.
    fn floor(&self) -> f64 {
        match self.step {
            None => self.feet.middle().z,
            Some(step) => self.feet.anchor(step.stance).at.z,
        }
    }

    /// How much higher than the standing foot the ground is at a centre of pressure between it and the foot behind, m.
    fn above(&self, step: &Step, pressure: &Vec3) -> f64 {
        let new = self.feet.anchor(step.stance).at;
        let (way, at) = (step.old - new, pressure - new);
        let share = (way.x * at.x + way.y * at.y) / (way.x * way.x + way.y * way.y).max(1e-6);
        way.z * share.clamp(0.0, 1.0)
    }

    /// Feedback of the centre of pressure on the divergent component.
    fn ankle_gain(&self) -> f64 {
        self.gait.ankle_gain / self.anatomy.time_unit(self.gravity()) / self.omega
    }

    /// The centre of pressure, and what it makes of the centre of mass.
    fn balance(&mut self, seen: &Observation<'_>) -> Objective {
        let gain = self.ankle_gain();
        let overreach = self.gait.overreach * self.anatomy.leg;
        let mut pressure = match self.step {
            None => {
                let Bearing { shift, surge, .. } = self.bearing;
                let error = self.xi - self.feet.middle() - shift;
                let wanted = self.xi + error * gain - surge / (self.omega * self.omega);
                self.feet.polygon.clamp(&wanted, -overreach)
            }
            Some(step) => {
                let s = self.situation(&step, seen.time);
                if step.shifting {
                    let offset = s.offset(&s.sideways, s.usual);
                    let wanted = self.xi + (self.xi - s.stance - offset) * (2.0 * gain);
                    self.feet.polygon.clamp(&wanted, -overreach)
                } else {
                    s.pressure(&s.course(), &self.xi, s.elapsed)
                }
            }
        };
        pressure.z = self.floor() + self.step.map_or(0.0, |step| self.above(&step, &pressure));
        self.pressure = pressure;
        // the ground pushes along the line from there to the centre of mass: c̈ − g has no part across that line
        let line = self.body.kinetics.com() - self.pressure;
        let axes = [Vec3::new(line.z, 0.0, -line.x), Vec3::new(0.0, line.z, -line.y)].map(|a| a.normalize());
        let goal = Goal::Accelerate(self.body.kinetics.model().gravity());
        // standing still, the paper's strict level; in motion a heavy weight, which arms and trunk need not meet at any price
        let (level, weight) = if self.step.is_none() { (2, 1.0) } else { (3, self.gait.balance_weight) };
        Objective::new(level, weight, Task::Com { goal, axes: Axes::two(axes[0], axes[1]) })
    }

    /// How far the foot behind has rolled over its toes, rad, once the other one has landed.
    fn roll(&self, time: f64) -> Option<f64> {
        let step = self.step.filter(|s| !s.shifting && s.lifted.is_none())?;
        let share = (time - step.since) / (self.gait.double_support * self.step_time());
        let rolled = self.rolled();
        (rolled > 0.0).then_some(rolled * share.clamp(0.0, 1.0))
    }

    /// How far it rolls at this speed, rad: not at all backwards.
    pub(super) fn rolled(&self) -> f64 {
        self.gait.roll * self.briskness(self.velocity[0])
    }

    /// All objectives of this tick.
    fn compose(&mut self, seen: &Observation<'_>) {
        // a leg that swings runs into its limits; brakes that are put on late make torques buzz
        self.body.limit_horizon = if self.step.is_some() { SWING_HORIZON } else { LIMIT_HORIZON };
        let balance = self.balance(seen);
        let height = self.height(seen);
        self.objectives.clear();
        self.holds.clear();
        let (k, gait) = (&self.body.kinetics, &self.gait);
        let heel = match self.roll(seen.time) {
            Some(rise) => Heel { rise, stiffness: ROLL_STIFFNESS, weight: gait.roll_weight },
            None => Heel::down(gait.heel_weight),
        };
        self.feet.hold(&self.anatomy, k, heel, &mut self.objectives, &mut self.holds);
        let com = |goal, axes| Task::Com { goal, axes };
        self.objectives.push(balance);
        let Bearing { tilt, exact, .. } = self.bearing;
        let brisk = self.briskness(libm::hypot(self.velocity[0], self.velocity[1]));
        let weight = ON_THE_SPOT + (gait.height_weight - ON_THE_SPOT) * brisk;
        let (level, weight) = if exact { (2, 1.0) } else { (3, weight) };
        self.objectives.push(Objective::new(level, weight, com(height, Axes::vertical())));
        let sway = self.sway(seen.time, 0.9);
        let walking = self.step.is_some();
        let twist = if walking { twist_of(&self.anatomy, k, gait, self.heading) } else { [0.0; 2] };
        let leaning = [tilt, gait.lean + tilt];
        lean(&self.anatomy, gait, self.heading, leaning, sway, twist, &mut self.objectives);
        rest(&self.anatomy, k, gait, &mut self.rest_gains, &mut self.objectives);
        keep_hands(&self.anatomy, k, gait, &mut self.objectives);
        if let Some(step) = self.step {
            swing_arms(&self.anatomy, k, gait, self.heading, &mut self.objectives);
            if let Some(rise) = self.roll(seen.time) {
                let share = rise / gait.roll;
                let behind = step.stance.other();
                bend_knee(&self.anatomy, k, gait, self.heading, behind, share, &mut self.objectives);
            }
            self.swing(&step, seen);
        }
    }
}

impl Controller for Walker {
    fn start(&self) -> Start {
        Start::standing(self.body.kinetics.model(), self.rest())
    }

    fn reset(&mut self, seen: &Observation<'_>) -> Result<(), ControlError> {
        self.change_body(seen.model)?;
        self.feet = Feet::new();
        (self.steps, self.learnt) = (0, 0);
        self.body.kinetics.update(seen.q, seen.v);
        self.resume(seen);
        Ok(())
    }

    fn act(&mut self, seen: &Observation<'_>, command: &Command, out: &mut Out<'_>) -> ControlStatus {
        self.gait.keep_in_range();
        self.sense(seen);
        self.proceed(seen, command);
        self.compose(seen);
        let status = self.body.solve(&self.objectives, &self.holds);
        out.torque().copy_from_slice(self.body.torque());
        status
    }

    fn signals(&self, into: &mut Vec<f64>) {
        let landing = self.step.map(|s| s.landing);
        let [x, y, time] = landing.map_or([f64::NAN; 3], |l| [l.place.x, l.place.y, l.time]);
        let (xi, pressure, push) = (self.xi, self.pressure, self.push.acceleration);
        into.extend([self.steps as f64, xi.x, xi.y, pressure.x, pressure.y, self.feet.polygon.margin(&xi)]);
        into.extend([push.x, push.y, self.body.fallbacks() as f64, x, y, time]);
    }

    fn parameters(&mut self, group: &str) -> Option<&mut dyn Parameters> {
        match group {
            "gait" => Some(&mut self.gait),
            "priorities" => Some(&mut self.body.priorities),
            _ => None,
        }
    }

    fn change_body(&mut self, model: &Arc<Model>) -> Result<(), ControlError> {
        let anatomy = Anatomy::of(model)?;
        for side in Side::BOTH {
            self.feet.grow(side, self.anatomy.sole(side), anatomy.sole(side));
        }
        self.anatomy = anatomy;
        self.rest_gains = RestGains::default();
        self.body = self.body.with_model(Arc::clone(model));
        self.stepper = Scratch::default();
        Ok(())
    }

    fn advance(&mut self, seen: &Observation<'_>, next: &mut Advanced) -> bool {
        let Walker { stepper, body, anatomy, .. } = self;
        stepper.get_or(|| Accelerated::new(body, &anatomy.soles)).step(body, seen, next);
        true
    }
}
