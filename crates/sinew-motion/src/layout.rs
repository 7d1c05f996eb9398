//! Where the numbers that add and the quaternions are in a configuration, and reading and writing them.
//!
//! A configuration is a product of lines and rotations. Splines, filters and blends treat the two kinds apart; this table is
//! made once and walked without looking at joints again.

use nalgebra::Quaternion;
use sinew_dynamics::spatial::{Quat, Vec3};
use sinew_dynamics::{JointKind, Model};

/// Indices in `q` and `v` of all coordinates that add and of all quaternions.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    /// `(q, v)` of each number.
    pub(crate) numbers: Vec<(usize, usize)>,
    /// `(q, v)` of the beginning of each quaternion and of its angular velocity.
    pub(crate) turns: Vec<(usize, usize)>,
    /// `(q, v)` of the free root, if there is one.
    pub(crate) root: Option<(usize, usize)>,
}

impl Layout {
    pub(crate) fn new(model: &Model) -> Layout {
        let (mut numbers, mut turns) = (Vec::new(), Vec::new());
        for joint in model.joints() {
            match joint.kind {
                JointKind::Free => {
                    numbers.extend((0..3).map(|k| (joint.q + k, joint.v + k)));
                    turns.push((joint.q + 3, joint.v + 3));
                }
                JointKind::Ball => turns.push((joint.q, joint.v)),
                _ => numbers.push((joint.q, joint.v)),
            }
        }
        Layout { numbers, turns, root: free_root(model) }
    }
}

/// `(q, v)` of a model's first free joint.
pub(crate) fn free_root(model: &Model) -> Option<(usize, usize)> {
    model.free_root().map(|joint| (joint.q, joint.v))
}

/// The quaternion `w x y z` at an index.
#[inline]
pub(crate) fn quat_at(q: &[f64], at: usize) -> Quat {
    Quat::new_unchecked(Quaternion::new(q[at], q[at + 1], q[at + 2], q[at + 3]))
}

/// The three numbers at an index.
#[inline]
pub(crate) fn vec3_at(x: &[f64], at: usize) -> Vec3 {
    Vec3::new(x[at], x[at + 1], x[at + 2])
}

/// Writes a quaternion as `w x y z`.
#[inline]
pub(crate) fn write_quat(q: &mut [f64], at: usize, turn: &Quat) {
    q[at..at + 4].copy_from_slice(&[turn.w, turn.i, turn.j, turn.k]);
}

/// Writes three numbers.
#[inline]
pub(crate) fn write_vec3(x: &mut [f64], at: usize, v: &Vec3) {
    x[at..at + 3].copy_from_slice(v.as_slice());
}
