//! Quadratic programs of whole-body control.
//!
//! minimise ½‖W x − y‖² + ½ xᵀ diag(d) x over accelerations and contact forces, x = (42, 32), subject to 6 rows of root
//! dynamics, 36 two-sided torque rows, 32 rows of contact accelerations and forces ≥ 0. The problems come from the file that
//! the environment variable `QPS` names; else they are random with the same sizes and the same blocks of zeros.

use anyhow::{Context, Result, ensure};
use rand::{RngExt, SeedableRng};
use serde_json::Value;
use sinew::dynamics::file;
use sinew::solve::qp::Qp;

/// Random problems of each kind.
const RANDOM: usize = 20;
/// Accelerations, and contact forces.
const SIZES: (usize, usize) = (42, 32);
/// Rows that hold the feet: changed problems keep them, because the contact rows rely on them.
const FEET: std::ops::Range<usize> = 48..60;

/// A problem, and a changed one with other task targets.
pub(crate) struct WholeBody {
    pub(crate) kind: String,
    pub(crate) hessian: Vec<f64>,
    pub(crate) gradient: Vec<f64>,
    pub(crate) neighbour_gradient: Vec<f64>,
    pub(crate) damping: Vec<f64>,
    /// Tasks after the dynamics, most important first: matrix, target, changed target.
    pub(crate) tasks: Vec<[Vec<f64>; 3]>,
    pub(crate) a: Vec<f64>,
    pub(crate) b: Vec<f64>,
    pub(crate) c: Vec<f64>,
    pub(crate) lower: Vec<f64>,
    pub(crate) upper: Vec<f64>,
    pub(crate) bound_lower: Vec<f64>,
    pub(crate) bound_upper: Vec<f64>,
}

/// What a problem is stated with.
struct Stated {
    w: Vec<f64>,
    y: Vec<f64>,
    problem: WholeBody,
}

/// The problems, and where they come from.
pub(crate) fn load(seed: u64) -> Result<(Vec<WholeBody>, String)> {
    let mut random = rand_pcg::Pcg64::seed_from_u64(seed);
    let mut noise = || 2.0 * random.random::<f64>() - 1.0;
    let (stated, about) = match std::env::var("QPS") {
        Ok(path) => (read(&path).with_context(|| format!("QPS: `{path}`"))?, format!("problems of {path}")),
        Err(_) => {
            let kinds = ["stand", "walk"].into_iter().flat_map(|kind| [kind; RANDOM]);
            (kinds.map(|kind| random_problem(kind, &mut noise)).collect(), format!("seed {seed}"))
        }
    };
    Ok((stated.into_iter().map(|s| finish(s, &mut noise)).collect(), about))
}

fn read(path: &str) -> Result<Vec<Stated>> {
    let root: Value = serde_json::from_str(&file::read_text(path, super::MOST)?)?;
    let list = root["problems"].as_array().context("no list of problems")?;
    let stated = list.iter().enumerate().map(|(i, p)| {
        let vector = |key: &str| numbers(&p[key]);
        let matrix = |key: &str| {
            let rows: Vec<Vec<f64>> = p[key].as_array().into_iter().flatten().map(numbers).collect();
            let (m, n) = (rows.len(), rows.first().map_or(0, Vec::len));
            (0..m * n).map(|k| rows[k % m].get(k / m).copied().unwrap_or(f64::NAN)).collect::<Vec<_>>()
        };
        let (w, y, damping) = (matrix("W"), vector("y"), vector("d"));
        ensure!(damping.len() == SIZES.0 + SIZES.1 && w.len() == 80 * damping.len(), "problems[{i}]: sizes");
        ensure!(y.len() == 80 && vector("b").len() == 6 && vector("lo").len() == 68, "problems[{i}]: sizes");
        let problem = WholeBody {
            kind: p["kind"].as_str().unwrap_or_default().into(),
            damping,
            a: matrix("A"),
            b: vector("b"),
            c: matrix("C"),
            lower: vector("lo"),
            upper: vector("hi"),
            bound_lower: vector("lb"),
            bound_upper: vector("ub"),
            hessian: vec![],
            gradient: vec![],
            neighbour_gradient: vec![],
            tasks: vec![],
        };
        Ok(Stated { w, y, problem })
    });
    stated.collect()
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().into_iter().flatten().filter_map(Value::as_f64).collect()
}

/// A feasible problem: all constraints hold at a random point, on which more of them rest in a walking one.
fn random_problem(kind: &str, noise: &mut impl FnMut() -> f64) -> Stated {
    let (na, nf) = SIZES;
    let (n, m) = (na + nf, 80);
    let resting = if kind == "walk" { 0.2 } else { -0.4 };
    // posture, then tasks of a few joints each, then loads of four forces each
    let mut w = vec![0.0; m * n];
    (0..na).for_each(|j| w[j * m + j] = 1.0);
    for i in na..72 {
        (0..na).filter(|j| (i < 48) || (j + i) % 3 == 0).for_each(|j| w[j * m + i] = 3.0 * noise());
    }
    for i in 72..m {
        (0..4).for_each(|k| w[(na + 4 * (i - 72) + k) * m + i] = 0.01);
    }
    let rows = |count: usize, forces: bool, noise: &mut dyn FnMut() -> f64| -> Vec<f64> {
        let entry = |k: usize| if k / count < na || forces { noise() } else { 0.0 };
        (0..count * n).map(entry).collect()
    };
    let (a, torque, contact) = (rows(6, true, noise), rows(36, true, noise), rows(32, false, noise));
    let c: Vec<f64> = (0..n)
        .flat_map(|j| torque[36 * j..36 * (j + 1)].iter().chain(&contact[32 * j..32 * (j + 1)]).copied())
        .collect();
    let x: Vec<f64> = (0..n).map(|j| if j < na { noise() } else { (noise() - resting).max(0.0) }).collect();
    let value =
        |matrix: &[f64], count: usize, i: usize| (0..n).map(|j| matrix[j * count + i] * x[j]).sum::<f64>();
    let b = (0..6).map(|i| value(&a, 6, i)).collect();
    let lower: Vec<f64> =
        (0..68).map(|i| value(&c, 68, i) - if i < 36 { 6.0 } else { (noise() - resting).max(0.0) }).collect();
    let upper = (0..68).map(|i| if i < 36 { lower[i] + 12.0 } else { 1e20 }).collect();
    let y = (0..m).map(|i| value(&w, m, i) + noise()).collect();
    let problem = WholeBody {
        kind: kind.into(),
        damping: (0..n).map(|j| if j < na { 1e-3 } else { 1e-4 }).collect(),
        a,
        b,
        c,
        lower,
        upper,
        bound_lower: (0..n).map(|j| if j < na { -1e20 } else { 0.0 }).collect(),
        bound_upper: vec![1e20; n],
        hessian: vec![],
        gradient: vec![],
        neighbour_gradient: vec![],
        tasks: vec![],
    };
    Stated { w, y, problem }
}

/// Forms WᵀW + diag(d) and −Wᵀy; the changed targets differ by 1 %.
fn finish(stated: Stated, noise: &mut impl FnMut() -> f64) -> WholeBody {
    let Stated { w, y, mut problem } = stated;
    let (m, n) = (y.len(), problem.damping.len());
    let mut near = y.clone();
    near.iter_mut()
        .enumerate()
        .filter(|(k, _)| !FEET.contains(k))
        .for_each(|(_, y)| *y *= 1.0 + 0.01 * noise());
    let column = |j: usize| &w[j * m..(j + 1) * m];
    let dot = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| x * y).sum::<f64>();
    problem.hessian = (0..n * n).map(|k| dot(column(k % n), column(k / n))).collect();
    (0..n).for_each(|j| problem.hessian[j * (n + 1)] += problem.damping[j]);
    problem.gradient = (0..n).map(|j| -dot(column(j), &y)).collect();
    problem.neighbour_gradient = (0..n).map(|j| -dot(column(j), &near)).collect();
    // stance foot; centre of mass, trunk; swing foot, angular momentum, pose, elbows and head, loads
    let blocks = [48..54, 42..45, 66..69, 54..60, 45..48, 0..42, 60..66, 69..80];
    let task = |rows: std::ops::Range<usize>| {
        let a = (0..n).flat_map(|j| column(j)[rows.clone()].iter().copied()).collect();
        [a, y[rows.clone()].to_vec(), near[rows].to_vec()]
    };
    problem.tasks = blocks.into_iter().map(task).collect();
    problem
}

impl WholeBody {
    /// The problem with a gradient.
    pub(crate) fn qp<'a>(&'a self, gradient: &'a [f64]) -> Qp<'a> {
        Qp::quadratic(&self.hessian, gradient)
            .with_equalities(&self.a, &self.b)
            .with_inequalities(&self.c, &self.lower, &self.upper)
            .with_bounds(&self.bound_lower, &self.bound_upper)
    }
}
