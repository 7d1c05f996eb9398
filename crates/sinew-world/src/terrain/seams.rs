//! Decides which touches of one solid are touches of the whole ground.
//!
//! The ground is the union of solids that lie against and over each other. A touch of solid `S` at the place `p` of its
//! surface, with normal `n`, is one of the union when `n` is a normal of the union there:
//!
//! * `n` is the normal of a **face** of `S`. The place just outside must not be inside another solid `T`. When it is, `p`
//!   is moved out of `T`, by the nearest face of `T` that does not lead back into `S`, and a little farther: if it is then
//!   still on `S`, both faces meet in a hollow corner, as tread and riser do, and the touch is right although the shape reaches a little into both. If not,
//!   the face of `S` ends there: it is the buried side of a seam.
//! * `n` lies between faces, at an **edge** or corner of `S`. A small ball on that side of `p` must not reach into another
//!   solid that meets `S` there: at the seam of two level tops only the vertical is left. Inside a face such a normal does
//!   not count.
//!
//! A shape that leans over a seam may be nearest to leaving `S` by an edge that is not one of the union. When a touch of a
//! box does not count, its faces are asked one by one: points of the shape against the plane of the face, kept where they
//! are over the face.

use super::solid::Solid;
use super::{Heightfield, Terrain};
use crate::collide::{Manifold, Touch, touch_plane};
use sinew_dynamics::Shape;
use sinew_dynamics::spatial::{Placement, Vec3};

/// Just outside a face is this far, m.
const JUST: f64 = 1e-4;
/// Deeper than this in another solid a place is not in a corner, m.
const CORNER: f64 = 0.02;
/// Radius of the ball that tests normals at edges, m.
const BALL: f64 = 1e-3;
/// Solids meet at a place when it is no farther than this from each, m.
const MEETING: f64 = 1e-6;

impl Terrain {
    /// Whether a touch of one solid, or (`None`) of a heightfield, is one of the union.
    pub(super) fn counts(&self, t: &Touch, solid: Option<usize>) -> bool {
        let on = t.point - t.normal * (0.5 * t.distance);
        let own = solid.map(|index| &self.solids[index]);
        let of_face = own.is_none_or(|s| s.has_face(&t.normal));
        if !of_face && !own.is_some_and(|s| s.on_edge(&on)) {
            return false;
        }
        let free = |distance: &dyn Fn(&Vec3) -> f64, way_out: &dyn Fn() -> Option<(f64, Vec3)>| {
            if !of_face {
                let probe = on + t.normal * BALL;
                return distance(&on) > MEETING || distance(&probe) > (1.0 - 1e-6) * BALL;
            }
            if distance(&(on + t.normal * JUST)) > MEETING {
                return true;
            }
            // out of the other, and on along its normal
            way_out().is_some_and(|(depth, out)| {
                depth < CORNER && self.distance(own, &(on + out * (depth.max(0.0) + JUST))) < 0.5 * JUST
            })
        };
        let others = self.near(on.x - BALL, on.x + BALL).filter(|other| Some(*other) != solid);
        for other in others.map(|other| &self.solids[other]) {
            if !free(&|p| other.distance(p), &|| other.way_out(&on, &t.normal)) {
                return false;
            }
        }
        // heightfields do not hide one another
        let above = |field: &Heightfield| (-field.distance(&on), field.normal(on.x, on.y));
        solid.is_none() || self.fields().all(|field| free(&|p| field.distance(p), &|| Some(above(field))))
    }

    /// Distance of a point to a solid, or to the heightfields.
    fn distance(&self, solid: Option<&Solid>, p: &Vec3) -> f64 {
        match solid {
            Some(s) => s.distance(p),
            None => self.fields().map(|f| f.distance(p)).fold(f64::INFINITY, f64::min),
        }
    }
}

/// Touches of a shape with the faces of a box that look towards it, one by one.
pub(super) fn touch_faces(
    solid: &Solid,
    shape: &Shape,
    at: &Placement,
    margin: f64,
    emit: &mut impl FnMut(Touch),
) {
    let Shape::Box { half } = &solid.shape else { return };
    let centre = solid.at.rot.tr_mul(&(at.pos - solid.at.pos));
    let mut found = Manifold::new();
    for k in 0..3 {
        if centre[k].abs() < half[k] {
            continue;
        }
        let normal = solid.at.rot.column(k) * 1.0_f64.copysign(centre[k]);
        found.clear();
        touch_plane(shape, at, &normal, normal.dot(&solid.at.pos) + half[k], margin, &mut found);
        for t in found.iter() {
            let on = solid.at.rot.tr_mul(&(t.point - normal * (0.5 * t.distance) - solid.at.pos));
            if (0..3).all(|i| i == k || on[i].abs() <= half[i] + MEETING) {
                // points of a plane have numbers of their own
                emit(Touch { feature: FACES + 16 * k as u32 + t.feature, ..*t });
            }
        }
    }
}

/// Feature numbers of faces begin here.
const FACES: u32 = 1 << 20;
