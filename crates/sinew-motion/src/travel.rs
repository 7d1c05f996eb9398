//! Moves over the ground: a translation and a turn about the vertical, the freedom a motion has on a flat floor.
//!
//! A clip may be put anywhere on the floor and face anywhere without becoming another motion. Joining, looping, blending and
//! comparing clips all begin by taking this freedom out.

use crate::layout::{Layout, quat_at, vec3_at, write_quat, write_vec3};
use sinew_dynamics::spatial::{Quat, Vec3, rotation};

/// A turn about the vertical through the origin, then a translation: `x ↦ R(yaw) x + shift`.
///
/// ```
/// use sinew_dynamics::spatial::Vec3;
/// use sinew_motion::Travel;
/// let quarter = Travel { yaw: std::f64::consts::FRAC_PI_2, shift: Vec3::x() };
/// assert!((quarter.apply(&Vec3::x()) - Vec3::new(1.0, 1.0, 0.0)).norm() < 1e-15);
/// assert!((quarter.power(4).shift).norm() < 1e-15); // four quarter turns lead back
/// assert!((quarter.then(&quarter.inverse()).shift).norm() < 1e-15);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Travel {
    /// About the vertical, rad; left is positive.
    pub yaw: f64,
    /// m.
    pub shift: Vec3,
}

impl Travel {
    /// No move.
    pub const NONE: Travel = Travel { yaw: 0.0, shift: Vec3::new(0.0, 0.0, 0.0) };

    /// The turn alone.
    pub fn turn(&self) -> Quat {
        rotation::exp(&Vec3::new(0.0, 0.0, self.yaw))
    }

    /// A direction, turned.
    pub fn direction(&self, d: &Vec3) -> Vec3 {
        let (c, s) = rotation::cos_sin(self.yaw);
        Vec3::new(c * d.x - s * d.y, s * d.x + c * d.y, d.z)
    }

    /// A point, moved.
    pub fn apply(&self, point: &Vec3) -> Vec3 {
        self.direction(point) + self.shift
    }

    /// First this move, then another.
    pub fn then(&self, next: &Travel) -> Travel {
        Travel { yaw: self.yaw + next.yaw, shift: next.apply(&self.shift) }
    }

    /// The move back.
    pub fn inverse(&self) -> Travel {
        let back = Travel { yaw: -self.yaw, shift: Vec3::zeros() };
        Travel { shift: -back.direction(&self.shift), ..back }
    }

    /// The move done `times` times over; negative: back.
    pub fn power(&self, times: i64) -> Travel {
        let mut square = if times < 0 { self.inverse() } else { *self };
        let (mut all, mut left) = (Travel::NONE, times.unsigned_abs());
        while left > 0 {
            if left & 1 == 1 {
                all = all.then(&square);
            }
            square = square.then(&square);
            left >>= 1;
        }
        all
    }

    /// Turns about the vertical through a point instead of the origin.
    ///
    /// ```
    /// # use sinew_dynamics::spatial::Vec3;
    /// # use sinew_motion::Travel;
    /// let about = Travel::about(&Vec3::new(2.0, 1.0, 0.0), 0.7);
    /// assert!((about.apply(&Vec3::new(2.0, 1.0, 0.5)) - Vec3::new(2.0, 1.0, 0.5)).norm() < 1e-15);
    /// ```
    pub fn about(point: &Vec3, yaw: f64) -> Travel {
        let turn = Travel { yaw, shift: Vec3::zeros() };
        Travel { yaw, shift: point - turn.direction(point) }
    }

    /// The move over the floor from where one root stands to where another does: the heading of the second, and its place
    /// without its height.
    ///
    /// ```
    /// # use sinew_dynamics::characters;
    /// # use sinew_motion::Travel;
    /// let human = characters::load("human")?;
    /// let (here, mut there) = (human.neutral(), human.neutral());
    /// there[0] += 2.0;
    /// assert_eq!(Travel::between(&human, &here, &there).shift.x, 2.0);
    /// # Ok::<(), characters::UnknownCharacter>(())
    /// ```
    pub fn between(model: &sinew_dynamics::Model, from: &[f64], to: &[f64]) -> Travel {
        let Some((q, _)) = crate::layout::free_root(model) else { return Travel::NONE };
        let yaw = angle(heading(&quat_at(to, q + 3)) - heading(&quat_at(from, q + 3)));
        let turned = Travel { yaw, shift: Vec3::zeros() }.direction(&vec3_at(from, q));
        let mut shift = vec3_at(to, q) - turned;
        shift.z = 0.0;
        Travel { yaw, shift }
    }

    /// Moves a whole configuration: the free root goes along, joints stay. Without a free root nothing moves.
    pub fn apply_to(&self, model: &sinew_dynamics::Model, q: &mut [f64]) {
        if let Some((at, _)) = crate::layout::free_root(model) {
            let root = self.apply(&vec3_at(q, at));
            let turn = Quat::new_normalize((self.turn() * quat_at(q, at + 3)).into_inner());
            write_vec3(q, at, &root);
            write_quat(q, at + 3, &turn);
        }
    }

    /// Moves a state: configuration, velocity and acceleration (world axes of the root's translation turn along).
    pub(crate) fn apply_to_state(&self, layout: &Layout, q: &mut [f64], rates: [&mut [f64]; 2]) {
        let Some((at, v)) = layout.root else { return };
        let root = self.apply(&vec3_at(q, at));
        let turn = Quat::new_normalize((self.turn() * quat_at(q, at + 3)).into_inner());
        write_vec3(q, at, &root);
        write_quat(q, at + 3, &turn);
        for rate in rates {
            let turned = self.direction(&vec3_at(rate, v));
            write_vec3(rate, v, &turned);
        }
    }
}

/// Heading of an orientation: the yaw of the turn about the vertical that is nearest to it, rad.
///
/// It is the twist part of the swing-twist decomposition, `2 atan2(z, w)`, smooth unless the body stands on its head.
///
/// ```
/// use sinew_dynamics::spatial::{rotation, Vec3};
/// let lean = rotation::exp(&Vec3::new(0.0, 0.4, 0.0));
/// let turn = rotation::exp(&Vec3::new(0.0, 0.0, 0.7));
/// assert!((sinew_motion::heading(&(turn * lean)) - 0.7).abs() < 1e-15);
/// ```
pub fn heading(orientation: &Quat) -> f64 {
    angle(2.0 * libm::atan2(orientation.k, orientation.w))
}

/// An angle brought into (−π, π].
pub(crate) fn angle(x: f64) -> f64 {
    use core::f64::consts::{PI, TAU};
    let y = x - TAU * libm::floor((x + PI) / TAU);
    if y <= -PI { y + TAU } else { y }
}
