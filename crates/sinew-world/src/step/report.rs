//! The report of a step, and the data for the next one.

use crate::actor::{Actor, Work};
use crate::contact_model::{Cone, ContactModel, Penalty};
use crate::contacts::Candidates;
use crate::solver::SolveReport;
use crate::world::World;
use sinew_dynamics::BodyId;
use sinew_dynamics::spatial::Vec3;

impl World {
    /// Clears the report of the last step.
    pub(super) fn begin_report(&mut self) {
        self.report.solve = SolveReport { converged: true, ..SolveReport::default() };
        self.report.outside.iter_mut().for_each(Vec::clear);
        self.actors.iter_mut().for_each(|a| a.work.constraint.fill(0.0));
    }

    /// Contact forces of all actors, and the impulses to start from in the next step.
    pub(super) fn write_report(&mut self) {
        let World { candidates, problem, report, settings, .. } = self;
        let rate = 1.0 / settings.dt;
        report.contacts.iter_mut().for_each(Vec::clear);
        candidates.last.clear();
        if !problem.contacts.is_empty() {
            candidates.forces.clear();
            for (c, solved) in candidates.list.iter().zip(&problem.contacts) {
                let impulse = solved.frame * solved.impulse;
                candidates.last.push((c.key, impulse));
                candidates.forces.push(impulse * rate);
            }
        }
        if matches!(settings.contact, ContactModel::Complementarity { cone: Cone::Exact }) {
            self.share_loads();
        }
        let World { actors, candidates, attachments, problem, report, settings, .. } = self;
        for (c, force) in candidates.list.iter().zip(&candidates.forces) {
            c.each_side(actors, force, |side, contact| report.contacts[side].push(contact));
        }
        candidates.last.sort_unstable_by_key(|(key, _)| *key);
        let anchored = matches!(settings.contact, ContactModel::Penalty(Penalty { anchor: Some(_), .. }));
        candidates.keep_anchors(anchored);
        for actor in actors.iter_mut() {
            actor.work.limit_impulses.fill([0.0; 4]);
        }
        let mut ties = problem.ties.iter();
        for held in attachments.iter_mut() {
            let attachment = &held.attachment;
            let mut next = || ties.next().map_or(Vec3::zeros(), |t| t.impulse);
            held.impulses = [next(), if attachment.orientation.is_some() { next() } else { Vec3::zeros() }];
            let [force, moment] = held.impulses.map(|p| p * rate);
            actors[attachment.a.0].report_wrench(attachment.a.1, &attachment.point_a, &force, &moment);
            if let Some((other, body)) = attachment.b {
                actors[other].report_wrench(body, &attachment.point_b, &-force, &-moment);
            }
        }
        for row in &problem.bounded {
            let Work { constraint, limit_impulses, .. } = &mut actors[row.side].work;
            limit_impulses[row.memory.0][row.memory.1] = row.impulse;
            for (dof, weight) in row.dofs.into_iter().filter(|(_, w)| *w != 0.0) {
                constraint[dof] += weight * row.impulse * rate;
            }
        }
    }
}

impl Candidates {
    /// Stretches of loaded contacts, for the next step.
    fn keep_anchors(&mut self, anchored: bool) {
        self.anchors.clear();
        if !anchored {
            return;
        }
        for ((c, stretch), force) in self.list.iter().zip(&self.stretches).zip(&self.forces) {
            if *force != Vec3::zeros() {
                self.anchors.push((c.key, *stretch));
            }
        }
        self.anchors.sort_unstable_by_key(|(key, _)| *key);
    }
}

impl Actor {
    /// Adds to the reported constraint forces those of a wrench at a point in a body's frame.
    fn report_wrench(&mut self, body: BodyId, point: &Vec3, force: &Vec3, moment: &Vec3) {
        let Actor { model, data, work, .. } = self;
        let at = data.body_placement(model, body).act(point);
        data.body_jacobian(model, body, &at, &mut work.jacobian);
        for (x, column) in work.constraint.iter_mut().zip(work.jacobian.chunks_exact(6)) {
            *x += column[0] * force.x + column[1] * force.y + column[2] * force.z;
            *x += column[3] * moment.x + column[4] * moment.y + column[5] * moment.z;
        }
    }
}
