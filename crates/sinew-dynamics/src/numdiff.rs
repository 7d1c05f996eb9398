//! Central differences: the independent twin of every analytic derivative, for tests and for users' own functions.
//!
//! Errors are of the order `step²` from curvature and `1e-16/step` from rounding; [`STEP`] balances the two. These functions
//! allocate and are not meant for control loops.

use crate::model::Model;

/// Step that loses about as many digits to rounding as to curvature.
pub const STEP: f64 = 1e-6;

/// Derivative of `f(q)` along every tangent direction of the configuration: rows × nv numbers, column-major.
///
/// ```
/// use sinew_dynamics::{characters, center_of_mass, com_jacobian, numdiff, Data};
/// let human = characters::load("human")?;
/// let mut data = Data::new(&human);
/// let q = human.neutral();
/// let mut jacobian = vec![0.0; 3 * human.nv()];
/// com_jacobian(&human, &mut data, &q, &mut jacobian);
/// let by_differences =
///     numdiff::by_configuration(&human, &q, |q| center_of_mass(&human, &mut data, q).as_slice().to_vec());
/// assert!(jacobian.iter().zip(&by_differences).all(|(a, b)| (a - b).abs() < 1e-8));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Panics
/// If `q` does not have `nq` numbers.
pub fn by_configuration(model: &Model, q: &[f64], mut f: impl FnMut(&[f64]) -> Vec<f64>) -> Vec<f64> {
    let mut moved = q.to_vec();
    central(model.nv(), |step| {
        model.integrate(q, step, &mut moved);
        f(&moved)
    })
}

/// Derivative of `f(x)` by every entry of a vector: rows × len numbers, column-major.
///
/// ```
/// use sinew_dynamics::numdiff;
/// let gradient = numdiff::by_vector(&[1.0, 2.0], |x| vec![x[0] * x[0] + 3.0 * x[1]]);
/// assert!((gradient[0] - 2.0).abs() < 1e-8 && (gradient[1] - 3.0).abs() < 1e-8);
/// ```
pub fn by_vector(x: &[f64], mut f: impl FnMut(&[f64]) -> Vec<f64>) -> Vec<f64> {
    central(x.len(), |step| f(&x.iter().zip(step).map(|(x, s)| x + s).collect::<Vec<_>>()))
}

fn central(n: usize, mut at: impl FnMut(&[f64]) -> Vec<f64>) -> Vec<f64> {
    let mut step = vec![0.0; n];
    let mut out = Vec::new();
    for k in 0..n {
        step[k] = STEP;
        let plus = at(&step);
        step[k] = -STEP;
        let minus = at(&step);
        step[k] = 0.0;
        out.extend(plus.iter().zip(&minus).map(|(p, m)| (p - m) / (2.0 * STEP)));
    }
    out
}
