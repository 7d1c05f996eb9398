//! Collision of primitive shapes: points where two shapes touch or nearly touch.

/// Re-exported so that users of collisions need no other crate.
pub use sinew_dynamics::Shape;

use sinew_dynamics::spatial::Vec3;

/// A place where two shapes `a` and `b` touch, or come nearer than a margin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touch {
    /// Half-way between the two surfaces, world coordinates, m.
    pub point: Vec3,
    /// Unit normal, from `b` towards `a`.
    pub normal: Vec3,
    /// Gap between the surfaces along the normal, m; negative when they overlap.
    pub distance: f64,
    /// Which features touch: the same from step to step while they go on touching.
    pub feature: u32,
}
