//! Forces from outside: pushes and the hand.

use crate::actor::Actor;
use crate::report::OutsideForce;
use crate::world::World;
use sinew_dynamics::BodyId;
use sinew_dynamics::spatial::Vec3;

impl World {
    /// Adds to the actors' momentum what pushes and the hand give over `span` seconds; the report takes `share` of them.
    pub(super) fn apply_outside_forces(&mut self, span: f64, share: f64) {
        let World { actors, pushes, hand, report, .. } = self;
        // a push is told in the place that it has among those on its actor
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
            let actor = &actors[push.actor];
            let point = actor.data.body_placement(&actor.model, push.body).act(&push.point);
            apply(actors, before(k, push.actor), push.actor, push.body, point, push.force);
        }
        if let Some(h) = hand {
            let actor = &actors[h.actor];
            let point = actor.data.body_placement(&actor.model, h.body).act(&h.point);
            let velocity = actor.data.point_velocity(&actor.model, h.body, &point);
            let pull = (h.target - point) * h.stiffness - velocity * h.damping;
            let force = pull * (h.strength / pull.norm().max(h.strength));
            apply(actors, before(pushes.len(), h.actor), h.actor, h.body, point, force);
        }
    }

    /// Counts a step of every push.
    pub(super) fn spend_pushes(&mut self) {
        self.pushes.iter_mut().for_each(|p| p.steps -= 1);
        self.pushes.retain(|p| p.steps > 0);
    }
}

impl Actor {
    /// Adds the momentum of an impulse at a point of a body.
    pub(super) fn add_force(&mut self, body: BodyId, point: &Vec3, impulse: &Vec3) {
        let Actor { model, data, work, .. } = self;
        data.body_jacobian(model, body, point, &mut work.jacobian);
        for (x, column) in work.momentum.iter_mut().zip(work.jacobian.chunks_exact(6)) {
            *x += column[0] * impulse.x + column[1] * impulse.y + column[2] * impulse.z;
        }
    }
}
