//! After set-up, nothing allocates.

use crate::fixture::whole_body;
use allocation_counter::measure;
use sinew_solve::hqp::{Hierarchy, HqpSize, HqpSolver, Level, Task};
use sinew_solve::qp::{Qp, QpSize, QpSolver};

#[test]
fn solving_a_qp_never_allocates() {
    let problems = whole_body();
    let mut solver = QpSolver::new(QpSize { variables: 74, equalities: 6, inequalities: 68, residuals: 80 });
    for p in &problems {
        // Cold, warm and reused; positive definite, and semidefinite through its least-squares form.
        for form in 0..2 {
            let qp = match form {
                0 => Qp::quadratic(&p.hessian, &p.gradient),
                _ => Qp::least_squares(74, &p.w, &p.y),
            };
            let qp = qp
                .with_equalities(&p.a, &p.b)
                .with_inequalities(&p.c, &p.lower, &p.upper)
                .with_bounds(&p.bound_lower, &p.bound_upper);
            let info = measure(|| {
                assert!(solver.solve(&qp).unwrap().status.is_solved());
                assert!(solver.solve_warm(&qp).unwrap().status.is_solved());
                assert!(solver.resolve(&qp).unwrap().status.is_solved());
            });
            assert_eq!(info.count_total, 0);
        }
    }
}

#[test]
fn solving_a_hierarchy_never_allocates() {
    let mut solver = HqpSolver::new(HqpSize {
        variables: 3,
        rows: 3,
        levels: 3,
        equalities: 1,
        inequalities: 3,
        level_inequalities: 1,
    });
    let (a, b) = ([1.0, 1.0, 1.0], [4.0]);
    let first = [Task::new(&a, &b)];
    let second = [Task::new(&[1.0, 0.0, -1.0, 0.0, 0.0, 1.0], &[3.0, 3.0])];
    let levels = [
        Level::new(&first),
        Level::new(&second).with_inequalities(&[0.0, 1.0, 0.0], &[2.0], &[f64::INFINITY]),
        Level::new(&[]).with_damping(&[1.0; 3]),
    ];
    let h = Hierarchy::new(3, &levels)
        .with_equalities(&[1.0, -1.0, 0.0], &[0.5])
        .with_inequalities(&[1.0, 0.0, 1.0, 1.0, 0.0, 1.0], &[-9.0; 2], &[2.0; 2])
        .with_bounds(&[-1.0; 3], &[1.5; 3]);
    let info = measure(|| {
        assert!(solver.solve(&h).unwrap().status.is_solved());
        assert!(solver.solve_warm(&h).unwrap().status.is_solved());
    });
    assert_eq!(info.count_total, 0);
}
