//! The ledger: momentum in, momentum out.
//!
//! With `A(q)` the centroidal map, the equation of motion says of each step `A(q_k)(v_{k+1} − v_k) + dt Ȧ v = dt Σ F`, linear
//! and angular about the centre of mass. The ledger adds the differences of both sides over the run. It uses momentum and
//! its rate, not inverse dynamics, so that an error of either is seen by the other.

use super::step::{Place, Step};
use sinew_dynamics::spatial::{Vec3, rotation};
use sinew_dynamics::{Data, JointKind, Model, Momentum, centroidal_bias, momentum};

/// Sums over the run.
#[derive(Debug)]
pub(super) struct Ledger {
    data: Data,
    place: Place,
    /// Left side less right side so far, N·s and N·m·s.
    pub(super) mismatch: Momentum,
    /// All impulses so far.
    pub(super) impulses: Momentum,
    /// Momentum at the beginning, and at the end of the last step.
    pub(super) start: Option<Momentum>,
    pub(super) end: Momentum,
}

/// Why momentum of this model cannot be accounted for, if so.
pub(super) fn obstacle(model: &Model) -> Option<&'static str> {
    let roots = || model.bodies().iter().filter(|b| b.parent.is_none());
    if roots().any(|b| b.joints.first().is_none_or(|j| j.kind != JointKind::Free)) {
        return Some("the character is held by the world");
    }
    let own = |b: &sinew_dynamics::BodySpec| b.joints.iter().any(|j| j.armature != 0.0 || j.damping != 0.0);
    if roots().any(own) { Some("the root has armature or damping of its own") } else { None }
}

impl Ledger {
    pub(super) fn new(model: &Model) -> Ledger {
        Ledger {
            data: Data::new(model),
            place: Place::new(model),
            mismatch: Momentum::default(),
            impulses: Momentum::default(),
            start: None,
            end: Momentum::default(),
        }
    }

    pub(super) fn body_changed(&mut self, model: &Model) {
        self.data = Data::new(model);
    }

    /// Enters a step.
    pub(super) fn enter(&mut self, step: &Step<'_>) {
        let Step { model, frame, dt, .. } = *step;
        let data = &mut self.data;
        if self.start.is_none() {
            self.start = Some(momentum(model, data, frame.q, frame.v));
        }
        self.end = momentum(model, data, step.q_end, step.v_end);

        self.place.take(step);
        let (q, v) = (&self.place.q, &self.place.v);
        let before = momentum(model, data, q, frame.v);
        let after = momentum(model, data, q, step.v_end);
        let bias = centroidal_bias(model, data, q, v);
        let com = data.center_of_mass(model);

        let mut sum = Momentum { linear: model.gravity() * model.mass(), angular: Vec3::zeros() };
        let mut add = |point: &Vec3, force: &Vec3, moment: &Vec3| {
            sum.linear += force;
            sum.angular += (point - com).cross(force) + moment;
        };
        let none = Vec3::zeros();
        frame.contacts.iter().for_each(|c| add(&c.point, &c.force, &none));
        frame.outside.iter().for_each(|o| add(&o.point, &o.force, &none));
        // attachments reach the root through the constraint: a force at its origin and a moment in its axes
        for joint in model.joints().iter().filter(|j| j.kind == JointKind::Free) {
            let at = |x: &[f64], i: usize| Vec3::new(x[i], x[i + 1], x[i + 2]);
            let [w, x, y, z] = [3, 4, 5, 6].map(|k| q[joint.q + k]);
            let moment = rotation::matrix_of_wxyz(w, x, y, z) * at(frame.constraint, joint.v + 3);
            add(&at(q, joint.q), &at(frame.constraint, joint.v), &moment);
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
