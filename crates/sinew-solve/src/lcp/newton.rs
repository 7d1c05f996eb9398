//! The linear equations that hold when the branch of every law is known.
//!
//! Every active law contributes unknowns (directions `e` in which its force may change) and as many equations
//! (rows `t` of its velocity that must vanish):
//!
//! | branch | unknowns | equations |
//! | --- | --- | --- |
//! | stick, or inside the bounds | each component | each component |
//! | vertex j | `(1, μd_j)` | normal |
//! | edge j | `(1, μd_j)`, `(0, d_{j+1} − d_j)` | normal, and along `d_{j+1} − d_j` |
//!
//! which gives the system `(TᵀAE) y = −Tᵀw` for the change `E y` of the forces.

use super::law::{Block, Law, Mode, Polygon};
use crate::dense::Lu;
use crate::dense::vector::gemv_add;

/// One unknown and its equation: directions of force and of velocity in the three rows of a block.
#[derive(Clone, Copy, Debug)]
struct Unknown {
    row: usize,
    force: [f64; 3],
    test: [f64; 3],
    /// How many of the three rows the block has.
    rows: usize,
}

/// Workspace of the system.
#[derive(Clone, Debug)]
pub(super) struct Newton {
    unknowns: Vec<Unknown>,
    /// `A E`, rows × k.
    columns: Vec<f64>,
    system: Vec<f64>,
    stiffer: Vec<f64>,
    rhs: Vec<f64>,
    y: Vec<f64>,
    lu: Lu,
    point: Vec<f64>,
}

/// Regularisation, relative to the largest diagonal entry.
const STIFFNESS: f64 = 1e-9;
/// Solves with the regularised matrix: each takes out what the regularisation left of the one before.
const REFINEMENTS: usize = 2;

impl Newton {
    pub(super) fn new(rows: usize) -> Self {
        Self {
            unknowns: Vec::with_capacity(rows),
            columns: vec![0.0; rows * rows],
            system: vec![0.0; rows * rows],
            stiffer: vec![0.0; rows * rows],
            rhs: vec![0.0; rows],
            y: vec![0.0; rows],
            lu: Lu::with_capacity(rows),
            point: vec![0.0; rows],
        }
    }

    /// Computes the point where the equations hold; `false` when they cannot be solved. `w` are the velocities at
    /// `z`.
    pub(super) fn solve(
        &mut self,
        blocks: &[Block],
        polygon: &Polygon,
        a: &[f64],
        w: &[f64],
        z: &[f64],
    ) -> bool {
        self.list(blocks, polygon);
        let (m, k) = (z.len(), self.unknowns.len());
        if k == 0 {
            return false;
        }
        self.assemble(a, w, m, k);
        let largest = (0..k).fold(0.0, |s: f64, i| s.max(self.system[i * (k + 1)]));
        self.stiffer[..k * k].copy_from_slice(&self.system[..k * k]);
        (0..k).for_each(|i| self.stiffer[i * (k + 1)] += STIFFNESS * largest);
        if !self.lu.factor(k, &self.stiffer[..k * k]) {
            return false;
        }
        // refinement takes the regularisation out of the consistent part
        let y = &mut self.y[..k];
        y.fill(0.0);
        for _ in 0..REFINEMENTS {
            let correction = &mut self.stiffer[..k];
            correction.copy_from_slice(&self.rhs[..k]);
            gemv_add(-1.0, &self.system, k, y, correction);
            self.lu.solve(correction);
            y.iter_mut().zip(&*correction).for_each(|(y, c)| *y += c);
        }
        self.point[..m].copy_from_slice(z);
        for (unknown, y) in self.unknowns.iter().zip(&*y) {
            for i in 0..unknown.rows {
                self.point[unknown.row + i] += y * unknown.force[i];
            }
        }
        self.point[..m].iter().all(|v| v.is_finite())
    }

    /// Exchanges `z` with the computed point.
    pub(super) fn swap(&mut self, z: &mut [f64]) {
        z.swap_with_slice(&mut self.point[..z.len()]);
    }

    fn list(&mut self, blocks: &[Block], polygon: &Polygon) {
        self.unknowns.clear();
        for block in blocks.iter().filter(|b| b.mode.is_active()) {
            let (row, rows) = (block.row, block.law.rows());
            let mut push =
                |force: [f64; 3], test: [f64; 3]| self.unknowns.push(Unknown { row, force, test, rows });
            let normal = [1.0, 0.0, 0.0];
            let mu = if let Law::Friction { mu } = block.law { mu } else { 0.0 };
            match block.mode {
                Mode::Low | Mode::High => {}
                Mode::Stick => {
                    for i in 0..rows {
                        let mut unit = [0.0; 3];
                        unit[i] = 1.0;
                        push(unit, unit);
                    }
                }
                Mode::Vertex(j) => {
                    let d = polygon.vertex(j);
                    push([1.0, mu * d[0], mu * d[1]], normal);
                }
                Mode::Edge(j) => {
                    let (d, e) = (polygon.vertex(j), polygon.edge(j));
                    push([1.0, mu * d[0], mu * d[1]], normal);
                    push([0.0, e[0], e[1]], [0.0, e[0], e[1]]);
                }
            }
        }
    }

    /// `TᵀAE` and `−Tᵀw`.
    fn assemble(&mut self, a: &[f64], w: &[f64], m: usize, k: usize) {
        for (c, unknown) in self.unknowns.iter().enumerate() {
            let column = &mut self.columns[c * m..(c + 1) * m];
            column.fill(0.0);
            gemv_add(1.0, &a[unknown.row * m..], m, &unknown.force[..unknown.rows], column);
        }
        for (r, unknown) in self.unknowns.iter().enumerate() {
            let tested =
                |x: &[f64]| (0..unknown.rows).map(|i| unknown.test[i] * x[unknown.row + i]).sum::<f64>();
            for c in 0..k {
                self.system[c * k + r] = tested(&self.columns[c * m..(c + 1) * m]);
            }
            self.rhs[r] = -tested(w);
        }
    }
}
