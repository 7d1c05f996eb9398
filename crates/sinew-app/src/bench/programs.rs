//! Times of the QP solver and of the prioritised one on problems of whole-body control.
//!
//! Per problem the median of the repeats counts; the samples of a row are the problems. `cold` starts from nothing; `warm`
//! solves a slightly changed problem with new matrices, from the active set of the original problem; `hot` does
//! the same with matrices known to be those of the last solve. The hierarchy has four levels: dynamics; stance foot;
//! centre of mass and trunk; the rest. All inequalities and bounds must hold.

use super::Row;
use super::timing::Samples;
use super::whole_body::WholeBody;
use anyhow::{Result, ensure};
use sinew::solve::hqp::{Hierarchy, HqpSize, HqpSolver, Level, Task};
use sinew::solve::qp::{QpSize, QpSolver};
use std::hint::black_box;
use std::time::Instant;

/// Rows of the suite `qp`: cold, warm and hot of each kind.
pub(crate) const QP: [&str; 6] =
    ["qp_stand", "qp_stand_warm", "qp_stand_hot", "qp_walk", "qp_walk_warm", "qp_walk_hot"];
/// Rows of the suite `hqp`.
pub(crate) const HQP: [&str; 2] = ["hqp_walk_cold", "hqp_walk_warm"];
/// Repeats per problem.
const REPEATS: usize = 15;

/// The rows of `QP` that `asked` wants.
pub(crate) fn time_qp(problems: &[WholeBody], asked: impl Fn(&str) -> bool) -> Result<Vec<Row>> {
    let mut solver =
        QpSolver::new(QpSize { variables: 74, equalities: 6, inequalities: 68, ..QpSize::default() });
    let mut rows = Vec::new();
    for (kind, names) in ["stand", "walk"].into_iter().zip(QP.chunks(3)) {
        if !names.iter().any(|n| asked(n)) {
            continue;
        }
        let mut times = [const { Vec::new() }; 3];
        for problem in problems.iter().filter(|p| p.kind == kind) {
            let (qp, near) = (problem.qp(&problem.gradient), problem.qp(&problem.neighbour_gradient));
            let mut samples = [const { Vec::new() }; 3];
            for _ in 0..REPEATS {
                let cold = timed(&mut samples[0], || Ok(solver.solve(black_box(&qp))?.status.is_solved()))?;
                let warm =
                    timed(&mut samples[1], || Ok(solver.solve_warm(black_box(&near))?.status.is_solved()))?;
                solver.solve(&qp)?;
                let hot =
                    timed(&mut samples[2], || Ok(solver.resolve(black_box(&near))?.status.is_solved()))?;
                ensure!(cold && warm && hot, "a quadratic program was not solved");
            }
            times.iter_mut().zip(samples).for_each(|(t, s)| t.push(Samples::new(s).quantile(0.5)));
        }
        rows.extend(collect(names, times, &asked));
    }
    Ok(rows)
}

/// The rows of `HQP` that `asked` wants.
pub(crate) fn time_hqp(problems: &[WholeBody], asked: impl Fn(&str) -> bool) -> Result<Vec<Row>> {
    if !HQP.iter().any(|n| asked(n)) {
        return Ok(Vec::new());
    }
    let mut solver = HqpSolver::new(HqpSize {
        variables: 74,
        rows: 68,
        levels: 4,
        inequalities: 68,
        ..HqpSize::default()
    });
    let mut times = [const { Vec::new() }; 2];
    for p in problems.iter().filter(|p| p.kind == "walk") {
        let dynamics = [Task::new(&p.a, &p.b)];
        let tasks: [Vec<Task<'_>>; 2] =
            [1, 2].map(|target| p.tasks.iter().map(|t| Task::new(&t[0], &t[target])).collect());
        let levels = [0, 1].map(|k| {
            let t = &tasks[k];
            let last = Level::new(&t[3..]).with_damping(&p.damping);
            [Level::new(&dynamics), Level::new(&t[..1]), Level::new(&t[1..3]), last]
        });
        let [here, near] = [&levels[0], &levels[1]].map(|levels| {
            Hierarchy::new(p.damping.len(), levels)
                .with_inequalities(&p.c, &p.lower, &p.upper)
                .with_bounds(&p.bound_lower, &p.bound_upper)
        });
        let mut samples = [const { Vec::new() }; 2];
        for _ in 0..REPEATS {
            let cold = timed(&mut samples[0], || Ok(solver.solve(black_box(&here))?.status.is_solved()))?;
            let warm =
                timed(&mut samples[1], || Ok(solver.solve_warm(black_box(&near))?.status.is_solved()))?;
            ensure!(cold && warm, "a hierarchy was not solved");
        }
        times.iter_mut().zip(samples).for_each(|(t, s)| t.push(Samples::new(s).quantile(0.5)));
    }
    Ok(collect(&HQP, times, &asked).collect())
}

/// Adds the microseconds of `f` to the samples.
fn timed(samples: &mut Vec<f64>, f: impl FnOnce() -> Result<bool>) -> Result<bool> {
    let start = Instant::now();
    let solved = black_box(f()?);
    samples.push(start.elapsed().as_secs_f64() * 1e6);
    Ok(solved)
}

fn collect<const N: usize>(
    names: &[&'static str],
    times: [Vec<f64>; N],
    asked: &impl Fn(&str) -> bool,
) -> impl Iterator<Item = Row> {
    let rows = names.iter().zip(times).filter(|(name, times)| asked(name) && !times.is_empty());
    rows.map(|(name, times)| Row { name, samples: Samples::new(times) })
}
