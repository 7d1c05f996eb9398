//! The first half of a step: it runs the events that are due and finds the contacts, so that controllers can use them.
//!
//! [`World::begin_step`] moves nothing. The step that follows gives the same bits with and without it.

use crate::contact_model::ContactModel;
use crate::report::{ContactForce, OutsideForce};
use crate::step::StepError;
use crate::world::World;
use sinew_dynamics::forward_velocities;
use sinew_dynamics::spatial::Vec3;

/// Contacts and forces of each actor in the coming step.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ahead {
    /// Contacts that the step will report, in its order, without forces.
    contacts: Vec<Vec<ContactForce>>,
    /// Forces of spring contacts at the present state, one per contact, N; zero in rigid worlds.
    forces: Vec<Vec<Vec3>>,
    /// Pushes and the hand.
    outside: Vec<Vec<OutsideForce>>,
}

impl Ahead {
    /// Reserves memory for one more actor.
    pub(crate) fn add_actor(&mut self, contacts: usize) {
        self.contacts.push(Vec::with_capacity(contacts));
        self.forces.push(Vec::with_capacity(contacts));
        self.outside.push(Vec::with_capacity(8));
    }

    fn clear(&mut self) {
        self.contacts.iter_mut().for_each(Vec::clear);
        self.forces.iter_mut().for_each(Vec::clear);
        self.outside.iter_mut().for_each(Vec::clear);
    }
}

impl World {
    /// The first half of a step: runs planned events that are due, and finds the contacts and external forces of the coming step.
    /// [`step`](World::step) does the rest, or everything if this has not been called.
    ///
    /// Updates the frames in [`Actor::data`](crate::Actor::data) to the present state.
    ///
    /// ```
    /// use sinew_dynamics::characters;
    /// use sinew_world::{Terrain, World};
    /// let mut world = World::new(Terrain::flat());
    /// let me = world.add_character("human", characters::load("human")?.into());
    /// world.begin_step()?;
    /// let soles = world.contacts_ahead(me).len();
    /// world.step(&[])?;
    /// assert_eq!(world.report().contacts(me).len(), soles);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When a planned change of a body is impossible; it stays planned.
    pub fn begin_step(&mut self) -> Result<(), StepError> {
        self.run_events()?;
        for a in &mut self.actors {
            forward_velocities(&a.model, &mut a.data, &a.q, &a.v);
        }
        self.find_candidates(self.time());
        let World { actors, candidates, pushes, hand, ahead, settings, .. } = self;
        ahead.clear();
        for c in &candidates.list {
            let force = match settings.contact {
                ContactModel::Penalty(penalty) => {
                    c.spring_force(actors, &penalty, &candidates.anchors, settings.dt).0
                }
                ContactModel::Complementarity { .. } => Vec3::zeros(),
            };
            c.each_side(actors, &force, |side, contact| {
                ahead.forces[side].push(contact.force);
                ahead.contacts[side].push(ContactForce { force: Vec3::zeros(), ..contact });
            });
        }
        for push in pushes.iter() {
            ahead.outside[push.actor].push(push.acting_on(&actors[push.actor]));
        }
        if let Some(hand) = hand {
            ahead.outside[hand.actor].push(hand.acting_on(&actors[hand.actor]));
        }
        Ok(())
    }

    /// Contacts that the next step will report for an actor, with their points and gaps as they are now and without force. As of
    /// the last [`begin_step`](World::begin_step).
    pub fn contacts_ahead(&self, actor: usize) -> &[ContactForce] {
        &self.ahead.contacts[actor]
    }

    /// Forces of spring contacts at the present state: one for each of
    /// [`contacts_ahead`](World::contacts_ahead), N. Zeros in a world of rigid contacts, whose forces are only found by the step.
    pub fn contact_forces_ahead(&self, actor: usize) -> &[Vec3] {
        &self.ahead.forces[actor]
    }

    /// External forces on an actor in the next step: pushes and the dragging hand. As of the last
    /// [`begin_step`](World::begin_step).
    pub fn outside_ahead(&self, actor: usize) -> &[OutsideForce] {
        &self.ahead.outside[actor]
    }
}
