//! The equation of motion and the update of positions.
//!
//! With `a = (v_{k+1} − v_k)/dt` inverse dynamics gives `M a + h`, the sum of all forces. After subtraction of the recorded forces,
//! nothing may remain. For Runge-Kutta steps, whose forces are means, the equation must hold somewhere in the step:
//! the residual is the distance of zero from the range of the residuals at its beginning, middle and end.

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
    range: Vec<[f64; 2]>,
    drift: Vec<f64>,
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
            range: vec![[0.0; 2]; model.nv()],
            drift: zeros.clone(),
            passive: zeros,
            jacobian: vec![0.0; 3 * model.nv()],
            moved: vec![0.0; model.nq()],
        }
    }

    /// The residual that the recorded forces leave.
    pub(super) fn residual(&mut self, step: &Step<'_>) -> Residual {
        let places: &[f64] = match step.integrator {
            Integrator::SemiImplicitEuler => &[0.0],
            Integrator::Rk4 | Integrator::Rk4Held => &[0.0, 0.5, 1.0],
        };
        self.range.fill([f64::INFINITY, f64::NEG_INFINITY]);
        for share in places {
            self.residual_at(step, *share);
            for ([low, high], r) in self.range.iter_mut().zip(&self.residual) {
                // a NaN must not be lost in a comparison
                if !(*r >= *low) {
                    *low = *r;
                }
                if !(*r <= *high) {
                    *high = *r;
                }
            }
        }
        let mut out = Residual::default();
        for ([low, high], root) in self.range.iter().zip(&self.root) {
            let worst = if *root { &mut out.root } else { &mut out.joints };
            let share = off(*low, *high).abs() / step.weight;
            if !(share <= *worst) {
                *worst = share;
            }
        }
        out
    }

    /// The residual with all but the acceleration taken at a share of the step.
    fn residual_at(&mut self, step: &Step<'_>, share: f64) {
        let Step { model, frame, dt, .. } = *step;
        self.place.go(step, share);
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
    }

    /// How far the next position is from where the velocity leads, m or rad; for Runge-Kutta steps the sum over the run, from
    /// where the two velocities and all between them lead.
    pub(super) fn jump(&mut self, step: &Step<'_>) -> f64 {
        let Step { model, frame, dt, .. } = *step;
        if step.integrator.is_runge_kutta() {
            model.difference(frame.q, step.q_end, &mut self.acceleration);
            for (k, drift) in self.drift.iter_mut().enumerate() {
                let (v0, v1, rate) = (frame.v[k], step.v_end[k], self.acceleration[k] / dt);
                *drift += dt * off(rate - v0.max(v1), rate - v0.min(v1));
            }
            return greatest(&self.drift);
        }
        for (s, v1) in self.acceleration.iter_mut().zip(step.v_end) {
            *s = dt * v1;
        }
        model.integrate(frame.q, &self.acceleration, &mut self.moved);
        model.difference(&self.moved, step.q_end, &mut self.acceleration);
        greatest(&self.acceleration)
    }
}

fn greatest(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |worst: f64, x| worst.max(x.abs()))
}

/// How far a range is from zero, with its sign; it reaches as much again on either side, because what happens inside a
/// step is no straight line.
fn off(low: f64, high: f64) -> f64 {
    let width = high - low;
    if low - width > 0.0 { low - width } else { (high + width).min(0.0) }
}
