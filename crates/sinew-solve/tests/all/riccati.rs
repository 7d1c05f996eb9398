//! The recursion against the dense solution of the same horizon, against numbers worked by hand, and against
//! itself.
use crate::lq::{Dense, Kind, problem};
use crate::random::{Random, distance};
use sinew_solve::riccati::{Border, LqProblem, NotConvex, Riccati};

fn compare(p: &LqProblem, x0: &[f64], tolerance: f64) {
    let n = p.nx();
    let mut riccati = Riccati::new(p);
    riccati.backward(p, 0.0).expect("a convex problem");
    let mut xs = vec![0.0; n * (p.stages.len() + 1)];
    let mut us = vec![0.0; p.stages.iter().map(|s| s.nu()).sum()];
    riccati.forward(p, x0, &mut xs, &mut us);
    let mut dense = Dense::new(p);
    dense.fix_start(x0);
    let (z, cost) = dense.solve();
    for (k, &offset) in dense.x.iter().enumerate() {
        let error = distance(&xs[k * n..(k + 1) * n], z.rows(offset, n).as_slice());
        assert!(error < tolerance, "state {k}: {error:e}");
    }
    let mut at = 0;
    for (s, &offset) in p.stages.iter().zip(&dense.u) {
        let error = distance(&us[at..at + s.nu()], z.rows(offset, s.nu()).as_slice());
        assert!(error < tolerance, "control: {error:e}");
        at += s.nu();
    }
    // the optimal cost, from the value function at the beginning
    let mut v = vec![0.0; n * n];
    riccati.value_hessian(0, &mut v);
    let mut value = riccati.value_constant(0);
    for j in 0..n {
        value += riccati.value_gradient(0)[j] * x0[j];
        value += (0..n).map(|i| 0.5 * x0[i] * v[i + j * n] * x0[j]).sum::<f64>();
    }
    assert!((value - cost).abs() < tolerance * (1.0 + cost.abs()), "value {value} cost {cost}");
}

#[test]
fn equals_the_dense_solution() {
    let mut random = Random::new(21);
    for round in 0..20 {
        let definite = Kind { rank: 6, indefinite: 0.0 };
        let p = problem(&mut random, 6, &[4; 9], definite);
        compare(&p, &random.vector(6), 1e-10);
        // semi-definite Hessians, and numbers of controls that change; zero controls too
        let p = problem(&mut random, 5, &[2, 0, 3, 1, 2], Kind { rank: 2, indefinite: 0.0 });
        compare(&p, &random.vector(5), 1e-10);
        // curvature taken off until values are indefinite, while the controls keep theirs
        let p = problem(&mut random, 4, &[2; 3], Kind { rank: 4, indefinite: 0.02 * round as f64 });
        compare(&p, &random.vector(4), 1e-9);
    }
}

#[test]
fn equals_the_dense_solution_at_full_size() {
    let mut random = Random::new(22);
    let mut p = problem(&mut random, 84, &[36; 3], Kind { rank: 84, indefinite: 0.0 });
    for stage in &mut p.stages {
        stage.fx.iter_mut().for_each(|v| *v *= 0.1);
    }
    compare(&p, &random.vector(84), 1e-9);
}

#[test]
fn indefinite_values_occur_in_the_test_above() {
    let mut random = Random::new(23);
    let p = problem(&mut random, 4, &[2; 3], Kind { rank: 1, indefinite: 0.3 });
    let mut riccati = Riccati::new(&p);
    riccati.backward(&p, 0.0).expect("convex in the controls");
    let mut v = vec![0.0; 16];
    riccati.value_hessian(1, &mut v);
    let eigenvalues = nalgebra::DMatrix::from_column_slice(4, 4, &v).symmetric_eigenvalues();
    assert!(eigenvalues.min() < -1e-3 && eigenvalues.max() > 1e-3);
    compare(&p, &random.vector(4), 1e-9);
}

#[test]
fn worked_examples() {
    // x⁺ = x + u, cost 0.1x² + u², x² at the end, four steps
    let mut p = LqProblem::new(1, [1; 3]);
    for s in &mut p.stages {
        (s.fx[0], s.fu[0], s.lxx[0], s.luu[0]) = (1.0, 1.0, 0.1, 1.0);
    }
    p.terminal.lxx[0] = 1.0;
    let mut riccati = Riccati::new(&p);
    riccati.backward(&p, 0.0).expect("convex");
    let gains = [2, 1, 0].map(|i| riccati.gain(i).get(0, 0));
    assert!(distance(&gains, &[-0.5, -0.375, -0.3220338983050847]) < 1e-15);
    let mut v = [0.0];
    riccati.value_hessian(0, &mut v);
    assert!((v[0] - 0.4220338983050847).abs() < 1e-15);

    // double integrator with zero-order hold of 0.1 s
    let mut p = LqProblem::new(2, [1; 3]);
    for s in &mut p.stages {
        s.fx.copy_from_slice(&[1.0, 0.0, 0.1, 1.0]);
        s.fu.copy_from_slice(&[0.005, 0.1]);
        s.lxx.copy_from_slice(&[0.1, 0.0, 0.0, 0.1]);
        s.luu[0] = 1.0;
    }
    p.terminal.lxx.copy_from_slice(&[1.0, 0.0, 0.0, 1.0]);
    let mut riccati = Riccati::new(&p);
    riccati.backward(&p, 0.0).expect("convex");
    for (i, k) in
        [(2, [0.00495037, 0.09950249]), (1, [0.01528010, 0.11080955]), (0, [0.02644893, 0.12402447])]
    {
        let gain = [-riccati.gain(i).get(0, 0), -riccati.gain(i).get(0, 1)];
        assert!(distance(&gain, &k) < 1e-8);
    }
}

#[test]
fn long_horizons_approach_the_algebraic_equation() {
    let (a, b) = ([1.0, 0.0, 0.1, 1.0], [0.005, 0.1]);
    let mut p = LqProblem::new(2, [1; 400]);
    for s in &mut p.stages {
        s.fx.copy_from_slice(&a);
        s.fu.copy_from_slice(&b);
        s.lxx.copy_from_slice(&[1.0, 0.0, 0.0, 1.0]);
        s.luu[0] = 1.0;
    }
    let mut riccati = Riccati::new(&p);
    riccati.backward(&p, 0.0).expect("convex");
    let law = sinew_solve::riccati::dare(2, 1, &a, &b, &[1.0, 0.0, 0.0, 1.0], &[1.0], None);
    let gain = [riccati.gain(0).get(0, 0), riccati.gain(0).get(0, 1)];
    assert!(distance(&gain, &law.gain) < 1e-12);
    assert!(distance(&gain, &[-0.91707456, -1.63559619]) < 1e-8);
}

#[test]
fn a_stage_without_curvature_is_named() {
    let mut random = Random::new(24);
    let mut p = problem(&mut random, 3, &[2; 5], Kind { rank: 3, indefinite: 0.0 });
    p.stages[2].luu.fill(0.0);
    p.stages[2].fu.fill(0.0);
    p.stages[2].lxu.fill(0.0);
    let mut riccati = Riccati::new(&p);
    assert_eq!(riccati.backward(&p, 0.0), Err(NotConvex { stage: 2, control: 0 }));
    assert!(riccati.backward(&p, 1e-3).is_ok());
    p.stages[1].fx[0] = f64::NAN;
    assert!(riccati.backward(&p, 1e-3).is_err());
}

#[test]
fn periodic_motions_equal_the_dense_solution() {
    let mut random = Random::new(25);
    let (n, rho) = (4, 50.0);
    for _ in 0..10 {
        let mut p = problem(&mut random, n, &[2, 3, 2, 2, 1, 2], Kind { rank: 4, indefinite: 0.0 });
        let mut dense = Dense::new(&p);
        // ½ρ‖x_N − x_0 − e‖² on top of the cost
        let e = random.vector(n);
        let last = dense.x[p.stages.len()];
        for i in 0..n {
            dense.h[(i, i)] += rho;
            dense.h[(last + i, last + i)] += rho;
            dense.h[(i, last + i)] -= rho;
            dense.h[(last + i, i)] -= rho;
            dense.g[i] += rho * e[i];
            dense.g[last + i] -= rho * e[i];
            p.terminal.lxx[i * (n + 1)] += rho;
            p.terminal.lx[i] -= rho * e[i];
        }
        let (z, _) = dense.solve();
        let diagonal =
            |v: f64| (0..n * n).map(|k| if k % (n + 1) == 0 { v } else { 0.0 }).collect::<Vec<_>>();
        let mut riccati = Riccati::new(&p);
        riccati.backward(&p, 0.0).expect("convex");
        let mut border = Border::new(&p);
        let t: Vec<f64> = e.iter().map(|e| rho * e).collect();
        border.backward(&p, &riccati, &diagonal(-rho), &diagonal(rho), &t);
        let mut x = vec![0.0; n];
        border.parameter(&riccati, &mut x).expect("convex");
        let start = x.clone();
        assert!(distance(&x, z.rows(0, n).as_slice()) < 1e-9);
        for (k, s) in p.stages.iter().enumerate() {
            let u: Vec<f64> = (0..s.nu())
                .map(|i| {
                    let feedback: f64 = (0..n)
                        .map(|j| riccati.gain(k).get(i, j) * x[j] + border.gain(k).get(i, j) * start[j])
                        .sum();
                    feedback + riccati.feedforward(k)[i]
                })
                .collect();
            assert!(distance(&u, z.rows(dense.u[k], s.nu()).as_slice()) < 1e-9);
            x = (0..n)
                .map(|i| {
                    let free: f64 = (0..n).map(|j| s.fx[i + j * n] * x[j]).sum();
                    free + (0..s.nu()).map(|j| s.fu[i + j * n] * u[j]).sum::<f64>() + s.f0[i]
                })
                .collect();
        }
    }
}

#[test]
fn nothing_is_allocated_after_set_up() {
    let mut random = Random::new(26);
    let p = problem(&mut random, 12, &[5; 20], Kind { rank: 12, indefinite: 0.0 });
    let (mut riccati, mut border) = (Riccati::new(&p), Border::new(&p));
    let (mut xs, mut us, x0) = (vec![0.0; 12 * 21], vec![0.0; 100], random.vector(12));
    let (none, t, mut start) = (vec![0.0; 144], random.vector(12), vec![0.0; 12]);
    let count = allocation_counter::measure(|| {
        riccati.backward(&p, 0.0).expect("convex");
        riccati.forward(&p, &x0, &mut xs, &mut us);
        border.backward(&p, &riccati, &none, &none, &t);
        border.parameter(&riccati, &mut start).expect("convex");
    });
    assert_eq!(count.count_total, 0);
}
