//! Forces of a world of springs and dampers, as functions of the state. The law is that of [`Penalty`].

use super::rows::approach;
use crate::actor::Actor;
use crate::contact_model::{Anchor, Penalty};
use crate::contacts::{Candidate, Candidates, Key, Other, find};
use crate::world::World;
use sinew_dynamics::spatial::Vec3;

impl World {
    /// Adds to the actors' momentum what contacts, limits and dry friction give over `span` seconds; the report takes `share`
    /// of limits and dry friction.
    pub(super) fn apply_penalties(&mut self, penalty: &Penalty, span: f64, share: f64) {
        let World { actors, candidates, settings, .. } = self;
        let Candidates { list, forces, stretches, anchors, .. } = candidates;
        forces.clear();
        stretches.clear();
        for c in list.iter() {
            let (force, stretch) = c.spring_force(actors, penalty, anchors, settings.dt);
            forces.push(force);
            stretches.push(stretch);
        }
        self.apply_contacts(span);
        for actor in &mut self.actors {
            actor.add_soft_limits(penalty, span, share);
        }
    }

    /// The same with the contact forces that were found last.
    pub(super) fn apply_held(&mut self, penalty: &Penalty, share: f64) {
        self.apply_contacts(1.0);
        for actor in &mut self.actors {
            actor.add_soft_limits(penalty, 1.0, share);
        }
    }

    /// Adds what the contact forces give over `span` seconds.
    fn apply_contacts(&mut self, span: f64) {
        let World { actors, candidates, .. } = self;
        let pressing = candidates.list.iter().zip(&candidates.forces).filter(|(_, f)| **f != Vec3::zeros());
        for (c, force) in pressing {
            let body = actors[c.actor].shapes[c.shape].body;
            actors[c.actor].collect_force(body, &c.touch.point, force);
            if let Other::Actor(other, shape) = c.other {
                let body = actors[other].shapes[shape].body;
                actors[other].collect_force(body, &c.touch.point, &-force);
            }
        }
        actors.iter_mut().for_each(|actor| actor.apply_collected(span));
    }
}

impl Candidate {
    /// Force of springs and dampers on the first side at the present state, and the stretch of an anchored one; `anchors`
    /// are those of the last step, which took `dt`.
    pub(crate) fn spring_force(
        &self,
        actors: &[Actor],
        penalty: &Penalty,
        anchors: &[(Key, Vec3)],
        dt: f64,
    ) -> (Vec3, Vec3) {
        if self.touch.distance >= 0.0 {
            return (Vec3::zeros(), Vec3::zeros());
        }
        let (depth, normal, velocity) = (-self.touch.distance, self.touch.normal, approach(actors, self));
        let Some(anchor) = penalty.anchor else {
            return (penalty.force(depth, &normal, &velocity, self.friction), Vec3::zeros());
        };
        let load = penalty.load(depth, normal.dot(&velocity));
        let sliding = velocity - normal * normal.dot(&velocity);
        // a point without force in the last step gets a new anchor
        let before =
            find(anchors, &self.key).map_or_else(Vec3::zeros, |s| s - normal * normal.dot(&s) + sliding * dt);
        let (along, stretch) = anchor.hold(&before, &sliding, self.friction * load);
        (normal * load + along, stretch)
    }
}

impl Anchor {
    /// Force along the surface, and what remains of a stretch when friction gives `most` N.
    fn hold(&self, stretch: &Vec3, sliding: &Vec3, most: f64) -> (Vec3, Vec3) {
        let shortened = |force: Vec3| force * (most / force.norm().max(most).max(f64::MIN_POSITIVE));
        let spring = shortened(stretch * -self.stiffness);
        let left = if self.stiffness > 0.0 { spring / -self.stiffness } else { Vec3::zeros() };
        (shortened(spring - sliding * self.damping), left)
    }
}

impl Actor {
    /// Springs at joints beyond their limits, and dry friction.
    fn add_soft_limits(&mut self, penalty: &Penalty, span: f64, share: f64) {
        let Penalty { limit_stiffness, limit_damping, lock_speed, .. } = *penalty;
        let push = |over: f64, rate: f64| {
            if over > 0.0 { (limit_stiffness * over + limit_damping * rate).max(0.0) } else { 0.0 }
        };
        for k in 0..self.limits.len() {
            let limit = self.limits[k];
            let [low, high] = limit.range;
            if limit.ball {
                let (angle, axis) = self.swing(limit.q);
                let spin = Vec3::from_column_slice(&self.v[limit.v..limit.v + 3]);
                let back = axis * -push(angle - high, axis.dot(&spin));
                (0..3).for_each(|i| self.add_joint_force(limit.v + i, back[i], span, share));
            } else {
                let (x, rate) = (self.q[limit.q], self.v[limit.v]);
                let force = push(low - x, -rate) - push(x - high, rate);
                self.add_joint_force(limit.v, force, span, share);
            }
        }
        for k in 0..self.dry.len() {
            let (dof, most) = self.dry[k];
            let rate = self.v[dof];
            self.add_joint_force(dof, -most * rate / rate.abs().max(lock_speed), span, share);
        }
    }

    fn add_joint_force(&mut self, dof: usize, force: f64, span: f64, share: f64) {
        self.work.momentum[dof] += force * span;
        self.work.constraint[dof] += force * share;
    }
}
