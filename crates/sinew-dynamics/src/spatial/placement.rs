//! A frame in space: rotation and origin.

use super::{Mat3, Quat, Vec3};
use core::ops::Mul;

/// Where a frame is: `x_outer = rot · x_inner + pos`.
///
/// ```
/// use sinew_dynamics::spatial::{Placement, Quat, Vec3};
/// let turned = Placement::new(Quat::from_axis_angle(&Vec3::z_axis(), 1.0), Vec3::new(1.0, 0.0, 0.0));
/// let there_and_back = turned * turned.inverse();
/// assert!((there_and_back.act(&Vec3::x()) - Vec3::x()).norm() < 1e-15);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placement {
    /// Rotation that takes inner axes to outer axes.
    pub rot: Mat3,
    /// Origin of the inner frame, in outer coordinates.
    pub pos: Vec3,
}

impl Placement {
    /// Frames that coincide.
    pub fn identity() -> Placement {
        Placement { rot: Mat3::identity(), pos: Vec3::zeros() }
    }

    /// From an orientation and an origin.
    pub fn new(quat: Quat, pos: Vec3) -> Placement {
        Placement { rot: super::rotation::to_matrix(&quat), pos }
    }

    /// A point of the inner frame in outer coordinates.
    #[inline(always)]
    pub fn act(&self, p: &Vec3) -> Vec3 {
        self.rot * p + self.pos
    }

    /// The outer frame seen from the inner one.
    pub fn inverse(&self) -> Placement {
        let rot = self.rot.transpose();
        Placement { rot, pos: -(rot * self.pos) }
    }
}

impl Mul for Placement {
    type Output = Placement;
    #[inline(always)]
    fn mul(self, inner: Placement) -> Placement {
        Placement { rot: self.rot * inner.rot, pos: self.act(&inner.pos) }
    }
}
