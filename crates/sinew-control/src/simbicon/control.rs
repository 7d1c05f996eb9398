//! The controller and its decision at each step.

use super::body::{Body, Leg, Limb, Part};
use super::gait::{Gait, Space, State};
use super::machine::Machine;
use super::torque::{Work, about, damping, limit, turn};
use crate::{Command, ControlError, ControlStatus, Controller, Observation, Out, Parameters, Start};
use sinew_dynamics::spatial::{Mat3, Vec3};
use sinew_dynamics::{Model, Scratch, Side};
use std::f64::consts::{PI, TAU};
use std::sync::Arc;

/// Range of the swinging thigh on either side of the vertical, rad, as in the paper.
const THIGH: [f64; 2] = [-0.4, 1.6];
/// Greatest angle of a thigh to the side, rad.
const ASIDE: f64 = 0.7;
/// Toes are this share as stiff as ankles.
const TOES: f64 = 0.2;

/// SIMBICON on a body. See the [module](super).
#[derive(Clone, Debug)]
pub struct Simbicon {
    model: Arc<Model>,
    body: Arc<Body>,
    /// Parameters in space and in the plane. Changes take effect when a step begins.
    gait: Gait,
    planar: Gait,
    space: Space,
    now: Gait,
    machine: Machine,
    /// Heading and speed that the controller aims at; they follow the command.
    heading: f64,
    aim: [f64; 2],
    told: Told,
    work: Scratch<Work>,
}

/// Signals of the last decision.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Told {
    distance: [f64; 2],
    speed: [f64; 2],
    thigh: [f64; 2],
}

/// Axes of the direction of travel.
struct Frame {
    forward: Vec3,
    left: Vec3,
    turned: Mat3,
}

impl Simbicon {
    /// For a body.
    ///
    /// # Errors
    /// When the body lacks two legs with knees and feet, or its root moves neither freely nor in the plane of x and z.
    pub fn new(model: Arc<Model>) -> Result<Simbicon, ControlError> {
        let body = Arc::new(Body::of(&model)?);
        let (gait, planar) = (Gait::default(), Gait::planar());
        let now = if body.planar { planar.clone() } else { gait.clone() };
        Ok(Simbicon {
            model,
            body,
            gait,
            planar,
            space: Space::default(),
            now,
            machine: Machine::lifting(Side::Left),
            heading: 0.0,
            aim: [0.0; 2],
            told: Told::default(),
            work: Scratch::default(),
        })
    }

    /// The parameters for this body: planar or spatial.
    fn wanted(&self) -> &Gait {
        if self.body.planar { &self.planar } else { &self.gait }
    }

    /// The normal force on a foot in the last step.
    fn load(seen: &Observation<'_>, leg: &Leg) -> f64 {
        let mine = seen.contacts.iter().filter(|c| leg.soles.iter().any(|sole| sole.0 == c.body));
        mine.map(|c| c.force.dot(&c.normal)).sum()
    }

    /// Advances the state machine, and moves heading and speed towards the command.
    fn go_on(&mut self, seen: &Observation<'_>, command: &Command) {
        let body = Arc::clone(&self.body);
        let struck = Self::load(seen, &body.legs[self.machine.swing as usize]) > 0.0;
        if self.machine.advance(&self.now, body.slower, struck) {
            let wanted = if body.planar { &self.planar } else { &self.gait };
            self.now.approach(wanted);
        }
        if body.planar {
            return;
        }
        let off = wrapped(command.heading - self.heading);
        let most = self.space.turn * seen.dt;
        self.heading = wrapped(self.heading + off.clamp(-most, most));
        let most = self.space.speed_up * seen.dt;
        for (aim, asked) in self.aim.iter_mut().zip(command.velocity) {
            *aim += (asked - *aim).clamp(-most, most);
        }
    }

    /// Angles of the swinging thigh: forward, and towards the left.
    fn thigh(&mut self, state: &State, frame: &Frame, work: &Work) -> [f64; 2] {
        let (body, space) = (&self.body, &self.space);
        let stance = self.machine.swing.other();
        let from = work.com - work.place(&self.model, body.legs[stance as usize].foot.body);
        // as on the paper's body
        let (per_metre, per_speed) = (1.0 / body.longer, body.slower / body.longer);
        let axes = [frame.forward, frame.left];
        let distance = axes.map(|axis| from.dot(&axis));
        let speed = axes.map(|axis| work.velocity.dot(&axis));
        let aside = match self.machine.lands {
            false => [space.lift_side_by_distance, space.lift_side_by_speed],
            true => [space.land_side_by_distance, space.land_side_by_speed],
        };
        let by_wish = if self.machine.lands { space.land_hip_by_wish } else { space.lift_hip_by_wish };
        let feedback = |[by_distance, by_speed]: [f64; 2], k: usize| {
            by_distance * per_metre * distance[k] + by_speed * per_speed * (speed[k] - self.aim[k])
        };
        let forward = state.hip + by_wish * per_speed * self.aim[0] + feedback(state.by, 0);
        let outward = if stance == Side::Left { -space.splay } else { space.splay };
        let left = outward + feedback(aside, 1);
        let thigh = [forward.clamp(THIGH[0], THIGH[1]), left.clamp(-ASIDE, ASIDE)];
        self.told = Told { distance, speed, thigh };
        thigh
    }

    /// Torques of the joints that hold the rest pose, with arms that swing opposite to the legs.
    fn hold_pose(&self, seen: &Observation<'_>, frame: &Frame, work: &mut Work, torque: &mut [f64]) {
        let (model, body, space) = (&*self.model, &self.body, &self.space);
        let mut error = std::mem::take(&mut work.error);
        model.difference(seen.q, &body.rest, &mut error);
        let lifted = |leg: &Leg| pitch(&work.turned(model, body, leg.thigh.body), frame);
        let apart = lifted(&body.legs[0]) - lifted(&body.legs[1]);
        for (k, arm) in body.arms.iter().enumerate() {
            let Some(arm) = arm else { continue };
            // forward is about −left; a thigh ahead has a pitch below zero
            let swing = 0.5 * space.arm_swing * if k == 0 { -apart } else { apart };
            work.couple(model, arm, &(frame.left * swing), &mut error);
        }
        for (dof, part) in &body.rest_dofs {
            let stiffness = body.stronger
                * match part {
                    Part::Waist => space.waist,
                    Part::Neck => space.neck,
                    Part::Shoulder => space.shoulder,
                    Part::Elbow => space.elbow,
                    Part::Toe => TOES * self.now.ankle,
                };
            let slow = damping(self.damping(stiffness), body.inertia[*dof], seen.dt);
            torque[*dof] = stiffness * error[*dof] - slow * seen.v[*dof];
        }
        work.error = error;
    }

    /// Damping that belongs to a stiffness.
    fn damping(&self, stiffness: f64) -> f64 {
        stiffness * self.now.damping * self.body.slower
    }

    /// Torque that turns a part of a leg relative to the one above, with damping in its joints.
    fn bend(
        &self,
        seen: &Observation<'_>,
        limb: &Limb,
        (stiffness, off): (f64, Vec3),
        work: &mut Work,
        torque: &mut [f64],
    ) {
        let stiffness = stiffness * self.body.stronger;
        work.couple(&self.model, limb, &(off * stiffness), torque);
        for dof in &limb.dofs {
            torque[*dof] -= damping(self.damping(stiffness), self.body.inertia[*dof], seen.dt) * seen.v[*dof];
        }
        limit(&self.model, &limb.dofs, torque);
    }

    /// Knee and ankle of a leg.
    fn bend_leg(
        &self,
        seen: &Observation<'_>,
        leg: &Leg,
        frame: &Frame,
        [knee, ankle]: [f64; 2],
        work: &mut Work,
        torque: &mut [f64],
    ) {
        let (model, body) = (&*self.model, &self.body);
        let [thigh, shin, foot] =
            [&leg.thigh, &leg.shin, &leg.foot].map(|limb| work.turned(model, body, limb.body));
        self.bend(
            seen,
            &leg.shin,
            (self.now.knee, turn(&shin, &(thigh * about(Vec3::y(), knee)))),
            work,
            torque,
        );
        // with the shin, or level to the sides
        let with_shin = turn(&foot, &(shin * about(Vec3::y(), -ankle)));
        let facing = libm::atan2(foot.m21, foot.m11);
        let level = about(Vec3::z(), facing) * about(Vec3::y(), pitch(&shin, frame) - ankle);
        let off =
            with_shin + (turn(&foot, &level) - with_shin) * if body.planar { 0.0 } else { self.space.level };
        self.bend(seen, &leg.foot, (self.now.ankle, off), work, torque);
    }

    fn decide(&mut self, seen: &Observation<'_>, work: &mut Work, torque: &mut [f64]) {
        let (model, body) = (Arc::clone(&self.model), Arc::clone(&self.body));
        work.update(&model, seen.q, seen.v);
        let [forward, left] = Command::directions(self.heading);
        let frame = Frame { forward, left, turned: about(Vec3::z(), self.heading) };
        let state = self.now.states()[usize::from(self.machine.lands)];
        let (swing, stance) = (self.machine.swing as usize, self.machine.swing.other() as usize);
        let [ahead, aside] = self.thigh(&state, &frame, work);

        self.hold_pose(seen, &frame, work, torque);
        for (k, leg) in [swing, stance].into_iter().enumerate() {
            self.bend_leg(seen, &body.legs[leg], &frame, [state.knees[k], state.ankles[k]], work, torque);
        }
        // swinging thigh and pelvis have targets in the world
        let couple = |part, to: Mat3, stiffness: f64, work: &mut Work| {
            let stiffness = stiffness * body.stronger;
            let off = turn(&work.turned(&model, &body, part), &to);
            off * stiffness - work.spin(&model, part) * self.damping(stiffness)
        };
        let to = frame.turned * about(Vec3::x(), aside) * about(Vec3::y(), -ahead);
        let thigh = couple(body.legs[swing].thigh.body, to, self.now.hip, work);
        let lean = state.lean + self.space.lean_by_wish * body.slower / body.longer * self.aim[0];
        let pelvis = couple(body.pelvis, frame.turned * about(Vec3::y(), lean), self.now.torso, work);
        let (swing, stance) = (&body.legs[swing].thigh, &body.legs[stance].thigh);
        work.couple(&model, swing, &thigh, torque);
        limit(&model, &swing.dofs, torque);
        // the standing hip gives the pelvis its torque, and balances the torques of all its other joints
        let mut others = work.given(&model, swing, torque);
        for limb in &body.waist {
            limit(&model, &limb.dofs, torque);
            others += work.given(&model, limb, torque);
        }
        work.couple(&model, stance, &-(pelvis + others), torque);
        for dof in 0..torque.len() {
            limit(&model, &[dof], torque);
        }
    }
}

/// Forward inclination of a part, rad.
fn pitch(turned: &Mat3, frame: &Frame) -> f64 {
    let up = turned.column(2);
    libm::atan2(up.dot(&frame.forward), up.z)
}

/// An angle between −π and π.
fn wrapped(angle: f64) -> f64 {
    let turns = libm::floor((angle + PI) / TAU);
    angle - turns * TAU
}

impl Controller for Simbicon {
    fn start(&self) -> Start {
        Start { on_ground: !self.body.planar, ..Start::standing(&self.model, &self.body.begin) }
    }

    /// The leg that carries less weight swings first.
    fn reset(&mut self, seen: &Observation<'_>) -> Result<(), ControlError> {
        let [left, right] = [0, 1].map(|k| Self::load(seen, &self.body.legs[k]));
        self.machine = Machine::lifting(if left > right { Side::Right } else { Side::Left });
        self.heading = seen.model.heading(seen.q);
        let work = self.work.get_or(|| Work::new(&self.model));
        work.update(&self.model, seen.q, seen.v);
        let axes = Command::directions(self.heading);
        self.aim = if self.body.planar { [0.0; 2] } else { axes.map(|axis| axis.dot(&work.velocity)) };
        self.now = self.wanted().clone();
        Ok(())
    }

    fn act(&mut self, seen: &Observation<'_>, command: &Command, out: &mut Out<'_>) -> ControlStatus {
        self.go_on(seen, command);
        let mut scratch = std::mem::take(&mut self.work);
        let work = scratch.get_or(|| Work::new(&self.model));
        self.decide(seen, work, out.torque());
        self.work = scratch;
        self.machine.since += seen.dt;
        ControlStatus::Good
    }

    fn signals(&self, into: &mut Vec<f64>) {
        let Told { distance, speed, thigh } = self.told;
        into.extend([self.machine.steps, self.machine.number()]);
        into.extend([distance, speed, thigh].as_flattened());
    }

    fn parameters(&mut self, group: &str) -> Option<&mut dyn Parameters> {
        match group {
            "gait" => Some(&mut self.gait),
            "planar" => Some(&mut self.planar),
            "space" => Some(&mut self.space),
            _ => None,
        }
    }

    fn change_body(&mut self, model: &Arc<Model>) -> Result<(), ControlError> {
        self.body = Arc::new(Body::of(model)?);
        self.model = Arc::clone(model);
        self.work = Scratch::default();
        Ok(())
    }
}
