//! A low-pass filter for curves: smoothing splines of order 3, without delay, exact at the ends for parabolas.
//!
//! The same filter as [`Clip::smoothed`](crate::Clip::smoothed), for numbers and points; the equations are there.

use sinew_dynamics::spatial::Vec3;
use sinew_solve::banded::{Band, BandCholesky};

/// Coefficients of the third difference.
const THIRD: [f64; 4] = [-1.0, 3.0, -3.0, 1.0];

/// A filter for curves of one length and rate.
pub(crate) struct LowPass {
    /// None: nothing is filtered.
    factor: Option<BandCholesky>,
    column: Vec<f64>,
}

impl LowPass {
    /// −3 dB at `cutoff` (Hz); half the rate or more leaves curves as they are, and so do fewer than four frames.
    pub(crate) fn new(frames: usize, rate: f64, cutoff: f64) -> LowPass {
        let column = vec![0.0; frames];
        if frames < 4 || !(cutoff < 0.5 * rate) {
            return LowPass { factor: None, column };
        }
        let gain = 2.0 * libm::sin(core::f64::consts::PI * cutoff / rate);
        let lambda = (core::f64::consts::SQRT_2 - 1.0) / libm::pow(gain, 6.0);
        let mut system = Band::new(frames, 3, 3);
        (0..frames).for_each(|i| system.set(i, i, 1.0));
        for k in 0..frames - 3 {
            for (i, a) in THIRD.iter().enumerate() {
                THIRD.iter().enumerate().for_each(|(j, b)| system.add(k + i, k + j, lambda * a * b));
            }
        }
        let mut factor = BandCholesky::new(&system);
        let factor = factor.factor(&system).then_some(factor);
        LowPass { factor, column }
    }

    /// Filters numbers.
    pub(crate) fn numbers(&mut self, curve: &mut [f64]) {
        if let Some(factor) = &mut self.factor {
            factor.solve(curve);
        }
    }

    /// Filters points.
    pub(crate) fn points(&mut self, path: &[Vec3]) -> Vec<Vec3> {
        let mut out = path.to_vec();
        let Some(factor) = &mut self.factor else { return out };
        for axis in 0..3 {
            (0..path.len()).for_each(|i| self.column[i] = path[i][axis]);
            factor.solve(&mut self.column);
            (0..path.len()).for_each(|i| out[i][axis] = self.column[i]);
        }
        out
    }
}

/// A curve through points at `times` as many frames a second: a natural cubic spline.
pub(crate) fn finer(path: &[Vec3], times: usize) -> Vec<Vec3> {
    let n = path.len();
    if times <= 1 || n < 3 {
        return path.to_vec();
    }
    // second derivatives m: m_{i-1} + 4 m_i + m_{i+1} = 6 Δ²x_i, none at the ends
    let mut system = Band::new(n, 1, 1);
    (0..n).for_each(|i| system.set(i, i, if i == 0 || i == n - 1 { 1.0 } else { 4.0 }));
    (1..n - 2).for_each(|i| {
        system.set(i, i + 1, 1.0);
        system.set(i + 1, i, 1.0);
    });
    let mut factor = BandCholesky::new(&system);
    let mut bend = vec![Vec3::zeros(); n];
    if factor.factor(&system) {
        let mut column = vec![0.0; n];
        for axis in 0..3 {
            column.fill(0.0);
            (1..n - 1).for_each(|i| {
                column[i] = 6.0 * (path[i + 1][axis] - 2.0 * path[i][axis] + path[i - 1][axis]);
            });
            factor.solve(&mut column);
            (0..n).for_each(|i| bend[i][axis] = column[i]);
        }
    }
    let at = |k: usize| {
        let (i, u) = (k / times, (k % times) as f64 / times as f64);
        if i + 1 >= n {
            return path[n - 1];
        }
        let w = 1.0 - u;
        path[i] * w + path[i + 1] * u + (bend[i] * (w * w * w - w) + bend[i + 1] * (u * u * u - u)) / 6.0
    };
    (0..(n - 1) * times + 1).map(at).collect()
}

/// Second difference over the square of the frame time; the ends have that of their neighbours.
pub(crate) fn acceleration(curve: &[f64], rate: f64) -> Vec<f64> {
    let n = curve.len();
    if n < 3 {
        return vec![0.0; n];
    }
    let at = |i: usize| {
        let k = i.clamp(1, n - 2);
        (curve[k + 1] - 2.0 * curve[k] + curve[k - 1]) * rate * rate
    };
    (0..n).map(at).collect()
}

/// Frames of a time, at least one.
pub(crate) fn frames(seconds: f64, rate: f64) -> usize {
    libm::round(seconds * rate).max(1.0) as usize
}

/// The least (`f64::min`) or greatest (`f64::max`) value within `half` frames of each frame.
pub(crate) fn running_extreme(x: &[f64], half: usize, of: fn(f64, f64) -> f64) -> Vec<f64> {
    // candidates whose front is the extreme of the window
    let mut queue = std::collections::VecDeque::new();
    let mut next = 0;
    let mut out = Vec::with_capacity(x.len());
    for i in 0..x.len() {
        while next < x.len() && next <= i + half {
            while queue.back().is_some_and(|&k: &usize| of(x[k], x[next]) == x[next]) {
                queue.pop_back();
            }
            queue.push_back(next);
            next += 1;
        }
        while queue.front().is_some_and(|&k| k + half < i) {
            queue.pop_front();
        }
        out.push(queue.front().map_or(x[i], |&k| x[k]));
    }
    out
}
