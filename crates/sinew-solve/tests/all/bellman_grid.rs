//! The linear Bellman equation on grids: closed forms, orders, edges, obstacles, time-dependent costs (tests B1 to B5, B11, B16).
use crate::bellman_problems::*;
use sinew_solve::linear_bellman::*;

fn settings(space: Space, stepper: Stepper, horizon: f64, steps: usize) -> Settings {
    Settings { space, stepper, keep: steps, ..Settings::new(horizon, steps) }
}

/// Greatest difference of `z` at the start from the closed form of P1.
fn particle_error(nodes: usize, space: Space, stepper: Stepper, steps: usize) -> f64 {
    let solution = solve(&Particle, &circle(nodes), &settings(space, stepper, 0.5, steps)).unwrap();
    let series = particle_series(512);
    let mut x = [0.0];
    let error = |(node, log): (usize, &f64)| {
        solution.grid().place(node, &mut x);
        (libm::exp(*log) - series.at(x[0], 0.5, 1.0, 1.0, 1.0).0).abs()
    };
    solution.first().iter().enumerate().map(error).fold(0.0, f64::max)
}

#[test]
fn particle_against_its_closed_form() {
    let series = particle_series(512);
    let coefficients = [0, 1, 2].map(|n| series.coefficient(n));
    // the series counts from −1, where the waves of odd number have the other sign
    for (got, wanted) in coefficients.iter().zip([0.66529871, -0.15683063, 0.00964250]) {
        assert!((got[0] - wanted).abs() < 1e-8 && got[1].abs() < 1e-12, "{got:?} {wanted}");
    }
    for (x, tau, wanted) in
        [(-0.5, 0.5, 0.41965840), (0.0, 0.5, 0.40352346), (0.5, 0.5, 0.38739093), (0.0, 1.0, 0.24391985)]
    {
        let z = series.at(x, tau, 1.0, 1.0, 1.0).0;
        assert!((z - wanted).abs() < 1e-8, "{x} {tau}: {z}");
    }
    let (z, slope) = series.at(0.0, 0.5, 1.0, 1.0, 1.0);
    assert!((slope / z + 0.12560764).abs() < 1e-8);
    // the policy read off a grid
    let fine = settings(Space::Fourier, Stepper::RadauIia, 0.5, 100);
    let solution = solve(&Particle, &circle(256), &fine).unwrap();
    let mut slope = [0.0];
    solution.gradient(&[0.0], 0.0, &mut slope);
    assert!((-slope[0] + 0.12560764).abs() < 2e-5, "{slope:?}");
    assert!((solution.value(&[-0.5], 0.0) + libm::log(0.41965840)).abs() < 1e-6);
}

#[test]
fn every_stepper_has_its_order() {
    for stepper in Stepper::ALL {
        let order = match stepper.explicit() {
            // few steps of an explicit method blow up
            true => libm::log2(particle_difference(16, stepper, 120) / particle_difference(16, stepper, 240)),
            false => libm::log2(particle_difference(32, stepper, 40) / particle_difference(32, stepper, 80)),
        };
        let wanted = stepper.order() as f64;
        assert!((order - wanted).abs() < 0.1, "{}: {order:.3}", stepper.name());
    }
}

/// Error in time alone: against the same matrices with many steps of the best method.
fn particle_difference(nodes: usize, stepper: Stepper, steps: usize) -> f64 {
    let run = |stepper, steps| {
        let solution =
            solve(&Particle, &circle(nodes), &settings(Space::Fourier, stepper, 0.5, steps)).unwrap();
        solution.first().iter().map(|l| libm::exp(*l)).collect::<Vec<f64>>()
    };
    let (got, exact) = (run(stepper, steps), run(Stepper::RadauIia, 2000));
    got.iter().zip(&exact).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

#[test]
fn every_scheme_in_space_has_its_order() {
    let order = |space, n| {
        libm::log2(
            particle_error(n, space, Stepper::RadauIia, 400)
                / particle_error(2 * n, space, Stepper::RadauIia, 400),
        )
    };
    let (upwind, central, fourier) =
        (order(Space::Upwind, 100), order(Space::Central, 50), order(Space::Fourier, 8));
    assert!((upwind - 1.0).abs() < 0.1 && (central - 2.0).abs() < 0.1, "{upwind} {central}");
    // the third derivative of the end jumps at the seam: order 4, not exponential; nodes are met better than that by diffusion
    assert!(fourier > 3.5, "{fourier}");
}

#[test]
fn spectral_derivatives() {
    for n in [32, 33] {
        let x = |j: usize| -1.0 + 2.0 * j as f64 / n as f64;
        let pi = std::f64::consts::PI;
        let f: Vec<f64> = (0..n).map(|j| libm::exp(libm::sin(pi * x(j)))).collect();
        let times = |d: &[f64], j: usize| (0..n).map(|l| d[l * n + j] * f[l]).sum::<f64>();
        let (d1, d2) = (first_derivative(n, 2.0), second_derivative(n, 2.0));
        for j in 0..n {
            let (s, c) = libm::sincos(pi * x(j));
            let (first, second) =
                (times(&d1, j) - pi * c * f[j], times(&d2, j) - pi * pi * (c * c - s) * f[j]);
            assert!(first.abs() < 1e-13 * 2.0 && second.abs() < 1e-11, "{n} {j}: {first:e} {second:e}");
        }
    }
}

#[test]
fn heat_to_rounding() {
    // wide enough that the periodic images do not count
    let exact = Diffusing {
        drift: vec![0.0],
        spread: vec![1.0],
        stiffness: vec![4.0],
        target: vec![0.0],
        rate: 0.0,
        softness: 1.0,
    };
    let grid = Grid::new(&[Axis::new(-12.0, 12.0, 192, Edge::Periodic)]);
    let solution =
        solve(&Constant(exact.clone()), &grid, &settings(Space::Fourier, Stepper::RadauIia, 1.0, 3000))
            .unwrap();
    let mut x = [0.0];
    for (node, log) in solution.first().iter().enumerate() {
        grid.place(node, &mut x);
        let error = libm::exp(*log) - libm::exp(-exact.value(&x, 1.0));
        assert!(error.abs() < 1e-12, "{x:?} {error:e}");
    }
}

fn brick_grid(nodes: usize) -> Grid {
    Grid::new(&[
        Axis::new(-1.0, 1.0, 3 * nodes / 2, Edge::Absorbing),
        Axis::new(-3.0, 3.0, nodes, Edge::Absorbing),
    ])
}

#[test]
fn brick_against_riccati() {
    let (lq, end) = brick_lq();
    let exact = lq.back(&end, 0.5, 2000);
    for (got, wanted) in exact.hessian.iter().zip([127.14725, 18.932546, 18.932546, 7.7590902]) {
        assert!((got / wanted - 1.0).abs() < 1e-7, "{got} {wanted}");
    }
    assert!((exact.constant - 2.1708491).abs() < 1e-6, "{}", exact.constant);
    let long = lq.back(&end, 8.0, 20_000);
    let gains = [long.hessian[1], long.hessian[3]];
    assert!((gains[0] - 14.14213562).abs() < 1e-8 && (gains[1] - 6.94868846).abs() < 1e-8, "{gains:?}");
    // backward Euler with upwind differences converges at first order, split and joint
    let error = |nodes: usize, coupling| {
        let settings =
            Settings { coupling, ..settings(Space::Upwind, Stepper::BackwardEuler, 0.5, 2 * nodes) };
        let solution = solve(&Brick, &brick_grid(nodes), &settings).unwrap();
        (solution.value(&[0.0, 0.0], 0.0) - exact.constant).abs()
    };
    for (coupling, nodes) in [(Coupling::Split, 80), (Coupling::Joint, 24)] {
        let (coarse, fine) = (error(nodes, coupling), error(2 * nodes, coupling));
        assert!((1.6..3.0).contains(&(coarse / fine)), "{coupling:?}: {coarse:e} {fine:e}");
        assert!(fine < 0.1);
    }
}

#[test]
fn brick_with_open_edges_and_second_order() {
    let (lq, end) = brick_lq();
    let exact = lq.back(&end, 0.5, 2000);
    let error = |refined: usize| {
        let axis = |half: f64, nodes: usize| Axis::new(-half, half, nodes * refined + 1, Edge::Open);
        let grid = Grid::new(&[axis(0.5, 40), axis(2.0, 80)]);
        let steps = 200 * refined;
        let solution = solve(&Brick, &grid, &Settings { keep: steps, ..Settings::new(0.5, steps) }).unwrap();
        let (mut slope, mut wanted) = ([0.0; 2], [0.0; 2]);
        solution.gradient(&[0.1, -0.2], 0.0, &mut slope);
        exact.slope(&[0.1, -0.2], &mut wanted);
        let value = (solution.value(&[0.0, 0.0], 0.0) - exact.constant).abs();
        (value, libm::hypot(slope[0] - wanted[0], slope[1] - wanted[1]))
    };
    let (coarse, fine) = (error(1), error(3));
    // three times finer: nine times better, but for the edges, which are held over a step
    assert!(fine.0 < coarse.0 / 5.0 && fine.1 < coarse.1 / 5.0, "{coarse:?} {fine:?}");
}

#[test]
fn omniwheel_against_its_closed_form_and_straight() {
    // BBᵀ is the same for every heading
    for theta in [0.0, 0.3, 2.0] {
        let wheel = |i: usize| theta + i as f64 * std::f64::consts::TAU / 3.0;
        let b = |i: usize| [-libm::sin(wheel(i)), libm::cos(wheel(i)), 0.5].map(|v| v * 2.0 / 3.0);
        for (r, c, wanted) in
            [(0, 0, 2.0 / 3.0), (1, 1, 2.0 / 3.0), (2, 2, 1.0 / 3.0), (0, 1, 0.0), (0, 2, 0.0)]
        {
            let sum: f64 = (0..3).map(|i| b(i)[r] * b(i)[c]).sum();
            assert!((sum - wanted).abs() < 1e-15);
        }
    }
    let robot = Omniwheel { goal: [0.0, 0.0], obstacle: None, weight: 1.0 };
    let edge = |nodes| Axis::new(-4.0, 4.0, nodes, Edge::Open);
    let exact = |x: &[f64], tau: f64| {
        let wide = 1.0 + 2.0 * tau / 3.0;
        0.5 * tau + libm::log(wide) + 0.5 * (x[0] * x[0] + x[1] * x[1]) / wide
    };
    let flat =
        solve(&robot, &Grid::new(&[edge(81), edge(81)]), &Settings { keep: 50, ..Settings::new(1.0, 50) })
            .unwrap();
    let turn = Axis::new(-1.0, 1.0, 6, Edge::Periodic);
    let solid = Grid::new(&[edge(41), edge(41), turn]);
    let solid = solve(&robot, &solid, &Settings { keep: 50, ..Settings::new(1.0, 50) }).unwrap();
    for x in [[0.0, 0.0, 0.3], [1.0, -0.5, 0.0], [-2.0, 1.5, 0.9]] {
        assert!((flat.value(&x[..2], 0.0) - exact(&x, 1.0)).abs() < 2e-3);
        assert!((solid.value(&x, 0.0) - exact(&x, 1.0)).abs() < 8e-3);
        let mut slope = [0.0; 3];
        solid.gradient(&x, 0.0, &mut slope);
        // straight at the goal to a milliradian, without turning
        let size = libm::hypot(slope[0], slope[1]) * libm::hypot(x[0], x[1]);
        assert!(
            (slope[0] * x[1] - slope[1] * x[0]).abs() <= 1e-3 * size && slope[2].abs() < 1e-9,
            "{slope:?}"
        );
    }
}

#[test]
fn superposition_is_exact() {
    struct End(f64);
    impl Problem for End {
        fn drift(&self, x: &[f64], a: &mut [f64]) {
            a[0] = libm::sin(4.0 * std::f64::consts::PI * x[0]);
        }
        fn spread(&self, _: &[f64], s: &mut [f64]) {
            s[0] = 0.2;
        }
        fn softness(&self) -> f64 {
            0.2
        }
        fn rate(&self, x: &[f64], _: f64) -> f64 {
            0.1 * x[0] * x[0]
        }
        fn end(&self, x: &[f64]) -> f64 {
            let one = |at: f64| libm::exp(-2.0 * (x[0] - at) * (x[0] - at) / 0.2);
            match self.0 {
                at if at < 2.0 => 2.0 * (x[0] - at).powi(2),
                _ => -0.2 * libm::log(0.3 * one(0.35) + 0.7 * one(1.35)),
            }
        }
    }
    let grid = Grid::new(&[Axis::new(-1.5, 2.5, 161, Edge::Absorbing)]);
    for stepper in Stepper::ALL {
        let steps = if stepper.explicit() { 2000 } else { 100 };
        let [one, two, both] = [0.35, 1.35, 5.0]
            .map(|end| solve(&End(end), &grid, &settings(Space::Upwind, stepper, 1.0, steps)).unwrap());
        let mut softmax = Softmax::new(0.2, &[0.3, 0.7]);
        let mut x = [0.0];
        for node in 20..140 {
            let z = |s: &Solution| libm::exp(s.first()[node]);
            assert!((0.3 * z(&one) + 0.7 * z(&two) - z(&both)).abs() < 1e-12);
            grid.place(node, &mut x);
            let values = [&one, &two].map(|s| s.value(&x, 0.0));
            let shares = softmax.shares(&values).to_vec();
            // the mixture of exact policies, from ∇z, is the policy of the sum
            let rise = |s: &Solution| libm::exp(s.first()[node + 1]) - libm::exp(s.first()[node - 1]);
            let mixed = shares[0] * rise(&one) / z(&one) + shares[1] * rise(&two) / z(&two);
            let direct = rise(&both) / z(&both);
            assert!((mixed - direct).abs() < 1e-10 * (1.0 + direct.abs()), "{mixed} {direct}");
        }
    }
}

#[test]
fn a_constant_cost_shifts_the_value_and_keeps_the_policy() {
    struct Dearer(f64);
    impl Problem for Dearer {
        fn drift(&self, x: &[f64], a: &mut [f64]) {
            Particle.drift(x, a);
        }
        fn spread(&self, x: &[f64], s: &mut [f64]) {
            Particle.spread(x, s);
        }
        fn rate(&self, _: &[f64], _: f64) -> f64 {
            self.0
        }
        fn end(&self, x: &[f64]) -> f64 {
            Particle.end(x)
        }
        fn rate_varies(&self) -> bool {
            true
        }
    }
    let run =
        |c| solve(&Dearer(c), &circle(64), &settings(Space::Fourier, Stepper::Sdirk3, 0.5, 50)).unwrap();
    let (cheap, dear) = (run(1.0), run(1001.0));
    for node in 0..64 {
        let shift = cheap.first()[node] - dear.first()[node];
        assert!((shift - 500.0).abs() < 1e-9, "{shift}");
        let [mut a, mut b] = [[0.0]; 2];
        cheap.slope(1, node, &mut a);
        dear.slope(1, node, &mut b);
        assert!((a[0] - b[0]).abs() < 1e-9);
    }
    // split off, the constant is exact: the same as within the matrix
    let within = solve(&Particle, &circle(64), &settings(Space::Fourier, Stepper::Sdirk3, 0.5, 50)).unwrap();
    let gap = (within.first()[5] - cheap.first()[5]).abs();
    assert!(gap < 1e-6, "{gap:e}");
}

#[test]
fn costs_that_vary_in_time_are_split_at_second_order() {
    struct Sway;
    impl Problem for Sway {
        fn drift(&self, _: &[f64], a: &mut [f64]) {
            a[0] = 0.5;
        }
        fn spread(&self, _: &[f64], s: &mut [f64]) {
            s[0] = 1.0;
        }
        fn rate(&self, x: &[f64], t: f64) -> f64 {
            (1.0 + t) * (1.0 + libm::cos(std::f64::consts::PI * x[0]))
        }
        fn end(&self, _: &[f64]) -> f64 {
            0.0
        }
        fn rate_varies(&self) -> bool {
            true
        }
    }
    let run =
        |steps| solve(&Sway, &circle(32), &settings(Space::Fourier, Stepper::RadauIia, 1.0, steps)).unwrap();
    let exact = run(1600);
    let error = |steps| {
        let solution = run(steps);
        solution.first().iter().zip(exact.first()).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
    };
    let order = libm::log2(error(20) / error(40));
    assert!((order - 2.0).abs() < 0.1, "{order}");
}

#[test]
fn obstacles_are_walked_around() {
    let robot = Omniwheel { goal: [1.5, 0.0], obstacle: Some(([0.0, 0.0], 0.5)), weight: 20.0 };
    let axis = |nodes| Axis::new(-3.0, 3.0, nodes, Edge::Absorbing);
    let grid = Grid::new(&[axis(121), axis(121)]);
    let settings =
        Settings { space: Space::Upwind, stepper: Stepper::BackwardEuler, ..Settings::new(2.0, 100) };
    let solution = solve(&robot, &grid, &settings).unwrap();
    // just off the axis, so that one side is nearer
    let (mut x, h) = ([-1.5, 0.05], 0.01);
    let (mut clearance, mut t) = (f64::INFINITY, 0.0);
    while t < 2.0 {
        let mut slope = [0.0; 2];
        solution.gradient(&x, t, &mut slope);
        (0..2).for_each(|k| x[k] -= h * slope[k] * 2.0 / 3.0);
        clearance = clearance.min(libm::hypot(x[0], x[1]));
        t += h;
    }
    assert!(clearance > 0.5 && libm::hypot(x[0] - 1.5, x[1]) < 0.7, "{clearance} {x:?}");
    // mirrored places are worth the same
    let log = solution.first();
    assert!((0..121 * 121).all(|node| {
        let mirrored = node / 121 * 121 + 120 - node % 121;
        log[node] == log[mirrored] || (log[node] - log[mirrored]).abs() < 1e-9
    }));
    assert_eq!(solution.value(&[0.0, 0.0], 1.0), f64::INFINITY);
}

#[test]
fn first_exit_superposes_and_meets_its_closed_form() {
    struct Leave {
        right: f64,
    }
    impl Problem for Leave {
        fn drift(&self, _: &[f64], a: &mut [f64]) {
            a[0] = 0.7;
        }
        fn spread(&self, _: &[f64], s: &mut [f64]) {
            s[0] = 1.3;
        }
        fn rate(&self, _: &[f64], _: f64) -> f64 {
            1.1
        }
        fn end(&self, x: &[f64]) -> f64 {
            if x[0] > 0.5 { self.right } else { 1.0 }
        }
    }
    // ½σ²z″ + az′ − qz = 0: two exponentials
    let root = libm::sqrt(0.7f64 * 0.7 + 2.0 * 1.3 * 1.1);
    let (r1, r2) = ((-0.7 + root) / 1.3, (-0.7 - root) / 1.3);
    let (z0, z1) = (libm::exp(-1.0), libm::exp(-3.0));
    let c1 = (z1 - z0 * libm::exp(r2)) / (libm::exp(r1) - libm::exp(r2));
    let exact = |x: f64| c1 * libm::exp(r1 * x) + (z0 - c1) * libm::exp(r2 * x);
    let out = |x: &[f64]| x[0] <= 1e-9 || x[0] >= 1.0 - 1e-9;
    let grid = Grid::new(&[Axis::new(0.0, 1.0, 201, Edge::Reflecting)]);
    let solution = first_exit(&Leave { right: 3.0 }, &grid, Space::Central, out).unwrap();
    for x in [0.1, 0.5, 0.85] {
        assert!((libm::exp(-solution.value(&[x], 0.0)) - exact(x)).abs() < 2e-6);
    }
    // two dimensions, superposed, and obstacles
    let plane =
        Grid::new(&[Axis::new(0.0, 1.0, 21, Edge::Reflecting), Axis::new(0.0, 1.0, 21, Edge::Reflecting)]);
    struct Plane(f64);
    impl Problem for Plane {
        fn drift(&self, _: &[f64], a: &mut [f64]) {
            (a[0], a[1]) = (0.2, -0.1);
        }
        fn spread(&self, _: &[f64], s: &mut [f64]) {
            s.fill(1.0);
        }
        fn rate(&self, _: &[f64], _: f64) -> f64 {
            0.5
        }
        fn end(&self, x: &[f64]) -> f64 {
            let [one, two] = [libm::exp(-x[1]), libm::exp(-3.0 * (1.0 - x[1]))];
            match self.0 {
                1.0 => x[1],
                2.0 => 3.0 * (1.0 - x[1]),
                _ => -libm::log(2.0 * one + 0.5 * two),
            }
        }
        fn blocked(&self, x: &[f64]) -> bool {
            libm::hypot(x[0] - 0.5, x[1] - 0.5) < 0.2
        }
    }
    let [one, two, both] =
        [1.0, 2.0, 3.0].map(|end| first_exit(&Plane(end), &plane, Space::Upwind, out).unwrap());
    for node in 0..plane.len() {
        let z = |s: &Solution| libm::exp(s.first()[node]);
        assert!((2.0 * z(&one) + 0.5 * z(&two) - z(&both)).abs() < 1e-12);
    }
}

#[test]
fn value_iteration_converges_to_the_same_and_not_without_noise() {
    let series = particle_series(256);
    let error = |nodes: usize, steps: usize, noisy: bool| {
        // a kink, which only noise smooths, has no gradient
        let choices =
            if noisy { Choices::Gradient { most: 10.0 } } else { Choices::Grid { most: 3.0, values: 121 } };
        let iterated =
            value_iteration(&Particle, &circle(nodes), (0.5, steps, steps), choices, noisy).unwrap();
        let mut x = [0.0];
        let one = |node: usize| {
            iterated.solution.grid().place(node, &mut x);
            (-iterated.solution.first()[node] + libm::log(series.at(x[0], 0.5, 1.0, 1.0, 1.0).0)).abs()
        };
        ((0..nodes).map(one).fold(0.0, f64::max), iterated.courant)
    };
    let (coarse, _) = error(100, 20, true);
    let (fine, courant) = error(400, 80, true);
    assert!(fine < 0.5 * coarse && fine < 0.01 && courant > 0.0, "{coarse} {fine}");
    // another problem: it does not converge
    let (quiet, _) = error(400, 80, false);
    assert!((0.25..0.45).contains(&quiet), "{quiet}");
    // a grid of choices finds the same, a little dearer
    let choices = Choices::Grid { most: 2.0, values: 41 };
    let iterated = value_iteration(&Particle, &circle(100), (0.5, 20, 20), choices, true).unwrap();
    let value = iterated.solution.value(&[0.0], 0.0);
    assert!((value + libm::log(0.40352346)).abs() < 0.05, "{value}");
}

#[test]
fn kuhn_interpolation_of_affine_functions_is_exact() {
    let mut random = crate::random::Random::new(5);
    for d in 1..=3 {
        let axes: Vec<Axis> = (0..d).map(|k| Axis::new(-1.0 - k as f64, 2.0, 5 + k, Edge::Open)).collect();
        let grid = Grid::new(&axes);
        let slope = random.vector(d);
        let affine = |x: &[f64]| 0.7 + slope.iter().zip(x).map(|(a, x)| a * x).sum::<f64>();
        let mut x = vec![0.0; d];
        let values: Vec<f64> = (0..grid.len())
            .map(|node| {
                grid.place(node, &mut x);
                affine(&x)
            })
            .collect();
        for _ in 0..200 {
            let at: Vec<f64> = random
                .vector(d)
                .iter()
                .zip(&axes)
                .map(|(r, a)| a.low + (a.high - a.low) * r.abs().min(1.0))
                .collect();
            let simplex = Simplex::around(&grid, &at);
            let sum: f64 = simplex.iter().map(|(_, w)| w).sum();
            assert!((sum - 1.0).abs() < 1e-14 && simplex.iter().all(|(_, w)| w >= -1e-15));
            assert!((simplex.of(&values) - affine(&at)).abs() < 1e-13, "{at:?}");
        }
    }
}

#[test]
fn invalid_problems_are_refused() {
    let grid = circle(32);
    let explicit = solve(&Particle, &grid, &settings(Space::Central, Stepper::ForwardEuler, 0.5, 20));
    assert!(matches!(explicit, Err(BellmanError::BlewUp { .. })), "{explicit:?}");
    let limit = explicit_limit(&Particle, &grid, Space::Central).unwrap();
    let steps = (0.5 / limit).ceil() as usize;
    assert!(solve(&Particle, &grid, &settings(Space::Central, Stepper::ForwardEuler, 0.5, steps)).is_ok());
    let flat = Grid::new(&[Axis::new(-1.0, 1.0, 40, Edge::Open)]);
    let open = solve(&Particle, &flat, &settings(Space::Fourier, Stepper::RadauIia, 0.5, 20));
    assert!(open.unwrap_err().to_string().contains("periodic"));
    let split = solve(&Brick, &brick_grid(20), &settings(Space::Central, Stepper::RadauIia, 0.5, 20));
    assert!(split.unwrap_err().to_string().contains("order 2 at most"));
    let large = Settings { coupling: Coupling::Joint, ..Settings::new(0.5, 1) };
    let large = solve(&Brick, &brick_grid(1000), &large);
    assert!(matches!(large, Err(BellmanError::TooLarge { .. })));
}
