//! Builds the rows of the solver's problem from contacts, attachments and limits.

use crate::actor::Actor;
use crate::contact_model::ContactModel;
use crate::contacts::{Candidate, Other, frame};
use crate::settings::Settings;
use crate::solver::{Contact, End, Pair, Problem, Side};
use crate::world::World;
use sinew_dynamics::spatial::Vec3;

impl World {
    /// Turns candidates, limits and dry friction into the solver's rows.
    pub(super) fn pose_problem(&mut self) {
        let World { actors, candidates, attachments, problem, settings, .. } = self;
        problem.clear();
        for (i, actor) in actors.iter().enumerate() {
            actor.pose_limits(i, settings, problem);
        }
        for held in attachments.iter() {
            held.attachment.pose(actors, settings, problem, &held.impulses);
        }
        for c in &candidates.list {
            let a = end(actors, problem, c.actor, c.shape, &c.touch.point);
            let b = match c.other {
                Other::Actor(other, shape) => Some(end(actors, problem, other, shape, &c.touch.point)),
                _ => None,
            };
            let pair = Pair { a, b };
            let approach = approach(actors, c);
            let remembered = candidates.remembered(&c.key);
            problem.contacts.push(contact(c, pair, &approach, &remembered, settings));
        }
        for actor in actors.iter_mut() {
            let Actor { model, data, work, .. } = actor;
            work.momentum.copy_from_slice(&work.given);
            data.half_solve_mass_matrix(model, &mut work.momentum);
        }
        // pivoting begins anew in every step
        let pivots = settings.contact != ContactModel::default();
        if pivots {
            problem.forget();
        }
        problem.prepare(actors);
        if pivots {
            problem.prepare_rows(actors);
        }
    }
}

/// Rows for a point of the body that a shape belongs to.
fn end(actors: &[Actor], problem: &mut Problem, i: usize, shape: usize, point: &Vec3) -> End {
    let actor = &actors[i];
    let body = actor.shapes[shape].body;
    let Side { space, velocity, .. } = &mut problem.sides[i];
    velocity.extend(actor.data.point_velocity(&actor.model, body, point).iter());
    End { side: i, row: space.add_point(&actor.model, &actor.data, body, point) }
}

/// Velocity at which the two sides of a touch move at the beginning of the step, the first relative to the second.
pub(super) fn approach(actors: &[Actor], c: &Candidate) -> Vec3 {
    let velocity = |i: usize, shape: usize| {
        let actor = &actors[i];
        actor.data.point_velocity(&actor.model, actor.shapes[shape].body, &c.touch.point)
    };
    match c.other {
        Other::Actor(other, shape) => velocity(c.actor, c.shape) - velocity(other, shape),
        _ => velocity(c.actor, c.shape) - c.ground,
    }
}

/// A contact with the normal velocity that it must at least have after the step.
fn contact(c: &Candidate, pair: Pair, approach: &Vec3, remembered: &Vec3, settings: &Settings) -> Contact {
    let frame = frame(&c.touch.normal);
    let mut bias = frame.tr_mul(&c.ground);
    // a gap may close within the step; an overlap opens slowly
    bias.x += if c.touch.distance > 0.0 {
        -c.touch.distance / settings.dt
    } else {
        let overlap = (-c.touch.distance - settings.slop).max(0.0);
        settings.recovery_rate(overlap)
    };
    let speed = -c.touch.normal.dot(approach);
    if settings.restitution > 0.0 && speed > settings.bounce_speed && speed * settings.dt >= c.touch.distance
    {
        bias.x = bias.x.max(c.ground.dot(&c.touch.normal) + settings.restitution * speed);
    }
    Contact { pair, mu: c.friction, bias, impulse: frame.tr_mul(remembered), frame, own: Default::default() }
}
