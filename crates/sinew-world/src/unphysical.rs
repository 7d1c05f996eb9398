//! The labelled alternative to [`World::step`]: a state that a controller sets, without physics.
//!
//! Some published methods move the body by their own word: accelerations of an optimisation taken as they are, or a linear model
//! advanced in its own coordinates. Recordings of such runs say so, and the audit refuses to call them physics.

use crate::report::ContactForce;
use crate::world::World;

/// A state that is claimed to follow the present one.
#[derive(Clone, Copy, Debug)]
pub struct Claim<'a> {
    /// How long it takes, s.
    pub dt: f64,
    /// Configuration.
    pub q: &'a [f64],
    /// Velocity.
    pub v: &'a [f64],
    /// Torques that are claimed to act.
    pub tau: &'a [f64],
    /// Contacts that are claimed to carry.
    pub contacts: &'a [ContactForce],
}

impl World {
    /// Moves an actor to a claimed state; all else stays where it is. What is planned for this step must have happened
    /// ([`World::begin_step`]). From now on the world is [`unphysical`](World::is_unphysical).
    ///
    /// # Panics
    /// If the world has no such actor, or the state is not one of its body.
    pub fn claim(&mut self, actor: usize, claim: &Claim<'_>) {
        let now = self.time();
        let a = &mut self.actors[actor];
        a.work.before.0.copy_from_slice(&a.q);
        a.work.before.1.copy_from_slice(&a.v);
        a.work.tau.copy_from_slice(claim.tau);
        a.work.constraint.fill(0.0);
        a.q.copy_from_slice(claim.q);
        a.v.copy_from_slice(claim.v);
        self.report.outside.iter_mut().for_each(Vec::clear);
        self.report.contacts.iter_mut().for_each(Vec::clear);
        self.report.contacts[actor].extend_from_slice(claim.contacts);
        self.spend_pushes();
        self.steps += 1;
        (self.start, self.since, self.last) = (now + claim.dt, self.steps, now);
        self.unphysical = true;
    }

    /// Whether any of its steps was claimed and not computed.
    pub fn is_unphysical(&self) -> bool {
        self.unphysical
    }
}
