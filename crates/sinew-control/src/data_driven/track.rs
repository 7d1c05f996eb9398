//! Tracking: accelerations that lead to the target, and the torques that give them (equation 1 and section 4.1).
//!
//! ```text
//! θ̈ = k_t (θ_r − θ) + 2√k_t (θ̇_r − θ̇) + α θ̈_r
//! ```
//! with differences of the targets of the last frames for the rates, rotations by their logarithm in the child's axes. At the newest
//! frame the authors' program has a one-sided difference of a one-sided velocity for the acceleration, which is half of the true one:
//! `α = ½`. Gains rely on that lag; with the true acceleration they have to be found anew.
//!
//! Hybrid inverse dynamics then solves `M θ̈ + h = τ + Jᵀf` for the root's acceleration and the joints' torques, with the contact forces
//! `f` of the step that comes and the pushes known. There is no root torque, by construction.

use super::figure::Figure;
use super::gains::{Gains, Refresh};
use super::motion::RATE;
use crate::Observation;
use sinew_dynamics::spatial::Vec3;
use sinew_dynamics::{BodyId, Data, Model, Singular, hybrid_dynamics, passive_force};

/// The last three targets, the newest first.
#[derive(Clone, Debug)]
pub(super) struct Targets {
    pub(super) poses: [Vec<f64>; 3],
    /// Displacements per frame, the newest first.
    rates: [Vec<f64>; 2],
    error: Vec<f64>,
    moved: Vec<f64>,
    /// Desired accelerations; what stands for the root is not used.
    pub(super) acceleration: Vec<f64>,
}

impl Targets {
    /// Still, in a pose.
    pub(super) fn still(figure: &Figure, q: &[f64]) -> Targets {
        let zeros = vec![0.0; figure.model.nv()];
        Targets {
            poses: [q.to_vec(), q.to_vec(), q.to_vec()],
            rates: [zeros.clone(), zeros.clone()],
            error: zeros.clone(),
            moved: q.to_vec(),
            acceleration: zeros,
        }
    }

    /// Takes a newer one.
    pub(super) fn push(&mut self, figure: &Figure, q: &[f64]) {
        self.poses.rotate_right(1);
        self.poses[0].copy_from_slice(q);
        self.rates.rotate_right(1);
        figure.model.difference(&self.poses[1], &self.poses[0], &mut self.rates[0]);
    }

    /// Desired accelerations at a share of the frame that has begun.
    pub(super) fn desire(
        &mut self,
        figure: &Figure,
        gains: &Gains,
        (refresh, share): (Refresh, f64),
        q: &[f64],
        v: &[f64],
    ) {
        let model = &figure.model;
        let target = match refresh {
            Refresh::Moving => {
                self.error.iter_mut().zip(&self.rates[0]).for_each(|(e, rate)| *e = share * rate);
                model.integrate(&self.poses[0], &self.error, &mut self.moved);
                &self.moved
            }
            Refresh::Frame | Refresh::Step => &self.poses[0],
        };
        model.difference(q, target, &mut self.error);
        let (stiffness, damping) = (gains.stiffness, 2.0 * libm::sqrt(gains.stiffness));
        for (k, a) in self.acceleration.iter_mut().enumerate() {
            let rate = RATE * self.rates[0][k];
            let change = RATE * RATE * (self.rates[0][k] - self.rates[1][k]);
            *a = stiffness * self.error[k] + damping * (rate - v[k]) + gains.acceleration * change;
        }
    }
}

/// Workspace of the inverse dynamics.
#[derive(Debug)]
pub(super) struct Inverse {
    a: Vec<f64>,
    outside: Vec<f64>,
    passive: Vec<f64>,
    /// Force and moment about the world's origin on each body.
    wrenches: Vec<[Vec3; 2]>,
}

impl Inverse {
    pub(super) fn new(model: &Model) -> Inverse {
        let zeros = vec![0.0; model.nv()];
        Inverse {
            a: zeros.clone(),
            outside: zeros.clone(),
            passive: zeros,
            wrenches: vec![[Vec3::zeros(); 2]; model.bodies().len()],
        }
    }

    /// The torques that give the desired accelerations. The frames of the state must be in `data`.
    pub(super) fn torques(
        &mut self,
        figure: &Figure,
        data: &mut Data,
        seen: &Observation<'_>,
        desired: &[f64],
        tau: &mut [f64],
    ) -> Result<(), Singular> {
        let model = &figure.model;
        self.outside.fill(0.0);
        self.wrenches.fill([Vec3::zeros(); 2]);
        let contacts = seen.ahead.iter().zip(seen.known.contact_forces.unwrap_or_default());
        let pressing = contacts.filter(|(_, f)| **f != Vec3::zeros()).map(|(c, f)| (c.body, c.point, *f));
        let pushes = seen.known.outside.unwrap_or_default().iter().map(|o| (o.body, o.point, o.force));
        for (body, point, force) in pressing.chain(pushes) {
            let [sum, moment] = &mut self.wrenches[body];
            *sum += force;
            *moment += point.cross(&force);
        }
        // many points of a foot press: their sum about the world's origin, moved to the body's
        for (body, [force, moment]) in self.wrenches.iter().enumerate() {
            if *force == Vec3::zeros() {
                continue;
            }
            let at = data.body_placement(model, BodyId(body)).pos;
            let moment = moment - at.cross(force);
            data.add_wrench(model, BodyId(body), &at, [force, &moment], &mut self.outside);
        }
        passive_force(model, seen.q, seen.v, &mut self.passive);
        self.a.copy_from_slice(desired);
        tau.copy_from_slice(&self.outside);
        hybrid_dynamics(model, data, seen.q, seen.v, &figure.prescribed, &mut self.a, tau)?;
        for (k, t) in tau.iter_mut().enumerate() {
            *t -= self.outside[k] + self.passive[k];
        }
        tau[figure.root..figure.root + 6].fill(0.0);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Observation;
    use sinew_dynamics::spatial::Vec3;
    use sinew_dynamics::{aba, characters, forward_velocities};
    use sinew_world::{ContactForce, Terrain};
    use std::sync::Arc;

    /// Torques of hybrid inverse dynamics give what was desired: forward dynamics with them and the same contact forces returns it.
    #[test]
    fn torques_give_the_desired_accelerations() {
        let model = Arc::new(characters::load("human42").unwrap());
        let figure = Figure::new(&model).unwrap();
        let mut data = Data::new(&model);
        let wave = |scale: f64, k: usize| scale * libm::sin(1.7 * k as f64 + 0.3);
        let bent: Vec<f64> = (0..model.nv()).map(|k| wave(0.3, k)).collect();
        let v: Vec<f64> = (0..model.nv()).map(|k| wave(1.0, k + 5)).collect();
        let desired: Vec<f64> = (0..model.nv()).map(|k| wave(20.0, k + 9)).collect();
        let mut q = model.neutral();
        model.integrate(&model.neutral(), &bent, &mut q);
        let (foot, force) = (figure.legs[0].foot, Vec3::new(30.0, -20.0, 400.0));
        forward_velocities(&model, &mut data, &q, &v);
        let point = data.body_placement(&model, foot).pos;
        let contact = ContactForce {
            body: foot.0,
            other: None,
            point,
            force: Vec3::zeros(),
            normal: Vec3::z(),
            distance: -0.01,
            friction: 1.0,
        };
        let (terrain, ahead, forces) = (Terrain::flat(), [contact], [force]);
        let mut seen = Observation::alone(&model, (0.0, 1e-3), (&q, &v), &[], &terrain);
        (seen.ahead, seen.known.contact_forces) = (&ahead, Some(&forces[..]));
        let (mut inverse, mut tau) = (Inverse::new(&model), vec![0.0; model.nv()]);
        inverse.torques(&figure, &mut data, &seen, &desired, &mut tau).unwrap();
        assert!(tau[..6].iter().all(|t| *t == 0.0));
        let mut all = tau.clone();
        data.add_wrench(&model, foot, &point, [&force, &Vec3::zeros()], &mut all);
        let reached = aba(&model, &mut data, &q, &v, &all).unwrap();
        for k in 6..model.nv() {
            assert!((reached[k] - desired[k]).abs() < 1e-9, "{k}: {} for {}", reached[k], desired[k]);
        }
    }

    /// One joint, 0.2 rad off at rest, after half a second: held over a frame, at every step, and the closed form `0.2 (1 + wt) e^-wt`.
    #[test]
    fn one_joint_approaches_its_target() {
        let model = Arc::new(characters::load("human").unwrap());
        let figure = Figure::new(&model).unwrap();
        let (gains, rest) = (Gains { stiffness: 20.0, ..Gains::default() }, model.neutral());
        let joint = &model.joints()[model.joint("elbow_l").unwrap().0];
        let (at, dof) = (joint.q, joint.v);
        let off = |refresh: Refresh| {
            let mut targets = Targets::still(&figure, &rest);
            let (mut q, mut v, h) = (rest.clone(), vec![0.0; model.nv()], 1.0 / 900.0);
            q[at] += 0.2;
            for step in 0..450 {
                if refresh != Refresh::Frame || step % 30 == 0 {
                    targets.desire(&figure, &gains, (refresh, 0.0), &q, &v);
                }
                let a = targets.acceleration[dof];
                q[at] += h * v[dof] + 0.5 * h * h * a;
                v[dof] += h * a;
            }
            q[at] - rest[at]
        };
        assert!((off(Refresh::Frame) - 0.064185).abs() < 1e-6, "{}", off(Refresh::Frame));
        assert!((off(Refresh::Step) - 0.069006).abs() < 1e-6, "{}", off(Refresh::Step));
        let w = libm::sqrt(20.0);
        assert!((off(Refresh::Step) - 0.2 * (1.0 + 0.5 * w) * libm::exp(-0.5 * w)).abs() < 3e-4);
    }
}
