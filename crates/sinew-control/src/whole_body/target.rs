//! The target law: from here to there in a given time (de Lasa et al. 2010, equations 6 and 7, sign corrected).
//!
//! An acceleration linear in time takes a coordinate from `(y₀, ẏ₀)` to `(y_T, ẏ_T)`: the cubic Hermite curve. Only its
//! value now is used, and it is computed anew at every tick:
//! ```text
//! a = 6 (y_T − y₀)/T² − (4 ẏ₀ + 2 ẏ_T)/T
//! ```
//! That is a feedback law with stiffness 6/T² and damping 4/T, which must not grow without bound as the time runs out.

use sinew_dynamics::spatial::Vec3;

/// Lower bound of the remaining time in the law, s.
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The cubic Hermite curve from `(a, va)` to `(b, vb)` in a time, at a share of it.
    fn hermite([a, va, b, vb]: [&Vec3; 4], time: f64, s: f64) -> Vec3 {
        let (s2, s3) = (s * s, s * s * s);
        a * (2.0 * s3 - 3.0 * s2 + 1.0)
            + va * (time * (s3 - 2.0 * s2 + s))
            + b * (3.0 * s2 - 2.0 * s3)
            + vb * (time * (s3 - s2))
    }

    /// Greatest distance between the curve and a motion under the law, evaluated at every tick.
    fn strays(dt: f64) -> f64 {
        let (time, from, rate) = (0.7, Vec3::new(0.1, -0.3, 0.9), Vec3::new(-0.4, 0.2, 1.0));
        let (to, arrive) = (Vec3::new(0.8, 0.1, 0.7), Vec3::new(1.5, 0.0, -0.6));
        let (mut y, mut v, mut worst) = (from, rate, 0.0_f64);
        for k in 0..((time - LEAST_TIME) / dt) as usize {
            let t = k as f64 * dt;
            worst = worst.max((y - hermite([&from, &rate, &to, &arrive], time, t / time)).norm());
            v += reach(&y, &v, &to, &arrive, time - t) * dt;
            y += v * dt;
        }
        worst
    }

    #[test]
    fn the_law_follows_the_cubic_curve_to_the_first_order_of_the_step() {
        let [coarse, fine] = [1e-3, 1e-4].map(strays);
        assert!(coarse < 2e-3, "{coarse} m");
        assert!((coarse / fine - 10.0).abs() < 1.0, "{coarse} m and {fine} m");
    }
}
