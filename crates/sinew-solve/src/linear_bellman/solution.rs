//! The solution: `log z` on a grid at several times, with value and gradient at any point.
//!
//! Gradients are central differences of `log z`, exact for quadratic values and safe where `z` is tiny; between nodes and slices they are
//! interpolated ([`Simplex`], linear in time). Where `z` was lost (an obstacle, an absorbing edge, a negative value) the value is
//! infinite, and gradients are taken from the other side.

use super::grid::{DIMENSIONS, Grid};
use super::kuhn::Simplex;

/// `log z` at several times. See [`solve`](super::solve).
#[derive(Clone, Debug)]
pub struct Solution {
    grid: Grid,
    lambda: f64,
    /// From the end to the start.
    times: Vec<f64>,
    slices: Vec<Vec<f64>>,
}

impl Solution {
    pub(super) fn new(grid: &Grid, lambda: f64, horizon: f64, z: &[f64], log_scale: f64) -> Solution {
        let mut solution = Solution { grid: grid.clone(), lambda, times: Vec::new(), slices: Vec::new() };
        solution.keep(horizon, z, log_scale);
        solution
    }

    pub(super) fn keep(&mut self, t: f64, z: &[f64], log_scale: f64) {
        let log = |z: &f64| if *z > 0.0 { libm::log(*z) + log_scale } else { f64::NEG_INFINITY };
        self.times.push(t);
        self.slices.push(z.iter().map(log).collect());
    }

    /// A solution from values `v` at given times, last one first: of value iteration, or of another program.
    ///
    /// # Panics
    /// When there is no slice, or lengths or the order of times are wrong.
    pub fn from_values(grid: &Grid, lambda: f64, slices: Vec<(f64, Vec<f64>)>) -> Solution {
        assert!(!slices.is_empty() && slices.windows(2).all(|w| w[0].0 > w[1].0), "times fall");
        assert!(slices.iter().all(|(_, v)| v.len() == grid.len()), "a value for every node");
        let (times, values): (Vec<f64>, Vec<Vec<f64>>) = slices.into_iter().unzip();
        let slices = values.iter().map(|v| v.iter().map(|v| -v / lambda).collect()).collect();
        Solution { grid: grid.clone(), lambda, times, slices }
    }

    /// The grid.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// λ
    pub fn softness(&self) -> f64 {
        self.lambda
    }

    /// The times that are kept, from the end to the start.
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// `log z` of a slice; `−∞` where `z` is not positive.
    pub fn log_z(&self, slice: usize) -> &[f64] {
        &self.slices[slice]
    }

    /// `log z` at the start.
    pub fn first(&self) -> &[f64] {
        self.slices.last().map_or(&[], Vec::as_slice)
    }

    /// Memory of the slices, bytes.
    pub fn bytes(&self) -> usize {
        8 * self.grid.len() * self.slices.len()
    }

    /// The slices around a time, with the weight of the second.
    fn around(&self, t: f64) -> (usize, usize, f64) {
        let later = self.times.partition_point(|kept| *kept > t);
        let (a, b) = (later.saturating_sub(1), later.min(self.times.len() - 1));
        let span = self.times[a] - self.times[b];
        let share = if span > 0.0 { ((self.times[a] - t) / span).clamp(0.0, 1.0) } else { 0.0 };
        (a, b, share)
    }

    /// `v(x, t)`
    pub fn value(&self, x: &[f64], t: f64) -> f64 {
        let simplex = Simplex::around(&self.grid, x);
        let (a, b, share) = self.around(t);
        let (near, far) = (simplex.of(&self.slices[a]), simplex.of(&self.slices[b]));
        // an end of infinite cost counts only where it has weight
        let log = match share {
            0.0 => near,
            1.0 => far,
            _ => near + share * (far - near),
        };
        -self.lambda * log
    }

    /// Writes `∇v(x, t)`; the policy is `−R⁻¹Bᵀ∇v`.
    pub fn gradient(&self, x: &[f64], t: f64, out: &mut [f64]) {
        let d = self.grid.dimensions();
        let simplex = Simplex::around(&self.grid, x);
        let (a, b, share) = self.around(t);
        out[..d].fill(0.0);
        let mut slope = [0.0; DIMENSIONS];
        for (slice, weight) in [(a, 1.0 - share), (b, share)] {
            for (node, w) in simplex.iter().filter(|(_, w)| weight * w > 0.0) {
                self.slope(slice, node, &mut slope[..d]);
                (0..d).for_each(|k| out[k] -= self.lambda * weight * w * slope[k]);
            }
        }
    }

    /// Gradient of `log z` at a node.
    pub fn slope(&self, slice: usize, node: usize, out: &mut [f64]) {
        let l = &self.slices[slice];
        for (k, axis) in self.grid.axes().iter().enumerate() {
            let (stride, place, dx) = (self.grid.stride(k), self.grid.along(node, k), axis.spacing());
            let known = |other: Option<usize>| {
                let value = l[node - place * stride + other? * stride];
                value.is_finite().then_some(value)
            };
            let (before, after) = (axis.before(place), axis.after(place));
            let here = known(Some(place));
            out[k] = match (known(before), here, known(after)) {
                (Some(b), _, Some(a)) => (a - b) / (2.0 * dx),
                // three nodes of one side, exact for parabolas
                (None, Some(h), Some(a)) => match known(after.and_then(|n| axis.after(n))) {
                    Some(aa) => (-3.0 * h + 4.0 * a - aa) / (2.0 * dx),
                    None => (a - h) / dx,
                },
                (Some(b), Some(h), None) => match known(before.and_then(|n| axis.before(n))) {
                    Some(bb) => (3.0 * h - 4.0 * b + bb) / (2.0 * dx),
                    None => (h - b) / dx,
                },
                _ => 0.0,
            };
        }
    }
}
