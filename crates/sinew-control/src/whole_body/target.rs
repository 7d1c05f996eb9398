//! The target law: from here to there in a given time (de Lasa et al. 2010, equations 6 and 7, sign corrected).
//!
//! An acceleration linear in time takes a coordinate from `(y₀, ẏ₀)` to `(y_T, ẏ_T)`: the cubic Hermite curve. Only its
//! value now is used, and it is computed anew at every tick:
//! ```text
//! a = 6 (y_T − y₀)/T² − (4 ẏ₀ + 2 ẏ_T)/T
//! ```
//! That is a feedback law with stiffness 6/T² and damping 4/T, which must not grow without bound as the time runs out.

use sinew_dynamics::spatial::Vec3;

/// The least time that the law counts with, s.
const LEAST_TIME: f64 = 0.05;

/// Acceleration now that ends at `position` with `velocity` after `time`.
///
/// ```
/// use sinew_control::whole_body::reach;
/// use sinew_dynamics::spatial::Vec3;
/// // half a metre in half a second, from rest to rest
/// let (dt, goal) = (1e-3, Vec3::new(0.5, 0.0, 0.0));
/// let (mut y, mut v) = (Vec3::zeros(), Vec3::zeros());
/// for k in 0..500 {
///     v += reach(&y, &v, &goal, &Vec3::zeros(), 0.5 - k as f64 * dt) * dt;
///     y += v * dt;
/// }
/// assert!((y - goal).norm() < 2e-3);
/// ```
pub fn reach(now: &Vec3, rate: &Vec3, position: &Vec3, velocity: &Vec3, time: f64) -> Vec3 {
    let t = time.max(LEAST_TIME);
    (position - now) * (6.0 / (t * t)) - (rate * 4.0 + velocity * 2.0) / t
}
