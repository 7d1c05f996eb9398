//! Random numbers and matrices for the tests, from a seed.
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

pub(crate) struct Random(Pcg64Mcg);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(Pcg64Mcg::seed_from_u64(seed))
    }

    /// Uniform in [−1, 1).
    pub(crate) fn number(&mut self) -> f64 {
        self.0.random::<f64>() * 2.0 - 1.0
    }

    /// Uniform in 0..n.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0.random_range(0..n)
    }

    pub(crate) fn vector(&mut self, n: usize) -> Vec<f64> {
        (0..n).map(|_| self.number()).collect()
    }

    /// `scale · GGᵀ/n + shift·I` with a random n × rank matrix G.
    pub(crate) fn semidefinite(&mut self, n: usize, rank: usize, scale: f64, shift: f64) -> Vec<f64> {
        let g = self.vector(n * rank);
        let mut out = vec![0.0; n * n];
        for j in 0..n {
            for i in 0..n {
                let sum: f64 = (0..rank).map(|k| g[i + k * n] * g[j + k * n]).sum();
                out[i + j * n] = scale * sum / n as f64 + if i == j { shift } else { 0.0 };
            }
        }
        out
    }
}

/// Largest difference of two slices.
pub(crate) fn distance(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter()
        .zip(b)
        .fold(0.0, |m, (x, y)| if (x - y).abs() > m || (x - y).is_nan() { (x - y).abs() } else { m })
}
