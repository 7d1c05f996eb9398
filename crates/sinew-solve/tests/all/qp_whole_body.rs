//! The QP solver on whole-body-control problems with known solutions.

use crate::fixture::{WholeBody, whole_body};
use sinew_solve::qp::{Qp, QpSize, QpSolver};

const SIZE: QpSize = QpSize { variables: 74, equalities: 6, inequalities: 68, residuals: 154 };

fn quadratic(p: &WholeBody) -> Qp<'_> {
    constrained(Qp::quadratic(&p.hessian, &p.gradient), p)
}

fn constrained<'a>(qp: Qp<'a>, p: &'a WholeBody) -> Qp<'a> {
    qp.with_equalities(&p.a, &p.b)
        .with_inequalities(&p.c, &p.lower, &p.upper)
        .with_bounds(&p.bound_lower, &p.bound_upper)
}

fn assert_reference(x: &[f64], p: &WholeBody, qp: &Qp<'_>) {
    let objective = quadratic(p).objective_at(x);
    let error = (objective - p.reference_objective).abs() / p.reference_objective.abs();
    assert!(error < 1e-8, "objective off by {error:e}");
    assert!(qp.violation_at(x) < 1e-9, "violated by {:e}", qp.violation_at(x));
    let dx = x.iter().zip(&p.reference_x).fold(0.0f64, |m, (a, b)| m.max((a - b).abs()));
    assert!(dx < 1e-6, "x off by {dx:e}");
}

#[test]
fn cold_warm_and_reused_solves_equal_the_reference() {
    let problems = whole_body();
    let mut solver = QpSolver::new(SIZE);
    for p in &problems {
        let qp = quadratic(p);
        let s = solver.solve(&qp).unwrap();
        assert!(s.status.is_solved());
        assert_reference(s.x, p, &qp);
        assert!((s.objective - qp.objective_at(s.x)).abs() < 1e-9 * s.objective.abs());
        assert!(s.violation < 1e-9);
        let count = s.working_set.count();

        let warm = solver.solve_warm(&qp).unwrap();
        assert!(warm.status.is_solved() && warm.iterations == 0 && warm.working_set.count() == count);
        assert_reference(warm.x, p, &qp);

        let again = solver.resolve(&qp).unwrap();
        assert!(again.status.is_solved() && again.iterations == 0);
        assert_reference(again.x, p, &qp);
    }
}

#[test]
fn warm_start_from_the_problem_before_gives_the_same_solution() {
    let problems = whole_body();
    let mut solver = QpSolver::new(SIZE);
    for p in &problems {
        let qp = quadratic(p);
        let s = solver.solve_warm(&qp).unwrap();
        assert!(s.status.is_solved());
        assert_reference(s.x, p, &qp);
    }
}

#[test]
fn least_squares_form_equals_the_reference() {
    let problems = whole_body();
    let mut solver = QpSolver::new(SIZE);
    for p in &problems {
        // W with the square roots of the diagonal below it.
        let (m, n) = (p.y.len(), p.d.len());
        let rows = m + n;
        let mut a = vec![0.0; rows * n];
        for j in 0..n {
            a[j * rows..j * rows + m].copy_from_slice(&p.w[j * m..(j + 1) * m]);
            a[j * rows + m + j] = p.d[j].sqrt();
        }
        let mut b = p.y.clone();
        b.resize(rows, 0.0);
        let qp = constrained(Qp::least_squares(n, &a, &b), p);
        let s = solver.solve(&qp).unwrap();
        assert!(s.status.is_solved());
        assert_reference(s.x, p, &qp);
    }
}

#[test]
fn without_the_diagonal_the_hessian_is_semidefinite_and_both_forms_agree() {
    let problems = whole_body();
    let mut solver = QpSolver::new(SIZE);
    for p in &problems {
        let n = p.d.len();
        let mut hessian = p.hessian.clone();
        for j in 0..n {
            hessian[j * n + j] -= p.d[j];
        }
        let squares = constrained(Qp::least_squares(n, &p.w, &p.y), p);
        let constant: f64 = p.y.iter().map(|y| 0.5 * y * y).sum();
        let s = solver.solve(&squares).unwrap();
        assert!(s.status.is_solved(), "{:?}", s.status);
        assert!(squares.violation_at(s.x) < 1e-9);
        let first = s.objective;

        let direct = constrained(Qp::quadratic(&hessian, &p.gradient), p);
        let s = solver.solve(&direct).unwrap();
        assert!(s.status.is_solved(), "{:?}", s.status);
        assert!(direct.violation_at(s.x) < 1e-9);
        assert!(
            (s.objective + constant - first).abs() < 1e-8 * constant,
            "{} {first}",
            s.objective + constant
        );
        // Leaving a term out of the objective can only lower it.
        assert!(s.objective <= p.reference_objective);
    }
}
