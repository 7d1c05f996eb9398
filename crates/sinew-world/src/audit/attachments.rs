//! Declared grips and welds: which constraint forces they can give.
//!
//! Something that holds a body gives it a force and a moment, six numbers `w`, and so the generalised force `Jᵀ w` with the
//! body's Jacobian `J`; between two bodies of the character it gives `(J_a − J_b)ᵀ w`. With `6n` unknowns for `nv` rows
//! little can be hidden there: forces of an arm's actuators are not such a combination.

use super::step::Step;
use crate::recording::{Attachment, Meta};
use nalgebra::DMatrix;
use sinew_dynamics::{BodyId, Data, Model, forward_kinematics};

/// The attachments of the character.
#[derive(Debug)]
pub(super) struct Attachments {
    /// Declared, with the bodies of the character that they hold.
    list: Vec<(Attachment, BodyId, Option<BodyId>)>,
    data: Data,
    jacobian: Vec<f64>,
}

impl Attachments {
    /// The attachments of a run; one that names no body of the character explains nothing.
    pub(super) fn new(model: &Model, meta: &Meta) -> Attachments {
        let own = |a: &Attachment| if a.own { model.body(&a.to).map(Some) } else { Some(None) };
        let known = |a: &Attachment| Some((a.clone(), model.body(&a.body)?, own(a)?));
        Attachments {
            list: meta.attachments.iter().filter_map(known).collect(),
            data: Data::new(model),
            jacobian: vec![0.0; 6 * model.nv()],
        }
    }

    pub(super) fn body_changed(&mut self, model: &Model) {
        self.data = Data::new(model);
    }

    /// Orthonormal columns that span what the attachments can give in this step; `None` when nothing holds.
    pub(super) fn span(&mut self, step: &Step<'_>) -> Option<DMatrix<f64>> {
        let (_, time) = step.at;
        let active = |(a, ..): &&(Attachment, BodyId, Option<BodyId>)| a.holds_at(time, 0.5 * step.dt);
        let held = self.list.iter().filter(active).count();
        if held == 0 {
            return None;
        }
        forward_kinematics(step.model, &mut self.data, step.frame.q);
        let mut map = DMatrix::<f64>::zeros(step.model.nv(), 6 * held);
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
        // ignore directions that are only rounding
        let svd = map.try_svd(true, false, 1e-15, 1000)?;
        let least = 1e-9 * svd.singular_values.max();
        let useful: Vec<usize> =
            (0..svd.singular_values.len()).filter(|k| svd.singular_values[*k] > least).collect();
        svd.u.map(|u| u.select_columns(&useful))
    }
}
