//! QPs with answers known by hand, and what must be refused.

use crate::fixture::{Random, whole_body};
use sinew_solve::qp::{Qp, QpError, QpSize, QpSolver, QpStatus, Side, WorkingSet};

const INF: f64 = f64::INFINITY;
const IDENTITY: [f64; 4] = [1.0, 0.0, 0.0, 1.0];

fn solver() -> QpSolver {
    QpSolver::new(QpSize { variables: 4, equalities: 4, inequalities: 8, residuals: 8 })
}

fn assert_near(x: &[f64], answer: &[f64]) {
    for (x, a) in x.iter().zip(answer) {
        assert!((x - a).abs() < 1e-11, "{x} instead of {a}");
    }
}

#[test]
fn the_nearest_point_of_a_box_is_the_clamped_one() {
    let mut r = Random::new(11);
    let mut solver = solver();
    for _ in 0..200 {
        let aim = r.normals(4);
        let g: Vec<f64> = aim.iter().map(|a| -a).collect();
        let mut p = [0.0; 16];
        (0..4).for_each(|j| p[5 * j] = 1.0);
        let (lower, upper) = ([-0.5; 4], [0.25; 4]);
        let qp = Qp::quadratic(&p, &g).with_bounds(&lower, &upper);
        let s = solver.solve(&qp).unwrap();
        let clamped: Vec<f64> = aim.iter().map(|a| a.clamp(-0.5, 0.25)).collect();
        assert_near(s.x, &clamped);
        for j in 0..4 {
            // The multiplier is what the bound holds back: x − aim.
            assert!((s.multipliers.bounds[j] - (clamped[j] - aim[j])).abs() < 1e-12);
        }
    }
}

#[test]
fn the_nearest_point_of_a_line() {
    // ½‖x‖² with x + 2y = 5: (1, 2), multiplier 1.
    let mut solver = solver();
    let s = solver.solve(&Qp::quadratic(&IDENTITY, &[0.0; 2]).with_equalities(&[1.0, 2.0], &[5.0])).unwrap();
    assert_near(s.x, &[1.0, 2.0]);
    assert!((s.multipliers.equalities[0] - 1.0).abs() < 1e-13);
    assert!((s.objective - 2.5).abs() < 1e-13);
    // The same as a row with equal sides.
    let row = Qp::quadratic(&IDENTITY, &[0.0; 2]).with_inequalities(&[1.0, 2.0], &[5.0], &[5.0]);
    assert_near(solver.solve(&row).unwrap().x, &[1.0, 2.0]);
}

#[test]
fn a_linear_program_ends_in_its_corner() {
    // minimise −x − 2y with x + y ≤ 1, x, y ≥ 0: (0, 1).
    let mut solver = solver();
    let qp = Qp::quadratic(&[0.0; 4], &[-1.0, -2.0])
        .with_inequalities(&[1.0, 1.0], &[-INF], &[1.0])
        .with_bounds(&[0.0, 0.0], &[INF, INF]);
    let s = solver.solve(&qp).unwrap();
    assert_eq!(s.status, QpStatus::Solved);
    assert_near(s.x, &[0.0, 1.0]);
    assert_near(s.multipliers.inequalities, &[-2.0]);
    assert_near(s.multipliers.bounds, &[1.0, 0.0]);
}

#[test]
fn an_open_direction_is_found_unbounded() {
    let mut solver = solver();
    // −x falls for ever; y ≤ 1 does not help.
    let qp = Qp::quadratic(&[0.0, 0.0, 0.0, 1.0], &[-1.0, 0.0]).with_bounds(&[0.0, -INF], &[INF, 1.0]);
    assert_eq!(solver.solve(&qp).unwrap().status, QpStatus::Unbounded);
    let closed = qp.with_bounds(&[0.0, -INF], &[7.0, 1.0]);
    let s = solver.solve(&closed).unwrap();
    assert_eq!(s.status, QpStatus::Solved);
    assert_near(s.x, &[7.0, 0.0]);
}

#[test]
fn a_saddle_is_refused() {
    let mut solver = solver();
    for p in [[1.0, 0.0, 0.0, -1.0], [0.0, 1.0, 1.0, 0.0], [1.0, 2.0, 2.0, 1.0]] {
        assert_eq!(solver.solve(&Qp::quadratic(&p, &[0.0, 0.0])).unwrap().status, QpStatus::NotConvex);
    }
}

#[test]
fn contradictions_come_with_a_proof() {
    let mut solver = solver();
    // Equalities that say two things.
    let qp = Qp::quadratic(&IDENTITY, &[0.0; 2]).with_equalities(&[1.0, 2.0, 1.0, 2.0], &[1.0, 3.0]);
    let s = solver.solve(&qp).unwrap();
    assert_eq!(s.status, QpStatus::Infeasible);
    let y = s.certificate.unwrap().equalities;
    assert!((y[0] + 2.0 * y[1]).abs() < 1e-12 && y[0] + 3.0 * y[1] > 0.0);
    // A row against two bounds, each on the side that counts.
    let qp = Qp::quadratic(&IDENTITY, &[0.0; 2])
        .with_inequalities(&[1.0, -1.0], &[3.0], &[INF])
        .with_bounds(&[-INF, 0.0], &[1.0, INF]);
    let proof = solver.solve(&qp).unwrap().certificate.unwrap();
    assert!(proof.inequalities[0] > 0.0 && proof.bounds[0] < 0.0 && proof.bounds[1] > 0.0);
}

#[test]
fn invalid_problems_are_refused_by_name() {
    let mut solver = solver();
    let error = |qp: &Qp<'_>| solver.clone().solve(qp).map(|s| s.status).unwrap_err();
    let qp = Qp::quadratic(&IDENTITY, &[0.0; 2]);
    assert!(matches!(error(&Qp::quadratic(&[1.0], &[0.0; 2])), QpError::Size { what: "hessian", .. }));
    assert!(matches!(error(&qp.with_bounds(&[1.0, 0.0], &[0.0, 0.0])), QpError::Crossed { index: 0, .. }));
    assert!(matches!(error(&qp.with_bounds(&[f64::NAN; 2], &[0.0; 2])), QpError::Crossed { .. }));
    let nine = [1.0; 9];
    let many = qp.with_inequalities(&[1.0; 18], &nine, &nine);
    assert!(matches!(error(&many), QpError::TooLarge { what: "inequalities", found: 9, capacity: 8 }));
    let nan = [f64::NAN, 1.0];
    for (qp, what) in [
        (Qp::quadratic(&[1.0, 0.0, 0.0, f64::NAN], &[0.0; 2]), "hessian"),
        (Qp::quadratic(&IDENTITY, &nan), "gradient"),
        (qp.with_equalities(&nan, &[1.0]), "equality matrix"),
        (qp.with_equalities(&[1.0, 1.0], &nan[..1]), "equality target"),
        (Qp::quadratic(&IDENTITY, &[1.0; 2]).with_inequalities(&nan, &[1.0], &[2.0]), "inequality matrix"),
        (Qp::least_squares(2, &[1.0, f64::NAN], &[1.0]), "least-squares matrix"),
        (Qp::least_squares(2, &[1.0, 1.0], &nan[..1]), "least-squares target"),
    ] {
        assert!(matches!(error(&qp), QpError::NotFinite { what: w, .. } if w == what), "{what}");
    }
    // Nothing of it sticks.
    assert_near(solver.solve(&qp).unwrap().x, &[0.0, 0.0]);
}

#[test]
fn out_of_steps_still_gives_a_feasible_point() {
    let mut solver = solver();
    solver.params.max_iterations = 1;
    let qp = Qp::quadratic(&IDENTITY, &[-3.0, -4.0])
        .with_inequalities(&[1.0, 1.0, 2.0, 1.0], &[-INF, -INF], &[2.0, 1.5])
        .with_bounds(&[0.0, 0.0], &[1.0, 1.0]);
    let s = solver.solve(&qp).unwrap();
    assert_eq!(s.status, QpStatus::Unfinished);
    assert!(s.violation < 1e-10 && qp.violation_at(s.x) == s.violation);
}

#[test]
fn extreme_numbers_give_neither_panics_nor_nan() {
    let mut r = Random::new(14);
    let mut solver = solver();
    for _ in 0..20_000 {
        let mut data = |count: usize| -> Vec<f64> {
            let scale = 10f64.powi(r.int(0, 40) as i32 * 16 - 320);
            let wild = [0.0, f64::NAN, INF, -INF, 1e308, 5e-324];
            let mut value = || if r.chance(0.05) { wild[r.int(0, 5)] } else { r.normal() };
            let tame = value();
            (0..count).map(|_| if tame.is_finite() { value() } else { tame * scale }).collect()
        };
        let (p, g, a, b, c) = (data(9), data(3), data(6), data(2), data(9));
        let (lower, upper, low, high) = (data(3), data(3), data(3), data(3));
        for qp in [Qp::quadratic(&p, &g), Qp::least_squares(3, &p, &g)] {
            let qp =
                qp.with_equalities(&a, &b).with_inequalities(&c, &lower, &upper).with_bounds(&low, &high);
            if let Ok(s) = solver.solve(&qp) {
                assert!(s.x.iter().chain(s.multipliers.bounds).all(|v| v.is_finite()), "{qp:?}");
                assert!(!s.objective.is_nan() && !s.violation.is_nan(), "{qp:?}");
            }
        }
    }
}

#[test]
fn no_variables_and_no_constraints_are_fine() {
    let mut solver = solver();
    assert_eq!(solver.solve(&Qp::quadratic(&[], &[])).unwrap().status, QpStatus::Solved);
    let s = solver.solve(&Qp::quadratic(&[2.0], &[-6.0])).unwrap();
    assert_near(s.x, &[3.0]);
}

#[test]
fn a_bad_guess_of_the_active_set_does_no_harm() {
    let mut r = Random::new(12);
    let mut solver = solver();
    for _ in 0..300 {
        let (p, g) = ([2.0, 0.5, 0.5, 1.0], r.normals(2));
        let (c, lower) = (r.normals(6), [-1.0, -0.7, -0.4]);
        let qp = Qp::quadratic(&p, &g)
            .with_inequalities(&c, &lower, &[1.0; 3])
            .with_bounds(&[-0.8, -0.8], &[0.9, 0.9]);
        let cold = solver.solve(&qp).unwrap();
        let (status, x) = (cold.status, cold.x.to_vec());
        assert_eq!(status, QpStatus::Solved);
        let mut side = || [Side::Free, Side::Lower, Side::Upper][r.int(0, 2)];
        let set = WorkingSet {
            inequalities: (0..3).map(|_| side()).collect(),
            bounds: (0..2).map(|_| side()).collect(),
        };
        solver.set_working_set(&set);
        let warm = solver.solve_warm(&qp).unwrap();
        assert_eq!(warm.status, QpStatus::Solved);
        assert_near(warm.x, &x);
    }
}

#[test]
fn the_same_input_gives_the_same_bits() {
    let problems = whole_body();
    let size = QpSize { variables: 74, equalities: 6, inequalities: 68, residuals: 0 };
    let (mut used, p) = (QpSolver::new(size), &problems[1]);
    let qp = |p: &'_ crate::fixture::WholeBody| -> Vec<u64> {
        let qp = Qp::quadratic(&p.hessian, &p.gradient)
            .with_equalities(&p.a, &p.b)
            .with_inequalities(&p.c, &p.lower, &p.upper)
            .with_bounds(&p.bound_lower, &p.bound_upper);
        used.solve(&qp).unwrap().x.iter().map(|v| v.to_bits()).collect()
    };
    let mut qp = qp;
    let first = qp(p);
    // What a solver did before leaves no trace.
    for other in &problems[2..5] {
        qp(other);
    }
    assert_eq!(first, qp(p));
}

#[cfg(feature = "serde")]
#[test]
fn a_problem_survives_json_bit_by_bit() {
    use sinew_solve::qp::OwnedQp;
    let mut r = Random::new(13);
    let (p, g, c) = (r.normals(9), r.normals(3), r.normals(6));
    let qp = Qp::quadratic(&p, &g)
        .with_inequalities(&c, &[-INF, 0.1], &[0.3, INF])
        .with_bounds(&[-INF, 1e-300, 0.0], &[INF; 3]);
    let owned = OwnedQp::from(&qp);
    let back = OwnedQp::from_json(&owned.to_json()).unwrap();
    assert_eq!(owned, back);
    assert!(OwnedQp::from_json("{\"variables\": 1}").is_err());
}
