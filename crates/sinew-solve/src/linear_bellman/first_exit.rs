//! Problems that end when a set of states is reached.
//!
//! ```text
//! 0 = a·∇z + ½ tr(CCᵀ∇²z) − (q/λ) z   in Ω,      z = exp(−g/λ) on the exit set
//! ```
//! Stationary: durations drop out, and superposition over exit costs stays exact, so that components of unequal durations can be combined. One
//! joint factorisation gives `z`; with upwind differences the matrix is an M-matrix and `z` is positive.

use super::grid::{DIMENSIONS, Grid};
use super::joint::Matrix;
use super::operator::Operator;
use super::problem::{BellmanError, Problem, Space};
use super::solution::Solution;

/// Solves the stationary equation; `exit` says where the problem ends. [`Problem::end`] is asked there alone, costs are those of time 0.
///
/// ```
/// use sinew_solve::linear_bellman::*;
///
/// /// A particle that pays per second until it leaves [0, 1].
/// struct Leave;
///
/// impl Problem for Leave {
///     fn drift(&self, _: &[f64], a: &mut [f64]) { a[0] = 0.0 }
///     fn spread(&self, _: &[f64], s: &mut [f64]) { s[0] = 1.0 }
///     fn rate(&self, _: &[f64], _: f64) -> f64 { 2.0 }
///     fn end(&self, _: &[f64]) -> f64 { 0.0 }
/// }
///
/// let grid = Grid::new(&[Axis::new(0.0, 1.0, 201, Edge::Reflecting)]);
/// let solution = first_exit(&Leave, &grid, Space::Central, |x| x[0] <= 0.0 || x[0] >= 1.0)?;
/// // ½z″ = 2z: z = cosh(2(x − ½))/cosh 1
/// assert!((solution.value(&[0.5], 0.0) - 1f64.cosh().ln()).abs() < 1e-4);
/// # Ok::<(), BellmanError>(())
/// ```
///
/// # Errors
/// When nothing is an exit, a cost is not finite, the grid is too large, or the matrix singular.
pub fn first_exit(
    problem: &impl Problem,
    grid: &Grid,
    space: Space,
    exit: impl Fn(&[f64]) -> bool,
) -> Result<Solution, BellmanError> {
    if space == Space::Fourier {
        return Err(BellmanError::Settings(
            "exit sets have edges: take upwind or central differences".to_owned(),
        ));
    }
    let mut operator = Operator::new(problem, grid, space)?;
    let (n, d, lambda) = (grid.len(), grid.dimensions(), problem.softness());
    let mut logs = vec![f64::NEG_INFINITY; n];
    let mut x = [0.0; DIMENSIONS];
    let mut fixed = operator.blocked.clone();
    for node in 0..n {
        grid.place(node, &mut x[..d]);
        if !operator.blocked[node] && exit(&x[..d]) {
            logs[node] = -problem.end(&x[..d]) / lambda;
            if !logs[node].is_finite() {
                return Err(BellmanError::NotFinite { what: "the exit cost", place: x[..d].to_vec() });
            }
            fixed[node] = true;
        }
    }
    let scale = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if scale == f64::NEG_INFINITY {
        return Err(BellmanError::Settings("no node of the grid lies in the exit set".to_owned()));
    }
    if (0..d).any(|k| operator.open(k)) {
        let problem = "open edges continue `log z` step by step; a stationary problem needs other edges";
        return Err(BellmanError::Settings(problem.to_owned()));
    }
    // −A z = what flows in from the exits; fixed nodes are rows of the identity
    let mut inflow = vec![0.0; n];
    let mut z: Vec<f64> = logs.iter().map(|l| libm::exp(l - scale)).collect();
    (0..d).for_each(|k| operator.add_axis(k, 1.0, &z, &mut inflow));
    for node in 0..n {
        z[node] = if fixed[node] { z[node] } else { inflow[node] };
        if fixed[node] {
            for stencil in &mut operator.axes {
                (stencil.lower[node], stencil.diagonal[node], stencil.upper[node]) = (0.0, 0.0, 0.0);
            }
            operator.decay[node] = 1.0;
        }
    }
    operator.blocked = fixed;
    let matrix = Matrix::of(&operator, space, true, false)?;
    let mut factors = matrix.shifted(0.0, -1.0).ok_or(BellmanError::Singular)?;
    factors.solve(&mut z);
    Ok(Solution::new(grid, lambda, 0.0, &z, scale))
}
