//! One step of an audit: a row, and the state at its end.

use crate::StepFrame;
use crate::recording::{Damping, Integrator};
use sinew_dynamics::{JointInfo, JointKind, Model, passive_force};

/// A row and the state at the end of its step.
#[derive(Clone, Copy)]
pub(super) struct Step<'a> {
    pub(super) model: &'a Model,
    /// Number and time of the row.
    pub(super) at: (usize, f64),
    pub(super) frame: StepFrame<'a>,
    /// Poses of the objects at the ends of the step before, and of this one.
    pub(super) objects_before: [&'a [[f64; 7]]; 2],
    pub(super) objects_step: [&'a [[f64; 7]]; 2],
    pub(super) q_end: &'a [f64],
    pub(super) v_end: &'a [f64],
    pub(super) dt: f64,
    /// Force that others are measured by, N.
    pub(super) weight: f64,
    pub(super) integrator: Integrator,
    pub(super) damping: Damping,
    /// Rate above which the products of velocities are those of the middle, if declared.
    pub(super) midpoint_above: Option<f64>,
    /// Whether contacts and limits are springs.
    pub(super) soft: bool,
}

impl Step<'_> {
    /// Whether the products of velocities are taken at the mean of both velocities: whether, at the beginning, a coordinate
    /// of a free (rotation), ball or hinge joint turns faster than declared, or something pushes harder than the weight.
    fn in_the_middle(&self) -> bool {
        let Some(rate) = self.midpoint_above else { return false };
        let turns = |joint: &JointInfo| {
            let turning = match joint.kind {
                JointKind::Free => 3..6,
                JointKind::Ball => 0..3,
                JointKind::Hinge { .. } => 0..1,
                JointKind::Slide { .. } => 0..0,
            };
            turning.into_iter().any(|k| self.frame.v[joint.v + k].abs() > rate)
        };
        let weight = self.model.mass() * self.model.gravity().norm();
        let struck = self.frame.outside.iter().any(|o| o.force.norm() > weight);
        self.integrator == Integrator::SemiImplicitEuler && (struck || self.model.joints().iter().any(turns))
    }
}

/// Where in a step its equation is taken.
#[derive(Debug)]
pub(super) struct Place {
    pub(super) q: Vec<f64>,
    /// Velocity whose products count.
    pub(super) v: Vec<f64>,
    part: Vec<f64>,
}

impl Place {
    pub(super) fn new(model: &Model) -> Place {
        Place { q: model.neutral(), v: vec![0.0; model.nv()], part: vec![0.0; model.nv()] }
    }

    /// Goes to the time at which the step's equation holds: its beginning, or its middle for integrators without a simple equation.
    pub(super) fn take(&mut self, step: &Step<'_>) {
        self.go(step, if step.integrator.is_runge_kutta() { 0.5 } else { 0.0 });
    }

    /// Goes to a share of the step.
    pub(super) fn go(&mut self, step: &Step<'_>, share: f64) {
        let frame = &step.frame;
        if share == 0.0 {
            self.q.copy_from_slice(frame.q);
            self.v.copy_from_slice(frame.v);
            if step.in_the_middle() {
                self.v.iter_mut().zip(step.v_end).for_each(|(v, end)| *v = 0.5 * (*v + end));
            }
        } else if share == 1.0 {
            self.q.copy_from_slice(step.q_end);
            self.v.copy_from_slice(step.v_end);
        } else {
            for (k, v) in self.v.iter_mut().enumerate() {
                *v = frame.v[k] + share * (step.v_end[k] - frame.v[k]);
                // the mean of the velocities at the beginning and at this place
                self.part[k] = share * step.dt * 0.5 * (frame.v[k] + *v);
            }
            step.model.integrate(frame.q, &self.part, &mut self.q);
        }
    }

    /// Springs and dampers of the joints.
    pub(super) fn passive(&self, step: &Step<'_>, out: &mut [f64]) {
        let v = match step.damping {
            Damping::Explicit if step.integrator == Integrator::SemiImplicitEuler => step.frame.v,
            Damping::Explicit => &self.v,
            Damping::Implicit => step.v_end,
        };
        passive_force(step.model, &self.q, v, out);
    }
}

/// Degrees of freedom of free joints.
pub(super) fn root_rows(model: &Model) -> Vec<bool> {
    let mut rows = vec![false; model.nv()];
    for joint in model.joints().iter().filter(|j| j.kind == JointKind::Free) {
        rows[joint.v..joint.v + 6].fill(true);
    }
    rows
}

/// Weight of a model; its weight on earth if there is no gravity.
pub(super) fn weight(model: &Model) -> f64 {
    let g = model.gravity().norm();
    let weight = model.mass() * if g > 0.0 { g } else { 9.81 };
    // for a mechanism with armature alone, forces are relative to 1 N
    if weight > 0.0 { weight } else { 1.0 }
}
