//! Declared grips and welds: which part of a constraint force they can explain.
//!
//! Something that holds a body gives it a force and a moment, six numbers `w`, and so the generalised force `Jᵀ w` with the
//! body's Jacobian `J`; between two bodies of the character it gives `(J_a − J_b)ᵀ w`. Over all attachments that hold
//! now, the `w` that explain most of the recorded constraint force (least squares) are taken out of it. With `6n` unknowns
//! for `nv` rows little can be hidden there: what the actuators of an arm would add is no such combination.

use super::step::Step;
use crate::recording::{Attachment, Meta};
use nalgebra::{DMatrix, DVector};
use sinew_dynamics::{BodyId, Data, Model, forward_kinematics};

/// What may hold the character.
#[derive(Debug)]
pub(super) struct Attachments {
    /// Declared, with the bodies of the character that they hold.
    list: Vec<(Attachment, BodyId, Option<BodyId>)>,
    data: Data,
    jacobian: Vec<f64>,
}

impl Attachments {
    /// Those of a run; one that names no body of the character explains nothing.
    pub(super) fn new(model: &Model, meta: &Meta) -> Attachments {
        let known = |a: &Attachment| Some((a.clone(), model.body(&a.body)?, model.body(&a.to)));
        Attachments {
            list: meta.attachments.iter().filter_map(known).collect(),
            data: Data::new(model),
            jacobian: vec![0.0; 6 * model.nv()],
        }
    }

    pub(super) fn body_changed(&mut self, model: &Model) {
        self.data = Data::new(model);
    }

    /// Takes what attachments explain out of the constraint force `left`, learning from the rows that are not `open` to
    /// other reasons.
    pub(super) fn take_out(&mut self, step: &Step<'_>, open: &[bool], left: &mut [f64]) {
        let (_, time) = step.at;
        let active = |(a, ..): &&(Attachment, BodyId, Option<BodyId>)| a.holds_at(time, 0.5 * step.dt);
        let held = self.list.iter().filter(active).count();
        if held == 0 || left.iter().all(|x| *x == 0.0) {
            return;
        }
        let nv = step.model.nv();
        forward_kinematics(step.model, &mut self.data, step.frame.q);
        let mut map = DMatrix::<f64>::zeros(nv, 6 * held);
        for (n, (_, body, to)) in self.list.iter().filter(active).enumerate() {
            let point = self.data.body_placement(step.model, *body).pos;
            for (who, sign) in [(Some(*body), 1.0), (*to, -1.0)] {
                let Some(who) = who else { continue };
                self.data.body_jacobian(step.model, who, &point, &mut self.jacobian);
                for (dof, column) in self.jacobian.chunks_exact(6).enumerate() {
                    for (k, x) in column.iter().enumerate() {
                        map[(dof, 6 * n + k)] += sign * x;
                    }
                }
            }
        }
        let mut closed = map.clone();
        let mut target = DVector::from_column_slice(left);
        for dof in (0..nv).filter(|dof| open[*dof]) {
            closed.row_mut(dof).fill(0.0);
            target[dof] = 0.0;
        }
        if let Ok(wrenches) = closed.svd(true, true).solve(&target, 1e-9) {
            let explained = map * wrenches;
            left.iter_mut().zip(explained.iter()).for_each(|(l, e)| *l -= e);
        }
    }
}
