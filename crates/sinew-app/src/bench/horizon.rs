//! Time of the Riccati recursion on a horizon with the sizes of whole-body trajectory optimisation: 100 nodes, 84 states, 36
//! controls, F_x near the identity, dense Hessians.

use super::Row;
use super::timing::measure;
use anyhow::{Context, Result};
use rand::{RngExt, SeedableRng};
use sinew::solve::riccati::{LqProblem, Riccati};
use std::hint::black_box;

/// Rows of the suite `riccati`.
pub(crate) const NAMES: [&str; 1] = ["riccati_backward_100"];

pub(crate) fn time_all(seed: u64, budget: f64, asked: impl Fn(&str) -> bool) -> Result<Vec<Row>> {
    if !asked(NAMES[0]) {
        return Ok(Vec::new());
    }
    let problem = horizon(seed, 84, 36, 100);
    let mut riccati = Riccati::new(&problem);
    riccati.backward(&problem, 1e-9).context("the horizon is convex")?;
    let samples = measure(1, budget, |_| {
        let _ = black_box(riccati.backward(&problem, 1e-9));
    });
    Ok(vec![Row { name: NAMES[0], samples }])
}

fn horizon(seed: u64, nx: usize, nu: usize, nodes: usize) -> LqProblem {
    let mut random = rand_pcg::Pcg64::seed_from_u64(seed);
    let mut reals = |n: usize, scale: f64| -> Vec<f64> {
        (0..n).map(|_| scale * (2.0 * random.random::<f64>() - 1.0)).collect()
    };
    // I + G Gᵀ/100, both triangles
    let hessian = |reals: &mut dyn FnMut(usize, f64) -> Vec<f64>| {
        let g = reals(nx * nx, 0.1);
        let product = |k: usize| (0..nx).map(|l| g[l * nx + k % nx] * g[l * nx + k / nx]).sum::<f64>();
        (0..nx * nx).map(|k| product(k) + f64::from(u8::from(k % nx == k / nx))).collect::<Vec<_>>()
    };
    let mut problem = LqProblem::new(nx, vec![nu; nodes]);
    for stage in &mut problem.stages {
        stage.fx = reals(nx * nx, 0.02);
        (0..nx).for_each(|i| stage.fx[i * (nx + 1)] += 1.0);
        (stage.fu, stage.f0) = (reals(nx * nu, 0.02), reals(nx, 0.01));
        (stage.lxx, stage.lxu) = (hessian(&mut reals), reals(nx * nu, 0.01));
        (0..nu).for_each(|i| stage.luu[i * (nu + 1)] = 1.0);
        (stage.lx, stage.lu) = (reals(nx, 1.0), reals(nu, 1.0));
    }
    problem.terminal.lxx = hessian(&mut reals);
    problem.terminal.lx = reals(nx, 1.0);
    problem
}
