//! Sweeps over all constraints, each solved exactly in turn.
//!
//! A block Gauss-Seidel iteration: every constraint takes the velocities that all others left and corrects its own impulse.
//! Sweeps go forwards and backwards in turn. From the impulses of the last step a body at rest needs one sweep to see that
//! nothing changed.

use super::cone::solve_contact;
use super::{Problem, SolveReport};
use sinew_dynamics::spatial::Vec3;

/// Sweeps until no constraint's velocity changes by more than `tolerance`, or `most` sweeps are done.
pub(crate) fn solve(problem: &mut Problem, tolerance: f64, most: usize) -> SolveReport {
    let mut report = SolveReport { iterations: 0, residual: 0.0, converged: true };
    let (nb, nw, nc) = (problem.bounded.len(), problem.welds.len(), problem.contacts.len());
    if nb + nw + nc == 0 {
        return report;
    }
    while report.iterations < most {
        let mut worst: f64 = 0.0;
        let backwards = report.iterations % 2 == 1;
        let order = |k: usize, n: usize| if backwards { n - 1 - k } else { k };
        for k in 0..nw {
            worst = worst.max(sweep_weld(problem, order(k, nw)));
        }
        for k in 0..nb {
            worst = worst.max(sweep_bounded(problem, order(k, nb)));
        }
        for k in 0..nc {
            worst = worst.max(sweep_contact(problem, order(k, nc)));
        }
        report.iterations += 1;
        report.residual = worst;
        report.converged = worst <= tolerance;
        if report.converged {
            break;
        }
    }
    report
}

#[inline(always)]
fn sweep_contact(problem: &mut Problem, k: usize) -> f64 {
    let c = &problem.contacts[k];
    let mut relative = problem.velocity(&c.a);
    if let Some(b) = &c.b {
        relative -= problem.velocity(b);
    }
    let here = c.frame.tr_mul(&relative) - c.bias;
    let without = here - c.a_matrix * c.impulse;
    let p = solve_contact(&c.a_matrix, &c.a_inverse, &without, c.mu, &c.impulse);
    let change = p - c.impulse;
    if change == Vec3::zeros() {
        return 0.0;
    }
    let (a, b, push) = (c.a, c.b, c.frame * change);
    let moved = (c.a_matrix * change).norm();
    problem.contacts[k].impulse = p;
    problem.push_pair(&a, &b, &push);
    moved
}

#[inline(always)]
fn sweep_bounded(problem: &mut Problem, k: usize) -> f64 {
    let row = &problem.bounded[k];
    let side = &problem.sides[row.side];
    let here: f64 = row.rows.iter().map(|(i, x)| x * side.velocity[*i]).sum();
    let p = (row.impulse - (here - row.bias) * row.inverse).clamp(row.low, row.high);
    let change = p - row.impulse;
    if change == 0.0 {
        return 0.0;
    }
    let (side, rows, moved) = (row.side, row.rows, (change / row.inverse).abs());
    problem.bounded[k].impulse = p;
    for (i, x) in rows.into_iter().filter(|(_, x)| *x != 0.0) {
        problem.sides[side].push_row(i, x * change);
    }
    moved
}

#[inline(always)]
fn sweep_weld(problem: &mut Problem, k: usize) -> f64 {
    let w = &problem.welds[k];
    let (a, b, turning) = (w.a, w.b, w.turning);
    let mut relative = problem.velocity(&a);
    if let Some(b) = &b {
        relative -= problem.velocity(b);
    }
    let error = relative - w.bias[0];
    let p = -(w.a_inverse[0] * error);
    let mut worst = error.norm();
    problem.welds[k].impulse[0] += p;
    problem.push_pair(&a, &b, &p);
    if turning {
        let mut relative = problem.spin(&a);
        if let Some(b) = &b {
            relative -= problem.spin(b);
        }
        let w = &problem.welds[k];
        let error = relative - w.bias[1];
        let p = -(w.a_inverse[1] * error);
        worst = worst.max(error.norm());
        problem.welds[k].impulse[1] += p;
        problem.twist_pair(&a, &b, &p);
    }
    worst
}
