//! Sweeps over all constraints, each solved exactly in turn.
//!
//! A block Gauss-Seidel iteration: every constraint corrects its own impulse for the velocities that result from all others.
//! Sweeps go forwards and backwards in turn. From the impulses of the last step a body at rest needs one sweep to see that
//! nothing changed.

use super::Problem;
use super::cone::solve_contact;
use super::islands::Item;
use sinew_dynamics::spatial::Vec3;

/// Solves every constraint once and goes a share of the way there; returns the greatest change of a constraint's velocity that the
/// whole way would be.
pub(crate) fn sweep(problem: &mut Problem, items: &[Item], backwards: bool, share: f64) -> f64 {
    let one = |worst: f64, item: &Item| worst.max(relax(problem, *item, share));
    if backwards { items.iter().rev().fold(0.0, one) } else { items.iter().fold(0.0, one) }
}

/// The same for joints alone.
pub(crate) fn sweep_joints(problem: &mut Problem, items: &[Item], backwards: bool) -> f64 {
    let one = |worst: f64, item: &Item| match *item {
        Item::Bounded(k) => worst.max(bounded(problem, k)),
        _ => worst,
    };
    if backwards { items.iter().rev().fold(0.0, one) } else { items.iter().fold(0.0, one) }
}

/// Lets go of contacts that would stay open without their own impulse. A sweep does that too; this changes nothing else, for what
/// sweeps have left off in the middle.
pub(crate) fn release(problem: &mut Problem, items: &[Item]) {
    for item in items {
        let Item::Contact(k) = *item else { continue };
        let c = &problem.contacts[k];
        let (own, impulse) = (&c.own, c.impulse);
        let here = problem.velocity(own.chain) - own.wanted + impulse * own.soft;
        if impulse != Vec3::zeros() && (here - own.matrix * impulse).x >= 0.0 {
            let chain = own.chain;
            problem.contacts[k].impulse = Vec3::zeros();
            problem.push(chain, &-impulse);
        }
    }
}

#[inline(always)]
fn relax(problem: &mut Problem, item: Item, share: f64) -> f64 {
    match item {
        Item::Tie(k) => tie(problem, k),
        Item::Bounded(k) => bounded(problem, k),
        Item::Contact(k) => contact(problem, k, share),
    }
}

#[inline(always)]
fn contact(problem: &mut Problem, k: usize, share: f64) -> f64 {
    let c = &problem.contacts[k];
    let own = &c.own;
    if !(own.matrix.m11 > 0.0) {
        // a body that cannot move needs no impulse
        return 0.0;
    }
    let here = problem.velocity(own.chain) - own.wanted + c.impulse * own.soft;
    let without = here - own.matrix * c.impulse;
    let p = solve_contact(&own.matrix, &own.inverse, &without, c.mu, &c.impulse);
    let change = p - c.impulse;
    if change == Vec3::zeros() {
        return 0.0;
    }
    let (chain, moved) = (own.chain, (own.matrix * change).norm());
    let p = if share < 1.0 { c.impulse + change * share } else { p };
    let change = p - c.impulse;
    problem.contacts[k].impulse = p;
    problem.push(chain, &change);
    moved
}

#[inline(always)]
fn bounded(problem: &mut Problem, k: usize) -> f64 {
    let b = &problem.bounded[k];
    let own = b.own;
    let here = problem.row_velocity_in(own.chain, &problem.w) - own.wanted + b.impulse * own.soft;
    let p = (b.impulse - here * own.inverse).clamp(b.low, b.high);
    let change = p - b.impulse;
    problem.bounded[k].impulse = p;
    problem.push_row(own.chain, change);
    (change / own.inverse).abs()
}

#[inline(always)]
fn tie(problem: &mut Problem, k: usize) -> f64 {
    let t = &problem.ties[k];
    let own = t.own;
    let error = problem.velocity(own.chain) - own.wanted + t.impulse * own.soft;
    let change = -(own.inverse * error);
    problem.ties[k].impulse += change;
    problem.push(own.chain, &change);
    (own.matrix * change).norm()
}
