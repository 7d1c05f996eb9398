//! Explaining a constraint force by its possible reasons.
//!
//! Reasons are of two kinds: attachments, which may give any combination of the columns of `U` (orthonormal), and limits or
//! dry friction, each a direction `d_j` with a bounded amount `s_j`. What remains of the force `c` at best is
//! ```text
//! min over w, s_j in [low_j, high_j]   | c − U w − Σ s_j d_j |
//! ```
//! With `P = 1 − U Uᵀ` the attachments drop out, `min |P c − Σ s_j P d_j|`, least squares with bounds. It is swept one `s_j`
//! at a time (Gauss-Seidel), which is exact at once where directions do not overlap. Where they do, as the limit of a ball joint and
//! its dry friction, sweeps converge slowly; the remainder is then solved by an active-set method (Stark and Parker 1995,
//! *Bounded-variable least squares*), which terminates.

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

/// Sweeps before free amounts are solved for.
const SWEEPS: usize = 20;
/// A direction of descent, over the greatest force, that counts as none; and singular values that do.
const FLAT: f64 = 1e-13;

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
            // remove the part that attachments explain
            if square < 1e-18 {
                continue;
            }
            let next = (*amount + column.dot(&left) / square).clamp(reason.low, reason.high);
            left.axpy(*amount - next, column, 1.0);
            change = change.max((next - *amount).abs());
            *amount = next;
        }
        if change <= 1e-15 * left.amax().max(1e-300) {
            return left.amax();
        }
    }
    let target = outside(DVector::from_column_slice(force));
    least_squares(&target, &columns, reasons, amounts)
}

/// Greatest entry of `c − Σ s_j d_j` at the best amounts within their bounds.
fn least_squares(c: &DVector<f64>, columns: &[DVector<f64>], reasons: &[Reason], mut s: Vec<f64>) -> f64 {
    let useful = |j: usize| columns[j].norm_squared() >= 1e-18;
    let inside = |j: usize, x: f64| x > reasons[j].low && x < reasons[j].high;
    let mut free: Vec<bool> = (0..s.len()).map(|j| useful(j) && inside(j, s[j])).collect();
    let left = |s: &[f64]| columns.iter().zip(s).fold(c.clone(), |left, (d, x)| left - d * *x);
    let scale = c.amax().max(1e-300);
    for _ in 0..10 * (s.len() + 1) {
        // move the free amounts to their solution, as far as their bounds allow
        while free.iter().any(|f| *f) {
            let who: Vec<usize> = (0..s.len()).filter(|j| free[*j]).collect();
            let matrix = DMatrix::from_columns(&who.iter().map(|j| columns[*j].clone()).collect::<Vec<_>>());
            let Ok(by) = matrix.svd(true, true).solve(&left(&s), FLAT) else { break };
            let reach = |(j, by): (&usize, &f64)| {
                let end = if *by > 0.0 { reasons[*j].high } else { reasons[*j].low };
                if *by == 0.0 { f64::INFINITY } else { (end - s[*j]) / by }
            };
            let share = who.iter().zip(by.iter()).map(reach).fold(1.0, f64::min);
            for (j, by) in who.iter().zip(by.iter()) {
                s[*j] = (s[*j] + share * by).clamp(reasons[*j].low, reasons[*j].high);
                free[*j] = inside(*j, s[*j]);
            }
            if share >= 1.0 {
                break;
            }
        }
        let rest = left(&s);
        let gain = |j: usize| {
            let slope = columns[j].dot(&rest);
            let open = if slope > 0.0 { s[j] < reasons[j].high } else { s[j] > reasons[j].low };
            (useful(j) && !free[j] && open).then_some(slope.abs())
        };
        let best = (0..s.len()).filter_map(|j| Some((j, gain(j)?))).max_by(|a, b| a.1.total_cmp(&b.1));
        match best.filter(|(_, gain)| *gain > FLAT * scale) {
            Some((j, _)) => free[j] = true,
            None => break,
        }
    }
    left(&s).amax()
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

    /// The limit of a ball joint nearly along one of its axes, and dry friction about all of them: sweeps alone creep.
    #[test]
    fn a_ball_at_its_limit_that_rubs() {
        let d = nalgebra::Vector3::new(-0.0388, 0.02215, 0.999).normalize();
        let limit = Reason { dof: 0, direction: d.into(), low: 0.0, high: f64::INFINITY };
        let rubs = |dof, low, high| Reason::on(dof, low, high);
        for friction in [[-0.5, -0.5, 0.5], [-0.5, -0.2, 0.1], [-0.1, -0.5, 0.5]] {
            let force = d * 1.35 + nalgebra::Vector3::from(friction);
            let reasons = [limit, rubs(0, -0.5, 0.0), rubs(1, -0.5, 0.0), rubs(2, 0.0, 0.5)];
            assert!(unexplained(force.as_slice(), &reasons, None) < 1e-12);
            // 0.3 more is what friction has left there, or drives
            let more = force + nalgebra::Vector3::new(0.3, 0.0, 0.0);
            let left = unexplained(more.as_slice(), &reasons, None);
            assert!(if friction[0] < -0.3 { left < 1e-12 } else { left > 0.1 }, "{friction:?}: {left}");
        }
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
