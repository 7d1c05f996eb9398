//! The algebra of rigid motion: three-vectors, rotations, placements and rigid-body inertia.
//!
//! Everything is f64, right-handed, in SI units. Six-dimensional spatial matrices never appear: a rigid inertia is ten
//! numbers, a placement is a rotation and a point, and the recursions work on three-vectors in world axes.

mod inertia;
mod placement;
pub mod rotation;
mod sym3;

pub use inertia::Inertia;
pub use placement::Placement;
pub use sym3::Sym3;

/// A vector of three numbers.
pub type Vec3 = nalgebra::Vector3<f64>;
/// A 3×3 matrix.
pub type Mat3 = nalgebra::Matrix3<f64>;
/// A unit quaternion; in the state it is laid out `w x y z`.
pub type Quat = nalgebra::UnitQuaternion<f64>;

/// The matrix `[v]×` with `[v]× u = v × u`.
///
/// ```
/// use sinew_dynamics::spatial::{skew, Vec3};
/// let (v, u) = (Vec3::new(1.0, 2.0, 3.0), Vec3::new(-1.0, 0.5, 2.0));
/// assert_eq!(skew(&v) * u, v.cross(&u));
/// ```
#[inline(always)]
pub fn skew(v: &Vec3) -> Mat3 {
    Mat3::new(0.0, -v.z, v.y, v.z, 0.0, -v.x, -v.y, v.x, 0.0)
}
