//! Problems and helpers that several tests share.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use serde_json::Value;
use std::path::PathBuf;

/// A whole-body-control QP: 74 variables (accelerations, contact forces), 80 weighted task rows W x ≈ y, a small
/// diagonal d.
pub(crate) struct WholeBody {
    pub(crate) w: Vec<f64>,
    pub(crate) y: Vec<f64>,
    pub(crate) d: Vec<f64>,
    pub(crate) hessian: Vec<f64>,
    pub(crate) gradient: Vec<f64>,
    pub(crate) a: Vec<f64>,
    pub(crate) b: Vec<f64>,
    pub(crate) c: Vec<f64>,
    pub(crate) lower: Vec<f64>,
    pub(crate) upper: Vec<f64>,
    pub(crate) bound_lower: Vec<f64>,
    pub(crate) bound_upper: Vec<f64>,
    pub(crate) reference_x: Vec<f64>,
    pub(crate) reference_objective: f64,
    /// Whether it is one of our own ([`made`]).
    pub(crate) made: bool,
}

fn vector(v: &Value) -> Vec<f64> {
    v.as_array().expect("array").iter().map(|x| x.as_f64().expect("number")).collect()
}

/// Rows of JSON to column-major.
fn matrix(v: &Value) -> Vec<f64> {
    let rows: Vec<Vec<f64>> = v.as_array().expect("array").iter().map(vector).collect();
    let (m, n) = (rows.len(), rows[0].len());
    (0..m * n).map(|k| rows[k % m][k / m]).collect()
}

/// Problems with known solutions: always those that are made from their solutions, and those of a real controller, solved by others,
/// where they are at hand.
pub(crate) fn whole_body() -> Vec<WholeBody> {
    (0..20).map(made).chain(given()).collect()
}

fn given() -> Vec<WholeBody> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/reference/wbc_qps.json");
    let Ok(text) = std::fs::read_to_string(&path) else { return Vec::new() };
    let root: Value = serde_json::from_str(&text).expect("JSON");
    let problems = root["problems"].as_array().expect("problems").iter().map(|p| {
        let (w, y, d) = (matrix(&p["W"]), vector(&p["y"]), vector(&p["d"]));
        let (m, n) = (y.len(), d.len());
        let mut hessian = vec![0.0; n * n];
        let mut gradient = vec![0.0; n];
        for j in 0..n {
            for i in 0..n {
                hessian[j * n + i] = (0..m).map(|k| w[i * m + k] * w[j * m + k]).sum();
            }
            hessian[j * n + j] += d[j];
            gradient[j] = -(0..m).map(|k| w[j * m + k] * y[k]).sum::<f64>();
        }
        WholeBody {
            w,
            y,
            d,
            hessian,
            gradient,
            a: matrix(&p["A"]),
            b: vector(&p["b"]),
            c: matrix(&p["C"]),
            lower: vector(&p["lo"]),
            upper: vector(&p["hi"]),
            bound_lower: vector(&p["lb"]),
            bound_upper: vector(&p["ub"]),
            reference_x: vector(&p["ref"]["x"]),
            reference_objective: p["ref"]["obj"].as_f64().expect("number"),
            made: false,
        }
    });
    problems.collect()
}

/// A problem of the same sizes and blocks whose solution is known because it is made from it: forces and multipliers are chosen, and the
/// targets so that they meet the conditions of Karush, Kuhn and Tucker,
/// ```text
/// Wᵀ(W x − y) + d x + Aᵀ ν + Cᵀ μ − z = 0,    z ≥ 0 at forces of 0,    μ > 0 at upper sides, < 0 at lower ones
/// ```
fn made(seed: u64) -> WholeBody {
    const M: usize = 80;
    const N: usize = 74;
    /// Accelerations.
    const V: usize = 42;
    let mut dice = Random::new(seed);
    // by columns: tasks on accelerations, the dynamics of the root, torques and accelerations of contacts
    let mut w = vec![0.0; M * N];
    let (mut a, mut c) = (vec![0.0; 6 * N], vec![0.0; 68 * N]);
    for j in 0..N {
        if j < V {
            w[j * M + j] = 0.3 + dice.unit();
            (V..M).for_each(|i| w[j * M + i] = dice.normal());
        }
        (0..6).for_each(|i| a[j * 6 + i] = dice.normal());
        (0..68).for_each(|i| c[j * 68 + i] = if i < 36 || j < V { dice.normal() } else { 0.0 });
        if (6..V).contains(&j) {
            c[j * 68 + j - 6] += 5.0;
        }
    }
    let d: Vec<f64> = (0..N).map(|_| 1e-3 * (1.0 + dice.unit())).collect();
    let nu: Vec<f64> = (0..6).map(|_| 0.02 * dice.normal()).collect();
    let mu: Vec<f64> = (0..68)
        .map(|i| match (dice.chance(0.15), i < 36) {
            (false, _) => 0.0,
            (true, true) => 0.02 * dice.normal(),
            // contacts are held from below
            (true, false) => -0.02 * dice.unit() - 1e-3,
        })
        .collect();
    let pull = |j: usize| {
        let held: f64 = (0..6).map(|i| a[j * 6 + i] * nu[i]).sum();
        held + (0..68).map(|i| c[j * 68 + i] * mu[i]).sum::<f64>()
    };
    let x: Vec<f64> =
        (0..N).map(|j| if j < V { dice.normal() } else { (-pull(j) / d[j]).max(0.0) }).collect();
    // W t is what the tasks miss their targets by
    let mut normal = vec![0.0; V * V];
    for (k, entry) in normal.iter_mut().enumerate() {
        *entry = (0..M).map(|i| w[k / V * M + i] * w[k % V * M + i]).sum();
    }
    let t = eliminated(normal, (0..V).map(|j| -(d[j] * x[j] + pull(j))).collect());
    let row = |i: usize, x: &[f64]| (0..V).map(|j| w[j * M + i] * x[j]).sum::<f64>();
    let y: Vec<f64> = (0..M).map(|i| row(i, &x) - row(i, &t)).collect();
    let times =
        |matrix: &[f64], rows: usize, i: usize| (0..N).map(|j| matrix[j * rows + i] * x[j]).sum::<f64>();
    let b: Vec<f64> = (0..6).map(|i| times(&a, 6, i)).collect();
    let at: Vec<f64> = (0..68).map(|i| times(&c, 68, i)).collect();
    let room = 1.0 + at.iter().fold(0.0f64, |most, x| most.max(x.abs()));
    let lower = (0..68).map(|i| if mu[i] < 0.0 { at[i] } else { at[i] - room }).collect();
    let above = |i: usize| if i < 36 { at[i] + room } else { f64::INFINITY };
    let upper = (0..68).map(|i| if mu[i] > 0.0 { at[i] } else { above(i) }).collect();
    let error = |i: usize| row(i, &x) - y[i];
    let squares: f64 =
        (0..M).map(|i| error(i) * error(i)).sum::<f64>() - y.iter().map(|y| y * y).sum::<f64>();
    let damping: f64 = x.iter().zip(&d).map(|(x, d)| d * x * x).sum();
    let mut hessian = vec![0.0; N * N];
    let mut gradient = vec![0.0; N];
    for j in 0..N {
        for i in 0..N {
            hessian[j * N + i] = (0..M).map(|k| w[i * M + k] * w[j * M + k]).sum();
        }
        hessian[j * N + j] += d[j];
        gradient[j] = -(0..M).map(|k| w[j * M + k] * y[k]).sum::<f64>();
    }
    let bound = |j: usize, force: f64| if j < V { f64::NEG_INFINITY } else { force };
    WholeBody {
        bound_lower: (0..N).map(|j| bound(j, 0.0)).collect(),
        bound_upper: vec![f64::INFINITY; N],
        reference_objective: 0.5 * (squares + damping),
        reference_x: x,
        made: true,
        w,
        y,
        d,
        hessian,
        gradient,
        a,
        b,
        c,
        lower,
        upper,
    }
}

/// Solves a symmetric positive definite system by elimination.
fn eliminated(mut a: Vec<f64>, mut b: Vec<f64>) -> Vec<f64> {
    let n = b.len();
    for k in 0..n {
        for i in k + 1..n {
            let factor = a[i * n + k] / a[k * n + k];
            (k..n).for_each(|j| a[i * n + j] -= factor * a[k * n + j]);
            b[i] -= factor * b[k];
        }
    }
    for k in (0..n).rev() {
        b[k] = (b[k] - (k + 1..n).map(|j| a[k * n + j] * b[j]).sum::<f64>()) / a[k * n + k];
    }
    b
}

/// A random source with the few distributions that the tests need.
pub(crate) struct Random(Pcg64Mcg);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(Pcg64Mcg::seed_from_u64(seed))
    }

    /// Uniform in 0..1.
    pub(crate) fn unit(&mut self) -> f64 {
        self.0.random::<f64>()
    }

    /// True with probability p.
    pub(crate) fn chance(&mut self, p: f64) -> bool {
        self.unit() < p
    }

    /// Uniform in low..=high.
    pub(crate) fn int(&mut self, low: usize, high: usize) -> usize {
        self.0.random_range(low..=high)
    }

    /// Standard normal (sum of uniforms: close enough, and free of transcendental functions).
    pub(crate) fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.unit()).sum::<f64>() - 6.0
    }

    pub(crate) fn normals(&mut self, count: usize) -> Vec<f64> {
        (0..count).map(|_| self.normal()).collect()
    }
}
