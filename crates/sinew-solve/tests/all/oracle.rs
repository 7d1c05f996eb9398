//! Clarabel, an interior-point solver by other hands, as an oracle.

use clarabel::algebra::CscMatrix;
use clarabel::solver::{DefaultSettings, DefaultSolver, IPSolver, NonnegativeConeT, SolverStatus, ZeroConeT};
use sinew_solve::qp::{Objective, Qp};

/// What the oracle says.
#[derive(Debug)]
pub(crate) enum Word {
    Solved {
        x: Vec<f64>,
        objective: f64,
    },
    Infeasible,
    Unbounded,
    /// It did not reach its own tolerances.
    Unsure,
}

/// Asks the oracle, with tightened tolerances.
pub(crate) fn ask(qp: &Qp<'_>, tolerance: f64) -> Word {
    let n = qp.variables;
    let (hessian, gradient, constant) = quadratic(qp);
    let mut p = Triplets::default();
    for j in 0..n {
        for i in 0..=j {
            p.push(i, j, hessian[j * n + i]);
        }
    }
    // Equalities, then G x ≤ h with one row per finite side.
    let (me, mi) = (qp.equality_target.len(), qp.inequality_lower.len());
    let mut a = Triplets::default();
    let mut b = qp.equality_target.to_vec();
    for j in 0..n {
        for i in 0..me {
            a.push(i, j, qp.equality_matrix[j * me + i]);
        }
    }
    let mut row = |entries: &[(usize, f64)], side: f64, sign: f64, a: &mut Triplets| {
        if side.abs() < 1e19 {
            for &(j, v) in entries {
                a.push(b.len(), j, sign * v);
            }
            b.push(sign * side);
        }
    };
    for i in 0..mi {
        let entries: Vec<_> = (0..n).map(|j| (j, qp.inequality_matrix[j * mi + i])).collect();
        row(&entries, qp.inequality_upper[i], 1.0, &mut a);
        row(&entries, qp.inequality_lower[i], -1.0, &mut a);
    }
    for (j, (&lower, &upper)) in qp.bound_lower.iter().zip(qp.bound_upper).enumerate() {
        row(&[(j, 1.0)], upper, 1.0, &mut a);
        row(&[(j, 1.0)], lower, -1.0, &mut a);
    }
    let settings = DefaultSettings::<f64> {
        verbose: false,
        tol_gap_abs: tolerance,
        tol_gap_rel: tolerance,
        tol_feas: tolerance,
        max_threads: 1,
        ..Default::default()
    };
    let cones = [ZeroConeT(me), NonnegativeConeT(b.len() - me)];
    let (p, a) = (p.compress(n, n), a.compress(b.len(), n));
    let mut solver =
        DefaultSolver::new(&p, &gradient, &a, &b, &cones, settings).expect("a well-formed problem");
    solver.solve();
    match solver.solution.status {
        SolverStatus::Solved => {
            Word::Solved { x: solver.solution.x.clone(), objective: solver.solution.obj_val + constant }
        }
        SolverStatus::PrimalInfeasible => Word::Infeasible,
        SolverStatus::DualInfeasible => Word::Unbounded,
        _ => Word::Unsure,
    }
}

/// P, g and the constant of the objective.
fn quadratic(qp: &Qp<'_>) -> (Vec<f64>, Vec<f64>, f64) {
    let n = qp.variables;
    match qp.objective {
        Objective::Quadratic { hessian, gradient } => (hessian.to_vec(), gradient.to_vec(), 0.0),
        Objective::LeastSquares { a, b } => {
            let m = b.len();
            let product = |i: usize, j: usize| (0..m).map(|k| a[i * m + k] * a[j * m + k]).sum::<f64>();
            let hessian = (0..n * n).map(|k| product(k % n, k / n)).collect();
            let gradient = (0..n).map(|j| -(0..m).map(|k| a[j * m + k] * b[k]).sum::<f64>()).collect();
            (hessian, gradient, 0.5 * b.iter().map(|b| b * b).sum::<f64>())
        }
    }
}

#[derive(Default)]
struct Triplets(Vec<(usize, usize, f64)>);

impl Triplets {
    fn push(&mut self, i: usize, j: usize, v: f64) {
        self.0.push((i, j, v));
    }

    fn compress(mut self, m: usize, n: usize) -> CscMatrix<f64> {
        self.0.retain(|t| t.2 != 0.0);
        self.0.sort_by_key(|t| (t.1, t.0));
        let starts = (0..=n).map(|j| self.0.partition_point(|t| t.1 < j)).collect();
        let rows = self.0.iter().map(|t| t.0).collect();
        CscMatrix::new(m, n, starts, rows, self.0.iter().map(|t| t.2).collect())
    }
}
