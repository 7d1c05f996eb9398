//! No controller: a ragdoll.

use crate::{Command, ControlError, ControlStatus, Controller, Observation, Out, Start, System};
use sinew_dynamics::Model;
use std::sync::Arc;

/// No torques at all.
pub static LIMP: System = System {
    balances: false,
    ..System::new("limp", "Gives no torques: a ragdoll", |order, _| {
        Ok(Box::new(Limp(Arc::clone(&order.model))))
    })
};

#[derive(Clone, Debug)]
struct Limp(Arc<Model>);

impl Controller for Limp {
    fn start(&self) -> Start {
        let key = self.0.spec().standing().or(self.0.spec().keyframes.first());
        Start::standing(&self.0, &key.map_or_else(|| self.0.neutral(), |k| k.q.clone()))
    }

    fn reset(&mut self, _: &Observation<'_>) -> Result<(), ControlError> {
        Ok(())
    }

    fn act(&mut self, _: &Observation<'_>, _: &Command, _: &mut Out<'_>) -> ControlStatus {
        ControlStatus::Good
    }

    fn change_body(&mut self, model: &Arc<Model>) -> Result<(), ControlError> {
        self.0 = Arc::clone(model);
        Ok(())
    }
}
