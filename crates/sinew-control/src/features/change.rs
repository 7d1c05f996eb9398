//! A walker whose body or way of weighing objectives changes while it goes on.

use super::anatomy::Anatomy;
use super::walk::Walker;
use crate::ControlError;
use crate::whole_body::{Priorities, WholeBody};
use sinew_dynamics::Model;
use std::sync::Arc;

impl Walker {
    /// Goes on with another body of the same joints: longer limbs, a load. Nothing else is adapted.
    ///
    /// # Errors
    /// When the body lacks what a walker needs.
    pub fn change_body(&mut self, model: Arc<Model>) -> Result<(), ControlError> {
        self.anatomy = Anatomy::of(&model)?;
        let mut body = WholeBody::new(model);
        body.priorities.clone_from(&self.body.priorities);
        self.body = body;
        Ok(())
    }

    /// Sets how levels of objectives are told apart.
    pub fn set_priorities(&mut self, priorities: Priorities) {
        self.body.priorities = priorities;
    }
}
