//! Joints: what actuators may give, how far joints may go, and what may hold them.

use super::Bounds;
use super::attachments::Attachments;
use super::report::{Finding, Worst};
use super::step::Step;
use crate::StepFrame;
use nalgebra::Quaternion;
use sinew_dynamics::spatial::{Quat, Vec3, rotation};
use sinew_dynamics::{JointId, JointInfo, JointKind, JointSpec, Model};

/// Checks and workspace.
#[derive(Debug)]
pub(super) struct Joints {
    torque: Worst,
    driven: Worst,
    turning: Worst,
    sliding: Worst,
    unexplained: Worst,
    attachments: Attachments,
    /// Per degree of freedom, the constraint force that is left to explain, and whether a limit may push there.
    left: Vec<f64>,
    open: Vec<bool>,
}

impl Joints {
    pub(super) fn new(model: &Model, attachments: Attachments) -> Joints {
        Joints {
            torque: Worst::default(),
            driven: Worst::default(),
            turning: Worst::default(),
            sliding: Worst::default(),
            unexplained: Worst::default(),
            attachments,
            left: vec![0.0; model.nv()],
            open: vec![false; model.nv()],
        }
    }

    pub(super) fn body_changed(&mut self, model: &Model) {
        self.attachments.body_changed(model);
    }

    /// What can be told from a row alone: actuators and positions.
    pub(super) fn row(&mut self, model: &Model, frame: &StepFrame<'_>, weight: f64, at: (usize, f64)) {
        for (tau, limit) in frame.tau.iter().zip(model.effort_limits()) {
            if *limit == 0.0 {
                self.driven.see(tau.abs() / weight, at);
            } else {
                self.torque.see(tau.abs() / limit, at);
            }
        }
        for (joint, spec) in joints(model) {
            let Some([low, high]) = spec.range else { continue };
            let beyond = match joint.kind {
                JointKind::Free => continue,
                JointKind::Ball => ball_vector(joint, frame.q).norm() - high,
                _ => (low - frame.q[joint.q]).max(frame.q[joint.q] - high),
            };
            let worst = match joint.kind {
                JointKind::Slide { .. } => &mut self.sliding,
                _ => &mut self.turning,
            };
            worst.see(beyond.max(0.0), at);
        }
    }

    /// Whether each constraint force has a reason.
    pub(super) fn constraint(&mut self, step: &Step<'_>, bounds: &Bounds) {
        let Step { model, frame, .. } = *step;
        self.left.copy_from_slice(frame.constraint);
        self.open.fill(false);
        // where limits and dry friction may act is no place to learn about attachments from
        for (joint, spec) in joints(model) {
            let near = near_limit(joint, spec, step, bounds.limit_reach);
            if near.low || near.high || spec.friction_loss > 0.0 {
                self.open[joint.v..joint.v + joint.kind.nv()].fill(true);
            }
        }
        self.attachments.take_out(step, &self.open, &mut self.left);
        for (joint, spec) in joints(model) {
            let near = near_limit(joint, spec, step, bounds.limit_reach);
            let rows = joint.v..joint.v + joint.kind.nv();
            if joint.kind == JointKind::Ball && near.high {
                // the limit of a ball turns it back along its rotation vector
                let back = ball_vector(joint, frame.q).normalize();
                let push = Vec3::from_column_slice(&self.left[rows.clone()]).dot(&back).min(0.0);
                self.left[rows.clone()].iter_mut().zip(back.iter()).for_each(|(l, b)| *l -= push * b);
            }
            for dof in rows {
                let c = self.left[dof];
                let by_limit = (near.low && c > 0.0 || near.high && c < 0.0) && joint.kind.nv() == 1;
                let excess = if by_limit { 0.0 } else { c.abs() - friction(spec, c, step.v_end[dof]) };
                self.unexplained.see(excess.max(0.0) / step.weight, step.at);
            }
        }
    }

    pub(super) fn findings(&self, bounds: &Bounds) -> Vec<Finding> {
        let absent = |worst: &Worst, name, unit, bound, why: &str| match worst.at {
            None => Finding::skipped(name, why),
            Some(_) => worst.judged(name, unit, bound),
        };
        let torque =
            absent(&self.torque, "torque limits", "of limit", 1.0 + bounds.torque, "there are no limits");
        let driven = absent(
            &self.driven,
            "no drive without actuator",
            "of weight",
            bounds.force,
            "every degree of freedom has an actuator",
        );
        let turning = absent(
            &self.turning,
            "joint limits, turning",
            "rad",
            bounds.turning,
            "no turning joint has limits",
        );
        let sliding = absent(
            &self.sliding,
            "joint limits, sliding",
            "m",
            bounds.sliding,
            "no sliding joint has limits",
        );
        let unexplained = self.unexplained.judged("constraint forces explained", "of weight", bounds.force);
        vec![torque, driven, turning, sliding, unexplained]
    }
}

/// What dry friction may hold: it never drives.
fn friction(spec: &JointSpec, force: f64, rate: f64) -> f64 {
    // below this rate, rad/s or m/s, a joint counts as held
    const HELD: f64 = 1e-3;
    let drives = force * rate > 0.0 && rate.abs() > HELD;
    if drives { 0.0 } else { spec.friction_loss }
}

/// Which limits a joint is at, at the beginning or the end of the step.
struct Near {
    low: bool,
    high: bool,
}

fn near_limit(joint: &JointInfo, spec: &JointSpec, step: &Step<'_>, reach: f64) -> Near {
    let Some([low, high]) = spec.range.filter(|_| joint.kind != JointKind::Free) else {
        return Near { low: false, high: false };
    };
    if joint.kind == JointKind::Ball {
        let angle = |q: &[f64]| ball_vector(joint, q).norm();
        return Near { low: false, high: angle(step.frame.q).max(angle(step.q_end)) >= high - reach };
    }
    let (q0, q1) = (step.frame.q[joint.q], step.q_end[joint.q]);
    Near { low: q0.min(q1) <= low + reach, high: q0.max(q1) >= high - reach }
}

fn joints(model: &Model) -> impl Iterator<Item = (&JointInfo, &JointSpec)> {
    model.joints().iter().enumerate().map(|(k, joint)| (joint, model.joint_spec(JointId(k))))
}

/// Rotation vector of a ball joint.
fn ball_vector(joint: &JointInfo, q: &[f64]) -> Vec3 {
    let [w, x, y, z] = [0, 1, 2, 3].map(|k| q[joint.q + k]);
    rotation::log(&Quat::new_unchecked(Quaternion::new(w, x, y, z)))
}
