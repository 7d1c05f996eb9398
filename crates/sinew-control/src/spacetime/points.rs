//! Where a foot meets the ground in a plan: the middle of its heel and of its toes, each between two corners of the sole.

use crate::controller::ControlError;
use sinew_dynamics::spatial::Vec3;
use sinew_dynamics::{BodyId, Data, Model, Side};
use sinew_motion::{BodyPoint, FootContacts, Sole};

/// Points with a planned force: left heel, left toes, right heel, right toes.
pub const POINTS: usize = 4;

/// Which points are on the ground in a frame.
pub type Down = [bool; POINTS];

/// The points of a body.
#[derive(Clone, Debug, PartialEq)]
pub struct Points {
    /// Two corners of each point, left before right.
    pub corners: [[BodyPoint; 2]; POINTS],
}

impl Points {
    /// Those of a body with two feet.
    ///
    /// # Errors
    /// When a foot is missing or has no sole.
    pub fn of(model: &Model) -> Result<Points, ControlError> {
        let sole = |side| {
            Sole::of(model, side).ok_or_else(|| ControlError::Body {
                model: model.name().to_owned(),
                what: "two feet with soles".to_owned(),
                remedy: "name the feet in the model's roles and give them shapes (see docs/characters.md)"
                    .to_owned(),
            })
        };
        let (left, right) = (sole(Side::Left)?, sole(Side::Right)?);
        Ok(Points { corners: [left.heel, left.toe, right.heel, right.toe] })
    }

    /// The body that a point is on.
    pub fn body(&self, point: usize) -> BodyId {
        self.corners[point][0].body
    }

    /// A point in its body's frame.
    pub fn local(&self, point: usize) -> Vec3 {
        (self.corners[point][0].at + self.corners[point][1].at) * 0.5
    }

    /// A point in the world, for the frames of the last algorithm.
    pub fn place(&self, model: &Model, data: &Data, point: usize) -> Vec3 {
        data.body_placement(model, self.body(point)).act(&self.local(point))
    }
}

/// Which points are down, frame by frame.
pub fn downs(contacts: &FootContacts) -> Vec<Down> {
    let [heel, toe] = [&contacts.heel, &contacts.toe];
    (0..heel[0].len()).map(|k| [heel[0][k], toe[0][k], heel[1][k], toe[1][k]]).collect()
}

/// The same as contacts of a clip.
pub fn contacts(downs: &[Down]) -> FootContacts {
    let of = |point: usize| downs.iter().map(|d| d[point]).collect::<Vec<bool>>();
    let mut out = FootContacts::none(downs.len());
    (out.heel, out.toe) = ([of(0), of(2)], [of(1), of(3)]);
    out
}
