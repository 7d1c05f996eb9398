//! The prioritised solver against an independent oracle.

use crate::LabError;
use crate::context::Context;
use crate::findings::{Figure, Findings};
use nalgebra::{DMatrix, DVector};
use sinew_solve::hqp::{Hierarchy, HqpSize, HqpSolver, HqpStatus, Level, Task};
use sinew_solve::sweep;

const VARIABLES: usize = 12;
/// Rows of the levels; the last one decides what is left.
const ROWS: [usize; 4] = [3, 4, 4, VARIABLES];

pub(super) fn solver(context: &Context<'_>) -> Result<Findings, LabError> {
    let mut found = Findings::default();
    let numbers: usize = ROWS.iter().map(|rows| rows * (VARIABLES + 1)).sum();
    let stacks = sweep::latin_hypercube(&vec![(-1.0, 1.0); numbers], context.pick(2000, 50), context.seed);
    let errors = context.map(&stacks, |stack| Ok(compare(&stack.values)))?;
    let worst = errors.iter().copied().fold(0.0, |a: f64, b| if b.is_nan() { b } else { a.max(b) });
    let name = format!("greatest difference, {} stacks", stacks.len());
    found.figure(Figure::new(name, "", worst).at_most(1e-6).paper("solvers agree"));
    found.seeds.push(context.seed);
    found.note(
        "Three random levels in 12 variables, a third of whose rows repeat one of a level above with another target, and a last one that \
         asks for everything; the oracle projects onto null spaces by eigenvectors.",
    );
    found.note("The paper's comparison of QP solvers is that of `sinew bench` and of the solver's own tests against Clarabel.");
    Ok(found)
}

/// Greatest difference of the two solutions of a stack.
fn compare(numbers: &[f64]) -> f64 {
    let mut numbers = numbers.iter().copied();
    let mut levels: Vec<(DMatrix<f64>, DVector<f64>)> = Vec::new();
    for (k, rows) in ROWS.into_iter().enumerate() {
        let mut a = DMatrix::from_iterator(rows, VARIABLES, numbers.by_ref().take(rows * VARIABLES));
        let b = DVector::from_iterator(rows, numbers.by_ref().take(rows));
        if k == ROWS.len() - 1 {
            a = DMatrix::identity(rows, VARIABLES);
        } else if let Some((above, _)) = levels.last() {
            // repeated rows: the levels above leave nothing to decide here
            a.set_row(0, &above.row(0));
        }
        levels.push((a, b));
    }
    let tasks: Vec<[Task<'_>; 1]> =
        levels.iter().map(|(a, b)| [Task::new(a.as_slice(), b.as_slice())]).collect();
    let hierarchy: Vec<Level<'_>> = tasks.iter().map(|task| Level::new(task)).collect();
    let size = HqpSize { variables: VARIABLES, rows: VARIABLES, levels: ROWS.len(), ..HqpSize::default() };
    let mut solver = HqpSolver::new(size);
    match solver.solve(&Hierarchy::new(VARIABLES, &hierarchy)) {
        Ok(solution) if solution.status == HqpStatus::Solved => {
            (DVector::from_column_slice(solution.x) - by_null_spaces(&levels)).amax()
        }
        _ => f64::NAN,
    }
}

/// Level by level in what the levels above leave free: with `W = A Z`, `Z` the free directions, `z = (WᵀW)⁺ Wᵀ (b − A x)`, by
/// eigenvectors; those without weight stay free.
fn by_null_spaces(levels: &[(DMatrix<f64>, DVector<f64>)]) -> DVector<f64> {
    const RANK: f64 = 1e-10;
    let mut x = DVector::zeros(VARIABLES);
    let mut free = DMatrix::identity(VARIABLES, VARIABLES);
    for (a, b) in levels {
        if free.ncols() == 0 {
            break;
        }
        let within = a * &free;
        let target = within.tr_mul(&(b - a * &x));
        let eigen = within.tr_mul(&within).symmetric_eigen();
        let mut step = DVector::zeros(free.ncols());
        let mut left = Vec::new();
        for (value, direction) in eigen.eigenvalues.iter().zip(eigen.eigenvectors.column_iter()) {
            if *value > RANK {
                step += direction * (direction.dot(&target) / value);
            } else {
                left.push(direction.into_owned());
            }
        }
        x += &free * step;
        free =
            if left.is_empty() { DMatrix::zeros(VARIABLES, 0) } else { &free * DMatrix::from_columns(&left) };
    }
    x
}

pub(super) fn precision(_: &Context<'_>) -> Result<Findings, LabError> {
    Ok(Findings::skipped(
        "there is no single-precision solver: all arithmetic is in double precision, as the paper asks for",
    ))
}
