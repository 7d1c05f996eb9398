//! The path of a character: distance, heading, energy, torque.

use super::parts::standing;
use crate::StepFrame;
use sinew_dynamics::spatial::Vec3;
use sinew_dynamics::{BodyId, Data, Model, Role, forward_kinematics};

/// Figures of the path so far.
#[derive(Clone, Debug)]
pub(super) struct Way {
    /// Length of the path up to its last point, and that point with its time.
    length: f64,
    last: Option<(f64, [f64; 2])>,
    now: [f64; 2],
    /// The pelvis, and its forward direction in its own frame.
    pelvis: Option<(BodyId, Vec3)>,
    heading: Option<f64>,
    pub(super) turned: f64,
    pub(super) energy: f64,
    pub(super) torque_ratio: f64,
    tau: Vec<f64>,
    v: Vec<f64>,
    started: bool,
}

impl Way {
    pub(super) fn new(model: &Model) -> Way {
        let pelvis = model.role(Role::Pelvis).or((!model.bodies().is_empty()).then_some(BodyId(0)));
        let mut data = Data::new(model);
        forward_kinematics(model, &mut data, &standing(model));
        Way {
            length: 0.0,
            last: None,
            now: [0.0; 2],
            // forward is x when standing
            pelvis: pelvis.map(|b| (b, data.body_placement(model, b).rot.tr_mul(&Vec3::x()))),
            heading: None,
            turned: 0.0,
            energy: 0.0,
            torque_ratio: 0.0,
            tau: vec![0.0; model.nv()],
            v: vec![0.0; model.nv()],
            started: false,
        }
    }

    /// Takes a step; `data` holds the frames at its beginning. The heading is updated only while the character stands.
    pub(super) fn step(
        &mut self,
        model: &Model,
        data: &Data,
        frame: &StepFrame<'_>,
        (dt, interval): (f64, f64),
        standing: bool,
    ) {
        let com = data.center_of_mass(model);
        self.now = [com.x, com.y];
        match self.last {
            None => self.last = Some((frame.time, self.now)),
            Some((time, from)) if frame.time - time >= interval => {
                self.length += distance(from, self.now);
                self.last = Some((frame.time, self.now));
            }
            Some(_) => {}
        }
        if let Some((pelvis, forward)) = self.pelvis.filter(|_| standing) {
            let ahead = data.body_placement(model, pelvis).rot * forward;
            let heading = libm::atan2(ahead.y, ahead.x);
            // the short way round
            let turn = self.heading.map_or(0.0, |h| heading - h);
            self.turned += turn - libm::round(turn / core::f64::consts::TAU) * core::f64::consts::TAU;
            self.heading = Some(heading);
        }
        // the work of the last step, now that its end is known
        if self.started {
            for ((tau, v0), v1) in self.tau.iter().zip(&self.v).zip(frame.v) {
                self.energy += dt * (tau * 0.5 * (v0 + v1)).abs();
            }
        }
        for (tau, limit) in frame.tau.iter().zip(model.effort_limits()) {
            if *limit > 0.0 && limit.is_finite() {
                self.torque_ratio = self.torque_ratio.max(tau.abs() / limit);
            }
        }
        self.tau.copy_from_slice(frame.tau);
        self.v.copy_from_slice(frame.v);
        self.started = true;
    }

    /// Length of the path, m.
    pub(super) fn distance(&self) -> f64 {
        self.length + self.last.map_or(0.0, |(_, from)| distance(from, self.now))
    }
}

fn distance(a: [f64; 2], b: [f64; 2]) -> f64 {
    libm::hypot(b[0] - a[0], b[1] - a[1])
}
