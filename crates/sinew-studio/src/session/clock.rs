//! Periodic moments, independent of the time step.

/// Whether a time that is a multiple of `every` seconds was reached by the step of length `dt` that ends at `now`, to the nearest step.
/// At time 0 one is reached.
pub fn reached(now: f64, dt: f64, every: f64) -> bool {
    let count = |time: f64| (time / every).floor();
    count(now + 0.5 * dt) > count(now - 0.5 * dt)
}

#[cfg(test)]
mod tests {
    use super::reached;

    #[test]
    fn every_moment_is_reached_once_at_any_step() {
        for dt in [1e-3_f64, 5e-4, 3e-4, 5e-5, 0.007] {
            let steps = (10.0 / dt).round() as u64;
            let times = (0..=steps).map(|k| k as f64 * dt).filter(|t| reached(*t, dt, 0.02));
            let times: Vec<f64> = times.collect();
            assert_eq!(times.len(), 501, "{dt}");
            assert!(times.iter().enumerate().all(|(k, t)| (t - 0.02 * k as f64).abs() <= 0.501 * dt), "{dt}");
        }
    }
}
