//! Grips and welds: bodies held together, or held to the world.

use sinew_dynamics::BodyId;
use sinew_dynamics::spatial::{Quat, Vec3};

/// What holds two bodies together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Attachment {
    /// Actor and body that is held.
    pub a: (usize, BodyId),
    /// Where, in that body's frame, m.
    pub point_a: Vec3,
    /// What it is held by; `None`: the world.
    pub b: Option<(usize, BodyId)>,
    /// Where, in the other body's frame or in the world, m.
    pub point_b: Vec3,
    /// A weld also holds the orientation of `a` in `b`'s frame (or in the world); a grip (`None`) lets it turn.
    pub orientation: Option<Quat>,
}
