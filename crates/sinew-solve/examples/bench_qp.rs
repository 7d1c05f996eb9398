//! Times the QP solver on whole-body-control problems and prints one JSON object per line.
//!
//! The problems come from the file named by the environment variable `QPS`. Per problem the median of the repeats
//! counts, then the median over the problems, standing and walking apart. `cold` starts from nothing; `warm` solves
//! a neighbour of the problem (task targets disturbed by 1 %) with all matrices taken as new, starting from the
//! active set of the problem itself; `hot` does the same with the matrices known to be those of the last solve.
//!
//! `hqp_walk` makes a hierarchy of four levels from the rows of a walking problem: dynamics; stance foot; centre of
//! mass and trunk; swing foot, angular momentum, pose, loads and damping. All inequalities and bounds must hold.

use serde_json::{Value, json};
use sinew_solve::hqp::{Hierarchy, HqpSize, HqpSolver, Level, Task};
use sinew_solve::qp::{Qp, QpSize, QpSolver};
use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

/// A problem in the solver's layout, with a neighbour that differs in the gradient.
struct Problem {
    kind: String,
    hessian: Vec<f64>,
    gradient: Vec<f64>,
    neighbour_gradient: Vec<f64>,
    /// Tasks of the levels below the dynamics: matrix, target, target of the neighbour.
    tasks: Vec<[Vec<f64>; 3]>,
    damping: Vec<f64>,
    a: Vec<f64>,
    b: Vec<f64>,
    c: Vec<f64>,
    lower: Vec<f64>,
    upper: Vec<f64>,
    bound_lower: Vec<f64>,
    bound_upper: Vec<f64>,
}

fn vector(v: &Value) -> Vec<f64> {
    v.as_array().into_iter().flatten().filter_map(Value::as_f64).collect()
}

fn column_major(v: &Value) -> Vec<f64> {
    let rows: Vec<Vec<f64>> = v.as_array().into_iter().flatten().map(vector).collect();
    let m = rows.len();
    (0..m * rows[0].len()).map(|k| rows[k % m][k / m]).collect()
}

/// Numbers in −1..1, the same in every run.
fn noise(seed: &mut u64) -> f64 {
    *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    (*seed >> 11) as f64 / (1u64 << 52) as f64 - 1.0
}

fn load(path: &str) -> Result<Vec<Problem>, Box<dyn Error>> {
    let root: Value = serde_json::from_str(&std::fs::read_to_string(path)?)?;
    let mut seed = 1;
    let problems = root["problems"].as_array().ok_or("no problems in the file")?;
    Ok(problems
        .iter()
        .map(|p| {
            let (w, y, d) = (column_major(&p["W"]), vector(&p["y"]), vector(&p["d"]));
            let (m, n) = (y.len(), d.len());
            let mut hessian = vec![0.0; n * n];
            for j in 0..n {
                for i in 0..n {
                    hessian[j * n + i] = (0..m).map(|k| w[i * m + k] * w[j * m + k]).sum();
                }
                hessian[j * n + j] += d[j];
            }
            let gradient =
                |y: &[f64]| (0..n).map(|j| -(0..m).map(|k| w[j * m + k] * y[k]).sum::<f64>()).collect();
            // The feet must stay: their rows (48 to 59) say what the contact inequalities rely on.
            let mut near = y.clone();
            for (_, y) in near.iter_mut().enumerate().filter(|(k, _)| !(48..60).contains(k)) {
                *y *= 1.0 + 0.01 * noise(&mut seed);
            }
            // Stance foot; centre of mass, trunk; swing foot, angular momentum, pose, elbows, head, loads.
            let blocks = [48..54, 42..45, 66..69, 54..60, 45..48, 0..42, 60..66, 69..80];
            let tasks = blocks.into_iter().map(|rows| {
                let a =
                    (0..n).flat_map(|j| w[j * m + rows.start..j * m + rows.end].iter().copied()).collect();
                [a, y[rows.clone()].to_vec(), near[rows].to_vec()]
            });
            Problem {
                tasks: tasks.collect(),
                damping: d,
                kind: p["kind"].as_str().unwrap_or_default().into(),
                gradient: gradient(&y),
                neighbour_gradient: gradient(&near),
                hessian,
                a: column_major(&p["A"]),
                b: vector(&p["b"]),
                c: column_major(&p["C"]),
                lower: vector(&p["lo"]),
                upper: vector(&p["hi"]),
                bound_lower: vector(&p["lb"]),
                bound_upper: vector(&p["ub"]),
            }
        })
        .collect())
}

impl Problem {
    fn qp<'a>(&'a self, gradient: &'a [f64]) -> Qp<'a> {
        Qp::quadratic(&self.hessian, gradient)
            .with_equalities(&self.a, &self.b)
            .with_inequalities(&self.c, &self.lower, &self.upper)
            .with_bounds(&self.bound_lower, &self.bound_upper)
    }
}

/// Per problem: microseconds cold and warm.
fn time_hqp(solver: &mut HqpSolver, p: &Problem, repeats: usize) -> Result<[f64; 2], Box<dyn Error>> {
    let dynamics = [Task::new(&p.a, &p.b)];
    let tasks: [Vec<Task<'_>>; 2] =
        [1, 2].map(|target| p.tasks.iter().map(|t| Task::new(&t[0], &t[target])).collect());
    let [here, near] = [0, 1].map(|k| {
        let t = &tasks[k];
        let last = Level::new(&t[3..]).with_damping(&p.damping);
        [Level::new(&dynamics), Level::new(&t[..1]), Level::new(&t[1..3]), last]
    });
    let [here, near] = [&here, &near].map(|levels| {
        Hierarchy::new(p.damping.len(), levels)
            .with_inequalities(&p.c, &p.lower, &p.upper)
            .with_bounds(&p.bound_lower, &p.bound_upper)
    });
    let mut times = [const { Vec::new() }; 2];
    for _ in 0..repeats {
        let start = Instant::now();
        let solved = black_box(solver.solve(black_box(&here))?).status.is_solved();
        times[0].push(start.elapsed().as_secs_f64() * 1e6);
        let start = Instant::now();
        let next = black_box(solver.solve_warm(black_box(&near))?).status.is_solved();
        times[1].push(start.elapsed().as_secs_f64() * 1e6);
        if !(solved && next) {
            return Err("a hierarchy was not solved".into());
        }
    }
    Ok(times.map(|mut t| quantile(&mut t, 0.5)))
}

/// Per problem: microseconds cold, warm and hot.
fn time_qp(solver: &mut QpSolver, problem: &Problem, repeats: usize) -> Result<[f64; 3], Box<dyn Error>> {
    let (qp, neighbour) = (problem.qp(&problem.gradient), problem.qp(&problem.neighbour_gradient));
    let mut times = [const { Vec::new() }; 3];
    for _ in 0..repeats {
        let start = Instant::now();
        let solved = black_box(solver.solve(black_box(&qp))?).status.is_solved();
        times[0].push(start.elapsed().as_secs_f64() * 1e6);
        let start = Instant::now();
        let near = black_box(solver.solve_warm(black_box(&neighbour))?).status.is_solved();
        times[1].push(start.elapsed().as_secs_f64() * 1e6);
        solver.solve(&qp)?;
        let start = Instant::now();
        let again = black_box(solver.resolve(black_box(&neighbour))?).status.is_solved();
        times[2].push(start.elapsed().as_secs_f64() * 1e6);
        if !(solved && near && again) {
            return Err("a problem was not solved".into());
        }
    }
    Ok(times.map(|mut t| quantile(&mut t, 0.5)))
}

fn quantile(values: &mut [f64], q: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    values[((values.len() - 1) as f64 * q).round() as usize]
}

fn report(bench: &str, mut us: Vec<f64>) {
    let mean = us.iter().sum::<f64>() / us.len() as f64;
    let line = json!({
        "suite": "sinew", "bench": bench, "median_us": quantile(&mut us, 0.5), "min_us": us[0],
        "p10_us": quantile(&mut us, 0.1), "p90_us": quantile(&mut us, 0.9), "p99_us": quantile(&mut us, 0.99),
        "mean_us": mean, "n": us.len(),
    });
    println!("{line}");
}

fn main() -> Result<(), Box<dyn Error>> {
    let problems = load(&std::env::var("QPS").map_err(|_| "QPS must name the file with the problems")?)?;
    let repeats = 15;
    let mut solver =
        QpSolver::new(QpSize { variables: 74, equalities: 6, inequalities: 68, ..QpSize::default() });
    for kind in ["stand", "walk"] {
        let mut times = [const { Vec::new() }; 3];
        for problem in problems.iter().filter(|p| p.kind == kind) {
            for (all, us) in times.iter_mut().zip(time_qp(&mut solver, problem, repeats)?) {
                all.push(us);
            }
        }
        for (name, us) in ["", "_warm", "_hot"].iter().zip(times) {
            report(&format!("qp_{kind}{name}"), us);
        }
    }
    let size = HqpSize { variables: 74, rows: 68, levels: 4, inequalities: 68, ..HqpSize::default() };
    let mut solver = HqpSolver::new(size);
    let mut times = [const { Vec::new() }; 2];
    for problem in problems.iter().filter(|p| p.kind == "walk") {
        for (all, us) in times.iter_mut().zip(time_hqp(&mut solver, problem, repeats)?) {
            all.push(us);
        }
    }
    for (name, us) in ["cold", "warm"].iter().zip(times) {
        report(&format!("hqp_walk_{name}"), us);
    }
    Ok(())
}
