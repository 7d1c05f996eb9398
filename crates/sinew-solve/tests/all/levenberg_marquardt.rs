//! Least squares: arms that reach, targets out of reach, limits, singular poses, rotations.
use crate::random::{Random, distance};
use sinew_solve::levenberg_marquardt::{LeastSquares, LevenbergMarquardt, Settings, Status};

/// A planar chain of unit links; the residual is the distance of its tip from a target.
struct Chain {
    links: usize,
    target: [f64; 2],
    /// Joint range, the same for all but the first.
    limit: f64,
}

impl LeastSquares for Chain {
    fn nx(&self) -> usize {
        self.links
    }
    fn residuals(&self) -> usize {
        2
    }
    fn calc(&mut self, x: &[f64], r: &mut [f64]) {
        let mut angle = 0.0;
        r.copy_from_slice(&[-self.target[0], -self.target[1]]);
        for q in x {
            angle += q;
            r[0] += f64::cos(angle);
            r[1] += f64::sin(angle);
        }
    }
    fn calc_diff(&mut self, x: &[f64], j: &mut [f64]) {
        let mut angle: f64 = x.iter().sum();
        let mut below = [0.0; 2];
        for k in (0..self.links).rev() {
            below[0] += angle.cos();
            below[1] += angle.sin();
            (j[2 * k], j[2 * k + 1]) = (-below[1], below[0]);
            angle -= x[k];
        }
    }
    fn step_bounds(&self, x: &[f64], lo: &mut [f64], hi: &mut [f64]) {
        for i in 0..self.links {
            let limit = if i == 0 { f64::INFINITY } else { self.limit };
            (lo[i], hi[i]) = (-limit - x[i], limit - x[i]);
        }
    }
}

#[test]
fn arms_reach() {
    let mut random = Random::new(91);
    for links in [2, 3, 8, 30] {
        let mut solver = LevenbergMarquardt::new(links, links, 2, Settings::default());
        for _ in 0..20 {
            let reach = 0.9 * links as f64;
            let angle = 3.0 * random.number();
            let target = [reach * 0.7 * f64::cos(angle), reach * 0.7 * f64::sin(angle)];
            let mut x: Vec<f64> = random.vector(links);
            let outcome = solver.solve(&mut Chain { links, target, limit: f64::INFINITY }, &mut x);
            assert!(matches!(outcome.status, Status::Converged | Status::SmallStep), "{outcome:?}");
            assert!(outcome.cost < 1e-18 && outcome.iterations < 40, "{outcome:?}");
        }
    }
}

#[test]
fn a_target_out_of_reach_is_pointed_at() {
    let mut solver = LevenbergMarquardt::new(3, 3, 2, Settings::default());
    // start stretched out and away: a singular pose
    let mut x = [0.4, 0.0, 0.0];
    let outcome = solver.solve(&mut Chain { links: 3, target: [0.0, 5.0], limit: f64::INFINITY }, &mut x);
    // steps end where the cost cannot fall any more in its sixteen digits
    assert!(matches!(outcome.status, Status::Converged | Status::SmallStep), "{outcome:?}");
    assert!(outcome.gradient < 1e-6);
    assert!((outcome.cost - 2.0).abs() < 1e-9, "two short of the target: {outcome:?}");
    assert!((x[0] - std::f64::consts::FRAC_PI_2).abs() < 1e-4);
}

#[test]
fn limits_hold_and_the_rest_is_optimal() {
    let mut random = Random::new(92);
    let mut solver =
        LevenbergMarquardt::new(4, 4, 2, Settings { max_iterations: 500, ..Settings::default() });
    let mut held = 0;
    for _ in 0..50 {
        let mut chain = Chain { links: 4, target: [random.number(), random.number()], limit: 0.7 };
        let mut x = [0.0, 0.3, 0.3, 0.3];
        let outcome = solver.solve(&mut chain, &mut x);
        assert!(matches!(outcome.status, Status::Converged | Status::SmallStep), "{outcome:?}");
        assert!(x[1..].iter().all(|q| q.abs() <= 0.7 + 1e-15));
        // gradient zero where free, outwards where held
        let (mut r, mut j) = ([0.0; 2], [0.0; 8]);
        chain.calc(&x, &mut r);
        chain.calc_diff(&x, &mut j);
        for i in 0..4 {
            let gradient = j[2 * i] * r[0] + j[2 * i + 1] * r[1];
            if i > 0 && x[i] >= 0.7 - 1e-12 {
                assert!(gradient < 1e-7);
                held += 1;
            } else if i > 0 && x[i] <= -0.7 + 1e-12 {
                assert!(gradient > -1e-7);
                held += 1;
            } else {
                assert!(gradient.abs() < 1e-7, "{gradient:e} {outcome:?}");
            }
        }
    }
    assert!(held > 20, "limits that are never met test nothing");
}

/// Rosenbrock's valley as residuals (1 − x, 10(y − x²)).
struct Valley;

impl LeastSquares for Valley {
    fn nx(&self) -> usize {
        2
    }
    fn residuals(&self) -> usize {
        2
    }
    fn calc(&mut self, x: &[f64], r: &mut [f64]) {
        r.copy_from_slice(&[1.0 - x[0], 10.0 * (x[1] - x[0] * x[0])]);
    }
    fn calc_diff(&mut self, x: &[f64], j: &mut [f64]) {
        j.copy_from_slice(&[-1.0, -20.0 * x[0], 0.0, 10.0]);
    }
}

#[test]
fn the_valley_is_followed_to_its_end() {
    let mut solver = LevenbergMarquardt::new(2, 2, 2, Settings::default());
    let mut x = [-1.2, 1.0];
    let outcome = solver.solve(&mut Valley, &mut x);
    assert_eq!(outcome.status, Status::Converged);
    assert!(distance(&x, &[1.0, 1.0]) < 1e-9 && outcome.iterations < 40, "{outcome:?}");
}

/// A unit quaternion that turns two given directions into two others: three numbers in a step, four in x.
struct Align {
    from: [[f64; 3]; 2],
    to: [[f64; 3]; 2],
}

fn rotate(q: &[f64], v: [f64; 3]) -> [f64; 3] {
    let (w, u) = (q[0], [q[1], q[2], q[3]]);
    let cross = |a: [f64; 3], b: [f64; 3]| {
        [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    };
    let t = cross(u, v).map(|x| 2.0 * x);
    let s = cross(u, t);
    [0, 1, 2].map(|i| v[i] + w * t[i] + s[i])
}

impl LeastSquares for Align {
    fn nx(&self) -> usize {
        4
    }
    fn ndx(&self) -> usize {
        3
    }
    fn residuals(&self) -> usize {
        6
    }
    fn calc(&mut self, x: &[f64], r: &mut [f64]) {
        for k in 0..2 {
            let v = rotate(x, self.from[k]);
            (0..3).for_each(|i| r[3 * k + i] = v[i] - self.to[k][i]);
        }
    }
    fn calc_diff(&mut self, x: &[f64], j: &mut [f64]) {
        // left perturbation: ∂(Rv)/∂ω = −[Rv]×
        for k in 0..2 {
            let v = rotate(x, self.from[k]);
            let columns = [[0.0, -v[2], v[1]], [v[2], 0.0, -v[0]], [-v[1], v[0], 0.0]];
            for (c, column) in columns.iter().enumerate() {
                (0..3).for_each(|i| j[6 * c + 3 * k + i] = column[i]);
            }
        }
    }
    fn integrate(&self, x: &[f64], dx: &[f64], out: &mut [f64]) {
        let angle = dx.iter().map(|d| d * d).sum::<f64>().sqrt();
        let s = if angle < 1e-9 { 0.5 } else { (0.5 * angle).sin() / angle };
        let (w, u) = ((0.5 * angle).cos(), [s * dx[0], s * dx[1], s * dx[2]]);
        out[0] = w * x[0] - u[0] * x[1] - u[1] * x[2] - u[2] * x[3];
        out[1] = w * x[1] + u[0] * x[0] + u[1] * x[3] - u[2] * x[2];
        out[2] = w * x[2] - u[0] * x[3] + u[1] * x[0] + u[2] * x[1];
        out[3] = w * x[3] + u[0] * x[2] - u[1] * x[1] + u[2] * x[0];
    }
}

#[test]
fn rotations_are_found_on_their_manifold() {
    let half = 1.1f64;
    let truth = [half.cos(), half.sin() * 0.36, half.sin() * 0.48, half.sin() * 0.8];
    let from = [[1.0, 0.0, 0.0], [0.0, 0.6, 0.8]];
    let mut problem = Align { from, to: from.map(|v| rotate(&truth, v)) };
    let mut x = [1.0, 0.0, 0.0, 0.0];
    let outcome = LevenbergMarquardt::new(4, 3, 6, Settings::default()).solve(&mut problem, &mut x);
    assert_eq!(outcome.status, Status::Converged);
    assert!(distance(&x, &truth) < 1e-10 && outcome.cost < 1e-20);
}

#[test]
fn limits_on_cost_and_numbers_that_are_not_finite() {
    let mut solver =
        LevenbergMarquardt::new(2, 2, 2, Settings { cost_tolerance: 1e-3, ..Settings::default() });
    let mut x = [-1.2, 1.0];
    assert_eq!(solver.solve(&mut Valley, &mut x).status, Status::SmallCost);
    assert_eq!(solver.solve(&mut Valley, &mut [f64::NAN, 1.0]).status, Status::NotFinite);
    solver.settings.max_iterations = 2;
    assert_eq!(solver.solve(&mut Valley, &mut [-1.2, 1.0]).status, Status::IterationLimit);
}

#[test]
fn nothing_is_allocated_while_solving() {
    let mut solver = LevenbergMarquardt::new(8, 8, 2, Settings::default());
    let mut chain = Chain { links: 8, target: [3.0, 1.0], limit: 0.5 };
    let mut x = [0.1; 8];
    let count = allocation_counter::measure(|| {
        solver.solve(&mut chain, &mut x);
    });
    assert_eq!(count.count_total, 0);
}
