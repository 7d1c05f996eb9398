//! The same problem by dynamic programming in `v`, for comparison.
//!
//! ```text
//! v(x, t) = min_u  h (q + ½uᵀRu) + E v(x + h(a + Bu) + √h C ξ, t + h)
//! ```
//! The expectation is a sum over `ξ = ±1` in every channel of noise (2^m points), values between nodes come from [`Simplex`], `u` from a grid
//! of choices or from the gradient, `u = −R⁻¹Bᵀ∇v`. Leaving out the noise solves another problem. A step that moves the state by less
//! than a cell smears `v` over neighbours; [`Iterated::courant`] is the greatest move in cells, which explicit schemes keep below one.

use super::grid::{DIMENSIONS, Grid};
use super::kuhn::Simplex;
use super::problem::{BellmanError, Problem};
use super::solution::Solution;

/// A [`Problem`] with its controls.
pub trait Controlled: Problem {
    /// m
    fn controls(&self) -> usize;

    /// Writes `B(x)`, d × m, column-major.
    fn input(&self, x: &[f64], b: &mut [f64]);

    /// The diagonal entry of R of a control.
    fn effort(&self, control: usize) -> f64 {
        let _ = control;
        1.0
    }
}

/// Where the least is sought.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Choices {
    /// Among a number of values per control, evenly from −most to most.
    Grid {
        /// The greatest.
        most: f64,
        /// How many.
        values: usize,
    },
    /// `−R⁻¹Bᵀ∇v`, held to ±most.
    Gradient {
        /// The greatest.
        most: f64,
    },
}

/// A solution by value iteration.
#[derive(Clone, Debug)]
pub struct Iterated {
    /// Values at the start and at the end alone.
    pub solution: Solution,
    /// The greatest move of a step, in cells.
    pub courant: f64,
}

const CONTROLS: usize = 4;

/// Solves by value iteration, from T to 0 in `steps` steps; every `keep` steps the values are kept.
///
/// # Errors
/// When there are more than four controls, or a cost is not finite.
pub fn value_iteration(
    problem: &impl Controlled,
    grid: &Grid,
    (horizon, steps, keep): (f64, usize, usize),
    choices: Choices,
    noisy: bool,
) -> Result<Iterated, BellmanError> {
    let (n, d, m) = (grid.len(), grid.dimensions(), problem.controls());
    if m == 0 || m > CONTROLS || steps == 0 || keep == 0 {
        let problem = format!("value iteration takes one to {CONTROLS} controls, and at least one step");
        return Err(BellmanError::Settings(problem));
    }
    let h = horizon / steps as f64;
    let lambda = problem.softness();
    let mut x = [0.0; DIMENSIONS];
    let mut now = vec![0.0; n];
    for (node, v) in now.iter_mut().enumerate() {
        grid.place(node, &mut x[..d]);
        *v = if problem.blocked(&x[..d]) { f64::INFINITY } else { problem.end(&x[..d]) };
    }
    let mut kept = vec![(horizon, now.clone())];
    let mut next = now.clone();
    let mut courant = 0.0f64;
    for step in 0..steps {
        let t = horizon - (step + 1) as f64 * h;
        let gradients = matches!(choices, Choices::Gradient { .. })
            .then(|| Solution::from_values(grid, lambda, vec![(0.0, next.clone())]));
        for node in 0..n {
            grid.place(node, &mut x[..d]);
            let x = &x[..d];
            if problem.blocked(x) {
                now[node] = f64::INFINITY;
                continue;
            }
            let (mut a, mut b) = ([0.0; DIMENSIONS], [0.0; DIMENSIONS * CONTROLS]);
            problem.drift(x, &mut a[..d]);
            problem.input(x, &mut b[..d * m]);
            let place = Place { problem, grid, x, a: &a[..d], b: &b[..d * m], h, noisy };
            let q = problem.rate(x, t + 0.5 * h);
            let mut least = f64::INFINITY;
            let mut try_control = |u: &[f64]| {
                let (expected, moved) = place.expect(u, &next);
                courant = courant.max(moved);
                let effort: f64 = u.iter().enumerate().map(|(k, u)| 0.5 * problem.effort(k) * u * u).sum();
                least = least.min(h * (q + effort) + expected);
            };
            match choices {
                Choices::Gradient { most } => {
                    let mut slope = [0.0; DIMENSIONS];
                    if let Some(solution) = &gradients {
                        solution.slope(0, node, &mut slope[..d]);
                    }
                    // the slope of log z is −∇v/λ
                    let mut u = [0.0; CONTROLS];
                    for k in 0..m {
                        let pull: f64 = (0..d).map(|i| b[k * d + i] * lambda * slope[i]).sum();
                        u[k] = (pull / problem.effort(k)).clamp(-most, most);
                    }
                    try_control(&u[..m]);
                }
                Choices::Grid { most, values } => {
                    for choice in 0..values.pow(m as u32) {
                        let mut u = [0.0; CONTROLS];
                        let mut rest = choice;
                        for u in &mut u[..m] {
                            *u = most * (2.0 * (rest % values) as f64 / (values - 1).max(1) as f64 - 1.0);
                            rest /= values;
                        }
                        try_control(&u[..m]);
                    }
                }
            }
            now[node] = least;
        }
        // `next` is what comes after the step before
        std::mem::swap(&mut now, &mut next);
        if (step + 1) % keep == 0 || step + 1 == steps {
            kept.push((t.max(0.0), next.clone()));
        }
    }
    Ok(Iterated { solution: Solution::from_values(grid, lambda, kept), courant })
}

struct Place<'a, P> {
    problem: &'a P,
    grid: &'a Grid,
    x: &'a [f64],
    a: &'a [f64],
    b: &'a [f64],
    h: f64,
    noisy: bool,
}

impl<P: Controlled> Place<'_, P> {
    /// The expected value after a step with `u`, and how far it moves, in cells.
    fn expect(&self, u: &[f64], values: &[f64]) -> (f64, f64) {
        let (d, m) = (self.x.len(), u.len());
        let mut mean = [0.0; DIMENSIONS];
        let mut moved = 0.0f64;
        for i in 0..d {
            let push: f64 = (0..m).map(|k| self.b[k * d + i] * u[k]).sum();
            let step = self.h * (self.a[i] + push);
            moved = moved.max(step.abs() / self.grid.axes()[i].spacing());
            mean[i] = self.x[i] + step;
        }
        if !self.noisy {
            return (Simplex::around(self.grid, &mean[..d]).of(values), moved);
        }
        // C = √λ B R^{−1/2}
        let jump = |k: usize| libm::sqrt(self.h * self.problem.softness() / self.problem.effort(k));
        let mut sum = 0.0;
        for signs in 0..1usize << m {
            let mut at = mean;
            for k in 0..m {
                let xi = if signs >> k & 1 == 0 { jump(k) } else { -jump(k) };
                (0..d).for_each(|i| at[i] += self.b[k * d + i] * xi);
            }
            sum += Simplex::around(self.grid, &at[..d]).of(values);
        }
        (sum / (1usize << m) as f64, moved)
    }
}
