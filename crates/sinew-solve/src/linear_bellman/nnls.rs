//! Non-negative least squares in terms of the normal equations: minimise `½ wᵀAw − bᵀw`, `w ≥ 0`.
//!
//! The active-set method of Lawson and Hanson, *Solving Least Squares Problems* (1974), chapter 23. Components that a positive definite `A`
//! cannot tell apart (goals that repeat) stay out: a column that makes the system of the present set singular is not taken in.

use crate::dense::Cholesky;

/// The weights; `a` is the symmetric n × n matrix of inner products, column-major.
///
/// ```
/// use sinew_solve::linear_bellman::nnls;
/// // without the bound the second weight would be −1
/// assert_eq!(nnls(&[1.0, 0.0, 0.0, 1.0], &[2.0, -1.0]), [2.0, 0.0]);
/// ```
///
/// # Panics
/// When `a` does not hold n² numbers.
pub fn nnls(a: &[f64], b: &[f64]) -> Vec<f64> {
    let n = b.len();
    assert_eq!(a.len(), n * n, "n² inner products");
    let scale = (0..n).map(|i| a[i * n + i]).fold(0.0, f64::max);
    let tolerance = 1e-13 * b.iter().fold(scale, |m, v| m.max(v.abs()));
    let (mut w, mut inside) = (vec![0.0; n], Vec::new());
    let mut refused = vec![false; n];
    for _ in 0..10 * n + 10 {
        // the component whose weight should grow most
        let slope = |i: usize| b[i] - (0..n).map(|j| a[j * n + i] * w[j]).sum::<f64>();
        let free = (0..n).filter(|i| !inside.contains(i) && !refused[*i]);
        let best = free.map(|i| (i, slope(i))).filter(|(_, s)| *s > tolerance);
        let Some((enter, _)) = best.max_by(|x, y| x.1.total_cmp(&y.1)) else { break };
        inside.push(enter);
        if within(a, b, &inside).is_none() {
            inside.pop();
            refused[enter] = true;
            continue;
        }
        while let Some(wanted) = within(a, b, &inside) {
            // as far as the first weight that would become negative, which then leaves
            let blocked = inside.iter().zip(&wanted).filter(|(_, s)| **s <= 0.0);
            let step = blocked.map(|(i, s)| w[*i] / (w[*i] - s)).fold(1.0, f64::min);
            inside.iter().zip(&wanted).for_each(|(i, s)| w[*i] += step * (s - w[*i]));
            if step >= 1.0 && wanted.iter().all(|s| *s > 0.0) {
                break;
            }
            let before = inside.len();
            inside.retain(|i| w[*i] > 1e-15);
            (0..n).filter(|i| !inside.contains(i)).for_each(|i| w[i] = 0.0);
            if inside.len() == before {
                break;
            }
        }
    }
    w
}

/// The solution without bounds in some of the weights; `None` when it is not unique.
fn within(a: &[f64], b: &[f64], inside: &[usize]) -> Option<Vec<f64>> {
    let (n, k) = (b.len(), inside.len());
    let part: Vec<f64> = inside.iter().flat_map(|j| inside.iter().map(move |i| a[j * n + i])).collect();
    let mut x: Vec<f64> = inside.iter().map(|i| b[*i]).collect();
    let mut cholesky = Cholesky::with_capacity(k);
    cholesky.factor(k, &part).ok()?;
    let least = (0..k).map(|i| cholesky.get(i, i)).fold(f64::INFINITY, f64::min);
    let most = (0..k).map(|i| cholesky.get(i, i)).fold(0.0, f64::max);
    (least > 1e-6 * most).then(|| {
        cholesky.solve(&mut x);
        x
    })
}
