//! The ledger: momentum in, momentum out.
//!
//! With `A(q)` the centroidal map, the equation of motion says of each step `A(q_k)(v_{k+1} − v_k) + dt Ȧ v = dt Σ F`, linear
//! and angular about the centre of mass. The ledger adds the differences of both sides over the run. It uses momentum and
//! its rate, not inverse dynamics, so that an error of either is seen by the other.
//!
//! The ledger covers the trees of bodies whose first joint is free. A tree with another joint to the world is held by a force that is not
//! recorded, and a tree without a joint is part of the world; both are left out. Armature of a free joint counts as momentum, and its
//! damping as an external force.

use super::step::{Place, Step};
use sinew_dynamics::spatial::{Vec3, rotation};
use sinew_dynamics::{Data, JointKind, Model, ModelSpec, Momentum, Roles, centroidal_bias, momentum};
use std::ops::Range;

/// Sums over the run.
#[derive(Debug)]
pub(super) struct Ledger {
    free: Free,
    data: Data,
    place: Place,
    passive: Vec<f64>,
    /// Configuration and velocities of what moves freely: at the place of the equation, before and after the step.
    q: Vec<f64>,
    v: [Vec<f64>; 3],
    /// Left side minus right side so far, N·s and N·m·s.
    pub(super) mismatch: Momentum,
    /// All impulses so far.
    pub(super) impulses: Momentum,
    /// Momentum at the beginning, and at the end of the last step.
    pub(super) start: Option<Momentum>,
    pub(super) end: Momentum,
}

/// The freely moving part of a character as a body of its own.
#[derive(Debug)]
struct Free {
    model: Model,
    /// Whether each body of the character belongs to it.
    bodies: Vec<bool>,
    /// Its entries of configurations and velocities.
    q: Vec<Range<usize>>,
    v: Vec<Range<usize>>,
}

impl Free {
    /// `None`: nothing moves freely.
    fn of(model: &Model) -> Option<Free> {
        let all = model.bodies();
        let mut bodies: Vec<bool> = Vec::with_capacity(all.len());
        for body in all {
            let first = body.joints.first();
            bodies.push(match body.parent {
                Some(parent) => bodies[parent],
                None => first.is_some_and(|j| j.kind == JointKind::Free),
            });
        }
        let mut spec =
            ModelSpec { gravity: model.gravity(), roles: Roles::default(), ..ModelSpec::new(model.name()) };
        let mut places = vec![None; all.len()];
        for (k, body) in all.iter().enumerate().filter(|(k, _)| bodies[*k]) {
            places[k] = Some(spec.bodies.len());
            let mut body = body.clone();
            body.parent = body.parent.and_then(|parent| places[parent]);
            spec.bodies.push(body);
        }
        let part = if spec.bodies.is_empty() { None } else { Model::new(spec).ok() }?;
        let own = || model.joints().iter().filter(|j| bodies[j.body.0]);
        let q = own().map(|j| j.q..j.q + j.kind.nq()).collect();
        let v = own().map(|j| j.v..j.v + j.kind.nv()).collect();
        Some(Free { model: part, q, v, bodies })
    }
}

/// Picks ranges out of numbers.
fn pick(ranges: &[Range<usize>], from: &[f64], to: &mut Vec<f64>) {
    to.clear();
    ranges.iter().for_each(|range| to.extend_from_slice(&from[range.clone()]));
}

/// Whether a part of a model moves freely, so that its momentum can be checked.
pub(super) fn moves_freely(model: &Model) -> bool {
    Free::of(model).is_some()
}

impl Ledger {
    /// None when every part of the model is held by the world.
    pub(super) fn new(model: &Model) -> Option<Ledger> {
        let free = Free::of(model)?;
        Some(Ledger {
            data: Data::new(&free.model),
            place: Place::new(model),
            passive: vec![0.0; model.nv()],
            q: Vec::new(),
            v: Default::default(),
            free,
            mismatch: Momentum::default(),
            impulses: Momentum::default(),
            start: None,
            end: Momentum::default(),
        })
    }

    pub(super) fn body_changed(&mut self, model: &Model) {
        if let Some(free) = Free::of(model) {
            self.data = Data::new(&free.model);
            self.free = free;
        }
    }

    /// Enters a step.
    pub(super) fn enter(&mut self, step: &Step<'_>) {
        let Step { model, frame, dt, .. } = *step;
        let Ledger { free, data, place, passive, q, v, .. } = self;
        let [at, first, last] = v;
        pick(&free.v, frame.v, first);
        pick(&free.v, step.v_end, last);
        if self.start.is_none() {
            pick(&free.q, frame.q, q);
            self.start = Some(momentum(&free.model, data, q, first));
        }
        pick(&free.q, step.q_end, q);
        self.end = momentum(&free.model, data, q, last);

        place.take(step);
        place.passive(step, passive);
        pick(&free.q, &place.q, q);
        pick(&free.v, &place.v, at);
        let before = momentum(&free.model, data, q, first);
        let after = momentum(&free.model, data, q, last);
        let bias = centroidal_bias(&free.model, data, q, at);
        let com = data.center_of_mass(&free.model);

        let mut sum = Momentum { linear: model.gravity() * free.model.mass(), angular: Vec3::zeros() };
        let mut add = |point: &Vec3, force: &Vec3, moment: &Vec3| {
            sum.linear += force;
            sum.angular += (point - com).cross(force) + moment;
        };
        let none = Vec3::zeros();
        let own = |body: usize| free.bodies[body];
        frame.contacts.iter().filter(|c| own(c.body)).for_each(|c| add(&c.point, &c.force, &none));
        frame.outside.iter().filter(|o| own(o.body)).for_each(|o| add(&o.point, &o.force, &none));
        // attachments, dampers and armature reach the root as a force at its origin and a moment in its axes
        for joint in model.joints().iter().filter(|j| j.kind == JointKind::Free) {
            let armature = model.bodies()[joint.body.0].joints[joint.nth].armature;
            let whole = |k: usize| {
                let faster = (step.v_end[k] - frame.v[k]) / dt;
                frame.constraint[k] + passive[k] - armature * faster
            };
            let three = |k: usize| Vec3::new(whole(k), whole(k + 1), whole(k + 2));
            let origin = Vec3::from_column_slice(&place.q[joint.q..joint.q + 3]);
            let [w, x, y, z] = [3, 4, 5, 6].map(|k| place.q[joint.q + k]);
            let moment = rotation::matrix_of_wxyz(w, x, y, z) * three(joint.v + 3);
            add(&origin, &three(joint.v), &moment);
        }
        self.impulses.linear += sum.linear * dt;
        self.impulses.angular += sum.angular * dt;
        self.mismatch.linear += after.linear - before.linear + (bias.linear - sum.linear) * dt;
        self.mismatch.angular += after.angular - before.angular + (bias.angular - sum.angular) * dt;
    }

    /// What the integrator itself adds: change of momentum less impulses, N·s and N·m·s.
    pub(super) fn drift(&self) -> (f64, f64) {
        let start = self.start.unwrap_or_default();
        let linear = self.end.linear - start.linear - self.impulses.linear - self.mismatch.linear;
        let angular = self.end.angular - start.angular - self.impulses.angular - self.mismatch.angular;
        (linear.norm(), angular.norm())
    }
}
