//! Combination, projection, and values along trajectories (tests B6 to B10, B12, B13).
use crate::ddp_problems;
use crate::random::Random;
use sinew_solve::ddp::{Ddp, Problem as _, Settings, Status};
use sinew_solve::linear_bellman::*;

#[test]
fn identical_components_share_alike() {
    for softness in [1e-3, 1.0, 1e3] {
        let mut softmax = Softmax::new(softness, &[1.0, 1.0]);
        assert_eq!(softmax.shares(&[17.0, 17.0]), &[0.5, 0.5]);
    }
}

#[test]
fn large_values_do_not_underflow() {
    let mut softmax = Softmax::new(1.0, &[1.0, 1.0]);
    let shares = softmax.shares(&[63574.0, 63575.0]);
    assert!((shares[0] - 0.73105858).abs() < 5e-9 && (shares[1] - 0.26894142).abs() < 5e-9);
    assert!((softmax.value(&[63574.0, 63574.0]) - 63574.0 + 2f64.ln()).abs() < 1e-9);
    // nothing known at all: the weights decide
    let mut blind = Softmax::new(1.0, &[1.0, 3.0]);
    assert!((blind.shares(&[f64::INFINITY, f64::NAN])[1] - 0.75).abs() < 1e-15);
}

#[test]
fn linear_quadratic_components_differ_by_linear_terms() {
    let lq =
        LinearQuadratic::new(2, &[0.0, -1.0, 1.0, -0.2], &[0.0, 1.0], &[1.0, 0.0, 0.0, 0.5], &[0.3], 0.8);
    let end = [5.0, 0.0, 0.0, 2.0];
    let [one, two] = [[0.4, 0.0], [-0.7, 1.0]].map(|at| lq.back(&Quadratic::about(&at, &end), 1.5, 500));
    assert!(one.hessian.iter().zip(&two.hessian).all(|(a, b)| (a - b).abs() < 1e-12));
    let mut softmax = Softmax::new(0.8, &[1.0, 1.0]);
    let mut log_ratio = |x: &[f64]| {
        let shares = softmax.shares(&[one.value(x), two.value(x)]);
        libm::log(shares[0] / shares[1])
    };
    let origin = log_ratio(&[0.0, 0.0]);
    let (dx, dy) = (log_ratio(&[0.1, 0.0]) - origin, log_ratio(&[0.0, 0.1]) - origin);
    let far = log_ratio(&[0.3, -0.2]);
    assert!((far - origin - 3.0 * dx + 2.0 * dy).abs() < 1e-12);
    assert!(dx.abs() > 1e-3);
}

#[test]
fn gaussian_inner_products() {
    let goal = |center: [f64; 2], q: [f64; 4]| Goal { center: center.to_vec(), stiffness: q.to_vec() };
    let (q1, q2) = ([2.0, 0.3, 0.3, 1.0], [1.0, -0.2, -0.2, 3.0]);
    let product = inner_product(&goal([0.2, -0.1], q1), &goal([0.9, 0.6], q2), 1.0).unwrap();
    assert!((product - 0.443173618).abs() < 1e-9, "{product}");
    let product = inner_product(&goal([0.2, -0.1], q1), &goal([0.9, 0.6], q1), 1.0).unwrap();
    assert!((product - 0.470495485).abs() < 1e-9, "{product}");
}

#[test]
fn projection_finds_components_and_what_lies_between() {
    let goals = [0.0, 0.6, 1.1].map(|x| Goal::diagonal(&[x, 0.0], &[2.0, 0.0]));
    let exact = project(&goals, &goals[0], 1.0);
    assert!((exact.weights[0] - 1.0).abs() < 1e-9 && exact.weights[1].abs() < 1e-9 && exact.residual < 1e-6);
    assert!(exact.warnings().is_empty(), "{:?}", exact.warnings());
    // two components: the closed form
    let pair = [Goal::diagonal(&[0.0], &[1.5]), Goal::diagonal(&[1.0], &[1.5])];
    for f in [0.0, 0.3, 0.5, 1.0] {
        let kappa = 1.5f64;
        let (rho, b1, b2) = (
            libm::exp(-kappa / 2.0),
            libm::exp(-f * f * kappa / 2.0),
            libm::exp(-(1.0 - f) * (1.0 - f) * kappa / 2.0),
        );
        let wanted = [(b1 - rho * b2) / (1.0 - rho * rho), (b2 - rho * b1) / (1.0 - rho * rho)];
        let found = project(&pair, &Goal::diagonal(&[f], &[1.5]), 1.0);
        assert!(found.weights.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-12), "{f}: {found:?}");
    }
    // outside, and too far apart
    let beyond = project(&pair, &Goal::diagonal(&[1.6], &[1.5]), 1.0);
    assert!(beyond.outside && beyond.weights[0] == 0.0 && !beyond.warnings().is_empty());
    let apart = [0.0, 3.0].map(|x| Goal::diagonal(&[x], &[2.0]));
    let between = project(&apart, &Goal::diagonal(&[1.5], &[2.0]), 1.0);
    assert!(between.width == 18.0 && between.residual > 0.3 && between.warnings().len() >= 2, "{between:?}");
    // a repeated goal does no harm
    let twice = [goals[0].clone(), goals[0].clone(), goals[2].clone()];
    let found = project(&twice, &goals[0], 1.0);
    assert!((found.weights.iter().sum::<f64>() - 1.0).abs() < 1e-6, "{found:?}");
}

#[test]
fn negative_weights_are_held_at_zero_as_the_optimum_demands() {
    let mut random = Random::new(3);
    for _ in 0..200 {
        let (n, m) = (5, 7);
        let (columns, b) = (random.vector(n * m), random.vector(m));
        let column = |i: usize| &columns[i * m..(i + 1) * m];
        let dot = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(a, b)| a * b).sum::<f64>();
        let gram: Vec<f64> = (0..n * n).map(|k| dot(column(k / n), column(k % n))).collect();
        let right: Vec<f64> = (0..n).map(|i| dot(column(i), &b)).collect();
        let w = nnls(&gram, &right);
        // Kuhn-Tucker: no slope inside, none downhill at the bound
        for i in 0..n {
            let slope = (0..n).map(|j| gram[j * n + i] * w[j]).sum::<f64>() - right[i];
            assert!(
                w[i] >= 0.0 && if w[i] > 0.0 { slope.abs() < 1e-9 } else { slope > -1e-9 },
                "{w:?} {slope}"
            );
        }
    }
}

#[test]
fn slewed_shares_stay_shares() {
    let mut slew = Slew::new(3);
    slew.follow(&[0.2, 0.3, 0.5], 0.01);
    for _ in 0..30 {
        let shares = slew.follow(&[1.0, 0.0, 0.0], 0.05).to_vec();
        assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-12 && shares.iter().all(|s| *s >= 0.0));
    }
    assert_eq!(slew.shares(), &[1.0, 0.0, 0.0]);
}

#[test]
fn ddp_solves_linear_quadratic_problems_at_once_and_its_values_are_riccatis() {
    let problem = Cart::new(200, 0.01);
    let mut ddp = Ddp::new(&problem, Settings::default());
    let x0 = [0.5, -0.3];
    ddp.guess_controls(&problem, &x0, &[0.0; 200]);
    let outcome = ddp.solve(&problem);
    assert_eq!((outcome.status, outcome.iterations), (Status::Converged, 1));
    let along = Along::of(&problem, &ddp, 0.01, None);
    // the same by the recursion of the thesis
    let mut p = [4.0, 0.0, 0.0, 1.0];
    for _ in 0..200 {
        p = problem.riccati(p);
    }
    let worst = along.hessian(0).iter().zip(p).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(worst < 1e-10, "{worst:e}");
    // and the local model is exact: values of other states are those of their own optimum
    for dx in [[0.1, 0.0], [-0.4, 0.7], [2.0, -1.0]] {
        let mut other = Ddp::new(&problem, Settings::default());
        other.guess_controls(&problem, &[x0[0] + dx[0], x0[1] + dx[1]], &[0.0; 200]);
        let cost = other.solve(&problem).cost;
        assert!((along.value(0, &dx) - cost).abs() < 1e-9 * (1.0 + cost), "{cost}");
        let mut u = [0.0];
        along.law(0, &dx, &mut u);
        assert!((u[0] - other.control(0)[0]).abs() < 1e-9);
    }
    // the noise term against the trace
    let noisy = Along::of(&problem, &ddp, 0.01, Some(0.5));
    let trace: f64 = (1..=200).map(|k| 0.5 * 0.5 * 0.01 * along.hessian(k)[3] / problem.r).sum();
    assert!((noisy.value(0, &[0.0, 0.0]) - along.value(0, &[0.0, 0.0]) - trace).abs() < 1e-10);
}

#[test]
fn components_are_kept_in_files_and_trusted_near_by() {
    let problem = Cart::new(20, 0.05);
    let mut ddp = Ddp::new(&problem, Settings::default());
    ddp.guess_controls(&problem, &[1.0, 0.0], &[0.0; 20]);
    ddp.solve(&problem);
    let along = Along::of(&problem, &ddp, 0.05, None);
    let trust = Trust { weights: vec![1.0, 0.5], radius: 2.0, cost: 3.0 };
    let trusted = along.clone().trusted(trust);
    for (dx, beyond) in [([1.0, 0.0], 0.0), ([4.0, 0.0], 0.5 * 3.0 * 9.0)] {
        assert_eq!(trusted.value(3, &dx) - along.value(3, &dx), beyond);
    }
    assert!(along.value(20, &[-1e3, 0.0]) >= 0.0);
    let bytes = trusted.to_bytes();
    assert_eq!(Along::from_bytes(&bytes).unwrap(), trusted);
    assert_eq!(Along::from_bytes(&along.to_bytes()).unwrap(), along);
    assert_eq!(Along::from_bytes(b"nothing"), Err(AlongError::Kind));
    assert_eq!(Along::from_bytes(&bytes[..bytes.len() - 8]), Err(AlongError::Damaged("length")));
    for k in (0..bytes.len()).step_by(7) {
        let mut broken = bytes.clone();
        broken[k] ^= 0xff;
        // never a panic, never the same
        assert!(Along::from_bytes(&broken) != Ok(trusted.clone()));
    }
}

#[test]
fn adjoint_gradient_against_differences_and_the_same_optimum() {
    let problem = ddp_problems::Pendulum::swing_up();
    let nodes = problem.nodes();
    let mut random = Random::new(8);
    let us = random.vector(nodes);
    let x0 = vec![0.3; problem.nx()];
    let mut adjoint = Adjoint::new(&problem);
    let mut gradient = vec![0.0; nodes];
    adjoint.gradient(&problem, &x0, &us, &mut gradient);
    let size = gradient.iter().fold(0.0f64, |m, g| m.max(g.abs()));
    for k in (0..nodes).step_by(nodes / 10) {
        let h = 1e-5;
        let mut cost = |d: f64| {
            let mut us = us.clone();
            us[k] += d;
            adjoint.cost(&problem, &x0, &us)
        };
        let difference = (cost(h) - cost(-h)) / (2.0 * h);
        assert!((difference - gradient[k]).abs() < 1e-7 * size, "{k}: {difference} {}", gradient[k]);
    }
    // conjugate gradients on a convex problem end where DDP does
    let cart = Cart::new(40, 0.05);
    let mut us = vec![0.0; 40];
    let outcome = conjugate_gradients(&cart, &[1.0, 0.0], &mut us, CgSettings::default());
    let mut ddp = Ddp::new(&cart, Settings::default());
    ddp.guess_controls(&cart, &[1.0, 0.0], &[0.0; 40]);
    let best = ddp.solve(&cart).cost;
    assert!(outcome.converged && (outcome.cost - best).abs() < 1e-9, "{outcome:?} {best}");
}

/// `x⁺ = x + h v, v⁺ = v + h u` with quadratic costs.
struct Cart {
    nodes: usize,
    h: f64,
    r: f64,
}

impl Cart {
    fn new(nodes: usize, h: f64) -> Cart {
        Cart { nodes, h, r: 0.2 }
    }

    /// One step of `P = Q + F_xᵀP(F_x + F_uK)`, 2 × 2.
    fn riccati(&self, p: [f64; 4]) -> [f64; 4] {
        let h = self.h;
        // with Bᵀ = (0, h), A = [1 h; 0 1]
        let pa = [p[0], p[1], h * p[0] + p[2], h * p[1] + p[3]];
        let apa = [pa[0], pa[1] + h * pa[0], pa[2], pa[3] + h * pa[2]];
        let (s, bpa) = (h * self.r + h * h * p[3], [h * pa[1], h * pa[3]]);
        let q = [h * 1.0, 0.0, 0.0, h * 0.1];
        std::array::from_fn(|k| q[k] + apa[k] - bpa[k % 2] * bpa[k / 2] / s)
    }
}

impl sinew_solve::ddp::Problem for Cart {
    type Data = ();
    fn nodes(&self) -> usize {
        self.nodes
    }
    fn nx(&self) -> usize {
        2
    }
    fn nu(&self, _: usize) -> usize {
        1
    }
    fn data(&self, _: usize) {}
    fn calc(&self, _: usize, x: &[f64], u: &[f64], _: &mut (), next: &mut [f64]) -> f64 {
        next[0] = x[0] + self.h * x[1];
        next[1] = x[1] + self.h * u[0];
        0.5 * self.h * (x[0] * x[0] + 0.1 * x[1] * x[1] + self.r * u[0] * u[0])
    }
    fn calc_diff(&self, _: usize, x: &[f64], u: &[f64], _: &mut (), stage: &mut sinew_solve::riccati::Stage) {
        let h = self.h;
        stage.fx.copy_from_slice(&[1.0, 0.0, h, 1.0]);
        stage.fu.copy_from_slice(&[0.0, h]);
        stage.lx.copy_from_slice(&[h * x[0], 0.1 * h * x[1]]);
        stage.lxx.copy_from_slice(&[h, 0.0, 0.0, 0.1 * h]);
        (stage.lu[0], stage.luu[0]) = (h * self.r * u[0], h * self.r);
    }
    fn calc_end(&self, x: &[f64], _: &mut ()) -> f64 {
        0.5 * (4.0 * x[0] * x[0] + x[1] * x[1])
    }
    fn calc_end_diff(&self, x: &[f64], _: &mut (), end: &mut sinew_solve::riccati::Terminal) {
        end.lx.copy_from_slice(&[4.0 * x[0], x[1]]);
        end.lxx.copy_from_slice(&[4.0, 0.0, 0.0, 1.0]);
    }
}
