//! Another controller in the middle of a run, with the time step and contacts that it wants.

use super::{Episode, EpisodeError};
use crate::system::Order;
use crate::{Observation, Prepared, Unsuitable, WorldPlan};
use sinew_world::ContactModel;
use sinew_world::metrics::{Metrics, Params};
use std::sync::Arc;

impl Episode {
    /// Switches to another controller, with the world settings that it wants; it takes over from the present one. A fall is reset.
    /// The order's body is ignored: the character keeps its own.
    ///
    /// # Errors
    /// When body, clips or world do not suit it; then nothing has changed.
    pub fn switch(&mut self, order: Order, prepared: Prepared, plan: &WorldPlan) -> Result<(), EpisodeError> {
        self.replace(order, prepared, plan.clone())?;
        self.forget_fall();
        Ok(())
    }

    /// Builds the controller of an order and lets it take over, with the world settings that it wants. On error nothing changes.
    pub(super) fn replace(
        &mut self,
        order: Order,
        prepared: Prepared,
        plan: WorldPlan,
    ) -> Result<(), EpisodeError> {
        let before = self.save();
        let replaced = self.try_replace(order, prepared, plan);
        if replaced.is_err() {
            // a state of this very world
            let _ = self.restore(&before);
        }
        replaced
    }

    fn try_replace(
        &mut self,
        mut order: Order,
        prepared: Prepared,
        plan: WorldPlan,
    ) -> Result<(), EpisodeError> {
        order.model = Arc::clone(&self.base);
        let model = (order.system.body)(&order, &self.base)?;
        // a system that does not alter the body keeps the present one
        let same = Arc::ptr_eq(&model, &self.base) && Arc::ptr_eq(&self.known, &self.base);
        order.model = if same { Arc::clone(&self.known) } else { model };
        let wants = (order.system.wants)(&order);
        let settings = plan.settle(order.system.name, &wants)?;
        self.holds_with(&order, settings.contact)?;
        let mut controller = order.build(&prepared)?;
        if !Arc::ptr_eq(&order.model, self.world.actors()[self.actor].model()) {
            let what = format!("the body as `{}` has it", order.system.name);
            self.world.change_body(self.actor, &what, Arc::clone(&order.model))?;
            self.known = Arc::clone(&order.model);
        }
        self.world.configure(|s| {
            (s.dt, s.contact, s.integrator, s.tolerance) =
                (settings.dt, settings.contact, settings.integrator, settings.tolerance)
        });
        self.metrics.set_dt(settings.dt);
        self.world.begin_step()?;
        let seen = Observation::of(&self.world, self.actor).knowing(wants.peeks);
        controller.take_over(self.controller.as_ref(), &seen)?;
        (self.controller, self.order, self.prepared) = (controller, order, prepared);
        (self.wants, self.plan) = (wants, plan);
        self.read_signals()?;
        Ok(())
    }

    /// Grips and welds need rigid contacts.
    fn holds_with(&self, order: &Order, contact: ContactModel) -> Result<(), Unsuitable> {
        let springs = matches!(contact, ContactModel::Penalty(_));
        if !springs || self.world.attachments().next().is_none() {
            return Ok(());
        }
        let needs = format!("{contact}, which cannot hold grips and welds");
        let said = "that the character grips or is welded to something".to_owned();
        Err(Unsuitable { key: "contact", system: order.system.name, needs, said })
    }

    /// Resets a fall and all other metrics.
    pub fn forget_fall(&mut self) {
        let model = self.world.actors()[self.actor].model();
        self.metrics = Metrics::new(model, self.world.settings().dt, Some(self.actor), Params::default());
    }
}
