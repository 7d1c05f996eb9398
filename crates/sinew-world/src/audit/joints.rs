//! Checks of joints: torques of actuators, joint limits, and reasons of constraint forces.

use super::Bounds;
use super::attachments::Attachments;
use super::explain::{Reason, unexplained};
use super::report::{Finding, Worst};
use super::step::Step;
use crate::StepFrame;
use sinew_dynamics::spatial::{Vec3, rotation};
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
    reasons: Vec<Reason>,
}

impl Joints {
    pub(super) fn new(attachments: Attachments) -> Joints {
        Joints {
            torque: Worst::default(),
            driven: Worst::default(),
            turning: Worst::default(),
            sliding: Worst::default(),
            unexplained: Worst::default(),
            attachments,
            reasons: Vec::new(),
        }
    }

    pub(super) fn body_changed(&mut self, model: &Model) {
        self.attachments.body_changed(model);
    }

    /// Checks within a row: actuators and positions.
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
        if frame.constraint.iter().all(|c| *c == 0.0) {
            return self.unexplained.see(0.0, step.at);
        }
        self.reasons.clear();
        for (joint, spec) in joints(model) {
            let near = near_limit(joint, spec, step, bounds.limit_reach);
            if joint.kind == JointKind::Ball && near.high {
                // the limit of a ball turns it back along its rotation vector
                let back = ball_vector(joint, frame.q).try_normalize(0.0).unwrap_or_default();
                self.reasons.push(Reason {
                    dof: joint.v,
                    direction: (-back).into(),
                    low: 0.0,
                    high: f64::INFINITY,
                });
            } else if near.low || near.high {
                let low = if near.high { f64::NEG_INFINITY } else { 0.0 };
                let high = if near.low { f64::INFINITY } else { 0.0 };
                self.reasons.push(Reason::on(joint.v, low, high));
            }
            // a free joint has no friction
            if spec.friction_loss > 0.0 && joint.kind != JointKind::Free {
                let dofs = joint.v..joint.v + joint.kind.nv();
                self.reasons.extend(dofs.map(|dof| dry_friction(dof, spec.friction_loss, step)));
            }
        }
        // a joint at the greatest speed may be braked
        for dof in joints(model).flat_map(|(joint, _)| joint.v..joint.v + joint.kind.nv()) {
            let speed = step.v_end[dof];
            if speed.abs() >= 0.99 * bounds.joint_speed {
                let against = if speed > 0.0 { (f64::NEG_INFINITY, 0.0) } else { (0.0, f64::INFINITY) };
                self.reasons.push(Reason::on(dof, against.0, against.1));
            }
        }
        let attachments = self.attachments.span(step);
        let left = unexplained(frame.constraint, &self.reasons, attachments.as_ref());
        self.unexplained.see(left / step.weight, step.at);
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
        let unexplained =
            self.unexplained.judged("constraint forces explained", "of weight", bounds.constraint);
        vec![torque, driven, turning, sliding, unexplained]
    }
}

/// The range of dry friction: it holds and never drives. In worlds of spring contacts it may follow the rate at the beginning of the step.
fn dry_friction(dof: usize, most: f64, step: &Step<'_>) -> Reason {
    // below this rate, rad/s or m/s, a joint counts as held
    const HELD: f64 = 1e-3;
    let end = step.v_end[dof];
    let start = if step.soft { step.frame.v[dof] } else { end };
    let low = if start.max(end) < -HELD { 0.0 } else { -most };
    let high = if start.min(end) > HELD { 0.0 } else { most };
    Reason::on(dof, low, high)
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
    rotation::log(&rotation::from_wxyz(&q[joint.q..]))
}
