//! Derivatives of periodic functions by trigonometric interpolation.
//!
//! On N nodes of a period L, with `η = 2π/N` and `δ = j − l`:
//! ```text
//! N even:  D1 = ½ (−1)^δ cot(δη/2),            D2 = −(−1)^δ / (2 sin²(δη/2)),             D2_jj = −N²/12 − 1/6
//! N odd:   D1 = ½ (−1)^δ / sin(δη/2),          D2 = −½ (−1)^δ cot(δη/2) / sin(δη/2),      D2_jj = −(N² − 1)/12
//! ```
//! with zeros on the diagonal of D1, scaled by `2π/L` and its square. For even N `D1² ≠ D2` (the fastest wave), so second derivatives
//! always take D2. Source: Trefethen, *Spectral Methods in MATLAB*, chapter 3.

use std::f64::consts::PI;

/// The N × N matrix of first derivatives on a period, column-major.
///
/// ```
/// use sinew_solve::linear_bellman::first_derivative;
/// let d = first_derivative(4, std::f64::consts::TAU);
/// let sine = [0.0, 1.0, 0.0, -1.0];
/// let slope: f64 = (0..4).map(|l| d[l * 4] * sine[l]).sum();
/// assert!((slope - 1.0).abs() < 1e-14);
/// ```
pub fn first_derivative(nodes: usize, period: f64) -> Vec<f64> {
    let scale = 2.0 * PI / period;
    circulant(nodes, |sign, half| {
        let s = libm::sin(half);
        0.5 * sign * scale * if nodes.is_multiple_of(2) { libm::cos(half) / s } else { 1.0 / s }
    })
}

/// The N × N matrix of second derivatives on a period, column-major.
pub fn second_derivative(nodes: usize, period: f64) -> Vec<f64> {
    let scale = 2.0 * PI / period;
    let n = nodes as f64;
    let even = nodes.is_multiple_of(2);
    let mut d = circulant(nodes, |sign, half| {
        let s = libm::sin(half);
        -0.5 * sign * scale * scale * if even { 1.0 / (s * s) } else { libm::cos(half) / (s * s) }
    });
    let diagonal = if even { -n * n / 12.0 - 1.0 / 6.0 } else { -(n * n - 1.0) / 12.0 };
    (0..nodes).for_each(|j| d[j * nodes + j] = diagonal * scale * scale);
    d
}

/// Entry (j, l) from the sign `(−1)^δ` and the half angle `δη/2`; zeros on the diagonal.
fn circulant(nodes: usize, entry: impl Fn(f64, f64) -> f64) -> Vec<f64> {
    let mut d = vec![0.0; nodes * nodes];
    for l in 0..nodes {
        for j in (0..nodes).filter(|j| *j != l) {
            let delta = j as i64 - l as i64;
            let sign = if delta % 2 == 0 { 1.0 } else { -1.0 };
            d[l * nodes + j] = entry(sign, PI * delta as f64 / nodes as f64);
        }
    }
    d
}
