//! Times of the solvers for optimal control and contact, one JSON object per line: medians and quantiles in
//! microseconds.
//!
//! `cargo run --release --example bench_oc [seconds per line] [name]`
//!
//! A sample is a batch of at least 40 µs that cycles through the inputs; above 0.3 ms a sample is one call, in CPU
//! time of the thread. The backward pass has the sizes and the kind of data of a whole-body trajectory
//! optimisation: 100 nodes, 84 states, 36 controls.

#[allow(dead_code, reason = "shared with the tests")]
#[path = "../tests/all/contacts.rs"]
mod contacts;
#[allow(dead_code, reason = "shared with the tests")]
#[path = "../tests/all/random.rs"]
mod random;

use contacts::Contacts;
use cpu_time::ThreadTime;
use random::Random;
use sinew_solve::block_tridiagonal::BlockTridiagonal;
use sinew_solve::ddp::{Ddp, Problem, Settings};
use sinew_solve::dense::gemm::{Mat, MatMut, Packing, Update};
use sinew_solve::eigen::GeneralisedEigen;
use sinew_solve::lcp::{GaussSeidel, GaussSeidelStatus, Law, Lemke, LemkeStatus};
use sinew_solve::riccati::{LqProblem, Riccati, Stage, Terminal, dare};
use std::hint::black_box;
use std::time::Instant;

struct Bench {
    budget: f64,
    only: Option<String>,
}

impl Bench {
    /// Times `f(i)` for i in 0..inputs and prints one line, with `extra` fields at its end.
    fn run(&self, name: &str, inputs: usize, extra: &str, mut f: impl FnMut(usize)) {
        if self.only.as_ref().is_some_and(|o| !name.contains(o)) {
            return;
        }
        (0..3 * inputs).for_each(|i| f(i % inputs));
        let start = Instant::now();
        (0..inputs).for_each(&mut f);
        let one = start.elapsed().as_secs_f64() * 1e6 / inputs as f64;
        let batch = if one > 40.0 { 1 } else { (40.0 / one.max(0.01)).ceil() as usize };
        let (mut samples, end, mut i) = (vec![], Instant::now(), 0);
        while end.elapsed().as_secs_f64() < self.budget || samples.len() < 21 {
            let (wall, cpu) = (Instant::now(), ThreadTime::now());
            for _ in 0..batch {
                f(i % inputs);
                i += 1;
            }
            let time = if one > 300.0 { cpu.elapsed() } else { wall.elapsed() };
            samples.push(time.as_secs_f64() * 1e6 / batch as f64);
        }
        samples.sort_by(f64::total_cmp);
        let at = |p: f64| samples[((samples.len() - 1) as f64 * p).round() as usize];
        let mean = samples.iter().sum::<f64>() / samples.len() as f64;
        println!(
            "{{\"suite\":\"sinew\",\"bench\":\"{name}\",\"median_us\":{:.3},\"min_us\":{:.3},\"p10_us\":{:.3},\"p90_us\":{:.3},\"p99_us\":{:.3},\"mean_us\":{mean:.3},\"n\":{}{extra}}}",
            at(0.5),
            at(0.0),
            at(0.1),
            at(0.9),
            at(0.99),
            samples.len()
        );
    }
}

/// The horizon of the Eigen peer: F_x near the identity, dense Hessians.
fn horizon(random: &mut Random, nx: usize, nu: usize, nodes: usize) -> LqProblem {
    let mut problem = LqProblem::new(nx, vec![nu; nodes]);
    let scaled =
        |random: &mut Random, n: usize, s: f64| random.vector(n).iter().map(|v| s * v).collect::<Vec<_>>();
    for stage in &mut problem.stages {
        stage.fx = scaled(random, nx * nx, 0.02);
        (0..nx).for_each(|i| stage.fx[i * (nx + 1)] += 1.0);
        stage.fu = scaled(random, nx * nu, 0.02);
        stage.f0 = scaled(random, nx, 0.01);
        stage.lxx = random.semidefinite(nx, nx, 0.01 * nx as f64, 1.0);
        stage.lxu = scaled(random, nx * nu, 0.01);
        (0..nu).for_each(|i| stage.luu[i * (nu + 1)] = 1.0);
        stage.lx = random.vector(nx);
        stage.lu = random.vector(nu);
    }
    problem.terminal.lxx = random.semidefinite(nx, nx, 0.01 * nx as f64, 1.0);
    problem.terminal.lx = random.vector(nx);
    problem
}

/// The same horizon as a problem for DDP: derivatives are copied, so that the time is the solver's own.
struct Linear(LqProblem);

impl Problem for Linear {
    type Data = ();
    fn nodes(&self) -> usize {
        self.0.stages.len()
    }
    fn nx(&self) -> usize {
        self.0.nx()
    }
    fn nu(&self, node: usize) -> usize {
        self.0.stages[node].nu()
    }
    fn data(&self, _: usize) {}
    fn calc(&self, node: usize, x: &[f64], u: &[f64], _: &mut (), next: &mut [f64]) -> f64 {
        let s = &self.0.stages[node];
        next.copy_from_slice(&s.f0);
        for (m, v) in [(&s.fx, x), (&s.fu, u)] {
            for (column, v) in m.chunks_exact(next.len()).zip(v) {
                next.iter_mut().zip(column).for_each(|(n, c)| *n += c * v);
            }
        }
        0.5 * u.iter().map(|u| u * u).sum::<f64>()
    }
    fn calc_diff(&self, node: usize, _: &[f64], u: &[f64], _: &mut (), stage: &mut Stage) {
        let s = &self.0.stages[node];
        stage.fx.copy_from_slice(&s.fx);
        stage.fu.copy_from_slice(&s.fu);
        stage.luu.copy_from_slice(&s.luu);
        stage.lu.copy_from_slice(u);
    }
    fn calc_end(&self, x: &[f64], _: &mut ()) -> f64 {
        0.5 * x.iter().map(|x| x * x).sum::<f64>()
    }
    fn calc_end_diff(&self, x: &[f64], _: &mut (), end: &mut Terminal) {
        let n = x.len();
        (0..n).for_each(|i| end.lxx[i * (n + 1)] = 1.0);
        end.lx.copy_from_slice(x);
    }
}

fn optimal_control(bench: &Bench) {
    let mut random = Random::new(3);
    let problem = horizon(&mut random, 84, 36, 100);
    let mut riccati = Riccati::new(&problem);
    bench.run("riccati_backward_100", 1, ",\"nx\":84,\"nu\":36", |_| {
        riccati.backward(&problem, 1e-9).expect("convex");
        black_box(riccati.value_gradient(0));
    });
    let problem = Linear(problem);
    let mut ddp = Ddp::new(&problem, Settings { max_iterations: 1, ..Settings::default() });
    let (x0, us) = (random.vector(84), vec![0.0; 3600]);
    bench.run(
        "ddp_solve_100",
        1,
        ",\"note\":\"derivatives copied; 2 linearisations, 2 backward passes, 2 roll-outs\"",
        |_| {
            ddp.guess_controls(&problem, &x0, &us);
            black_box(ddp.solve(&problem));
        },
    );
    let (n, m) = (12, 4);
    let (a, b) = (random.vector(n * n), random.vector(n * m));
    let (q, r) = (random.semidefinite(n, n, 1.0, 0.1), random.semidefinite(m, m, 1.0, 0.5));
    bench.run("dare_12_4", 1, "", |_| {
        black_box(dare(n, m, &a, &b, &q, &r, None));
    });
}

fn contact(bench: &Bench) {
    const TOLERANCE: f64 = 1e-3;
    for count in [8usize, 24] {
        let mut random = Random::new(5);
        // boxes with about four contacts each, and for each a sequence of ten problems that differ a little
        let problems: Vec<Vec<Contacts>> = (0..20)
            .map(|k| {
                let mut contacts = Contacts::boxes(&mut random, count / 4 + k % 3, count);
                (0..10)
                    .map(|_| {
                        contacts.disturb(&mut random, 0.02);
                        Contacts { a: contacts.a.clone(), b: contacts.b.clone(), mu: contacts.mu.clone() }
                    })
                    .collect()
            })
            .collect();
        let laws: Vec<Vec<Law>> =
            problems.iter().map(|p| p[0].mu.iter().map(|&mu| Law::Friction { mu }).collect()).collect();
        let lcps: Vec<_> = problems.iter().map(|p| p[0].lcp(4)).collect();
        let mut lemke = Lemke::new(6 * count);
        let mut z = vec![0.0; 6 * count];
        let mut worst = 0.0f64;
        for (m, q) in &lcps {
            let report = lemke.solve(m, q, &mut z);
            assert_eq!(report.status, LemkeStatus::Solved);
            worst = worst.max(report.residual);
        }
        bench.run(&format!("lemke_{count}"), 20, &format!(",\"residual\":{worst:e}"), |i| {
            let (m, q) = &lcps[i];
            black_box(lemke.solve(m, q, &mut z));
        });
        for (name, tolerance) in [("", TOLERANCE), ("_1e-6", 1e-6)] {
            let mut solver = GaussSeidel::new(3 * count, 4);
            solver.tolerance = tolerance;
            let mut f = vec![0.0; 3 * count];
            let (mut worst, mut solved) = (0.0f64, 0);
            for (p, laws) in problems.iter().zip(&laws) {
                f.fill(0.0);
                let report = solver.solve(&p[0].a, &p[0].b, laws, &mut f);
                solved += usize::from(report.status == GaussSeidelStatus::Solved);
                worst = worst.max(report.residual / p[0].b.iter().fold(0.0, |m: f64, v| m.max(v.abs())));
            }
            let extra = format!(",\"relative_residual\":{worst:e},\"solved\":{solved},\"of\":20");
            bench.run(&format!("pgs_{count}{name}"), 20, &extra, |i| {
                f.fill(0.0);
                black_box(solver.solve(&problems[i][0].a, &problems[i][0].b, &laws[i], &mut f));
            });
            // each step from the forces of the step before; the first of a sequence is not timed alone but warms
            // up
            let mut forces = vec![vec![0.0; 3 * count]; 20];
            bench.run(&format!("pgs_{count}{name}_warm"), 200, &extra, |i| {
                let (k, step) = (i / 10, i % 10);
                black_box(solver.solve(&problems[k][step].a, &problems[k][step].b, &laws[k], &mut forces[k]));
            });
        }
    }
}

fn dense(bench: &Bench) {
    let mut random = Random::new(7);
    for n in [12, 42, 84] {
        let (a, b, mut c) = (random.vector(n * n), random.vector(n * n), vec![0.0; n * n]);
        let mut packing = Packing::new(n, n);
        bench.run(&format!("gemm_{n}"), 1, "", |_| {
            packing.product(Update::Set, Mat::new(&a, n, n), Mat::new(&b, n, n), MatMut::new(&mut c, n, n));
            black_box(&c);
        });
    }
    let (k, m) = (random.semidefinite(42, 42, 1.0, 0.0), random.semidefinite(42, 42, 1.0, 0.1));
    let mut modes = GeneralisedEigen::new(42);
    bench.run("generalised_eigen_42", 1, "", |_| {
        modes.decompose(42, &k, &m).expect("definite");
        black_box(modes.values());
    });
    let mut system = BlockTridiagonal::new(42, 60);
    let (d, e) = (random.semidefinite(42, 42, 1.0, 200.0), random.vector(42 * 42));
    let mut x = random.vector(42 * 60);
    bench.run("block_tridiagonal_60x42", 1, ",\"note\":\"fill, factor, one solve\"", |_| {
        for k in 0..60 {
            system.diagonal_mut(k).copy_from_slice(&d);
            if k < 59 {
                system.below_mut(k).copy_from_slice(&e);
            }
        }
        system.factor().expect("definite");
        system.solve(&mut x);
        black_box(&x);
    });
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let budget = arguments.next().and_then(|a| a.parse().ok()).unwrap_or(0.5);
    let bench = Bench { budget, only: arguments.next() };
    optimal_control(&bench);
    contact(&bench);
    dense(&bench);
}
