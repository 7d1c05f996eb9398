//! Rotations: quaternion, matrix, exponential and logarithm, and the Jacobians between them.
//!
//! Tangent vectors are **right** perturbations in the axes of the rotated frame: `R ⊕ φ = R·exp(φ)`. Trigonometric
//! functions come from `libm`, so that every machine gives the same bits.

use super::{Mat3, Quat, Vec3, skew};
use nalgebra::Quaternion;

/// Below this angle (rad) series replace quotients that would lose digits.
const SMALL: f64 = 1e-4;

/// The rotation matrix of a unit quaternion.
///
/// ```
/// use sinew_dynamics::spatial::{rotation, Vec3};
/// let quarter = rotation::exp(&Vec3::new(0.0, 0.0, core::f64::consts::FRAC_PI_2));
/// assert!((rotation::to_matrix(&quarter) * Vec3::x() - Vec3::y()).norm() < 1e-15);
/// assert!(rotation::from_matrix(&rotation::to_matrix(&quarter)).angle_to(&quarter) < 1e-15);
/// ```
#[inline(always)]
pub fn to_matrix(q: &Quat) -> Mat3 {
    matrix_of_wxyz(q.w, q.i, q.j, q.k)
}

/// The rotation matrix of the unit quaternion `w x y z`.
#[rustfmt::skip]
#[inline(always)]
pub fn matrix_of_wxyz(w: f64, x: f64, y: f64, z: f64) -> Mat3 {
    let (x2, y2, z2) = (x + x, y + y, z + z);
    let (xx, yy, zz) = (x * x2, y * y2, z * z2);
    let (xy, xz, yz) = (x * y2, x * z2, y * z2);
    let (wx, wy, wz) = (w * x2, w * y2, w * z2);
    Mat3::new(
        1.0 - (yy + zz), xy - wz, xz + wy,
        xy + wz, 1.0 - (xx + zz), yz - wx,
        xz - wy, yz + wx, 1.0 - (xx + yy),
    )
}

/// The unit quaternion that stands as `w x y z` at the beginning of a slice, as in a configuration.
///
/// ```
/// use sinew_dynamics::spatial::rotation;
/// assert_eq!(rotation::from_wxyz(&[1.0, 0.0, 0.0, 0.0]), rotation::exp(&Default::default()));
/// ```
///
/// # Panics
/// If the slice has fewer than four numbers.
#[inline(always)]
pub fn from_wxyz(q: &[f64]) -> Quat {
    Quat::new_unchecked(Quaternion::new(q[0], q[1], q[2], q[3]))
}

/// `cos`, `sin` of an angle.
#[inline(always)]
pub fn cos_sin(angle: f64) -> (f64, f64) {
    let (s, c) = libm::sincos(angle);
    (c, s)
}

/// The rotation matrix about a unit axis, given the cosine and sine of the angle (Rodrigues).
///
/// ```
/// use sinew_dynamics::spatial::{rotation, Vec3};
/// let (c, s) = rotation::cos_sin(0.4);
/// let turn = rotation::to_matrix(&rotation::exp(&Vec3::new(0.0, 0.4, 0.0)));
/// assert!((rotation::about_axis(&Vec3::y(), c, s) - turn).norm() < 1e-15);
/// ```
#[rustfmt::skip]
#[inline(always)]
pub fn about_axis(axis: &Vec3, c: f64, s: f64) -> Mat3 {
    let t = 1.0 - c;
    let (x, y, z) = (axis.x, axis.y, axis.z);
    let (tx, ty, tz) = (t * x, t * y, t * z);
    Mat3::new(
        tx * x + c, tx * y - s * z, tx * z + s * y,
        tx * y + s * z, ty * y + c, ty * z - s * x,
        tx * z - s * y, ty * z + s * x, tz * z + c,
    )
}

/// `exp(φ)`: the rotation by angle `|φ|` about `φ`.
///
/// ```
/// use sinew_dynamics::spatial::{rotation, Vec3};
/// let phi = Vec3::new(0.3, -1.2, 0.4);
/// assert!((rotation::log(&rotation::exp(&phi)) - phi).norm() < 1e-15);
/// ```
pub fn exp(phi: &Vec3) -> Quat {
    let half = 0.5 * phi.norm();
    // sin(h)/(2h)
    let k = if half < SMALL { 0.5 - half * half / 12.0 } else { 0.5 * libm::sin(half) / half };
    let v = phi * k;
    Quat::new_normalize(Quaternion::new(libm::cos(half), v.x, v.y, v.z))
}

/// `log(R)`: the rotation vector of least length, angle in `[0, π]`.
pub fn log(q: &Quat) -> Vec3 {
    // q and −q are the same rotation: take the one with w ≥ 0
    let sign = if q.w < 0.0 { -1.0 } else { 1.0 };
    let (w, v) = (q.w * sign, Vec3::new(q.i, q.j, q.k) * sign);
    let n = v.norm();
    if n < SMALL {
        // 2·atan(n/w)/n to fourth order
        let r = n / w;
        return v * (2.0 / w * (1.0 - r * r / 3.0));
    }
    v * (2.0 * libm::atan2(n, w) / n)
}

/// Right Jacobian of the exponential: `exp(φ + δ) ≈ exp(φ)·exp(J_r(φ) δ)`.
///
/// `J_r = 1 − (1−cos θ)/θ² [φ]× + (θ − sin θ)/θ³ [φ]×²`.
///
/// ```
/// use sinew_dynamics::spatial::{rotation, Mat3, Vec3};
/// let phi = Vec3::new(0.3, -1.2, 0.4);
/// let product = rotation::right_jacobian(&phi) * rotation::right_jacobian_inverse(&phi);
/// assert!((product - Mat3::identity()).norm() < 1e-15);
/// ```
pub fn right_jacobian(phi: &Vec3) -> Mat3 {
    let theta2 = phi.norm_squared();
    let theta = theta2.sqrt();
    let (a, b) = if theta < SMALL {
        (0.5 - theta2 / 24.0, 1.0 / 6.0 - theta2 / 120.0)
    } else {
        // 1 − cos θ loses digits for small angles, its half-angle form none
        let half = libm::sin(0.5 * theta);
        (2.0 * half * half / theta2, (theta - libm::sin(theta)) / (theta2 * theta))
    };
    let k = skew(phi);
    Mat3::identity() - k * a + k * k * b
}

/// Inverse of [`right_jacobian`]: `log(exp(φ)·exp(δ)) ≈ φ + J_r⁻¹(φ) δ`, valid for `|φ| < 2π`.
pub fn right_jacobian_inverse(phi: &Vec3) -> Mat3 {
    let theta2 = phi.norm_squared();
    let theta = theta2.sqrt();
    let b = if theta < SMALL {
        1.0 / 12.0 + theta2 / 720.0
    } else {
        let (c, s) = cos_sin(0.5 * theta);
        1.0 / theta2 - c / (2.0 * theta * s)
    };
    let k = skew(phi);
    Mat3::identity() + k * 0.5 + k * k * b
}

/// The unit quaternion of a rotation matrix.
pub fn from_matrix(r: &Mat3) -> Quat {
    // Shepperd: start from the largest of the four squares
    let t = [r.m11 + r.m22 + r.m33, r.m11, r.m22, r.m33];
    let k = (1..4).fold(0, |k, i| if t[i] > t[k] { i } else { k });
    let (w, x, y, z) = match k {
        0 => (1.0 + t[0], r.m32 - r.m23, r.m13 - r.m31, r.m21 - r.m12),
        1 => (r.m32 - r.m23, 1.0 + r.m11 - r.m22 - r.m33, r.m12 + r.m21, r.m13 + r.m31),
        2 => (r.m13 - r.m31, r.m12 + r.m21, 1.0 - r.m11 + r.m22 - r.m33, r.m23 + r.m32),
        _ => (r.m21 - r.m12, r.m13 + r.m31, r.m23 + r.m32, 1.0 - r.m11 - r.m22 + r.m33),
    };
    Quat::new_normalize(Quaternion::new(w, x, y, z))
}
