//! Standing and walking.

use super::gait::Gait;
use super::planner::{Landing, Situation};
use super::polygon::Polygon;
use crate::whole_body::{Axes, Foothold, Goal, Kinetics, Objective, PoseGain, Sole, Task, WholeBody};
use crate::{Command, ControlError, ControlStatus, Controller, ControllerState, Observation, Telemetry};
use sinew_dynamics::spatial::{Mat3, Vec3, rotation};
use sinew_dynamics::{BodyId, JointKind, Model, Role, Side};
use sinew_world::Actuation;
use std::sync::Arc;

/// Height over the ground up to which a corner of a planted foot can carry, m.
const NEAR_GROUND: f64 = 0.006;

/// What a foot does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Foot {
    /// Flat on the ground.
    Flat,
    /// Rolling over its front edge.
    Toe,
    /// In the air.
    Swing,
}

/// A step under way.
#[derive(Clone, Copy, Debug)]
struct Step {
    /// The standing side.
    stance: Side,
    /// When the standing foot landed, s.
    since: f64,
    /// Whether the other foot has left the ground.
    lifted: bool,
    /// Still shifting the weight onto the standing foot, from rest.
    shifting: bool,
    /// The plan.
    landing: Landing,
    /// Where the swing began.
    from: Vec3,
    lift_time: f64,
}

/// A person who stands, walks in any direction, turns, and catches pushes by stepping. No motion capture.
#[derive(Clone, Debug)]
pub struct Walker {
    /// How it walks.
    pub gait: Gait,
    body: WholeBody,
    soles: [Sole; 2],
    parts: Parts,
    feet: [Foot; 2],
    /// Where each foot was planted: middle of the sole and orientation.
    anchors: [(Vec3, Mat3); 2],
    landed: [f64; 2],
    step: Option<Step>,
    heading: f64,
    velocity: [f64; 2],
    polygon: Polygon,
    objectives: Vec<Objective>,
    holds: Vec<Foothold>,
    steps: usize,
    xi: Vec3,
    pressure: Vec3,
    failures: usize,
    ticks: usize,
    friction: f64,
}

/// What the controller needs of a body.
#[derive(Clone, Debug)]
struct Parts {
    pelvis: BodyId,
    trunk: BodyId,
    head: Option<BodyId>,
    /// Orientations in the reference placement.
    upright: Vec<Mat3>,
    /// From hip to sole with straight legs, m.
    leg: f64,
    /// Height of the centre of mass in the reference placement over the soles.
    tall: f64,
    rest: Vec<f64>,
    gains: Vec<(f64, Limb)>,
    arms: Vec<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Limb {
    Root,
    Trunk,
    Arm,
    Leg,
}

impl Walker {
    /// A walker for a body with a pelvis, a trunk and two feet.
    pub fn new(model: Arc<Model>) -> Result<Walker, ControlError> {
        let soles = [Sole::of(&model, Side::Left)?, Sole::of(&model, Side::Right)?];
        let parts = Parts::of(&model, &soles)?;
        Ok(Walker {
            gait: Gait::default(),
            body: WholeBody::new(model),
            parts,
            soles,
            feet: [Foot::Flat; 2],
            anchors: [(Vec3::zeros(), Mat3::identity()); 2],
            landed: [0.0; 2],
            step: None,
            heading: 0.0,
            velocity: [0.0; 2],
            polygon: Polygon::default(),
            objectives: Vec::new(),
            holds: Vec::new(),
            steps: 0,
            xi: Vec3::zeros(),
            pressure: Vec3::zeros(),
            failures: 0,
            ticks: 0,
            friction: 0.8,
        })
    }

    /// The configuration in which the walker likes to stand, soles on the level ground at height 0.
    pub fn rest(&self) -> &[f64] {
        &self.parts.rest
    }

    /// Errors of all objectives.
    pub fn errors(&mut self) -> Vec<(String, f64)> {
        let o = std::mem::take(&mut self.objectives);
        let r = o.iter().map(|o| {
            let name = match &o.task { Task::Com { .. } => "com".into(), Task::Point { body, .. } => format!("point{}", body.0), Task::Orientation { body, .. } => format!("orient{}", body.0), Task::AngularMomentum { .. } => "am".into(), Task::Pose { .. } => "pose".into(), Task::Relax { .. } => "relax".into() };
            (name, self.body.error_of(o))
        }).collect();
        self.objectives = o;
        r
    }

    /// Steps taken.
    pub fn steps(&self) -> usize {
        self.steps
    }

    fn time_unit(&self) -> f64 {
        (self.parts.leg / self.gravity()).sqrt()
    }

    fn gravity(&self) -> f64 {
        self.body.kinetics.model().gravity().norm()
    }

    /// Usual time of a step at the present speed, s.
    fn step_time(&self) -> f64 {
        let froude = libm::hypot(self.velocity[0], self.velocity[1]) / (self.gravity() * self.parts.leg).sqrt();
        (self.gait.step_time - self.gait.step_time_decrease * froude).max(1.2) * self.time_unit()
    }

    /// Sole's middle in the world.
    fn sole_at(&self, side: Side) -> Vec3 {
        let sole = &self.soles[side as usize];
        self.body.kinetics.point(sole.body, &sole.center).0
    }

    /// Takes the foot as planted where it is, flat on the ground there.
    fn plant(&mut self, side: Side, seen: &Observation<'_>) {
        let sole = &self.soles[side as usize];
        let k = &self.body.kinetics;
        let mut at = k.point(sole.body, &sole.center).0;
        let ground = seen.terrain.height(at.x, at.y);
        if ground.is_finite() {
            at.z = ground;
        }
        let normal = seen.terrain.normal(at.x, at.y);
        let forward = k.placement(sole.body).rot * sole.flat.transpose() * Vec3::x();
        self.anchors[side as usize] = (at, flat_on(&normal, &forward) * sole.flat);
        self.feet[side as usize] = Foot::Flat;
        self.landed[side as usize] = seen.time;
    }

    fn touches(&self, side: Side, seen: &Observation<'_>) -> bool {
        let body = self.soles[side as usize].body.0;
        seen.contacts.iter().filter(|c| c.body == body).map(|c| c.force.dot(&c.normal)).sum::<f64>() > 5.0
    }

    /// Sideways vector from the standing foot to the usual place of the other.
    fn sideways(&self, stance: Side) -> Vec3 {
        let left = Command::directions(self.heading)[1];
        let sign = if stance == Side::Left { -1.0 } else { 1.0 };
        left * (sign * self.gait.spread * self.parts.leg)
    }

    /// Where the standing foot can carry: its middle, or its toe when the heel is up.
    fn stance_point(&self, side: Side) -> Vec3 {
        let (sole, (at, turn)) = (&self.soles[side as usize], &self.anchors[side as usize]);
        let normal = turn * sole.flat.transpose() * Vec3::z();
        let heel = self.body.kinetics.point(sole.body, &sole.heel()).0;
        let rise = ((heel - at).dot(&normal) / NEAR_GROUND).clamp(0.0, 1.0);
        at + turn * (sole.toe() - sole.center) * rise
    }

    fn situation(&self, step: &Step, time: f64, omega: f64) -> Situation {
        let [forward, left] = Command::directions(self.heading);
        let leg = self.parts.leg;
        let usual = self.step_time();
        let elapsed = if step.shifting { 0.0 } else { time - step.since };
        let (least, most) = (self.gait.hurry, self.gait.delay);
        let first = (least * usual).max(elapsed + 0.01);
        Situation {
            xi: self.xi,
            stance: self.stance_point(step.stance),
            omega,
            elapsed,
            velocity: forward * self.velocity[0] + left * self.velocity[1],
            sideways: self.sideways(step.stance),
            usual,
            times: [first, (most * usual).max(first)],
            forward,
            reach: [0.65 * leg, 0.95 * leg, 0.11 * leg, 0.65 * leg],
            time_cost: self.gait.time_cost,
            offset_cost: self.gait.offset_cost,
            leg,
        }
    }

    /// Begins a step from rest, or from one foot to the other.
    fn begin_step(&mut self, stance: Side, seen: &Observation<'_>, shifting: bool) {
        let landing = Landing { place: self.sole_at(stance.other()), time: self.step_time(), cost: 0.0 };
        self.step = Some(Step {
            stance,
            since: seen.time,
            lifted: false,
            shifting,
            landing,
            from: landing.place,
            lift_time: 0.0,
        });
    }

    /// Changes of state: who stands, who swings.
    fn advance(&mut self, seen: &Observation<'_>, command: &Command, omega: f64) {
        let moving = libm::hypot(command.velocity[0], command.velocity[1]) > 1e-3;
        let turned = angle(command.heading - self.heading).abs() > 0.15;
        let Some(mut step) = self.step else {
            // standing: step when asked to or when the ankles cannot hold
            let margin = self.polygon.margin(&self.xi);
            let falling = margin < 0.015 * self.parts.leg;
            if moving || turned || falling {
                self.approach(command);
                let stance = self.better_stance(seen, omega);
                self.begin_step(stance, seen, !falling);
            }
            return;
        };
        let elapsed = seen.time - step.since;
        if step.shifting {
            // until the divergent component is where a step begins
            let s = self.situation(&step, seen.time, omega);
            let miss = self.xi - s.stance - s.offset(&s.sideways, s.usual);
            let side = s.sideways.normalize();
            if miss.dot(&side).abs() < 0.02 * self.parts.leg || elapsed > 1.0 {
                step.shifting = false;
                step.since = seen.time - 0.6 * self.gait.double_support * s.usual;
            }
            self.step = Some(step);
            return;
        }
        let swing = step.stance.other();
        let s = self.situation(&step, seen.time, omega);
        if !step.lifted && elapsed >= self.gait.double_support * s.usual {
            step.lifted = true;
            step.from = self.sole_at(swing);
            step.lift_time = seen.time;
            self.feet[swing as usize] = Foot::Swing;
        }
        if step.lifted && elapsed > self.gait.heel_off * s.usual {
            self.feet[step.stance as usize] = Foot::Toe;
        }
        let left = step.landing.time - elapsed;
        if !step.lifted || left > 0.06 {
            step.landing = s.plan();
        }
        let swung = seen.time - step.lift_time;
        let due = 0.5 * (step.landing.time - (step.lift_time - step.since));
        self.step = Some(step);
        if step.lifted && swung > due && self.touches(swing, seen) {
            self.plant(swing, seen);
            self.steps += 1;
            self.approach(command);
            let most = 0.5;
            self.heading += angle(command.heading - self.heading).clamp(-most, most);
            let still = !moving && angle(command.heading - self.heading).abs() < 0.05;
            self.begin_step(swing, seen, false);
            if still && self.settled(omega) {
                self.step = None;
                self.velocity = [0.0; 2];
            }
        }
    }

    /// Changes the velocity towards the commanded one by what a step can.
    fn approach(&mut self, command: &Command) {
        let most = self.gait.speed_up * (self.gravity() * self.parts.leg).sqrt();
        let change = [0, 1].map(|i| command.velocity[i] - self.velocity[i]);
        let share = (most / libm::hypot(change[0], change[1]).max(1e-9)).min(1.0);
        self.velocity = [0, 1].map(|i| self.velocity[i] + change[i] * share);
    }

    /// Whether standing is possible now: the divergent component well inside the feet.
    fn settled(&mut self, _omega: f64) -> bool {
        self.set_polygon();
        let apart = (self.anchors[0].0 - self.anchors[1].0).norm();
        self.polygon.margin(&self.xi) > 0.04 * self.parts.leg && apart < 0.45 * self.parts.leg
    }

    /// The standing side with the cheaper landing.
    fn better_stance(&self, seen: &Observation<'_>, omega: f64) -> Side {
        let cost = |stance: Side| {
            let landing = Landing { place: Vec3::zeros(), time: 0.0, cost: 0.0 };
            let step = Step {
                stance,
                since: seen.time,
                lifted: false,
                shifting: true,
                landing,
                from: Vec3::zeros(),
                lift_time: 0.0,
            };
            self.situation(&step, seen.time, omega).plan().cost
        };
        if cost(Side::Left) <= cost(Side::Right) { Side::Left } else { Side::Right }
    }

    /// Hull of the corners that can carry.
    fn set_polygon(&mut self) {
        let Walker { polygon, soles, feet, anchors, body, .. } = self;
        let k: &Kinetics = &body.kinetics;
        let feet = soles.iter().zip(feet.iter()).zip(anchors.iter());
        polygon.set(feet.flat_map(|((sole, foot), (at, turn))| {
            let normal = turn * sole.flat.transpose() * Vec3::z();
            let corners = if *foot == Foot::Swing { &[] } else { &sole.corners[..] };
            let near = move |p: &Vec3| (p - at).dot(&normal) < NEAR_GROUND;
            corners.iter().map(|c| k.point(sole.body, c).0).filter(near)
        }));
    }

    /// The acceleration of the centre of mass in the plane.
    fn com_acceleration(&mut self, seen: &Observation<'_>, omega: f64) -> Vec3 {
        let k = self.gait.ankle_gain * (self.gravity() / self.parts.leg).sqrt();
        let c = self.body.kinetics.com();
        let wanted = match self.step {
            None => {
                let middle = (self.anchors[0].0 + self.anchors[1].0) * 0.5;
                self.xi + (self.xi - middle) * (k / omega)
            }
            Some(step) => {
                let s = self.situation(&step, seen.time, omega);
                let offset = s.offset(&s.sideways, s.usual);
                if step.shifting {
                    let reference = s.stance + offset;
                    self.xi + (self.xi - reference) * (2.0 * k / omega)
                } else {
                    let ahead = offset * libm::exp(omega * s.elapsed.min(s.usual));
                    let reference = s.stance + ahead;
                    // ξ̇_r = ω (ξ_r − p)
                    self.xi - ahead + (self.xi - reference) * (k / omega)
                }
            }
        };
        self.set_polygon();
        self.pressure = self.polygon.clamp(&wanted, 0.008);
        let mut a = (c - self.pressure) * (omega * omega);
        a.z = 0.0;
        a
    }

    /// All objectives of this tick.
    fn compose(&mut self, seen: &Observation<'_>, omega: f64) {
        let a = self.com_acceleration(seen, omega);
        let gait = &self.gait;
        let parts = &self.parts;
        let k = &self.body.kinetics;
        self.objectives.clear();
        self.holds.clear();
        let o = &mut self.objectives;
        for side in Side::BOTH {
            let (sole, (at, turn)) = (&self.soles[side as usize], &self.anchors[side as usize]);
            let normal = turn * sole.flat.transpose() * Vec3::z();
            match self.feet[side as usize] {
                Foot::Flat => {
                    o.push(point(1, 1.0, sole.body, sole.center, Goal::hold(*at, 400.0), Axes::all()));
                    o.push(orient(1, 1.0, sole.body, *turn, 400.0, Axes::all()));
                }
                Foot::Toe => {
                    // the heel may rise when the leg asks for it
                    let forward = turn * sole.flat.transpose() * Vec3::x();
                    let toe = at + turn * (sole.toe() - sole.center);
                    o.push(point(1, 1.0, sole.body, sole.toe(), Goal::hold(toe, 400.0), Axes::all()));
                    o.push(orient(1, 1.0, sole.body, *turn, 400.0, Axes::two(forward, normal)));
                    let across = normal.cross(&forward);
                    o.push(orient(3, gait.heel_weight, sole.body, *turn, 50.0, Axes::one(across)));
                }
                Foot::Swing => {}
            }
            if self.feet[side as usize] != Foot::Swing {
                for corner in sole.corners {
                    let (p, _) = k.point(sole.body, &corner);
                    if (p - at).dot(&normal) < NEAR_GROUND {
                        let friction = self.friction * 0.9;
                        self.holds.push(Foothold { body: sole.body, point: corner, normal, friction, cost: 1.0 });
                    }
                }
            }
        }
        o.push(Objective::new(2, 1.0, Task::Com { goal: Goal::Accelerate(a), axes: Axes::horizontal() }));
        // height over the feet
        let ground = match self.step {
            None => 0.5 * (self.anchors[0].0.z + self.anchors[1].0.z),
            Some(step) => {
                let (p, next) = (self.anchors[step.stance as usize].0, step.landing.place);
                let ahead = seen.terrain.height(next.x, next.y);
                let before = step.from.z.min(p.z + 0.3);
                let s = ((seen.time - step.since) / step.landing.time).clamp(0.0, 1.0);
                let _ = before;
                p.z + 0.5 * (ahead - p.z).clamp(-0.3, 0.3) * s
            }
        };
        // over a standing leg the hips vault like an inverted pendulum
        let mut hold = Goal::hold(Vec3::z() * (ground + parts.tall * gait.height), gait.height_stiffness);
        if let (Some(step), Goal::Track { position, velocity, acceleration, .. }) = (self.step, &mut hold) {
            let flat = |v: Vec3| Vec3::new(v.x, v.y, 0.0);
            let (d, v) = (flat(k.com() - self.anchors[step.stance as usize].0), flat(k.com_velocity()));
            let l = parts.leg;
            let upright = (l * l - d.norm_squared()).max(0.25 * l * l).sqrt();
            position.z -= gait.drop * (l - upright);
            velocity.z = -gait.drop * d.dot(&v) / upright;
            acceleration.z = -gait.drop * v.norm_squared() / upright;
        }
        o.push(Objective::new(3, gait.height_weight, Task::Com { goal: hold, axes: Axes::vertical() }));
        // trunk, pelvis, head
        let heading = rotation::to_matrix(&rotation::exp(&Vec3::new(0.0, 0.0, self.heading)));
        let lean = heading * rotation::to_matrix(&rotation::exp(&Vec3::new(0.0, gait.lean, 0.0)));
        let upright = |body: BodyId| parts.upright[body.0];
        let (kt, wt) = (gait.trunk_stiffness, gait.trunk_weight);
        let mut erect = |body: BodyId, target: Mat3| {
            let target = target * upright(body);
            o.push(orient(3, wt, body, target, kt, Axes::horizontal()));
            o.push(orient(3, wt * gait.twist_weight, body, target, kt, Axes::vertical()));
        };
        erect(parts.pelvis, heading);
        if parts.trunk != parts.pelvis {
            erect(parts.trunk, lean);
        }
        if let Some(head) = parts.head {
            o.push(orient(3, 1.0, head, heading * upright(head), 60.0, Axes::all()));
        }
        // the swinging foot
        if let Some(step) = self.step.filter(|s| s.lifted) {
            let swing = step.stance.other();
            let sole = &self.soles[swing as usize];
            let elapsed = seen.time - step.since;
            let left = step.landing.time - elapsed;
            let begin = step.lift_time - step.since;
            let whole = (step.landing.time - begin).max(0.05);
            let phase = (seen.time - step.lift_time) / whole;
            let place = step.landing.place;
            let ground = seen.terrain.height(place.x, place.y);
            let ground = if ground.is_finite() { ground } else { place.z };
            let w = gait.swing_weight;
            let flat = Goal::Reach { position: place, velocity: Vec3::zeros(), time: left };
            o.push(point(3, w, sole.body, sole.center, flat, Axes::horizontal()));
            let top = ground.max(step.from.z) + gait.lift * parts.leg;
            let rise = if phase < 0.5 {
                Goal::Reach { position: Vec3::z() * top, velocity: Vec3::zeros(), time: (0.5 - phase) * whole }
            } else {
                let late = (-left).max(0.0);
                Goal::Reach {
                    position: Vec3::z() * (ground - 0.005 - 0.4 * late),
                    velocity: Vec3::z() * -0.1,
                    time: left,
                }
            };
            o.push(point(3, w, sole.body, sole.center, rise, Axes::vertical()));
            let normal = seen.terrain.normal(place.x, place.y);
            let forward = Command::directions(self.heading)[0];
            let flat = flat_on(&normal, &forward) * sole.flat;
            o.push(orient(3, 0.3 * w, sole.body, flat, 150.0, Axes::all()));
        }
        let scale = parts.leg / 0.93 * (k.model().mass() / 76.0);
        let momentum = Task::AngularMomentum { target: Vec3::zeros(), gain: gait.momentum_gain };
        o.push(Objective::new(3, gait.momentum_weight / (scale * scale), momentum));
        let gains = parts
            .gains
            .iter()
            .map(|(_, limb)| match limb {
                Limb::Root => PoseGain::new(0.0, 0.0),
                Limb::Trunk => PoseGain::new(gait.pose_stiffness, 1.0),
                Limb::Arm => PoseGain::new(gait.pose_stiffness, gait.arm_weight),
                Limb::Leg => PoseGain::new(gait.pose_stiffness, gait.leg_weight),
            })
            .collect();
        o.push(Objective::new(3, 1.0, Task::Pose { target: parts.rest.clone(), gains }));
        if gait.arm_torque > 0.0 {
            o.push(Objective::new(3, gait.arm_torque, Task::Relax { dofs: parts.arms.clone() }));
        }
    }
}

impl Controller for Walker {
    fn reset(&mut self, seen: &Observation<'_>) -> Result<(), ControlError> {
        self.body.kinetics.update(seen.q, seen.v);
        self.step = None;
        let forward = self.body.kinetics.placement(self.parts.pelvis).rot
            * self.parts.upright[self.parts.pelvis.0].transpose()
            * Vec3::x();
        self.heading = libm::atan2(forward.y, forward.x);
        for side in Side::BOTH {
            self.plant(side, seen);
        }
        Ok(())
    }

    fn act(&mut self, seen: &Observation<'_>, command: &Command, out: &mut Actuation) -> ControlStatus {
        self.body.kinetics.update(seen.q, seen.v);
        let k = &self.body.kinetics;
        let (c, rate) = (k.com(), k.com_velocity());
        let floor = match self.step {
            None => 0.5 * (self.anchors[0].0.z + self.anchors[1].0.z),
            Some(step) => self.anchors[step.stance as usize].0.z,
        };
        let omega = (self.gravity() / (c.z - floor).max(0.3 * self.parts.tall)).sqrt();
        self.xi = c + rate / omega;
        self.set_polygon();
        self.advance(seen, command, omega);
        self.compose(seen, omega);
        let status = self.body.solve(&self.objectives, &self.holds);
        self.ticks += 1;
        self.failures += usize::from(status == ControlStatus::FellBack);
        out.torque.copy_from_slice(self.body.torque());
        status
    }

    fn telemetry(&self, into: &mut Telemetry) {
        into.put("steps", self.steps as f64);
        into.put("capture_x", self.xi.x);
        into.put("capture_y", self.xi.y);
        into.put("pressure_x", self.pressure.x);
        into.put("pressure_y", self.pressure.y);
        into.put("fallbacks", self.failures as f64);
        let k = &self.body.kinetics;
        into.put("com_z", k.com().z);
        let fz: f64 = self.body.forces().iter().map(|f| f.z).sum();
        into.put("force", fz);
        into.put("holds", self.holds.len() as f64);
        let lifted = self.step.map_or(0.0, |s| if s.lifted { 1.0 } else { 0.0 });
        into.put("lifted", lifted);
        for (i, o) in self.objectives.iter().enumerate() {
            if let Task::Com { goal, axes } = &o.task {
                let w = goal.acceleration(&k.com(), &k.com_velocity());
                let g = self.body.com_acceleration();
                if axes.iter().count() == 1 { into.put("az_wanted", w.z); into.put("az_solved", g.z); let _ = i;} else {
                    into.put("ax_wanted", w.x); into.put("ax_solved", g.x); into.put("ay_wanted", w.y); into.put("ay_solved", g.y);
                }
            }
        }
        if let Some(step) = self.step {
            into.put("landing_x", step.landing.place.x);
            into.put("landing_y", step.landing.place.y);
            into.put("landing_time", step.landing.time);
        }
    }

    fn save(&self) -> ControllerState {
        ControllerState::new(self.clone())
    }

    fn restore(&mut self, state: &ControllerState) -> Result<(), ControlError> {
        *self = state.get::<Walker>()?.clone();
        Ok(())
    }
}

impl Parts {
    fn of(model: &Arc<Model>, soles: &[Sole; 2]) -> Result<Parts, ControlError> {
        let need = |role: Role| {
            model.role(role).ok_or_else(|| ControlError::Body {
                model: model.name().into(),
                what: role.to_string(),
                remedy: "give it in a role table or in a side file".into(),
            })
        };
        let pelvis = need(Role::Pelvis)?;
        let trunk = model.role(Role::Trunk).unwrap_or(pelvis);
        let placements = model.spec().reference_placements();
        let thigh = need(Role::Thigh(Side::Left))?;
        let leg = placements[thigh.0].pos.z - (placements[soles[0].body.0].act(&soles[0].center)).z;
        let ready = model.spec().keyframes.iter().find(|k| k.name == "ready");
        let rest = ready.map_or_else(|| model.neutral(), |k| k.q.clone());
        let mut kinetics = Kinetics::new(model.clone());
        kinetics.update(&model.neutral(), &vec![0.0; model.nv()]);
        let low = soles.iter().map(|s| kinetics.point(s.body, &s.center).0.z).fold(f64::INFINITY, f64::min);
        let tall = kinetics.com().z - low;
        let mut gains = vec![(1.0, Limb::Trunk); model.nv()];
        let mut arms = Vec::new();
        let legs = Side::BOTH.map(|s| model.role(Role::Thigh(s)));
        let shoulders = Side::BOTH.map(|s| model.role(Role::UpperArm(s)));
        for joint in model.joints() {
            let mut limb = Limb::Trunk;
            let mut body = Some(joint.body.0);
            while let Some(b) = body {
                if legs.contains(&Some(BodyId(b))) {
                    limb = Limb::Leg;
                } else if shoulders.contains(&Some(BodyId(b))) {
                    limb = Limb::Arm;
                }
                body = model.bodies()[b].parent;
            }
            if joint.kind == JointKind::Free {
                limb = Limb::Root;
            }
            for dof in joint.v..joint.v + joint.kind.nv() {
                gains[dof].1 = limb;
                if limb == Limb::Arm {
                    arms.push(dof);
                }
            }
        }
        Ok(Parts {
            pelvis,
            trunk,
            head: model.role(Role::Head),
            upright: placements.iter().map(|p| p.rot).collect(),
            leg,
            tall,
            rest,
            gains,
            arms,
        })
    }
}

fn point(priority: usize, weight: f64, body: BodyId, point: Vec3, goal: Goal, axes: Axes) -> Objective {
    Objective::new(priority, weight, Task::Point { body, point, goal, axes, from_com: false })
}

fn orient(priority: usize, weight: f64, body: BodyId, target: Mat3, stiffness: f64, axes: Axes) -> Objective {
    let damping = 2.0 * stiffness.sqrt();
    let task = Task::Orientation { body, target, rate: Vec3::zeros(), stiffness, damping, axes };
    Objective::new(priority, weight, task)
}

/// The rotation that stands on a normal and faces a direction.
fn flat_on(normal: &Vec3, forward: &Vec3) -> Mat3 {
    let x = (forward - normal * normal.dot(forward)).normalize();
    Mat3::from_columns(&[x, normal.cross(&x), *normal])
}

/// An angle in −π..π.
fn angle(x: f64) -> f64 {
    libm::remainder(x, core::f64::consts::TAU)
}
