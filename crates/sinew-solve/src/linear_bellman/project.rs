//! Weights of components for a new goal.
//!
//! Goals are quadratic, `gᵢ = (x − x̄ᵢ)ᵀQᵢ(x − x̄ᵢ)` (without ½, as the thesis writes them), so `hᵢ = exp(−gᵢ/λ)` are Gaussians. The weights
//! minimise `∫ (h̄ − Σ wᵢhᵢ)²` with `w ≥ 0`: `A w = b`, `A_ij = ⟨hᵢ, hⱼ⟩`, `bᵢ = ⟨hᵢ, h̄⟩`. Completing the square, with
//! `Δ = x̄ᵢ − x̄ⱼ` and `S = Qᵢ(Qᵢ + Qⱼ)⁻¹Qⱼ`:
//! ```text
//! ⟨hᵢ, hⱼ⟩ = π^{d/2} det(Qᵢ + Qⱼ)^{−1/2} exp(−ΔᵀSΔ)
//! ```
//! Where all `Q` are equal the factor in front cancels, and they may be singular.
//!
//! *Width.* Two equal components stay one hill only while `ΔᵀQΔ/λ ≤ 2`; goals farther apart give a choice between the two instead of
//! something in between. [`Projection::width`] shows this, and by how much to widen.

use super::nnls::nnls;
use crate::dense::Lu;
use std::f64::consts::PI;

/// A quadratic goal `(x − x̄)ᵀQ(x − x̄)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Goal {
    /// x̄
    pub center: Vec<f64>,
    /// Q, symmetric, column-major.
    pub stiffness: Vec<f64>,
}

impl Goal {
    /// With a diagonal Q.
    pub fn diagonal(center: &[f64], stiffness: &[f64]) -> Goal {
        let n = center.len();
        let mut q = vec![0.0; n * n];
        (0..n).for_each(|i| q[i * n + i] = stiffness[i]);
        Goal { center: center.to_vec(), stiffness: q }
    }
}

/// Weights for a goal, and how well they do.
#[derive(Clone, Debug, PartialEq)]
pub struct Projection {
    /// w
    pub weights: Vec<f64>,
    /// `‖h̄ − Σ wᵢhᵢ‖ / ‖h̄‖`: above 0.3 the combination pursues another goal than was asked for.
    pub residual: f64,
    /// The greatest `ΔᵀQΔ/λ` between a component and its nearest one; above 2 components are a choice, not a range.
    pub width: f64,
    /// Whether least squares without the bound would have had negative weights: the goal lies outside of the components.
    pub outside: bool,
}

impl Projection {
    /// What a user should know, in words.
    pub fn warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        if self.outside {
            let text =
                "the goal lies outside of the components: a weight would be negative and is held at zero";
            warnings.push(text.to_owned());
        }
        let sum: f64 = self.weights.iter().sum();
        if !(0.5..=2.0).contains(&sum) {
            warnings.push(format!("the weights add up to {sum:.3} instead of about 1"));
        }
        if self.residual > 0.3 {
            warnings.push(format!(
                "the components represent the goal with an error of {:.0} %: the combination pursues another one",
                100.0 * self.residual
            ));
        }
        if self.width > 2.0 {
            warnings.push(format!(
                "the components are too far apart to interpolate: scale their goals' stiffness by {:.3}, or add components between",
                2.0 / self.width
            ));
        }
        warnings
    }
}

/// `∫ exp(−(gᵢ + gⱼ)/λ)`; `None` when `Qᵢ + Qⱼ` is singular.
///
/// ```
/// use sinew_solve::linear_bellman::{Goal, inner_product};
/// let bell = Goal::diagonal(&[0.0], &[1.0]);
/// let area = inner_product(&bell, &bell, 1.0).unwrap();
/// assert!((area - (std::f64::consts::PI / 2.0).sqrt()).abs() < 1e-15);
/// ```
///
/// # Panics
/// When sizes differ.
pub fn inner_product(first: &Goal, second: &Goal, softness: f64) -> Option<f64> {
    let n = first.center.len();
    assert!(second.center.len() == n && first.stiffness.len() == n * n && second.stiffness.len() == n * n);
    let sum: Vec<f64> =
        first.stiffness.iter().zip(&second.stiffness).map(|(a, b)| (a + b) / softness).collect();
    let mut lu = Lu::with_capacity(n);
    if !lu.factor(n, &sum) || lu.pivot_ratio() < 1e-14 {
        return None;
    }
    let delta: Vec<f64> = first.center.iter().zip(&second.center).map(|(a, b)| a - b).collect();
    // ΔᵀSΔ = (Qᵢ Δ)ᵀ (Qᵢ + Qⱼ)⁻¹ (Qⱼ Δ)
    let left = times(&first.stiffness, &delta);
    let mut right = times(&second.stiffness, &delta);
    lu.solve(&mut right);
    let exponent: f64 = left.iter().zip(&right).map(|(l, r)| l * r).sum::<f64>() / (softness * softness);
    let determinant = lu.determinant();
    Some(libm::sqrt(libm::pow(PI, n as f64) / determinant) * libm::exp(-exponent))
}

/// Weights of components for a goal.
///
/// ```
/// use sinew_solve::linear_bellman::{Goal, project};
/// let goals = [0.0, 1.0].map(|x| Goal::diagonal(&[x], &[1.0]));
/// let half_way = project(&goals, &Goal::diagonal(&[0.5], &[1.0]), 1.0);
/// assert!((half_way.weights[0] - half_way.weights[1]).abs() < 1e-12 && half_way.residual < 0.2);
/// ```
///
/// # Panics
/// When there are no components, or sizes differ.
pub fn project(components: &[Goal], goal: &Goal, softness: f64) -> Projection {
    let n = components.len();
    assert!(n > 0, "components");
    let equal = components.iter().all(|c| c.stiffness == goal.stiffness);
    let product = |a: &Goal, b: &Goal| match equal {
        true => libm::exp(-0.5 * distance(a, b, softness)),
        false => inner_product(a, b, softness).unwrap_or(0.0),
    };
    let a: Vec<f64> = components.iter().flat_map(|j| components.iter().map(move |i| product(i, j))).collect();
    let b: Vec<f64> = components.iter().map(|c| product(c, goal)).collect();
    let weights = nnls(&a, &b);
    let whole = product(goal, goal);
    let missed = (0..n).fold(whole, |sum, i| {
        let row: f64 = (0..n).map(|j| a[j * n + i] * weights[j]).sum();
        sum + weights[i] * (row - 2.0 * b[i])
    });
    let mut free = b.clone();
    let mut lu = Lu::with_capacity(n);
    let solved = lu.factor(n, &a) && lu.pivot_ratio() > 1e-12;
    if solved {
        lu.solve(&mut free);
    }
    let nearest = |i: usize| {
        let others = (0..n).filter(|j| *j != i).map(|j| distance(&components[i], &components[j], softness));
        others.fold(f64::INFINITY, f64::min)
    };
    let width = (0..n).map(nearest).filter(|d| d.is_finite()).fold(0.0, f64::max);
    Projection {
        residual: libm::sqrt(missed.max(0.0) / whole),
        width,
        outside: solved && free.iter().any(|w| *w < -1e-9),
        weights,
    }
}

/// `ΔᵀQΔ/λ` with the first goal's Q.
fn distance(a: &Goal, b: &Goal, softness: f64) -> f64 {
    let delta: Vec<f64> = a.center.iter().zip(&b.center).map(|(x, y)| x - y).collect();
    times(&a.stiffness, &delta).iter().zip(&delta).map(|(q, d)| q * d).sum::<f64>() / softness
}

fn times(matrix: &[f64], x: &[f64]) -> Vec<f64> {
    let n = x.len();
    (0..n).map(|i| (0..n).map(|j| matrix[j * n + i] * x[j]).sum()).collect()
}
