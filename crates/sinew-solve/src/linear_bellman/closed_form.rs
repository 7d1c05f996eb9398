//! Closed forms for constant coefficients, against which grids are tested.
//!
//! *Periodic*, one dimension, `h = Σ ĥ_n exp(i k_n x)` with `k_n = 2πn/L`, costs divided by λ:
//! ```text
//! z(x, τ) = Σ ĥ_n exp[(i a k_n − ½σ² k_n² − c) τ + i k_n x]
//! ```
//! Back from the end the reward is moved by `aτ`, blurred, and scaled by `exp(−cτ)`, which leaves the policy as it is.
//!
//! *Quadratic end*, any dimension, diagonal `G`: with `Vⱼ = 1 + Gⱼσⱼ²τ/λ`
//! ```text
//! v(x, τ) = cτ + Σⱼ ½λ log Vⱼ + ½ Gⱼ (xⱼ + aⱼτ − x̄ⱼ)² / Vⱼ
//! ```

use std::f64::consts::TAU;

/// The periodic closed form.
#[derive(Clone, Debug, PartialEq)]
pub struct FourierSeries {
    low: f64,
    period: f64,
    /// `ĥ_n`, real and imaginary part, n ≥ 0, with respect to `low`.
    coefficients: Vec<[f64; 2]>,
}

impl FourierSeries {
    /// Of a real function on `[low, high]`, with a number of waves. Coefficients are sums over eight samples per wave.
    pub fn of(h: impl Fn(f64) -> f64, low: f64, high: f64, waves: usize) -> FourierSeries {
        let samples = 8 * waves.max(1);
        let values: Vec<f64> =
            (0..samples).map(|j| h(low + (high - low) * j as f64 / samples as f64)).collect();
        let coefficient = |n: usize| {
            let [mut re, mut im] = [0.0; 2];
            for (j, v) in values.iter().enumerate() {
                // the angle of n·j modulo a whole turn, so that it stays exact
                let (s, c) = libm::sincos(TAU * ((n * j) % samples) as f64 / samples as f64);
                re += v * c;
                im -= v * s;
            }
            [re / samples as f64, im / samples as f64]
        };
        FourierSeries { low, period: high - low, coefficients: (0..=waves).map(coefficient).collect() }
    }

    /// `ĥ_n` of a wave, real and imaginary part.
    pub fn coefficient(&self, wave: usize) -> [f64; 2] {
        self.coefficients[wave]
    }

    /// `z` and `∂z/∂x` at a time `τ` before the end, for drift `a`, spread `σ²` and rate `c = q/λ`.
    pub fn at(&self, x: f64, tau: f64, drift: f64, spread: f64, rate: f64) -> (f64, f64) {
        let (mut z, mut slope) = (self.coefficients[0][0], 0.0);
        for (n, [re, im]) in self.coefficients.iter().enumerate().skip(1) {
            let k = TAU * n as f64 / self.period;
            let (s, c) = libm::sincos(k * (x - self.low + drift * tau));
            let fade = 2.0 * libm::exp(-0.5 * spread * k * k * tau);
            z += fade * (re * c - im * s);
            slope -= fade * k * (re * s + im * c);
        }
        let scale = libm::exp(-rate * tau);
        (scale * z, scale * slope)
    }
}

/// Constant drift, spread and rate, with the end `½ Σ Gⱼ (xⱼ − x̄ⱼ)²`.
///
/// ```
/// use sinew_solve::linear_bellman::Diffusing;
/// let d = Diffusing { drift: vec![0.0], spread: vec![1.0], stiffness: vec![3.0], target: vec![0.0], rate: 0.0, softness: 1.0 };
/// let z = (-d.value(&[0.5], 1.0)).exp();
/// assert!((z - (1.0f64 + 3.0).powf(-0.5) * (-0.5f64 * 3.0 * 0.25 / 4.0).exp()).abs() < 1e-15);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Diffusing {
    /// a
    pub drift: Vec<f64>,
    /// Diagonal of `CCᵀ`.
    pub spread: Vec<f64>,
    /// G
    pub stiffness: Vec<f64>,
    /// x̄
    pub target: Vec<f64>,
    /// q
    pub rate: f64,
    /// λ
    pub softness: f64,
}

impl Diffusing {
    /// `v` at a time τ before the end.
    pub fn value(&self, x: &[f64], tau: f64) -> f64 {
        let one = |j: usize| {
            let away = x[j] + self.drift[j] * tau - self.target[j];
            let wide = 1.0 + self.stiffness[j] * self.spread[j] * tau / self.softness;
            0.5 * self.softness * libm::log(wide) + 0.5 * self.stiffness[j] * away * away / wide
        };
        self.rate * tau + (0..x.len()).map(one).sum::<f64>()
    }

    /// Writes `∇v`.
    pub fn gradient(&self, x: &[f64], tau: f64, out: &mut [f64]) {
        for j in 0..x.len() {
            let wide = 1.0 + self.stiffness[j] * self.spread[j] * tau / self.softness;
            out[j] = self.stiffness[j] * (x[j] + self.drift[j] * tau - self.target[j]) / wide;
        }
    }
}
