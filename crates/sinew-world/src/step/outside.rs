//! External forces: pushes and the dragging hand.

use crate::actor::Actor;
use crate::push::{Hand, Push};
use crate::report::OutsideForce;
use crate::world::World;
use sinew_dynamics::BodyId;
use sinew_dynamics::spatial::Vec3;

impl World {
    /// Adds to the actors' momentum what pushes and the hand give over `span` seconds; the report takes `share` of them.
    pub(super) fn apply_outside_forces(&mut self, span: f64, share: f64) {
        let World { actors, pushes, hand, report, .. } = self;
        // pushes are reported in the order of their actor's list
        let mut apply =
            |actors: &mut [Actor], nth: usize, i: usize, body: BodyId, point: Vec3, force: Vec3| {
                actors[i].add_force(body, &point, &(force * span));
                let told = &mut report.outside[i];
                match told.get_mut(nth) {
                    None => {
                        told.push(OutsideForce { body: body.0, point: point * share, force: force * share })
                    }
                    Some(told) => {
                        told.point += point * share;
                        told.force += force * share;
                    }
                }
            };
        let before = |k: usize, actor: usize| pushes[..k].iter().filter(|p| p.actor == actor).count();
        for (k, push) in pushes.iter().enumerate() {
            let OutsideForce { point, force, .. } = push.acting_on(&actors[push.actor]);
            apply(actors, before(k, push.actor), push.actor, push.body, point, force);
        }
        if let Some(h) = hand {
            let OutsideForce { point, force, .. } = h.acting_on(&actors[h.actor]);
            apply(actors, before(pushes.len(), h.actor), h.actor, h.body, point, force);
        }
    }

    /// Counts a step of every push.
    pub(crate) fn spend_pushes(&mut self) {
        self.pushes.iter_mut().for_each(|p| p.steps -= 1);
        self.pushes.retain(|p| p.steps > 0);
    }
}

impl Push {
    /// The force at the present state.
    pub(crate) fn acting_on(&self, actor: &Actor) -> OutsideForce {
        let point = actor.data.body_placement(&actor.model, self.body).act(&self.point);
        OutsideForce { body: self.body.0, point, force: self.force }
    }
}

impl Hand {
    /// The pull at the present state: a spring and damper, never stronger than the hand.
    pub(crate) fn acting_on(&self, actor: &Actor) -> OutsideForce {
        let point = actor.data.body_placement(&actor.model, self.body).act(&self.point);
        let velocity = actor.data.point_velocity(&actor.model, self.body, &point);
        let pull = (self.target - point) * self.stiffness - velocity * self.damping;
        let force = pull * (self.strength / pull.norm().max(self.strength));
        OutsideForce { body: self.body.0, point, force }
    }
}

impl Actor {
    /// Adds the momentum of an impulse at a point of a body.
    pub(super) fn add_force(&mut self, body: BodyId, point: &Vec3, impulse: &Vec3) {
        let Actor { model, data, work, .. } = self;
        data.add_wrench(model, body, point, [impulse, &Vec3::zeros()], &mut work.momentum);
    }

    /// Adds a force at a point of a body to the total wrench of the body.
    pub(super) fn collect_force(&mut self, body: BodyId, point: &Vec3, force: &Vec3) {
        let [sum, moment] = &mut self.work.wrenches[body.0];
        *sum += force;
        *moment += point.cross(force);
    }

    /// Adds the momentum of the total wrenches over a time and clears them: many points of a body cost as much as one.
    pub(super) fn apply_collected(&mut self, span: f64) {
        let Actor { model, data, work, .. } = self;
        for (body, wrench) in work.wrenches.iter_mut().enumerate() {
            let [force, moment] = core::mem::replace(wrench, [Vec3::zeros(); 2]);
            if force != Vec3::zeros() || moment != Vec3::zeros() {
                let at = data.body_placement(model, BodyId(body)).pos;
                let (impulse, twist) = (force * span, (moment - at.cross(&force)) * span);
                data.add_wrench(model, BodyId(body), &at, [&impulse, &twist], &mut work.momentum);
            }
        }
    }
}
