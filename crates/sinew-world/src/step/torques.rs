//! Joint torques: checked, and clamped to the effort limits.

use super::StepError;
use crate::actuation::Actuation;
use crate::contacts::Other;
use crate::solver::Side;
use crate::world::World;

impl World {
    /// Checks torques and cuts them to the effort limits; those of laws are cut where the law is solved.
    pub(super) fn take_torques(&mut self, actuation: &[Actuation]) -> Result<(), StepError> {
        let (step, time) = (self.steps, self.time());
        if actuation.len() > self.actors.len() {
            let (got, want) = (actuation.len(), self.actors.len());
            return Err(StepError::Size { what: "actuations".into(), got, want });
        }
        for (actor, given) in self.actors.iter().zip(actuation) {
            let (got, want) = (given.torque.len(), actor.model.nv());
            if got != want {
                return Err(StepError::Size {
                    what: format!("torques of actor \"{}\"", actor.name),
                    got,
                    want,
                });
            }
            if let Some(dof) = given.torque.iter().position(|t| !t.is_finite()) {
                let what = format!("torque {dof} of actor \"{}\"", actor.name);
                return Err(StepError::NotFinite { step, time, what });
            }
            if let Some(at) = given.feedback.iter().position(|g| !g.is_finite()) {
                let what = format!("feedback {at} of actor \"{}\"", actor.name);
                return Err(StepError::NotFinite { step, time, what });
            }
            let free = actor.model.joints().iter().filter(|j| j.kind == sinew_dynamics::JointKind::Free);
            for dof in free.flat_map(|j| j.v..j.v + 6) {
                if given.torque[dof] != 0.0 {
                    let (actor, value) = (actor.name.clone(), given.torque[dof]);
                    return Err(StepError::RootTorque { actor, dof, value });
                }
                let row = given.feedback.iter().skip(dof).step_by(want);
                if let Some(value) = row.copied().find(|g| *g != 0.0) {
                    return Err(StepError::RootTorque { actor: actor.name.clone(), dof, value });
                }
            }
        }
        self.report.saturated = 0;
        for (i, actor) in self.actors.iter_mut().enumerate() {
            let tau = &mut actor.work.tau;
            let law = &mut self.problem.sides[i].law;
            law.gain.clear();
            match actuation.get(i) {
                None => tau.fill(0.0),
                Some(given) if !given.feedback.is_empty() => {
                    tau.copy_from_slice(&given.torque);
                    law.gain.extend_from_slice(&given.feedback);
                    law.torque.clear();
                    law.torque.extend(given.torque.iter().map(|t| t * self.settings.dt));
                }
                Some(given) => {
                    for ((t, wanted), limit) in
                        tau.iter_mut().zip(&given.torque).zip(actor.model.effort_limits())
                    {
                        *t = wanted.clamp(-limit, *limit);
                        self.report.saturated += usize::from(*t != *wanted);
                    }
                }
            }
        }
        Ok(())
    }

    /// Sets the contacts of the laws.
    pub(super) fn pose_laws(&mut self) -> Result<(), StepError> {
        let World { actors, candidates, problem, settings, .. } = self;
        for (i, (actor, side)) in actors.iter().zip(&mut problem.sides).enumerate() {
            let Side { law, space, .. } = side;
            if !law.exists() {
                continue;
            }
            law.contacts.clear();
            for (k, c) in candidates.list.iter().enumerate() {
                if c.actor == i {
                    law.contacts.push((k, 1.0));
                }
                if matches!(c.other, Other::Actor(other, _) if other == i) {
                    law.contacts.push((k, -1.0));
                }
            }
            let (got, want) = (law.gain.len(), 3 * law.contacts.len() * actor.model.nv());
            if got != want {
                return Err(StepError::Size {
                    what: format!("feedback of actor \"{}\"", actor.name),
                    got,
                    want,
                });
            }
            law.prepare(&actor.model, &actor.data, space, settings.dt);
        }
        Ok(())
    }

    /// Adds what the laws gave to the actors' torques.
    pub(super) fn follow_laws(&mut self) {
        let rate = 1.0 / self.settings.dt;
        if self.problem.sides.iter().any(|side| side.law.exists()) {
            self.report.saturated += self.pivoting.cuts();
        }
        for (actor, side) in self.actors.iter_mut().zip(&self.problem.sides) {
            if side.law.exists() {
                actor.work.tau.iter_mut().zip(&side.law.impulse).for_each(|(t, p)| *t += p * rate);
            }
        }
    }
}
