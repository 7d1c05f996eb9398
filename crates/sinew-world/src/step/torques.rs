//! Joint torques: checked, and cut to what the actuators have.

use super::StepError;
use crate::actuation::Actuation;
use crate::world::World;

impl World {
    /// Checks torques and cuts them to the effort limits.
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
            let free = actor.model.joints().iter().filter(|j| j.kind == sinew_dynamics::JointKind::Free);
            for dof in free.flat_map(|j| j.v..j.v + 6) {
                if given.torque[dof] != 0.0 {
                    let (actor, value) = (actor.name.clone(), given.torque[dof]);
                    return Err(StepError::RootTorque { actor, dof, value });
                }
            }
        }
        self.report.saturated = 0;
        for (i, actor) in self.actors.iter_mut().enumerate() {
            let tau = &mut actor.work.tau;
            match actuation.get(i) {
                None => tau.fill(0.0),
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
}
