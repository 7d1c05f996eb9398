//! Grips and welds: bodies held together, or held to the world.

use crate::actor::Actor;
use crate::settings::Settings;
use crate::solver::{End, Pair, Problem, Tie};
use sinew_dynamics::spatial::{Mat3, Placement, Quat, Vec3, rotation};
use sinew_dynamics::{BodyId, Model, Tie as ModelTie};

/// A connection of two bodies, or of a body and the world. Connected bodies do not collide with each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Attachment {
    /// Actor and body that is held.
    pub a: (usize, BodyId),
    /// Where, in that body's frame, m.
    pub point_a: Vec3,
    /// The other actor and body; `None`: the world.
    pub b: Option<(usize, BodyId)>,
    /// Where, in the other body's frame or in the world, m.
    pub point_b: Vec3,
    /// A weld also holds the orientation of `a` in `b`'s frame (or in the world); a grip (`None`) lets it turn.
    pub orientation: Option<Quat>,
}

/// An attachment and the impulses that held it in the last step.
#[derive(Clone, Debug)]
pub(crate) struct Holding {
    pub(crate) attachment: Attachment,
    pub(crate) impulses: [Vec3; 2],
}

impl Attachment {
    /// The attachment for a tie of a model; `None` when the model has no such bodies.
    pub(crate) fn of(actor: usize, model: &Model, tie: &ModelTie) -> Option<Attachment> {
        let body = |name: &str| Some((actor, model.body(name)?));
        let b = match &tie.other {
            Some(name) => Some(body(name)?),
            None => None,
        };
        let (point_a, point_b) = (tie.point, tie.point_other);
        Some(Attachment { a: body(&tie.body)?, point_a, b, point_b, orientation: tie.orientation })
    }

    /// The ties of this attachment, with rows for them added to the problem: the points, then the orientations.
    pub(crate) fn pose(
        &self,
        actors: &[Actor],
        settings: &Settings,
        problem: &mut Problem,
        last: &[Vec3; 2],
    ) {
        let weld = self.orientation.is_some();
        let (at_a, a) = rows(actors, problem, self.a, &self.point_a, weld);
        let (at_b, b) = match self.b {
            Some(b) => {
                let (at, end) = rows(actors, problem, b, &self.point_b, weld);
                (at, Some(end))
            }
            None => (Placement { rot: Mat3::identity(), pos: self.point_b }, None),
        };
        // drift is corrected slowly
        let pull = |error: Vec3| {
            let speed = error * (-settings.recovery / settings.dt);
            speed * (settings.recovery_speed / speed.norm().max(settings.recovery_speed))
        };
        let tie = |a: End, b: Option<End>, error: Vec3, impulse: Vec3| Tie {
            pair: Pair { a, b },
            bias: pull(error),
            impulse,
            own: Default::default(),
        };
        problem.ties.push(tie(a, b, at_a.pos - at_b.pos, last[0]));
        if let Some(orientation) = self.orientation {
            let wanted = at_b.rot * rotation::to_matrix(&orientation);
            let error = rotation::log(&rotation::from_matrix(&(at_a.rot * wanted.transpose())));
            let turning = |e: End| End { row: e.row + 3, ..e };
            problem.ties.push(tie(turning(a), b.map(turning), error, last[1]));
        }
    }
}

/// Frame at a point of a body, and rows for the point (and the body's orientation) in the problem.
fn rows(
    actors: &[Actor],
    problem: &mut Problem,
    of: (usize, BodyId),
    point: &Vec3,
    weld: bool,
) -> (Placement, End) {
    let (side, body) = of;
    let actor = &actors[side];
    let placement = actor.data.body_placement(&actor.model, body);
    let at = Placement { rot: placement.rot, pos: placement.act(point) };
    let s = &mut problem.sides[side];
    s.velocity.extend(actor.data.point_velocity(&actor.model, body, &at.pos).iter());
    let row = if weld {
        s.velocity.extend(actor.data.angular_velocity(&actor.model, body).iter());
        s.space.add_body(&actor.model, &actor.data, body, &at.pos)
    } else {
        s.space.add_point(&actor.model, &actor.data, body, &at.pos)
    };
    (at, End { side, row })
}
