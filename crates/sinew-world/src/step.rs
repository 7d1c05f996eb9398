//! One step of the world.
//!
//! Semi-implicit Euler with `M`, `h`, `J` at the beginning of the step (design, section 3):
//! ```text
//! M (v⁺ − v) = dt (τ + passive + outside − h) + Jᵀ p,     q⁺ = q ⊕ dt v⁺
//! ```
//! The stages, in order: dynamics of each actor by itself; touching shapes; rows of the solver's problem; impulses; new
//! velocities and configurations; the report.

use crate::actor::{Actor, Work};
use crate::actuation::Actuation;
use crate::contacts::{Candidate, Other, frame};
use crate::report::{ContactForce, OutsideForce};
use crate::settings::Settings;
use crate::solver::{self, Bounded, Contact, End, Pair, Problem, Side, SolveReport};
use crate::world::{StepReport, World};
use sinew_dynamics::spatial::{Quat, Vec3, rotation};
use sinew_dynamics::{
    BodyId, JointKind, Model, Singular, bias_force, factored_mass_matrix, forward_velocities, passive_force,
};

/// Why a step could not be taken. The world is as it was before the step.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum StepError {
    /// Wrong number of actuations or torques.
    #[error("{what}: {got} given, {want} needed")]
    Size {
        /// What was counted.
        what: String,
        /// How many there were.
        got: usize,
        /// How many there should be.
        want: usize,
    },
    /// A number that is none.
    #[error("step {step} (t = {time:.4} s): {what} is not a finite number")]
    NotFinite {
        /// Index of the step.
        step: u64,
        /// Time at its beginning, s.
        time: f64,
        /// Which number.
        what: String,
    },
    /// A torque on a free root: it would push the character from nowhere.
    #[error(
        "actor \"{actor}\": torque {value} on degree of freedom {dof} of its free joint; only pushes may act there"
    )]
    RootTorque {
        /// Name of the actor.
        actor: String,
        /// Degree of freedom.
        dof: usize,
        /// The torque, N or N·m.
        value: f64,
    },
}

/// Most corrections of the limits of ball joints in a step.
const BALL_LIMIT_ROUNDS: usize = 8;

impl World {
    /// Takes one step with the given joint torques, one [`Actuation`] per actor; missing ones at the end are passive.
    ///
    /// On error the world is unchanged.
    pub fn step(&mut self, actuation: &[Actuation]) -> Result<&StepReport, StepError> {
        self.take_torques(actuation)?;
        let dt = self.settings.dt;
        let (step, time) = (self.steps, self.time());
        for actor in &mut self.actors {
            actor.dynamics(dt).map_err(|_| {
                let what = format!("the mass matrix of actor \"{}\"", actor.name);
                StepError::NotFinite { step, time, what }
            })?;
        }
        self.apply_outside_forces();
        self.find_candidates();
        self.pose_problem();
        let Settings { tolerance, sweeps, .. } = self.settings;
        let World { problem, newton, islands, .. } = self;
        let mut solved = solver::solve(problem, newton, islands, tolerance, sweeps);
        for _ in 0..BALL_LIMIT_ROUNDS {
            if !self.correct_ball_limits() {
                break;
            }
            let World { problem, newton, islands, .. } = self;
            let again = solver::solve(problem, newton, islands, tolerance, sweeps);
            solved = SolveReport { iterations: solved.iterations + again.iterations, ..again };
        }
        self.report.solve = solved;
        self.advance()?;
        self.write_report();
        self.steps += 1;
        Ok(&self.report)
    }

    /// Checks torques and cuts them to the effort limits.
    fn take_torques(&mut self, actuation: &[Actuation]) -> Result<(), StepError> {
        let (step, time) = (self.steps, self.time());
        if actuation.len() > self.actors.len() {
            let (got, want) = (actuation.len(), self.actors.len());
            return Err(StepError::Size { what: "actuations".into(), got, want });
        }
        for (actor, given) in self.actors.iter().zip(actuation) {
            let (got, want) = (given.torque.len(), actor.model.nv());
            if got != want {
                return Err(StepError::Size {
                    what: format!("torques of actor \"{}\"", actor.name),
                    got,
                    want,
                });
            }
            if let Some(dof) = given.torque.iter().position(|t| !t.is_finite()) {
                let what = format!("torque {dof} of actor \"{}\"", actor.name);
                return Err(StepError::NotFinite { step, time, what });
            }
            let free = actor.model.joints().iter().filter(|j| j.kind == JointKind::Free);
            for dof in free.flat_map(|j| j.v..j.v + 6) {
                if given.torque[dof] != 0.0 {
                    let (actor, value) = (actor.name.clone(), given.torque[dof]);
                    return Err(StepError::RootTorque { actor, dof, value });
                }
            }
        }
        self.report.saturated = 0;
        for (i, actor) in self.actors.iter_mut().enumerate() {
            let tau = &mut actor.work.tau;
            match actuation.get(i) {
                None => tau.fill(0.0),
                Some(given) => {
                    for ((t, wanted), limit) in
                        tau.iter_mut().zip(&given.torque).zip(actor.model.effort_limits())
                    {
                        *t = wanted.clamp(-limit, *limit);
                        self.report.saturated += usize::from(*t != *wanted);
                    }
                }
            }
        }
        Ok(())
    }

    /// Adds pushes and the hand to the actors' momentum.
    fn apply_outside_forces(&mut self) {
        let World { actors, pushes, hand, report, settings, .. } = self;
        report.outside.iter_mut().for_each(Vec::clear);
        let mut apply = |actors: &mut [Actor], i: usize, body: BodyId, point: Vec3, force: Vec3| {
            let actor = &mut actors[i];
            actor.add_force(body, &point, &(force * settings.dt));
            report.outside[i].push(OutsideForce { body: body.0, point, force });
        };
        for push in pushes.iter_mut() {
            let actor = &actors[push.actor];
            let point = actor.data.body_placement(&actor.model, push.body).act(&push.point);
            apply(actors, push.actor, push.body, point, push.force);
            push.steps -= 1;
        }
        pushes.retain(|p| p.steps > 0);
        if let Some(h) = hand {
            let actor = &actors[h.actor];
            let point = actor.data.body_placement(&actor.model, h.body).act(&h.point);
            let velocity = actor.data.point_velocity(&actor.model, h.body, &point);
            let pull = (h.target - point) * h.stiffness - velocity * h.damping;
            let force = pull * (h.strength / pull.norm().max(h.strength));
            apply(actors, h.actor, h.body, point, force);
        }
    }

    /// Turns candidates, limits and dry friction into the solver's rows.
    fn pose_problem(&mut self) {
        let World { actors, candidates, attachments, problem, settings, .. } = self;
        problem.clear();
        for (i, actor) in actors.iter().enumerate() {
            actor.pose_limits(i, settings, problem);
        }
        for held in attachments.iter() {
            held.attachment.pose(actors, settings, problem, &held.impulses);
        }
        for c in &candidates.list {
            let a = end(actors, problem, c.actor, c.shape, &c.touch.point);
            let b = match c.other {
                Other::Actor(other, shape) => Some(end(actors, problem, other, shape, &c.touch.point)),
                _ => None,
            };
            let pair = Pair { a, b };
            let approach = approach(actors, c);
            let remembered = candidates.remembered(&c.key);
            problem.contacts.push(contact(c, pair, &approach, &remembered, settings));
        }
        for actor in actors.iter_mut() {
            actor.data.half_solve_mass_matrix(&actor.model, &mut actor.work.momentum);
        }
        problem.prepare(actors);
    }

    /// Gives all actors their new velocities and configurations, if they are finite.
    fn advance(&mut self) -> Result<(), StepError> {
        let (step, time, dt) = (self.steps, self.time(), self.settings.dt);
        for (i, actor) in self.actors.iter_mut().enumerate() {
            let Work { momentum, step: dv, .. } = &mut actor.work;
            self.problem.momentum(i, momentum);
            actor.data.finish_solve_mass_matrix(&actor.model, momentum);
            for ((dv, change), v) in dv.iter_mut().zip(&*momentum).zip(&actor.v) {
                *dv = v + change;
            }
            if let Some(dof) = dv.iter().position(|x| !x.is_finite()) {
                let what = format!("velocity {dof} of actor \"{}\" at the end of the step", actor.name);
                return Err(StepError::NotFinite { step, time, what });
            }
        }
        for actor in &mut self.actors {
            let Work { step, before, .. } = &mut actor.work;
            before.0.copy_from_slice(&actor.q);
            before.1.copy_from_slice(&actor.v);
            actor.v.copy_from_slice(step);
            step.iter_mut().for_each(|x| *x *= dt);
            actor.model.integrate(&before.0, step, &mut actor.q);
        }
        Ok(())
    }

    /// Contact forces of all actors, and the impulses to start from in the next step.
    fn write_report(&mut self) {
        let World { actors, candidates, attachments, problem, report, settings, .. } = self;
        let rate = 1.0 / settings.dt;
        report.contacts.iter_mut().for_each(Vec::clear);
        candidates.last.clear();
        for (c, solved) in candidates.list.iter().zip(&problem.contacts) {
            let impulse = solved.frame * solved.impulse;
            candidates.last.push((c.key, impulse));
            let other = match c.other {
                Other::Actor(other, _) => Some(other),
                Other::Platform(k) => Some(actors.len() + k),
                Other::Terrain => None,
            };
            let force = ContactForce {
                body: actors[c.actor].shapes[c.shape].body.0,
                other,
                point: c.touch.point,
                force: impulse * rate,
                normal: c.touch.normal,
                distance: c.touch.distance,
                friction: c.friction,
            };
            report.contacts[c.actor].push(force);
            if let Other::Actor(other, shape) = c.other {
                let body = actors[other].shapes[shape].body.0;
                let (f, n) = (-force.force, -force.normal);
                report.contacts[other].push(ContactForce {
                    body,
                    other: Some(c.actor),
                    force: f,
                    normal: n,
                    ..force
                });
            }
        }
        candidates.last.sort_unstable_by_key(|(key, _)| *key);
        for actor in actors.iter_mut() {
            actor.work.constraint.fill(0.0);
            actor.work.limit_impulses.fill([0.0; 4]);
        }
        let mut ties = problem.ties.iter();
        for held in attachments.iter_mut() {
            let attachment = &held.attachment;
            let mut next = || ties.next().map_or(Vec3::zeros(), |t| t.impulse);
            held.impulses = [next(), if attachment.orientation.is_some() { next() } else { Vec3::zeros() }];
            let [force, moment] = held.impulses.map(|p| p * rate);
            actors[attachment.a.0].report_wrench(attachment.a.1, &attachment.point_a, &force, &moment);
            if let Some((other, body)) = attachment.b {
                actors[other].report_wrench(body, &attachment.point_b, &-force, &-moment);
            }
        }
        for row in &problem.bounded {
            let Work { constraint, limit_impulses, .. } = &mut actors[row.side].work;
            limit_impulses[row.memory.0][row.memory.1] = row.impulse;
            for (dof, weight) in row.dofs.into_iter().filter(|(_, w)| *w != 0.0) {
                constraint[dof] += weight * row.impulse * rate;
            }
        }
    }
}

/// Rows for a point of the body that a shape belongs to.
fn end(actors: &[Actor], problem: &mut Problem, i: usize, shape: usize, point: &Vec3) -> End {
    let actor = &actors[i];
    let body = actor.shapes[shape].body;
    let Side { space, velocity, .. } = &mut problem.sides[i];
    velocity.extend(actor.data.point_velocity(&actor.model, body, point).iter());
    End { side: i, row: space.add_point(&actor.model, &actor.data, body, point) }
}

/// Velocity at which the two sides of a touch move at the beginning of the step, the first relative to the second.
fn approach(actors: &[Actor], c: &Candidate) -> Vec3 {
    let velocity = |i: usize, shape: usize| {
        let actor = &actors[i];
        actor.data.point_velocity(&actor.model, actor.shapes[shape].body, &c.touch.point)
    };
    match c.other {
        Other::Actor(other, shape) => velocity(c.actor, c.shape) - velocity(other, shape),
        _ => velocity(c.actor, c.shape) - c.ground,
    }
}

/// A contact with the normal velocity that it must at least have after the step.
fn contact(c: &Candidate, pair: Pair, approach: &Vec3, remembered: &Vec3, settings: &Settings) -> Contact {
    let frame = frame(&c.touch.normal);
    let mut bias = frame.tr_mul(&c.ground);
    // a gap may close within the step; an overlap opens slowly
    bias.x += if c.touch.distance > 0.0 {
        -c.touch.distance / settings.dt
    } else {
        let overlap = (-c.touch.distance - settings.slop).max(0.0);
        (settings.recovery * overlap / settings.dt).min(settings.recovery_speed)
    };
    let speed = -c.touch.normal.dot(approach);
    if settings.restitution > 0.0 && speed > settings.bounce_speed && speed * settings.dt >= c.touch.distance
    {
        bias.x = bias.x.max(c.ground.dot(&c.touch.normal) + settings.restitution * speed);
    }
    Contact { pair, mu: c.friction, bias, impulse: frame.tr_mul(remembered), frame, own: Default::default() }
}

impl Actor {
    /// Mass matrix, bias and the momentum that forces other than contacts add in this step.
    fn dynamics(&mut self, dt: f64) -> Result<(), Singular> {
        let Actor { model, data, q, v, work, .. } = self;
        let model: &Model = model;
        passive_force(model, q, v, &mut work.passive);
        let h = bias_force(model, data, q, v);
        for (k, x) in work.momentum.iter_mut().enumerate() {
            *x = dt * (work.tau[k] + work.passive[k] - h[k]);
        }
        factored_mass_matrix(model, data, q)?;
        forward_velocities(model, data, q, v);
        Ok(())
    }

    /// Adds the momentum of an impulse at a point of a body.
    fn add_force(&mut self, body: BodyId, point: &Vec3, impulse: &Vec3) {
        let Actor { model, data, work, .. } = self;
        data.body_jacobian(model, body, point, &mut work.jacobian);
        for (x, column) in work.momentum.iter_mut().zip(work.jacobian.chunks_exact(6)) {
            *x += column[0] * impulse.x + column[1] * impulse.y + column[2] * impulse.z;
        }
    }

    /// Adds to the reported constraint forces those of a wrench at a point in a body's frame.
    fn report_wrench(&mut self, body: BodyId, point: &Vec3, force: &Vec3, moment: &Vec3) {
        let Actor { model, data, work, .. } = self;
        let at = data.body_placement(model, body).act(point);
        data.body_jacobian(model, body, &at, &mut work.jacobian);
        for (x, column) in work.constraint.iter_mut().zip(work.jacobian.chunks_exact(6)) {
            *x += column[0] * force.x + column[1] * force.y + column[2] * force.z;
            *x += column[3] * moment.x + column[4] * moment.y + column[5] * moment.z;
        }
    }

    /// Rows of joints near their limits and of dry friction.
    fn pose_limits(&self, i: usize, settings: &Settings, problem: &mut Problem) {
        let Side { space, velocity, .. } = &mut problem.sides[i];
        let dt = settings.dt;
        let mut row = |dof: usize| {
            velocity.push(self.v[dof]);
            space.add_dof(&self.model, &self.data, dof)
        };
        let bias = |gap: f64| {
            if gap > 0.0 { -gap / dt } else { (settings.recovery * -gap / dt).min(settings.recovery_speed) }
        };
        let one = |row: usize, dof: usize, sign: f64, gap: f64, kind: usize| Bounded {
            side: i,
            memory: (dof, kind),
            rows: [(row, sign), (row, 0.0), (row, 0.0)],
            dofs: [(dof, sign), (dof, 0.0), (dof, 0.0)],
            low: 0.0,
            high: f64::INFINITY,
            bias: bias(gap),
            impulse: self.work.limit_impulses[dof][kind],
            own: Default::default(),
        };
        for limit in &self.limits {
            let [low, high] = limit.range;
            if limit.ball {
                let (angle, axis) = self.swing(limit.q);
                let spin = Vec3::from_column_slice(&self.v[limit.v..limit.v + 3]);
                let (gap, rate) = (high - angle, axis.dot(&spin));
                if gap < 0.02 + 2.0 * dt * spin.norm() {
                    let rows = [0, 1, 2].map(|k| (row(limit.v + k), -axis[k]));
                    let dofs = [0, 1, 2].map(|k| (limit.v + k, -axis[k]));
                    let limit = one(rows[0].0, limit.v, 1.0, gap, 1);
                    // turning across the axis carries the angle further than its rate tells
                    let further =
                        (Actor::swing_after(&axis, angle, &(spin * dt)) - angle - dt * rate).max(0.0);
                    let bias = limit.bias + further / dt;
                    problem.bounded.push(Bounded { rows, dofs, bias, ..limit });
                }
                continue;
            }
            let (x, near) = (self.q[limit.q], 0.02 + 2.0 * dt * self.v[limit.v].abs());
            if x - low < near {
                problem.bounded.push(one(row(limit.v), limit.v, 1.0, x - low, 0));
            }
            if high - x < near {
                problem.bounded.push(one(row(limit.v), limit.v, -1.0, high - x, 1));
            }
        }
        // what turns fast is kept from turning faster than a step can follow
        let joints = self.model.joints().iter().filter(|j| j.kind != JointKind::Free);
        for dof in joints.flat_map(|j| j.v..j.v + j.kind.nv()) {
            if self.v[dof].abs() > 0.5 * settings.joint_speed {
                let braked = one(row(dof), dof, -self.v[dof].signum(), 0.0, 3);
                problem.bounded.push(Bounded { bias: -settings.joint_speed, ..braked });
            }
        }
        for &(dof, most) in &self.dry {
            let bounded = one(row(dof), dof, 1.0, 0.0, 2);
            problem.bounded.push(Bounded { low: -most * dt, high: most * dt, bias: 0.0, ..bounded });
        }
    }

    /// Rotation angle of a ball joint, now turned by `angle` about `axis`, after turning on by `step`.
    pub(crate) fn swing_after(axis: &Vec3, angle: f64, step: &Vec3) -> f64 {
        rotation::log(&(rotation::exp(&(axis * angle)) * rotation::exp(step))).norm()
    }

    /// Rotation angle of a ball joint and its axis, in the child's axes.
    pub(crate) fn swing(&self, at: usize) -> (f64, Vec3) {
        let q = &self.q[at..at + 4];
        let phi = rotation::log(&Quat::new_unchecked(nalgebra::Quaternion::new(q[0], q[1], q[2], q[3])));
        let angle = phi.norm();
        (angle, if angle > 1e-12 { phi / angle } else { Vec3::x() })
    }
}
