//! Trajectory optimisation: linear problems exactly, swing-ups, gaps, bounds, conditions on the ends, rates of
//! convergence.
use crate::ddp_problems::{Acrobot, Attitude, Cycle, Linear, Pendulum};
use crate::lq::{Dense, Kind, problem};
use crate::random::{Random, distance};
use sinew_solve::ddp::{Ddp, Problem, Rollout, Settings, Status};
use sinew_solve::riccati::{Riccati, Stage, Terminal};
use std::ops::ControlFlow;

const DEFINITE: Kind = Kind { rank: 5, indefinite: 0.0 };

#[test]
fn a_linear_problem_takes_one_iteration() {
    let mut random = Random::new(41);
    let p = Linear { lq: problem(&mut random, 5, &[3, 2, 3, 1, 3, 2], DEFINITE), bounds: None, shift: None };
    let mut riccati = Riccati::new(&p.lq);
    riccati.backward(&p.lq, 0.0).expect("convex");
    let x0 = random.vector(5);
    let (mut xs, mut us) = (vec![0.0; 35], vec![0.0; 14]);
    riccati.forward(&p.lq, &x0, &mut xs, &mut us);
    for rollout in [Rollout::Feedback, Rollout::Linear] {
        let mut ddp = Ddp::new(&p, Settings { rollout, ..Settings::default() });
        // states that do not satisfy the dynamics: gaps everywhere
        let mut guess = random.vector(35);
        guess[..5].copy_from_slice(&x0);
        ddp.guess(&guess, &random.vector(14));
        let outcome = ddp.solve(&p);
        assert_eq!((outcome.status, outcome.iterations), (Status::Converged, 1));
        for k in 0..=6 {
            assert!(distance(ddp.state(k), &xs[k * 5..(k + 1) * 5]) < 1e-9);
        }
        let (mut mine, mut theirs) = (vec![0.0; 25], vec![0.0; 25]);
        ddp.policy().value_hessian(0, &mut mine);
        riccati.value_hessian(0, &mut theirs);
        assert!(distance(&mine, &theirs) < 1e-10);
    }
}

#[test]
fn bounded_controls_satisfy_the_optimality_conditions() {
    let mut random = Random::new(42);
    for _ in 0..10 {
        let lq = problem(&mut random, 4, &[3; 8], Kind { rank: 4, indefinite: 0.0 });
        let p = Linear { lq, bounds: Some((vec![-0.3; 3], vec![0.2; 3])), shift: None };
        let mut ddp = Ddp::new(&p, Settings { tolerance: 1e-15, ..Settings::default() });
        ddp.guess_controls(&p, &random.vector(4), &[0.0; 24]);
        let outcome = ddp.solve(&p);
        assert_eq!(outcome.status, Status::Converged);
        // gradient of the whole cost in the controls, by the adjoint equation
        let end = &p.lq.terminal;
        let mut linear = Stage::new(4, 3);
        let mut costate = vec![0.0; 4];
        let mut terminal = Terminal { lxx: end.lxx.clone(), lx: end.lx.clone(), l0: 0.0 };
        p.calc_end_diff(ddp.state(8), &mut (), &mut terminal);
        costate.copy_from_slice(&terminal.lx);
        let mut held = 0;
        for k in (0..8).rev() {
            p.calc_diff(k, ddp.state(k), ddp.control(k), &mut (), &mut linear);
            for j in 0..3 {
                let u = ddp.control(k)[j];
                let gradient = linear.lu[j] + (0..4).map(|i| linear.fu[i + 4 * j] * costate[i]).sum::<f64>();
                match u {
                    u if u <= -0.3 => assert!(u == -0.3 && gradient > -1e-6),
                    u if u >= 0.2 => assert!(u == 0.2 && gradient < 1e-6),
                    _ => assert!(gradient.abs() < 1e-6, "{gradient:e}"),
                }
                held += usize::from(u == -0.3 || u == 0.2);
            }
            costate = (0..4)
                .map(|j| linear.lx[j] + (0..4).map(|i| linear.fx[i + 4 * j] * costate[i]).sum::<f64>())
                .collect();
        }
        assert!(held > 3, "bounds that do not bind test nothing");
    }
}

#[test]
fn pendulum_swings_up() {
    let p = Pendulum::swing_up();
    for second_order in [false, true] {
        let mut ddp = Ddp::new(&p, Settings { second_order, ..Settings::default() });
        ddp.guess_controls(&p, &[0.0, 0.0], &[0.0; 150]);
        let outcome = ddp.solve(&p);
        assert_eq!(outcome.status, Status::Converged, "{outcome:?}");
        assert!(distance(ddp.state(150), &[std::f64::consts::PI, 0.0]) < 0.1);
    }
}

#[test]
fn pendulum_swings_up_with_a_weak_motor() {
    // gravity's torque reaches 9.81: a motor of 3 must pump
    let p = Pendulum { nodes: 250, limit: Some(([-3.0], [3.0])), ..Pendulum::swing_up() };
    let mut ddp = Ddp::new(&p, Settings { max_iterations: 500, ..Settings::default() });
    let us: Vec<f64> = (0..250).map(|k| 0.1 * (0.06 * k as f64).sin()).collect();
    ddp.guess_controls(&p, &[0.0, 0.0], &us);
    let outcome = ddp.solve(&p);
    assert_eq!(outcome.status, Status::Converged, "{outcome:?}");
    assert!(distance(ddp.state(250), &[std::f64::consts::PI, 0.0]) < 0.1);
    assert!((0..250).all(|k| ddp.control(k)[0].abs() <= 3.0));
    assert!((0..250).any(|k| ddp.control(k)[0].abs() == 3.0));
}

#[test]
fn acrobot_numbers() {
    // acceleration at rest at (−105°, −15°) without torque, from the closed form
    let a = Acrobot::acceleration([-105f64.to_radians(), -15f64.to_radians()], [0.0; 2], 0.0);
    assert!(distance(&a, &[0.31880744, 4.27824822]) < 1e-8);
}

#[test]
fn acrobot_swings_up() {
    let p = Acrobot { nodes: 250, h: 0.02 };
    let mut ddp = Ddp::new(&p, Settings { max_iterations: 500, ..Settings::default() });
    let us: Vec<f64> = (0..250).map(|k| (0.06 * k as f64).sin()).collect();
    ddp.guess_controls(&p, &[-std::f64::consts::FRAC_PI_2, 0.0, 0.0, 0.0], &us);
    let outcome = ddp.solve(&p);
    assert_eq!(outcome.status, Status::Converged, "{outcome:?}");
    assert!(
        distance(ddp.state(250), &[std::f64::consts::FRAC_PI_2, 0.0, 0.0, 0.0]) < 0.05,
        "{:?}",
        ddp.state(250)
    );
}

#[test]
fn newton_converges_quadratically_near_the_solution() {
    let p = Pendulum::swing_up();
    let tight = Settings { second_order: true, tolerance: 1e-26, ..Settings::default() };
    let mut ddp = Ddp::new(&p, tight);
    ddp.guess_controls(&p, &[0.0, 0.0], &[0.0; 150]);
    assert_eq!(ddp.solve(&p).status, Status::Converged);
    let solution: Vec<f64> = (0..150).map(|k| ddp.control(k)[0]).collect();
    // start near it, and watch the distance
    let start: Vec<f64> =
        solution.iter().enumerate().map(|(k, u)| u + 3.0 * (0.7 * k as f64).cos()).collect();
    let mut errors = vec![distance(&start, &solution)];
    for iterations in 1..=4 {
        let mut ddp = Ddp::new(&p, Settings { max_iterations: iterations, ..tight });
        ddp.guess_controls(&p, &[0.0, 0.0], &start);
        ddp.solve(&p);
        errors.push(distance(&(0..150).map(|k| ddp.control(k)[0]).collect::<Vec<_>>(), &solution));
    }
    // e⁺ ≤ C e² with one and the same C, down to rounding
    for pair in errors.windows(2).filter(|p| p[0] > 1e-7) {
        assert!(pair[1] < 2.0 * pair[0] * pair[0] + 1e-12, "{errors:?}");
    }
    assert!(errors[3] < 1e-9, "{errors:?}");
    assert!(errors.windows(2).filter(|p| p[0] > 1e-7).count() >= 2, "{errors:?}");
}

#[test]
fn a_pinned_end_is_met_exactly() {
    let p = Pendulum { weight: 0.0, pinned: true, ..Pendulum::swing_up() };
    let mut ddp = Ddp::new(&p, Settings::default());
    ddp.guess_controls(&p, &[0.0, 0.0], &[0.0; 150]);
    let outcome = ddp.solve(&p);
    assert_eq!(outcome.status, Status::Converged, "{outcome:?}");
    assert!(distance(ddp.state(150), &[std::f64::consts::PI, 0.0]) < 1e-7);
    assert!(ddp.multipliers().iter().any(|y| y.abs() > 1e-3));
}

#[test]
fn multiple_shooting_closes_gaps() {
    let p = Pendulum::swing_up();
    // a straight line from hanging to standing, which no pendulum follows
    let xs: Vec<f64> = (0..=150)
        .flat_map(|k| [std::f64::consts::PI * k as f64 / 150.0, std::f64::consts::PI / 3.0])
        .collect();
    let mut xs = xs;
    xs[1] = 0.0;
    for rollout in [Rollout::Feedback, Rollout::Linear] {
        let mut ddp = Ddp::new(&p, Settings { rollout, ..Settings::default() });
        ddp.guess(&xs, &[0.0; 150]);
        let mut gaps = vec![];
        let outcome = ddp.solve_logged(&p, |i| {
            gaps.push((i.step, i.gap));
            ControlFlow::Continue(())
        });
        assert_eq!(outcome.status, Status::Converged, "{rollout:?} {outcome:?}");
        assert!(outcome.gap <= 1e-9);
        assert!(distance(ddp.state(150), &[std::f64::consts::PI, 0.0]) < 0.1);
        if rollout == Rollout::Feedback {
            let first_full = gaps.iter().find(|g| g.0 == 1.0).expect("a full step");
            assert!(first_full.1 < 1e-12, "a full step closes all gaps: {gaps:?}");
        }
    }
}

#[test]
fn attitudes_live_on_their_manifold() {
    let half = 1.2f64;
    let p = Attitude { goal: [half.cos(), half.sin() * 0.6, half.sin() * 0.8, 0.0] };
    let start = [1.0, 0.0, 0.0, 0.0, 0.3, -0.2, 0.5];
    for gaps in [false, true] {
        let mut ddp = Ddp::new(&p, Settings::default());
        if gaps {
            ddp.guess(&[start; 51].concat(), &[0.0; 150]);
        } else {
            ddp.guess_controls(&p, &start, &[0.0; 150]);
        }
        let outcome = ddp.solve(&p);
        assert_eq!(outcome.status, Status::Converged, "{outcome:?}");
        let end = ddp.state(50);
        assert!(p.error(end).iter().chain(&end[4..]).all(|e| e.abs() < 2e-2), "{end:?}");
        assert!((end[..4].iter().map(|q| q * q).sum::<f64>() - 1.0).abs() < 1e-12);
    }
}

#[test]
fn periodic_linear_motions_equal_the_dense_solution() {
    let mut random = Random::new(43);
    let shift = random.vector(4);
    let lq = problem(&mut random, 4, &[2; 7], Kind { rank: 4, indefinite: 0.0 });
    let mut dense = Dense::new(&lq);
    dense.tie_ends(&shift);
    let (z, cost) = dense.solve();
    let p = Linear { lq, bounds: None, shift: Some(shift) };
    let mut ddp =
        Ddp::new(&p, Settings { boundary_tolerance: 1e-10, tolerance: 1e-14, ..Settings::default() });
    ddp.guess_controls(&p, &[0.0; 4], &[0.0; 14]);
    let outcome = ddp.solve(&p);
    assert_eq!(outcome.status, Status::Converged, "{outcome:?}");
    assert!((outcome.cost - cost).abs() < 1e-7);
    for k in 0..=7 {
        assert!(distance(ddp.state(k), z.rows(dense.x[k], 4).as_slice()) < 1e-7);
    }
}

#[test]
fn a_driven_pendulum_finds_its_cycle() {
    let p = Cycle { nodes: 100 };
    let mut ddp = Ddp::new(&p, Settings::default());
    ddp.guess_controls(&p, &[0.0, 0.0], &[0.0; 100]);
    let outcome = ddp.solve(&p);
    assert_eq!(outcome.status, Status::Converged, "{outcome:?}");
    assert!(distance(ddp.state(0), ddp.state(100)) < 1e-7);
    // it swings, and starts with the speed of the sine rather than at rest
    assert!(
        ddp.state(0)[1] > 2.0 && (ddp.state(25)[0] - 1.0).abs() < 0.1,
        "{:?} {:?}",
        ddp.state(0),
        ddp.state(25)
    );
}

#[test]
fn feedback_holds_against_a_disturbance() {
    let p = Pendulum::swing_up();
    let mut ddp = Ddp::new(&p, Settings::default());
    ddp.guess_controls(&p, &[0.0, 0.0], &[0.0; 150]);
    assert_eq!(ddp.solve(&p).status, Status::Converged);
    let simulate = |feedback: bool| {
        let mut x = [0.05, -0.05];
        for k in 0..150 {
            let mut u = [ddp.control(k)[0]];
            if feedback {
                let gain = ddp.policy().gain(k);
                u[0] += (0..2).map(|j| gain.get(0, j) * (x[j] - ddp.state(k)[j])).sum::<f64>();
            }
            let mut next = [0.0; 2];
            p.calc(k, &x, &u, &mut (), &mut next);
            x = next;
        }
        distance(&x, ddp.state(150))
    };
    assert!(simulate(true) < 0.2 * simulate(false), "{} {}", simulate(true), simulate(false));
}

#[test]
fn interruptions_and_values_that_are_not_finite() {
    let p = Pendulum::swing_up();
    let mut ddp = Ddp::new(&p, Settings::default());
    ddp.guess_controls(&p, &[0.0, 0.0], &[0.0; 150]);
    let outcome = ddp
        .solve_logged(&p, |i| if i.index == 2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) });
    assert_eq!((outcome.status, outcome.iterations), (Status::Interrupted, 3));
    ddp.settings.max_iterations = 1;
    assert_eq!(ddp.solve(&p).status, Status::IterationLimit);
    ddp.guess_controls(&p, &[f64::NAN, 0.0], &[0.0; 150]);
    assert_eq!(ddp.solve(&p).status, Status::NotFinite);
}

#[test]
fn nothing_is_allocated_while_solving() {
    let p = Pendulum { limit: Some(([-3.0], [3.0])), ..Pendulum::swing_up() };
    let mut ddp = Ddp::new(&p, Settings { second_order: true, max_iterations: 20, ..Settings::default() });
    let count = allocation_counter::measure(|| {
        ddp.guess_controls(&p, &[0.0, 0.0], &[0.0; 150]);
        ddp.solve(&p);
    });
    assert_eq!(count.count_total, 0);
}
