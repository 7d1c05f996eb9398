//! Checks of contacts: size, direction and place of contact forces.

use super::Bounds;
use super::report::{Finding, Verdict, Worst};
use super::step::Step;
use super::surface;
use super::things::{Things, placement};
use crate::recording::Info;
use crate::{ContactForce, StepFrame};
use sinew_dynamics::spatial::Vec3;
use sinew_dynamics::{BodyId, Data, Model, forward_kinematics, forward_velocities};

/// Forces below this share of the weight count as zero.
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
    off_thing: Worst,
    reaction: Worst,
    penetration: Worst,
    things: Things,
    /// Forces at gaps to objects whose motion is not recorded.
    unknown_gaps: usize,
    /// For each thing that contacts point to, the object of that name.
    objects: Vec<Option<usize>>,
    /// The thing that is the character itself.
    itself: Option<usize>,
}

impl Contacts {
    pub(super) fn new(info: &Info) -> Contacts {
        let object_of = |thing: &String| info.object_names.iter().position(|o| o == thing);
        Contacts {
            data: Data::new(&info.model),
            pull: Worst::default(),
            cone: Worst::default(),
            friction: Worst::default(),
            normals: Worst::default(),
            gap: Worst::default(),
            off_body: Worst::default(),
            off_thing: Worst::default(),
            things: Things::new(info),
            reaction: Worst::default(),
            penetration: Worst::default(),
            unknown_gaps: 0,
            objects: info.things.iter().map(object_of).collect(),
            itself: info.itself(),
        }
    }

    pub(super) fn body_changed(&mut self, model: &Model) {
        self.data = Data::new(model);
    }

    /// Checks within a row.
    pub(super) fn row(
        &mut self,
        model: &Model,
        frame: &StepFrame<'_>,
        objects: &[[f64; 7]],
        greatest: f64,
        weight: f64,
        at: (usize, f64),
    ) {
        let (mut force, mut moment) = (Vec3::zeros(), Vec3::zeros());
        forward_kinematics(model, &mut self.data, frame.q);
        for contact in frame.contacts {
            let normal = contact.force.dot(&contact.normal);
            let tangential = (contact.force - contact.normal * normal).norm();
            self.pull.see((-normal).max(0.0) / weight, at);
            self.cone.see((tangential - contact.friction * normal.max(0.0)).max(0.0) / weight, at);
            // the lower of both sides counts, and this side is in the model
            let own =
                model.bodies()[contact.body].geoms.iter().fold(0.0, |most: f64, g| most.max(g.friction));
            self.friction.see((contact.friction - greatest.min(own)).max(-contact.friction).max(0.0), at);
            self.normals.see((contact.normal.norm() - 1.0).abs(), at);
            self.penetration.see((-contact.distance).max(0.0), at);
            if contact.force.norm() > NO_FORCE * weight {
                self.off_body.see(self.off(model, contact), at);
                self.things.off(contact, objects).into_iter().for_each(|off| self.off_thing.see(off, at));
            }
            if contact.other.is_some() && contact.other == self.itself {
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

    /// Whether surfaces met where a force acted: at the beginning of the step, or by its end with the velocities before or
    /// after it (a bounce leaves before the step is over).
    pub(super) fn motion(&mut self, step: &Step<'_>) {
        let loaded = |c: &&ContactForce| c.force.norm() > NO_FORCE * step.weight;
        let open = step.frame.contacts.iter().filter(loaded).map(|c| c.distance).max_by(f64::total_cmp);
        match open {
            None => return,
            Some(distance) if distance <= 0.0 => return self.gap.see(0.0, step.at),
            Some(_) => {}
        }
        let mut nearest = vec![f64::INFINITY; step.frame.contacts.len()];
        for (v, poses) in [(step.frame.v, step.objects_before), (step.v_end, step.objects_step)] {
            forward_velocities(step.model, &mut self.data, step.frame.q, v);
            for (contact, gap) in step.frame.contacts.iter().zip(&mut nearest) {
                let own = self.data.point_velocity(step.model, BodyId(contact.body), &contact.point);
                if let Some(other) = self.other_velocity(step, contact, poses) {
                    *gap = gap.min(contact.distance + contact.normal.dot(&(own - other)) * step.dt);
                }
            }
        }
        for (contact, nearest) in step.frame.contacts.iter().zip(nearest).filter(|(c, _)| loaded(c)) {
            if contact.distance > 0.0 && nearest == f64::INFINITY {
                self.unknown_gaps += 1;
            } else {
                self.gap.see(contact.distance.min(nearest).max(0.0), step.at);
            }
        }
    }

    /// Velocity of the other side at a contact, if it is on record. `poses` are those of the objects at two moments one
    /// step apart.
    fn other_velocity(
        &self,
        step: &Step<'_>,
        contact: &ContactForce,
        poses: [&[[f64; 7]]; 2],
    ) -> Option<Vec3> {
        let Some(thing) = contact.other else { return Some(Vec3::zeros()) };
        if contact.other == self.itself {
            // the other side is the row at the same point
            let partner = |c: &&ContactForce| {
                c.other == self.itself && c.point == contact.point && c.normal == -contact.normal
            };
            let partner = step.frame.contacts.iter().find(partner)?;
            return Some(self.data.point_velocity(step.model, BodyId(partner.body), &contact.point));
        }
        let object = self.objects.get(thing).copied().flatten()?;
        let [before, after] = [placement(poses[0].get(object)?), placement(poses[1].get(object)?)];
        Some((after.act(&before.inverse().act(&contact.point)) - contact.point) / step.dt)
    }

    pub(super) fn findings(&self, bounds: &Bounds) -> Vec<Finding> {
        let gaps = match self.unknown_gaps {
            0 => String::new(),
            n => format!("{n} at open gaps to objects whose motion is not recorded"),
        };
        let mut out = vec![
            self.pull.judged("contacts do not pull", "of weight", bounds.force),
            self.cone.judged("friction cone", "of weight", bounds.cone),
            self.friction.judged("friction coefficients", "", bounds.unit),
            self.normals.judged("unit normals", "", bounds.unit),
            self.gap.judged("forces only at contacts", "m", bounds.gap).note(gaps),
            self.off_body.judged("contact points on bodies", "m", bounds.off_body),
            self.off_thing.judged("contact points on things", "m", bounds.off_body),
            self.reaction.judged("self-contact reactions", "of weight", bounds.force),
            self.penetration.judged("penetration", "m", bounds.penetration),
        ];
        for finding in out.iter_mut().filter(|f| f.verdict == Verdict::NotJudged && f.note.is_empty()) {
            finding.note = "no contact".to_owned();
        }
        out
    }
}
