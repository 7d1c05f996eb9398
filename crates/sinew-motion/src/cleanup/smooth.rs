//! Curves through corrections: weighted smoothing splines, bridges over gaps, and smooth curves above a requirement.

use crate::transition::ease_out;
use sinew_dynamics::spatial::Vec3;
use sinew_solve::banded::{Band, BandCholesky};

/// Weight of frames without a sample, which follow the straight line between those with one.
const FAINT: f64 = 1e-3;
/// Longest time over which the speed of a correction dies out after a contact, s.
const SPEED_FADES: f64 = 0.12;

/// The smoothing spline `min Σ w_i (x_i − y_i)² + λ Σ (Δ²x_i)²`, −3 dB at `cutoff` Hz where weights are 1.
///
/// `λ = (√2 − 1)/(2 sin(π f_c/f_s))⁴`. Frames of no weight are bridged; without any weight the answer is zero.
pub(super) fn spline(samples: &mut [Vec3], weights: &[f64], rate: f64, cutoff: f64) {
    let n = samples.len();
    let Some(first) = weights.iter().position(|&w| w > 0.0) else {
        samples.fill(Vec3::zeros());
        return;
    };
    // straight lines between samples
    let mut last = first;
    let (start, known) = (samples[first], |i: usize| weights[i] > 0.0);
    samples[..first].fill(start);
    for i in first + 1..n {
        if known(i) {
            let (a, b) = (samples[last], samples[i]);
            for k in last + 1..i {
                samples[k] = a.lerp(&b, (k - last) as f64 / (i - last) as f64);
            }
            last = i;
        }
    }
    let end = samples[last];
    samples[last + 1..].fill(end);
    if n < 3 || !(cutoff < 0.5 * rate) {
        return;
    }
    let gain = 2.0 * libm::sin(core::f64::consts::PI * cutoff / rate);
    let lambda = (core::f64::consts::SQRT_2 - 1.0) / (gain * gain * gain * gain);
    let mut system = Band::new(n, 2, 2);
    (0..n).for_each(|i| system.set(i, i, weights[i].max(FAINT)));
    for k in 0..n - 2 {
        for (i, a) in [1.0, -2.0, 1.0].iter().enumerate() {
            for (j, b) in [1.0, -2.0, 1.0].iter().enumerate() {
                system.add(k + i, k + j, lambda * a * b);
            }
        }
    }
    let mut factor = BandCholesky::new(&system);
    if !factor.factor(&system) {
        return;
    }
    let mut column = vec![0.0; n];
    for axis in 0..3 {
        (0..n).for_each(|i| column[i] = weights[i].max(FAINT) * samples[i][axis]);
        factor.solve(&mut column);
        (0..n).for_each(|i| samples[i][axis] = column[i]);
    }
}

/// Fills frames that are not known from those that are: the value before a gap fades out and the value after it fades in over
/// at most `fade` seconds (over the whole of a shorter gap, which makes it a cubic from one to the other), and the speeds that
/// the values have at both ends, `fastest` at most, die out smoothly.
pub(crate) fn bridge(values: &mut [Vec3], known: &[bool], rate: f64, fade: f64, fastest: f64) {
    let n = values.len();
    let mut at = 0;
    while at < n {
        if known[at] {
            at += 1;
            continue;
        }
        let end = (at..n).find(|&i| known[i]).unwrap_or(n);
        let (before, after) = (at.checked_sub(1), (end < n).then_some(end));
        // the gap's length between the known frames; open ends are as long as a fade
        let gap = match (before, after) {
            (Some(a), Some(b)) => (b - a) as f64 / rate,
            _ => f64::INFINITY,
        };
        let fade = fade.min(gap);
        let speeds = SPEED_FADES.min(0.5 * gap);
        let edge = |edge: Option<usize>, inner: Option<usize>| {
            let edge = edge?;
            let speed =
                inner.filter(|&i| known[i]).map_or(Vec3::zeros(), |i| (values[edge] - values[i]) * rate);
            Some((edge, values[edge], speed.cap_magnitude(fastest)))
        };
        let a = edge(before, before.and_then(|b| b.checked_sub(1)));
        let b = edge(after, after.map(|i| i + 1).filter(|&i| i < n));
        for i in at..end {
            let part = |side: &Option<(usize, Vec3, Vec3)>| {
                let Some((edge, value, speed)) = side else { return Vec3::zeros() };
                let t = i.abs_diff(*edge) as f64 / rate;
                let dies = (1.0 - t / speeds).max(0.0);
                value * ease_out(t / fade) + speed * (t * dies * dies)
            };
            values[i] = part(&a) + part(&b);
        }
        at = end;
    }
}

/// A smooth curve that is, up to rounding, nowhere below `needed`: the greatest value within `reach` seconds, averaged over as long.
pub(super) fn above(needed: &[f64], rate: f64, reach: f64) -> Vec<f64> {
    let n = needed.len();
    let half = libm::round(0.5 * reach * rate).max(1.0) as usize;
    if needed.iter().all(|&x| x <= 0.0) {
        return vec![0.0; n];
    }
    let around = |i: usize, by: usize| i.saturating_sub(by)..(i + by + 1).min(n);
    let greatest: Vec<f64> =
        (0..n).map(|i| needed[around(i, 2 * half)].iter().copied().fold(0.0, f64::max)).collect();
    // twice a mean over half the reach is a smooth bell of the whole
    let mean = |x: &[f64]| -> Vec<f64> {
        let of = |i: usize| {
            let sum: f64 = (0..2 * half + 1).map(|k| x[(i + k).saturating_sub(half).min(n - 1)]).sum();
            sum / (2 * half + 1) as f64
        };
        (0..n).map(of).collect()
    };
    mean(&mean(&greatest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splines_keep_lines_and_bridge_gaps() {
        let line = |i: usize| Vec3::new(0.1 * i as f64, 1.0, -0.2 * i as f64);
        let mut samples: Vec<Vec3> = (0..100).map(line).collect();
        let weights: Vec<f64> = (0..100).map(|i| f64::from(i % 7 < 3)).collect();
        spline(&mut samples, &weights, 100.0, 1.0);
        assert!((0..97).all(|i| (samples[i] - line(i)).norm() < 1e-6));
    }

    #[test]
    fn bridges_meet_both_ends() {
        let mut values = vec![Vec3::zeros(); 20];
        let known: Vec<bool> = (0..20).map(|i| !(5..=14).contains(&i)).collect();
        (0..5).for_each(|i| values[i] = Vec3::x());
        (15..20).for_each(|i| values[i] = Vec3::y());
        bridge(&mut values, &known, 30.0, 10.0, 1e9);
        // a cubic from one to the other, half way in the middle
        assert!((values[9].x + values[10].x - 1.0).abs() < 1e-12 && (values[9] + values[10]).y > 0.99);
        assert!((values[7].x + values[7].y - 1.0).abs() < 1e-12);
    }

    #[test]
    fn curves_above_are_above() {
        let needed: Vec<f64> = (0..200).map(|i| f64::from(i % 50 == 20) * 0.1).collect();
        let above = above(&needed, 100.0, 0.1);
        assert!((0..200).all(|i| above[i] >= needed[i] - 1e-15) && above[45] == 0.0);
    }
}
