//! Contacts: what a contact force may be, and where it may act.

use super::Bounds;
use super::report::{Finding, Verdict, Worst};
use super::step::Step;
use super::surface;
use crate::{ContactForce, StepFrame};
use sinew_dynamics::spatial::{Placement, Vec3, rotation};
use sinew_dynamics::{BodyId, Data, Model, forward_kinematics, forward_velocities};

/// Forces under this share of the weight are none.
const NO_FORCE: f64 = 1e-9;

/// Checks and workspace.
#[derive(Debug)]
pub(super) struct Contacts {
    data: Data,
    pull: Worst,
    cone: Worst,
    friction: Worst,
    normals: Worst,
    gap: Worst,
    off_body: Worst,
    reaction: Worst,
    penetration: Worst,
    /// Forces at gaps to things whose motion is not on record.
    unknown_gaps: usize,
    /// For each name that contacts point to, the object of that name.
    objects: Vec<Option<usize>>,
}

impl Contacts {
    pub(super) fn new(model: &Model, names: &[String], objects: &[String]) -> Contacts {
        Contacts {
            data: Data::new(model),
            pull: Worst::default(),
            cone: Worst::default(),
            friction: Worst::default(),
            normals: Worst::default(),
            gap: Worst::default(),
            off_body: Worst::default(),
            reaction: Worst::default(),
            penetration: Worst::default(),
            unknown_gaps: 0,
            objects: names.iter().map(|n| objects.iter().position(|o| o == n)).collect(),
        }
    }

    pub(super) fn body_changed(&mut self, model: &Model) {
        self.data = Data::new(model);
    }

    /// What can be told from a row alone.
    pub(super) fn row(
        &mut self,
        model: &Model,
        frame: &StepFrame<'_>,
        greatest: f64,
        weight: f64,
        at: (usize, f64),
    ) {
        let (mut force, mut moment) = (Vec3::zeros(), Vec3::zeros());
        forward_kinematics(model, &mut self.data, frame.q);
        for contact in frame.contacts {
            let normal = contact.force.dot(&contact.normal);
            let tangential = (contact.force - contact.normal * normal).norm();
            self.pull.see(-normal / weight, at);
            self.cone.see((tangential - contact.friction * normal.max(0.0)) / weight, at);
            self.friction.see((contact.friction - greatest).max(-contact.friction), at);
            self.normals.see((contact.normal.norm() - 1.0).abs(), at);
            self.penetration.see(-contact.distance, at);
            if contact.force.norm() > NO_FORCE * weight {
                self.off_body.see(self.off(model, contact), at);
            }
            if contact.other.is_some_and(|o| o < model.bodies().len()) {
                force += contact.force;
                moment += contact.point.cross(&contact.force);
            }
        }
        self.reaction.see(force.norm().max(moment.norm()) / weight, at);
    }

    /// How far the contact point is from the body's shapes, beyond the gap between the two surfaces.
    fn off(&self, model: &Model, contact: &ContactForce) -> f64 {
        let placement = self.data.body_placement(model, BodyId(contact.body));
        let local = placement.inverse().act(&contact.point);
        let from = surface::distance(&model.bodies()[contact.body], &local);
        from.map_or(f64::INFINITY, |d| (d - contact.distance.abs()).max(0.0))
    }

    /// Whether surfaces met where a force acted: at the beginning of the step, or by its end.
    pub(super) fn motion(&mut self, step: &Step<'_>) {
        let Step { model, frame, dt, .. } = *step;
        if frame.contacts.is_empty() {
            return;
        }
        forward_velocities(model, &mut self.data, frame.q, step.v_end);
        for contact in frame.contacts.iter().filter(|c| c.force.norm() > NO_FORCE * step.weight) {
            // in touch already: nothing to foresee
            if contact.distance <= 0.0 {
                self.gap.see(0.0, step.at);
                continue;
            }
            let own = self.data.point_velocity(model, BodyId(contact.body), &contact.point);
            let other = match contact.other {
                None => Vec3::zeros(),
                Some(o) if o < model.bodies().len() => {
                    self.data.point_velocity(model, BodyId(o), &contact.point)
                }
                Some(o) => match self.objects.get(o).copied().flatten() {
                    Some(object) => object_velocity(step, object, &contact.point),
                    None => {
                        self.unknown_gaps += 1;
                        continue;
                    }
                },
            };
            let closing = contact.normal.dot(&(own - other)) * dt;
            self.gap.see(contact.distance.min(contact.distance + closing).max(0.0), step.at);
        }
    }

    pub(super) fn findings(&self, bounds: &Bounds) -> Vec<Finding> {
        let gaps = match self.unknown_gaps {
            0 => String::new(),
            n => format!("{n} at open gaps to things whose motion is not on record"),
        };
        let mut out = vec![
            self.pull.judged("contacts do not pull", "of weight", bounds.force),
            self.cone.judged("friction cone", "of weight", bounds.cone),
            self.friction.judged("friction coefficients", "", bounds.unit),
            self.normals.judged("unit normals", "", bounds.unit),
            self.gap.judged("forces only at contacts", "m", bounds.gap).note(gaps),
            self.off_body.judged("contact points on bodies", "m", bounds.off_body),
            self.reaction.judged("self-contact reactions", "of weight", bounds.force),
            self.penetration.judged("penetration", "m", bounds.penetration),
        ];
        for finding in out.iter_mut().filter(|f| f.verdict == Verdict::NotJudged && f.note.is_empty()) {
            finding.note = "no contact".to_owned();
        }
        out
    }
}

/// Velocity of the point of an object that is at `point`, from its poses before and after the step.
fn object_velocity(step: &Step<'_>, object: usize, point: &Vec3) -> Vec3 {
    let pose = |poses: &[[f64; 7]]| poses.get(object).map(placement);
    match (pose(step.objects), pose(step.objects_end)) {
        (Some(before), Some(after)) => (after.act(&before.inverse().act(point)) - point) / step.dt,
        _ => Vec3::zeros(),
    }
}

fn placement(pose: &[f64; 7]) -> Placement {
    let [x, y, z, qw, qx, qy, qz] = *pose;
    Placement { rot: rotation::matrix_of_wxyz(qw, qx, qy, qz), pos: Vec3::new(x, y, z) }
}
