//! Hair and eyes for a head that has a nose, so that one sees at a glance where a person looks.
//!
//! A person's head is an ellipsoid with one small ball, the nose, at its front. Animals of ours have two such balls, their
//! eyes, and keep their heads as they are.

use sinew_dynamics::spatial::Vec3;
use sinew_dynamics::{BodySpec, Geom, Shape};

const HAIR: [f32; 4] = [0.23, 0.16, 0.12, 1.0];
const EYE: [f32; 4] = [0.14, 0.11, 0.09, 1.0];
/// Hair sits behind and above the skull, in parts of its half axes, and is this much wider.
const SHIFT: [f64; 2] = [0.17, 0.12];
const WIDER: [f64; 3] = [1.0, 1.06, 1.01];
/// Eyes are this far to the side and up, rad, and this large in parts of the head's half width, with these half axes.
const ASIDE: f64 = 0.4;
const UP: f64 = 0.06;
const SIZE: f64 = 0.105;
const EYE_HALF: [f64; 3] = [0.5, 0.8, 1.15];

/// Hair, which the skin grows over, and eyes, in the frame of the head; none for heads without a nose.
pub(super) fn face(head: &BodySpec) -> Option<(Geom, [Geom; 2])> {
    let skulls = head.geoms.iter().filter_map(|g| match g.shape {
        Shape::Ellipsoid { half } => Some((g, half)),
        _ => None,
    });
    let (skull, half) = skulls.reduce(|a, b| if b.1.y > a.1.y { b } else { a })?;
    let small = |g: &&Geom| matches!(g.shape, Shape::Sphere { radius } if radius < 0.3 * half.y);
    let mut noses = head.geoms.iter().filter(small);
    let (nose, None) = (noses.next()?, noses.next()) else { return None };
    // turned skulls are not people's
    if skull.quat.w.abs() < 0.999 {
        return None;
    }
    let forward = 1f64.copysign(nose.pos.x - skull.pos.x);
    let part = |half: Vec3, pos: Vec3, rgba| {
        let mut geom = Geom::new(Shape::Ellipsoid { half });
        (geom.pos, geom.rgba) = (pos, rgba);
        geom
    };
    let back = Vec3::new(-SHIFT[0] * half.x * forward, 0.0, SHIFT[1] * half.z);
    let hair = part(half.component_mul(&Vec3::from(WIDER)), skull.pos + back, HAIR);
    let eyes = [1.0, -1.0].map(|side| {
        let (sin, cos) = libm::sincos(ASIDE);
        let level = libm::cos(UP);
        let look = Vec3::new(forward * level * cos, side * level * sin, libm::sin(UP));
        part(Vec3::from(EYE_HALF) * (SIZE * half.y), skull.pos + look.component_mul(&half), EYE)
    });
    Some((hair, eyes))
}
