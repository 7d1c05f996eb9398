//! Times of the contact solvers: Lemke's method, and the iterative solver cold and from the forces of the step before.
//!
//! Free boxes touch the ground with their lower corners, so that most contacts are redundant. Every case is a sequence of
//! problems whose velocities differ a little, as the steps of a simulation do.

use super::Row;
use super::timing::measure;
use anyhow::{Result, ensure};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use sinew::solve::lcp::{GaussSeidel, GaussSeidelStatus, Law, Lemke, LemkeStatus};
use std::hint::black_box;

/// Rows of the suite `lcp`; the number is that of the contacts.
pub(crate) const NAMES: [&str; 6] = ["lemke_8", "pgs_8", "pgs_8_warm", "lemke_24", "pgs_24", "pgs_24_warm"];
/// Cases, and problems in the sequence of each.
const CASES: usize = 20;
const STEPS: usize = 10;
/// Corners of the friction polygon.
const SIDES: usize = 4;
/// Residual of the iterative solver, relative to the largest velocity.
const TOLERANCE: f64 = 1e-3;

/// w = A f + b at the contacts of a case, with b at each step.
struct Case {
    a: Vec<f64>,
    b: Vec<Vec<f64>>,
    mu: Vec<f64>,
}

pub(crate) fn time_all(seed: u64, budget: f64, asked: impl Fn(&str) -> bool) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    for (count, names) in [8, 24].into_iter().zip(NAMES.chunks(3)) {
        if !names.iter().any(|n| asked(n)) {
            continue;
        }
        let mut random = Pcg64::seed_from_u64(seed);
        let cases: Vec<Case> =
            (0..CASES).map(|k| Case::boxes(&mut random, count / 4 + k % 3, count)).collect();
        let laws: Vec<Vec<Law>> =
            cases.iter().map(|c| c.mu.iter().map(|&mu| Law::Friction { mu }).collect()).collect();
        let lcps: Vec<_> = cases.iter().map(Case::lcp).collect();
        let (mut lemke, mut z) = (Lemke::new(6 * count), vec![0.0; 6 * count]);
        let mut solver = GaussSeidel::new(3 * count, SIDES);
        solver.tolerance = TOLERANCE;
        let mut forces = vec![vec![0.0; 3 * count]; CASES];
        // solve the problems once before they are timed
        for (k, (m, q)) in lcps.iter().enumerate() {
            ensure!(lemke.solve(m, q, &mut z).status == LemkeStatus::Solved, "Lemke's method failed");
            let report = solver.solve(&cases[k].a, &cases[k].b[0], &laws[k], &mut forces[k]);
            ensure!(report.status == GaussSeidelStatus::Solved, "the contact solver failed");
        }
        for name in names.iter().filter(|n| asked(n)) {
            let samples = if name.starts_with("lemke") {
                measure(CASES, budget, |k| {
                    black_box(lemke.solve(&lcps[k].0, &lcps[k].1, &mut z));
                })
            } else if name.ends_with("warm") {
                measure(CASES * STEPS, budget, |i| {
                    let (k, step) = (i / STEPS, i % STEPS);
                    black_box(solver.solve(&cases[k].a, &cases[k].b[step], &laws[k], &mut forces[k]));
                })
            } else {
                measure(CASES, budget, |k| {
                    forces[k].fill(0.0);
                    black_box(solver.solve(&cases[k].a, &cases[k].b[0], &laws[k], &mut forces[k]));
                })
            };
            rows.push(Row { name, samples });
        }
    }
    Ok(rows)
}

impl Case {
    /// `count` contacts of `bodies` boxes with the ground: normal, then two tangents.
    fn boxes(random: &mut Pcg64, bodies: usize, count: usize) -> Case {
        let mut number = || 2.0 * random.random::<f64>() - 1.0;
        let (nv, m) = (6 * bodies, 3 * count);
        let weight: Vec<f64> = (0..bodies).map(|_| 1.0 + 4.0 * number().abs()).collect();
        let inertia = |k: usize| weight[k / 6] * [1.0, 1.0, 1.0, 0.02, 0.03, 0.05][k % 6];
        let velocity: Vec<f64> = (0..nv).map(|k| number() - if k % 6 == 2 { 0.5 } else { 0.0 }).collect();
        // rows e and p × e of each contact, p a corner under the box
        let mut jacobian = vec![0.0; m * nv];
        for c in 0..count {
            let body = c % bodies;
            let p = [0.15f64.copysign(number()), 0.1f64.copysign(number()), -0.2];
            let turns = [[p[1], -p[0], 0.0], [0.0, p[2], -p[1]], [-p[2], 0.0, p[0]]];
            for (r, axis) in [2, 0, 1].into_iter().enumerate() {
                let row = &mut jacobian[(3 * c + r) * nv + 6 * body..][..6];
                row[axis] = 1.0;
                row[3..].copy_from_slice(&turns[r]);
            }
        }
        let row = |i: usize| &jacobian[i * nv..(i + 1) * nv];
        let entry = |k: usize| (0..nv).map(|l| row(k % m)[l] * row(k / m)[l] / inertia(l)).sum::<f64>();
        let a: Vec<f64> = (0..m * m).map(entry).collect();
        let mut b: Vec<f64> =
            (0..m).map(|i| row(i).iter().zip(&velocity).map(|(j, v)| j * v).sum()).collect();
        let mut steps = Vec::new();
        for _ in 0..STEPS {
            for j in 0..m {
                let force = 0.02 * number();
                (0..m).for_each(|i| b[i] += a[j * m + i] * force);
            }
            steps.push(b.clone());
        }
        let mu = (0..count).map(|c| [0.0, 0.3, 0.7, 1.0][c % 4]).collect();
        Case { a, b: steps, mu }
    }

    /// The linear complementarity problem of the first step over normal forces, friction forces along the corners of the
    /// polygon, and slip speeds: M (column-major) and q.
    fn lcp(&self) -> (Vec<f64>, Vec<f64>) {
        const CORNERS: [[f64; 3]; SIDES] =
            [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0], [0.0, 0.0, -1.0]];
        let count = self.mu.len();
        let (m, forces, n) = (3 * count, count * (1 + SIDES), count * (2 + SIDES));
        // contact and direction of a force
        let force = |k: usize| match k.checked_sub(count) {
            None => (k, [1.0, 0.0, 0.0]),
            Some(k) => (k / SIDES, CORNERS[k % SIDES]),
        };
        let (mut matrix, mut q) = (vec![0.0; n * n], vec![0.0; n]);
        for j in 0..forces {
            let (cj, dj) = force(j);
            for i in 0..forces {
                let (ci, di) = force(i);
                matrix[j * n + i] = (0..9)
                    .map(|k| di[k % 3] * self.a[(3 * cj + k / 3) * m + 3 * ci + k % 3] * dj[k / 3])
                    .sum();
            }
            q[j] = (0..3).map(|k| dj[k] * self.b[0][3 * cj + k]).sum();
        }
        for c in 0..count {
            matrix[c * n + forces + c] = self.mu[c];
            for friction in count + SIDES * c..count + SIDES * (c + 1) {
                matrix[friction * n + forces + c] = -1.0;
                matrix[(forces + c) * n + friction] = 1.0;
            }
        }
        (matrix, q)
    }
}
