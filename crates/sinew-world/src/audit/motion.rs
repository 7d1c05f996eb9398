//! The equation of motion and the update of positions.
//!
//! With `a = (v_{k+1} − v_k)/dt` inverse dynamics gives `M a + h`, what all forces together must have been; less those on
//! record, nothing may remain.

use super::step::{Place, Step, root_rows};
use crate::recording::Integrator;
use sinew_dynamics::spatial::Vec3;
use sinew_dynamics::{BodyId, Data, Model, rnea};

/// Residuals of one step.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Residual {
    /// Of the rows of free joints, over the weight.
    pub(super) root: f64,
    /// Of the other rows, over weight × 1 m.
    pub(super) joints: f64,
}

/// Workspace.
#[derive(Debug)]
pub(super) struct Motion {
    data: Data,
    place: Place,
    root: Vec<bool>,
    acceleration: Vec<f64>,
    residual: Vec<f64>,
    passive: Vec<f64>,
    jacobian: Vec<f64>,
    moved: Vec<f64>,
}

impl Motion {
    pub(super) fn new(model: &Model) -> Motion {
        let zeros = vec![0.0; model.nv()];
        Motion {
            data: Data::new(model),
            place: Place::new(model),
            root: root_rows(model),
            acceleration: zeros.clone(),
            residual: zeros.clone(),
            passive: zeros,
            jacobian: vec![0.0; 3 * model.nv()],
            moved: vec![0.0; model.nq()],
        }
    }

    /// What the recorded forces leave unexplained.
    pub(super) fn residual(&mut self, step: &Step<'_>) -> Residual {
        let Step { model, frame, dt, weight, .. } = *step;
        self.place.take(step);
        for ((a, v1), v0) in self.acceleration.iter_mut().zip(step.v_end).zip(frame.v) {
            *a = (v1 - v0) / dt;
        }
        let needed = rnea(model, &mut self.data, &self.place.q, &self.place.v, &self.acceleration);
        self.residual.copy_from_slice(needed);
        self.place.passive(step, &mut self.passive);
        for (k, r) in self.residual.iter_mut().enumerate() {
            *r -= frame.tau[k] + frame.constraint[k] + self.passive[k];
        }
        let contacts = frame.contacts.iter().map(|c| (c.body, c.point, c.force));
        for (body, point, force) in contacts.chain(frame.outside.iter().map(|o| (o.body, o.point, o.force))) {
            self.data.point_jacobian(model, BodyId(body), &point, &mut self.jacobian);
            for (r, column) in self.residual.iter_mut().zip(self.jacobian.chunks_exact(3)) {
                *r -= Vec3::new(column[0], column[1], column[2]).dot(&force);
            }
        }
        let mut out = Residual::default();
        for (r, root) in self.residual.iter().zip(&self.root) {
            let worst = if *root { &mut out.root } else { &mut out.joints };
            let share = r.abs() / weight;
            // a NaN must not be lost in a comparison
            if !(share <= *worst) {
                *worst = share;
            }
        }
        out
    }

    /// How far the next position is from where the velocity leads, m or rad.
    pub(super) fn jump(&mut self, step: &Step<'_>) -> f64 {
        let Step { model, frame, dt, .. } = *step;
        let mean = |v1: f64, v0: f64| match step.integrator {
            Integrator::SemiImplicitEuler => v1,
            Integrator::Rk4 => 0.5 * (v0 + v1),
        };
        for ((s, v1), v0) in self.acceleration.iter_mut().zip(step.v_end).zip(frame.v) {
            *s = dt * mean(*v1, *v0);
        }
        model.integrate(frame.q, &self.acceleration, &mut self.moved);
        model.difference(&self.moved, step.q_end, &mut self.acceleration);
        self.acceleration.iter().fold(0.0, |worst: f64, x| worst.max(x.abs()))
    }
}
