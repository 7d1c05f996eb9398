//! A Runge-Kutta step of fourth order.
//!
//! Forces of a penalty world are functions of the state, so the classical scheme applies, to all actors together: rates at
//! the beginning, twice in the middle, at the end; weights 1/6, 1/3, 1/3, 1/6. Rotations are treated in the coordinates `θ` of the
//! step, `R = R₀ exp(θ)`, whose rate is `θ̇ = J_r(θ)⁻¹ ω` (Munthe-Kaas 1998): without the Jacobian the order would be two.
//!
//! With [`Integrator::Rk4Held`] the contacts of the beginning keep point and force through all stages, as the torques do; springs of
//! joint limits are taken anew.
//!
//! The report holds means with the same weights: of the force of each contact; of its point and normal, also weighted
//! by load. The gap is that at the beginning.

use super::StepError;
use crate::actor::{Actor, Work};
use crate::contact_model::Penalty;
use crate::contacts::{Candidate, Candidates};
use crate::settings::Integrator;
use crate::world::World;
use sinew_dynamics::spatial::{Vec3, rotation};
use sinew_dynamics::{JointKind, forward_velocities};

/// When rates are taken, as a share of the step, and their weights.
const STAGES: [(f64, f64); 4] = [(0.0, 1.0 / 6.0), (0.5, 1.0 / 3.0), (0.5, 1.0 / 3.0), (1.0, 1.0 / 6.0)];

/// A contact over the stages so far.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mean {
    first: Candidate,
    force: Vec3,
    load: f64,
    point: Vec3,
    normal: Vec3,
}

impl World {
    /// Takes the step; on error the actors are where they were.
    pub(super) fn step_runge_kutta(
        &mut self,
        penalty: &Penalty,
        integrator: Integrator,
    ) -> Result<(), StepError> {
        self.problem.clear();
        for actor in &mut self.actors {
            actor.remember();
        }
        let held = integrator == Integrator::Rk4Held;
        let taken = self.stages(penalty, held).and_then(|()| self.check_finite());
        for actor in &mut self.actors {
            let Actor { model, data, q, v, work, .. } = actor;
            // frames of the beginning, as after every step
            forward_velocities(model, data, &work.before.0, &work.before.1);
            if taken.is_err() {
                q.copy_from_slice(&work.before.0);
                v.copy_from_slice(&work.before.1);
            }
        }
        taken
    }

    fn stages(&mut self, penalty: &Penalty, held: bool) -> Result<(), StepError> {
        let dt = self.settings.dt;
        self.candidates.means.clear();
        for (at, weight) in STAGES {
            for actor in &mut self.actors {
                actor.go_to_stage(at * dt);
            }
            self.evaluate(at * dt, 1.0, weight)?;
            if held && at > 0.0 {
                self.apply_held(penalty, weight);
            } else {
                self.apply_penalties(penalty, 1.0, weight);
            }
            for actor in &mut self.actors {
                actor.take_rates(weight);
            }
            if !held {
                self.candidates.add_to_means(weight);
            }
        }
        for actor in &mut self.actors {
            let Actor { model, q, v, work, .. } = actor;
            let Work { sums: [turned, gained], before, step, .. } = work;
            step.iter_mut().zip(&*turned).for_each(|(s, t)| *s = dt * t);
            model.integrate(&before.0, step, q);
            v.iter_mut().zip(&before.1).zip(&*gained).for_each(|((v, v0), a)| *v = v0 + dt * a);
        }
        if !held {
            self.candidates.take_means();
        }
        Ok(())
    }
}

impl Actor {
    /// Remembers the state at the beginning; rates begin at zero.
    fn remember(&mut self) {
        let Work { before, sums, rate, momentum, .. } = &mut self.work;
        before.0.copy_from_slice(&self.q);
        before.1.copy_from_slice(&self.v);
        rate.fill(0.0);
        momentum.fill(0.0);
        sums.iter_mut().for_each(|s| s.fill(0.0));
    }

    /// Goes on for a time from the beginning with the rates of the last stage.
    fn go_to_stage(&mut self, time: f64) {
        let Actor { model, q, v, work, .. } = self;
        let Work { before, rate, step, momentum, .. } = work;
        step.iter_mut().zip(&*rate).for_each(|(s, r)| *s = time * r);
        model.integrate(&before.0, step, q);
        v.iter_mut().zip(&before.1).zip(&*momentum).for_each(|((v, v0), a)| *v = v0 + time * a);
    }

    /// From forces to rates, which are added to the sums.
    fn take_rates(&mut self, weight: f64) {
        let Actor { model, data, v, work, .. } = self;
        let Work { rate, step, momentum, sums: [turned, gained], .. } = work;
        data.solve_mass_matrix(model, momentum);
        rate.copy_from_slice(v);
        for joint in model.joints() {
            let at = match joint.kind {
                JointKind::Free => joint.v + 3,
                JointKind::Ball => joint.v,
                _ => continue,
            };
            let three = |x: &[f64]| Vec3::from_column_slice(&x[at..at + 3]);
            let turn = rotation::right_jacobian_inverse(&three(step)) * three(v);
            rate[at..at + 3].copy_from_slice(turn.as_slice());
        }
        turned.iter_mut().zip(&*rate).for_each(|(t, r)| *t += weight * r);
        gained.iter_mut().zip(&*momentum).for_each(|(g, a)| *g += weight * a);
    }
}

impl Candidates {
    /// Adds the forces of a stage to the means.
    fn add_to_means(&mut self, weight: f64) {
        for (c, force) in self.list.iter().zip(&self.forces) {
            let at = self.means.iter().position(|m| m.first.key == c.key).unwrap_or_else(|| {
                let none = Vec3::zeros();
                self.means.push(Mean { first: *c, force: none, load: 0.0, point: none, normal: none });
                self.means.len() - 1
            });
            let (mean, load) = (&mut self.means[at], weight * c.touch.normal.dot(force));
            mean.force += force * weight;
            mean.load += load;
            mean.point += c.touch.point * load;
            mean.normal += c.touch.normal * load;
        }
    }

    /// The means become the contacts of the step.
    fn take_means(&mut self) {
        self.list.clear();
        self.forces.clear();
        for mean in &self.means {
            let mut c = mean.first;
            if mean.load > 0.0 {
                c.touch.point = mean.point / mean.load;
                c.touch.normal = mean.normal.normalize();
            }
            self.list.push(c);
            self.forces.push(mean.force);
        }
    }
}
