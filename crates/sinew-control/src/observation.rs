//! What a controller sees of the world before a step.
//!
//! *Felt* is what a robot could sense: the state, the contact forces of the last step, the shape of the ground. *Known* is what no sensor
//! could tell: the contact and push forces of the coming step. A [`System`](crate::System) that uses them declares it ([`Peeks`]), and
//! `sinew controllers` prints it.

use sinew_dynamics::Model;
use sinew_dynamics::spatial::Vec3;
use sinew_world::{Attachment, ContactForce, OutsideForce, Settings, Terrain, World};
use std::sync::Arc;

/// What a controller sees of the world before a step.
#[derive(Clone, Copy, Debug)]
pub struct Observation<'a> {
    /// The body.
    pub model: &'a Arc<Model>,
    /// Time, s.
    pub time: f64,
    /// Length of the coming step, s.
    pub dt: f64,
    /// Configuration.
    pub q: &'a [f64],
    /// Velocity.
    pub v: &'a [f64],
    /// Contacts of the last step, with their forces.
    pub contacts: &'a [ContactForce],
    /// Contacts of the coming step, in the order in which a torque law counts them, without forces; empty unless
    /// [`World::begin_step`] was called.
    pub ahead: &'a [ContactForce],
    /// The ground.
    pub terrain: &'a Terrain,
    /// What the controller knows without being able to sense it; only what its system declares.
    pub known: Known<'a>,
    /// The world, from which settings and grips are read.
    around: Option<(&'a World, usize)>,
}

/// What no sensor could tell: forces of the coming step.
#[derive(Clone, Copy, Debug, Default)]
pub struct Known<'a> {
    /// Forces of the coming contacts in a world of spring contacts, N, one for each; empty unless declared.
    pub contact_forces: Option<&'a [Vec3]>,
    /// External pushes; empty unless declared.
    pub outside: Option<&'a [OutsideForce]>,
}

/// What a system knows besides what could be sensed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Peeks {
    /// The forces of spring contacts at the present state.
    pub contact_forces: bool,
    /// External forces.
    pub outside: bool,
    /// Whether its torques depend on the contact forces of the same step (a law solved together with the contacts).
    pub law: bool,
}

impl<'a> Observation<'a> {
    /// What an actor of a world senses now.
    pub fn of(world: &'a World, actor: usize) -> Observation<'a> {
        let me = &world.actors()[actor];
        Observation {
            model: me.model(),
            time: world.time(),
            dt: world.settings().dt,
            q: &me.q,
            v: &me.v,
            contacts: world.report().contacts(actor),
            ahead: world.contacts_ahead(actor),
            terrain: world.terrain(),
            known: Known::default(),
            around: Some((world, actor)),
        }
    }

    /// An observation without a world, from a given configuration, velocity, contacts and ground.
    pub fn alone(
        model: &'a Arc<Model>,
        (time, dt): (f64, f64),
        (q, v): (&'a [f64], &'a [f64]),
        contacts: &'a [ContactForce],
        terrain: &'a Terrain,
    ) -> Observation<'a> {
        let (ahead, known) = (&[][..], Known::default());
        Observation { model, time, dt, q, v, contacts, ahead, terrain, known, around: None }
    }

    /// The same with what a system is allowed to know.
    pub fn knowing(mut self, peeks: Peeks) -> Observation<'a> {
        if let Some((world, actor)) = self.around {
            self.known = Known {
                contact_forces: peeks.contact_forces.then(|| world.contact_forces_ahead(actor)),
                outside: peeks.outside.then(|| world.outside_ahead(actor)),
            };
        }
        self
    }

    /// The same with another state, such as one seen from a moving frame, or a predicted one.
    #[must_use]
    pub fn with_state<'b>(
        &self,
        (q, v): (&'b [f64], &'b [f64]),
        contacts: &'b [ContactForce],
    ) -> Observation<'b>
    where
        'a: 'b,
    {
        Observation { q, v, contacts, ..*self }
    }

    /// Settings of the world; `None` without a world.
    pub fn settings(&self) -> Option<&'a Settings> {
        self.around.map(|(world, _)| world.settings())
    }

    /// Grips and welds that hold the body at present.
    pub fn grips(&self) -> impl Iterator<Item = &'a Attachment> + use<'a> {
        let around = self.around;
        let all = around.into_iter().flat_map(|(world, _)| world.attachments());
        all.filter(move |held| {
            around.is_some_and(|(_, me)| held.a.0 == me || held.b.is_some_and(|(other, _)| other == me))
        })
    }
}
