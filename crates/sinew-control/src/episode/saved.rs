//! A snapshot of an episode.

use super::{Action, Decisions, Episode};
use crate::system::Order;
use crate::{Command, Controller, Prepared, Wants, WorldPlan};
use sinew_dynamics::Model;
use sinew_world::metrics::Metrics;
use sinew_world::{RestoreError, Snapshot};
use std::sync::Arc;

/// Everything that the future of an episode depends on. Bodies, terrain and tables are shared, not copied.
#[derive(Clone, Debug)]
pub struct SavedEpisode {
    world: Snapshot,
    base: Arc<Model>,
    order: Order,
    prepared: Prepared,
    plan: WorldPlan,
    wants: Wants,
    controller: Box<dyn Controller>,
    known: Arc<Model>,
    assist: Vec<f64>,
    command: Command,
    actions: Arc<Vec<(f64, Action)>>,
    done: usize,
    metrics: Metrics,
    signals: Vec<f64>,
    decisions: Decisions,
}

impl Episode {
    /// This moment.
    pub fn save(&self) -> SavedEpisode {
        SavedEpisode {
            world: self.world.save(),
            base: Arc::clone(&self.base),
            order: self.order.clone(),
            prepared: self.prepared.clone(),
            plan: self.plan.clone(),
            wants: self.wants.clone(),
            controller: self.controller.clone(),
            known: Arc::clone(&self.known),
            assist: self.assist.clone(),
            command: self.command,
            actions: Arc::clone(&self.actions),
            done: self.done,
            metrics: self.metrics.clone(),
            signals: self.signals.clone(),
            decisions: self.decisions,
        }
    }

    /// Returns to a saved moment of this episode, with the controller of that moment. On error nothing changes.
    ///
    /// # Errors
    /// When it is of another world.
    pub fn restore(&mut self, saved: &SavedEpisode) -> Result<(), RestoreError> {
        self.world.restore(&saved.world)?;
        self.base = Arc::clone(&saved.base);
        self.order = saved.order.clone();
        self.prepared = saved.prepared.clone();
        self.plan = saved.plan.clone();
        self.wants = saved.wants.clone();
        self.controller = saved.controller.clone();
        self.known = Arc::clone(&saved.known);
        self.assist.clone_from(&saved.assist);
        (self.command, self.done, self.decisions) = (saved.command, saved.done, saved.decisions);
        self.actions = Arc::clone(&saved.actions);
        self.metrics = saved.metrics.clone();
        self.signals.clone_from(&saved.signals);
        Ok(())
    }
}
