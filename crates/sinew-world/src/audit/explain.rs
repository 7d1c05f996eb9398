//! Explaining a constraint force by its possible reasons.
//!
//! Reasons are of two kinds: attachments, which may give any combination of the columns of `U` (orthonormal), and limits or
//! dry friction, each a direction `d_j` with a bounded amount `s_j`. What remains of the force `c` at best is
//! ```text
//! min over w, s_j in [low_j, high_j]   | c − U w − Σ s_j d_j |
//! ```
//! With `P = 1 − U Uᵀ` the attachments drop out, `min |P c − Σ s_j P d_j|`, a small convex problem that is swept one `s_j`
//! at a time (Gauss-Seidel, which converges to the minimum). Without attachments one sweep is exact.

use nalgebra::{DMatrix, DVector};

/// A reason with a bounded amount.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Reason {
    /// First degree of freedom, and the direction from there on.
    pub(super) dof: usize,
    pub(super) direction: [f64; 3],
    pub(super) low: f64,
    pub(super) high: f64,
}

impl Reason {
    /// A force on one degree of freedom.
    pub(super) fn on(dof: usize, low: f64, high: f64) -> Reason {
        Reason { dof, direction: [1.0, 0.0, 0.0], low, high }
    }
}

/// Sweeps at most; a handful of reasons needs a few dozen.
const SWEEPS: usize = 1000;

/// Greatest entry of what no reason explains.
pub(super) fn unexplained(force: &[f64], reasons: &[Reason], attachments: Option<&DMatrix<f64>>) -> f64 {
    let outside = |x: DVector<f64>| match attachments {
        Some(u) => &x - u * u.tr_mul(&x),
        None => x,
    };
    let mut left = outside(DVector::from_column_slice(force));
    let direction = |reason: &Reason| {
        let mut d = DVector::zeros(force.len());
        for (k, x) in reason.direction.iter().enumerate().filter(|(_, x)| **x != 0.0) {
            d[reason.dof + k] = *x;
        }
        outside(d)
    };
    let columns: Vec<DVector<f64>> = reasons.iter().map(direction).collect();
    let mut amounts = vec![0.0; reasons.len()];
    for _ in 0..SWEEPS {
        let mut change: f64 = 0.0;
        for ((reason, column), amount) in reasons.iter().zip(&columns).zip(&mut amounts) {
            let square = column.norm_squared();
            // what attachments can give needs no second reason
            if square < 1e-18 {
                continue;
            }
            let next = (*amount + column.dot(&left) / square).clamp(reason.low, reason.high);
            left.axpy(*amount - next, column, 1.0);
            change = change.max((next - *amount).abs());
            *amount = next;
        }
        if change <= 1e-15 * left.amax().max(1e-300) {
            break;
        }
    }
    left.amax()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounded_reasons_by_themselves() {
        let reasons = [Reason::on(0, 0.0, f64::INFINITY), Reason::on(1, -2.0, 2.0)];
        assert_eq!(unexplained(&[5.0, 1.0, 0.0], &reasons, None), 0.0);
        assert_eq!(unexplained(&[-5.0, 1.0, 0.0], &reasons, None), 5.0);
        assert_eq!(unexplained(&[0.0, 3.0, 0.0], &reasons, None), 1.0);
        assert_eq!(unexplained(&[0.0, 0.0, 0.5], &reasons, None), 0.5);
    }

    /// A limit beside an attachment: only together do they explain the force.
    #[test]
    fn attachments_and_limits_together() {
        let half = core::f64::consts::FRAC_1_SQRT_2;
        let grip = DMatrix::from_column_slice(3, 1, &[half, half, 0.0]);
        let limit = [Reason::on(1, 0.0, f64::INFINITY)];
        // 3 (1, 1, 0) of the grip and 4 of the limit
        assert!(unexplained(&[3.0, 7.0, 0.0], &limit, Some(&grip)) < 1e-12);
        // −4 of the limit is not to be had: at best 1 (1, 1, 0) remains wrong by 2
        assert!((unexplained(&[3.0, -1.0, 0.0], &limit, Some(&grip)) - 2.0).abs() < 1e-12);
    }
}
