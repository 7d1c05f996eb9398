//! Impulses of contacts, limits, dry friction and grips: one problem per step.
//!
//! Constraints act on *ends*: rows of an actor's operational space (a body's six, or one per degree of freedom). The effect of an
//! impulse on other rows is computed along the paths from its body to the root and back; the matrix `Λ = J M⁻¹ Jᵀ` of
//! an actor is formed only where pivoting needs it. Impulses are found at velocity level (Stewart and Trinkle 1996): with `c⁺` the velocity after
//! the step,
//! ```text
//! contact   0 ≤ p_n ⟂ c⁺_n − bias ≥ 0,    |p_t| ≤ μ p_n,   p_t against c⁺_t where it slides
//! limit     0 ≤ p   ⟂ c⁺ − bias ≥ 0
//! dry       −F dt ≤ p ≤ F dt,  c⁺ against p at the bounds
//! grip      c⁺ = bias
//! ```
//!
//! There are two methods: sweeps with Newton steps ([`solve`]), for the exact cone of friction, and pivoting
//! ([`pivoting`]), exact to rounding for a cone with flat sides.

pub(crate) mod cone;
mod convex;
pub(crate) mod gauss_seidel;
pub(crate) mod islands;
pub(crate) mod law;
pub(crate) mod newton;
pub(crate) mod pivoting;
pub(crate) mod problem;
mod tree;

pub(crate) use problem::{Bounded, Contact, End, Pair, Problem, Side, Tie};

use crate::settings::Settings;
use sinew_dynamics::spatial::Vec3;

/// How well a step's impulses solve its problem.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SolveReport {
    /// Sweeps over all constraints, or pivots.
    pub iterations: usize,
    /// Greatest change of a constraint's velocity in the last sweep, m/s (rad/s for joints); where the exact law of friction
    /// was given up for a step, how far it is from holding; of pivoting, the greatest violation of a complementary pair. Where
    /// an actor turns fast and the iteration between impulses and velocity products does not converge, at least its last change.
    pub residual: f64,
    /// Whether the solver's own residual came under the tolerance, absolute or relative. When pivoting finds no solution, sweeps with the exact cone take its
    /// place for the step, and this is `false`.
    pub converged: bool,
}

/// Solves a prepared problem, island by island: sweeps, and all constraints at once whenever sweeps alone take long.
pub(crate) fn solve(
    problem: &mut Problem,
    newton: &mut newton::Newton,
    islands: &mut islands::Islands,
    settings: &Settings,
) -> SolveReport {
    let mut report = SolveReport { iterations: 0, residual: 0.0, converged: true };
    if problem.contacts.len() + problem.bounded.len() + problem.ties.len() == 0 {
        return report;
    }
    islands.find(problem);
    let islands::Islands { list, items, local, .. } = islands;
    for island in list {
        let items = &items[island.items.clone()];
        let mut one = solve_island(problem, newton, items, local, island.dofs, settings);
        if one.residual > ASTRAY && island.dofs <= newton::MOST {
            // after an impact the warm start is useless
            items.iter().for_each(|item| newton::set_impulse(problem, *item, &Vec3::zeros()));
            problem.refresh();
            let iterations = one.iterations;
            one = solve_island(problem, newton, items, local, island.dofs, settings);
            one.iterations += iterations;
        }
        report.iterations = report.iterations.max(one.iterations);
        report.residual = report.residual.max(one.residual);
        report.converged &= one.converged;
        island.solved = one;
    }
    problem.refresh();
    report
}

fn solve_island(
    problem: &mut Problem,
    newton: &mut newton::Newton,
    items: &[islands::Item],
    local: &[u32],
    dofs: usize,
    settings: &Settings,
) -> SolveReport {
    let mut report = SolveReport { iterations: 0, residual: 0.0, converged: true };
    let tolerance = settings.tolerance.max(settings.relative_tolerance * fastest(problem, items));
    let (mut damping, mut again, mut enough) = (newton::LEAST_DAMPING, false, tolerance);
    let (mut last, mut since, mut best, mut stalled) = (f64::INFINITY, 0, f64::INFINITY, 0);
    // a landing on many points at once shares the load as a compliant body would
    let impulses = || items.iter().map(|item| newton::impulse(problem, *item));
    let contacts = items.iter().filter(|item| matches!(item, islands::Item::Contact(_))).count();
    if contacts >= LANDING && dofs <= newton::MOST && impulses().all(|p| p == Vec3::zeros()) {
        newton.convex(problem, items, local, dofs, false);
        // sweeps would favour the first of equal contacts
        newton.improve(problem, items, local, dofs, &mut damping, tolerance * tolerance);
    }
    while report.iterations < settings.sweeps && !items.is_empty() {
        report.residual = gauss_seidel::sweep(problem, items, report.iterations % 2 == 1, 1.0);
        report.iterations += 1;
        report.converged = report.residual <= enough;
        if report.converged {
            break;
        }
        // sweeps shrink the residual by a steady factor: are few enough left?
        since += 1;
        let few = report.residual * (report.residual / last).powi(SWEEPS_FOR_ONE_ATTEMPT) <= tolerance;
        last = report.residual;
        if few || since < 2 {
            continue;
        }
        // without progress in several rounds, restart once from the convex solution
        stalled = if report.residual < 0.5 * best { 0 } else { stalled + 1 };
        best = best.min(report.residual);
        if stalled >= MOST_STALLED {
            if again || dofs > newton::MOST || report.residual < NEARLY {
                break;
            }
            newton.convex(problem, items, local, dofs, true);
            (again, stalled, best, damping) = (true, 0, f64::INFINITY, newton::LEAST_DAMPING);
            (last, since) = (f64::INFINITY, 0);
            continue;
        }
        newton.improve(problem, items, local, dofs, &mut damping, tolerance * tolerance);
        (last, since, enough) = (f64::INFINITY, 0, SHARED * tolerance);
    }
    if again && report.residual >= NEARLY {
        report.residual = newton.fall_back(problem, items);
        // further sweeps satisfy the law contact by contact; with contradicting ties they would diverge
        let tied = items.iter().any(|item| matches!(item, islands::Item::Tie(_)));
        for k in 0..if tied { 0 } else { PATIENCE } {
            if report.residual < tolerance {
                break;
            }
            report.residual = gauss_seidel::sweep(problem, items, k % 2 == 1, CAUTIOUS);
            report.iterations += 1;
        }
        if !tied && report.residual < tolerance {
            // tiny impulses become zero
            report.residual = gauss_seidel::sweep(problem, items, false, 1.0);
        }
        report.converged = !tied && report.residual <= tolerance;
    }
    if !report.converged {
        gauss_seidel::release(problem, items);
        settle_joints(problem, items, tolerance);
    }
    report
}

/// Dry friction in an island whose problem was not solved: contacts keep their impulses, and joints get consistent velocities and
/// impulses, so that friction does not drive a joint.
fn settle_joints(problem: &mut Problem, items: &[islands::Item], tolerance: f64) {
    let rubs = |item: &islands::Item| match *item {
        islands::Item::Bounded(k) => problem.bounded[k].low < 0.0 && problem.bounded[k].high > 0.0,
        _ => false,
    };
    if !items.iter().any(rubs) {
        return;
    }
    for k in 0..JOINT_SWEEPS {
        if gauss_seidel::sweep_joints(problem, items, k % 2 == 1) < tolerance {
            break;
        }
    }
}

/// Greatest change of velocity, m/s, that a contact of an island wants; 0 with grips, which allow no error.
fn fastest(problem: &Problem, items: &[islands::Item]) -> f64 {
    let one = |item: &islands::Item| match *item {
        islands::Item::Contact(k) => Some(problem.contacts[k].own.wanted.norm()),
        islands::Item::Bounded(_) => Some(0.0),
        islands::Item::Tie(_) => None,
    };
    items.iter().map(one).try_fold(0.0, |most: f64, next| next.map(|x| most.max(x))).unwrap_or(0.0)
}

/// Residual, m/s, above which an island starts again without warm start.
const ASTRAY: f64 = 0.1;
/// As many sweeps as cost about as much as solving all constraints at once.
const SWEEPS_FOR_ONE_ATTEMPT: i32 = 4;
/// Number of new contacts that counts as a landing.
const LANDING: usize = 4;
/// Residual, m/s, with which a stalled island is left as it is: a tenth of what gravity does in a step of 1 ms.
const NEARLY: f64 = 1e-3;
/// Tolerances that end sweeps once all constraints were solved at once: the remaining error is only in how redundant constraints share
/// a load, which depends on their small compliance.
const SHARED: f64 = 10.0;
/// Most sweeps over joints alone.
const JOINT_SWEEPS: usize = 200;
/// Greatest number of sweeps after all other methods have failed.
const PATIENCE: usize = 100;
/// Share of the change that these apply, which damps oscillation between two solutions.
const CAUTIOUS: f64 = 0.3;
/// Rounds without progress after which an island begins anew, or is left as it is.
const MOST_STALLED: usize = 2;
