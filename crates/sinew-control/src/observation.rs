//! What a controller sees of the world before a step.
//!
//! *Felt* is what soles, hands and eyes tell: the state, the forces of the last step's contacts, the ground. *Known* is what nobody can
//! feel: the forces that springs of the ground and pushes will give in the step that comes. A [`System`](crate::System) that wants to know
//! them declares it ([`Peeks`]), and `sinew controllers` says so.

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
    /// Length of the step that comes, s.
    pub dt: f64,
    /// Configuration.
    pub q: &'a [f64],
    /// Velocity.
    pub v: &'a [f64],
    /// Contacts of the last step, as soles and hands feel them.
    pub contacts: &'a [ContactForce],
    /// Contacts of the step that comes, in the order in which a torque law counts them, without forces; empty unless
    /// [`World::begin_step`] was called.
    pub ahead: &'a [ContactForce],
    /// The ground, as eyes see it.
    pub terrain: &'a Terrain,
    /// What the controller knows without being able to feel it; only what its system declares.
    pub known: Known<'a>,
    /// The world, for what few controllers ask: settings, grips.
    around: Option<(&'a World, usize)>,
}

/// What nobody can feel: forces of the step that comes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Known<'a> {
    /// Forces of the contacts ahead in a world of spring contacts, N, one for each; nothing unless declared.
    pub contact_forces: Option<&'a [Vec3]>,
    /// Pushes from outside; nothing unless declared.
    pub outside: Option<&'a [OutsideForce]>,
}

/// What a system knows besides what it feels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Peeks {
    /// The forces that spring contacts give at the present state.
    pub contact_forces: bool,
    /// The forces from outside.
    pub outside: bool,
    /// Whether its torques depend on the contact forces of the same step (a law solved together with the contacts).
    pub law: bool,
}

impl<'a> Observation<'a> {
    /// What an actor of a world feels now.
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

    /// A body that is in no world: configuration, velocity, contacts and ground are given.
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

    /// The same with another state: as seen from a frame that moves along, or as somebody imagines it.
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

    /// How the world is stepped; nothing when there is no world.
    pub fn settings(&self) -> Option<&'a Settings> {
        self.around.map(|(world, _)| world.settings())
    }

    /// Grips and welds that hold the body now.
    pub fn grips(&self) -> impl Iterator<Item = &'a Attachment> + use<'a> {
        let around = self.around;
        let all = around.into_iter().flat_map(|(world, _)| world.attachments());
        all.filter(move |held| {
            around.is_some_and(|(_, me)| held.a.0 == me || held.b.is_some_and(|(other, _)| other == me))
        })
    }
}
