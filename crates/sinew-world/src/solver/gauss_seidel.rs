//! Sweeps over all constraints, each solved exactly in turn.
//!
//! A block Gauss-Seidel iteration: every constraint takes the velocities that all others left and corrects its own impulse.
//! Sweeps go forwards and backwards in turn. From the impulses of the last step a body at rest needs one sweep to see that
//! nothing changed.

use super::Problem;
use super::cone::solve_contact;
use sinew_dynamics::spatial::Vec3;

/// Solves every constraint once; returns the greatest change of a constraint's velocity.
pub(crate) fn sweep(problem: &mut Problem, backwards: bool) -> f64 {
    let order = |k: usize, n: usize| if backwards { n - 1 - k } else { k };
    let mut worst: f64 = 0.0;
    let n = problem.ties.len();
    for k in 0..n {
        worst = worst.max(sweep_tie(problem, order(k, n)));
    }
    let n = problem.bounded.len();
    for k in 0..n {
        worst = worst.max(sweep_bounded(problem, order(k, n)));
    }
    let n = problem.contacts.len();
    for k in 0..n {
        worst = worst.max(sweep_contact(problem, order(k, n)));
    }
    worst
}

#[inline(always)]
fn sweep_contact(problem: &mut Problem, k: usize) -> f64 {
    let c = &problem.contacts[k];
    let here = c.frame.tr_mul(&problem.velocity(&c.pair)) - c.bias;
    let without = here - c.matrix * c.impulse;
    let p = solve_contact(&c.matrix, &c.inverse, &without, c.mu, &c.impulse);
    let change = p - c.impulse;
    if change == Vec3::zeros() {
        return 0.0;
    }
    let (pair, push) = (c.pair, c.frame * change);
    let moved = (c.matrix * change).norm();
    problem.contacts[k].impulse = p;
    problem.push(&pair, &push);
    moved
}

#[inline(always)]
fn sweep_bounded(problem: &mut Problem, k: usize) -> f64 {
    let row = &problem.bounded[k];
    let side = &problem.sides[row.side];
    let here: f64 = row.rows.iter().map(|(i, x)| x * side.velocity[*i]).sum();
    let p = (row.impulse - (here - row.bias) * row.inverse).clamp(row.low, row.high);
    let change = p - row.impulse;
    let moved = (change / row.inverse).abs();
    problem.bounded[k].impulse = p;
    problem.push_bounded(k, change);
    moved
}

#[inline(always)]
fn sweep_tie(problem: &mut Problem, k: usize) -> f64 {
    let t = &problem.ties[k];
    let (pair, error) = (t.pair, problem.velocity(&t.pair) - t.bias);
    let p = -(t.inverse * error);
    problem.ties[k].impulse += p;
    problem.push(&pair, &p);
    error.norm()
}
