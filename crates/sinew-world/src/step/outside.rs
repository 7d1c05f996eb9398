//! Forces from outside: pushes and the hand.

use crate::actor::Actor;
use crate::report::OutsideForce;
use crate::world::World;
use sinew_dynamics::BodyId;
use sinew_dynamics::spatial::Vec3;

impl World {
    /// Adds pushes and the hand to the actors' momentum.
    pub(super) fn apply_outside_forces(&mut self) {
        let World { actors, pushes, hand, report, settings, .. } = self;
        report.outside.iter_mut().for_each(Vec::clear);
        let mut apply = |actors: &mut [Actor], i: usize, body: BodyId, point: Vec3, force: Vec3| {
            let actor = &mut actors[i];
            actor.add_force(body, &point, &(force * settings.dt));
            report.outside[i].push(OutsideForce { body: body.0, point, force });
        };
        for push in pushes.iter_mut() {
            let actor = &actors[push.actor];
            let point = actor.data.body_placement(&actor.model, push.body).act(&push.point);
            apply(actors, push.actor, push.body, point, push.force);
            push.steps -= 1;
        }
        pushes.retain(|p| p.steps > 0);
        if let Some(h) = hand {
            let actor = &actors[h.actor];
            let point = actor.data.body_placement(&actor.model, h.body).act(&h.point);
            let velocity = actor.data.point_velocity(&actor.model, h.body, &point);
            let pull = (h.target - point) * h.stiffness - velocity * h.damping;
            let force = pull * (h.strength / pull.norm().max(h.strength));
            apply(actors, h.actor, h.body, point, force);
        }
    }
}

impl Actor {
    /// Adds the momentum of an impulse at a point of a body.
    fn add_force(&mut self, body: BodyId, point: &Vec3, impulse: &Vec3) {
        let Actor { model, data, work, .. } = self;
        data.body_jacobian(model, body, point, &mut work.jacobian);
        for (x, column) in work.momentum.iter_mut().zip(work.jacobian.chunks_exact(6)) {
            *x += column[0] * impulse.x + column[1] * impulse.y + column[2] * impulse.z;
        }
    }
}
