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

/// The reference problems, or `None` with a word on stdout when they are not at hand.
pub(crate) fn whole_body() -> Option<Vec<WholeBody>> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/reference/wbc_qps.json");
    let Ok(text) = std::fs::read_to_string(&path) else {
        println!("skipped: the reference problems are not at hand");
        return None;
    };
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
        }
    });
    Some(problems.collect())
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
