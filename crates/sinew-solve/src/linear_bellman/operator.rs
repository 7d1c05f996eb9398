//! The equation on a grid: three-point stencils along every axis, ghosts of open edges, obstacles, running cost.
//!
//! `z_τ = A z + ghosts`, with `A z` at a node `Σ_axes lower·z_before + diagonal·z + upper·z_after − decay·z`. Upwind: in `z_τ = a z_x`
//! information arrives from `x + aτ`, so `a > 0` takes the difference to the node after.

use super::grid::{DIMENSIONS, Edge, Grid};
use super::problem::{BellmanError, Problem, Space};

/// The derivatives along one axis: coefficients of the node before, the node itself and the node after.
#[derive(Clone, Debug)]
pub(super) struct Stencil {
    pub(super) lower: Vec<f64>,
    pub(super) diagonal: Vec<f64>,
    pub(super) upper: Vec<f64>,
}

/// A node beyond an open edge. Its `log z` is that of a parabola through the edge and two nodes inside, `apart` and twice as far from it: wide
/// apart, because neighbours would magnify rounding (3, −3, 1) until it grows from step to step.
#[derive(Clone, Debug)]
struct Ghost {
    node: usize,
    inner: [usize; 2],
    apart: f64,
    coefficient: f64,
}

/// How many nodes the parabola's nodes are apart.
const FAR: usize = 8;

pub(super) struct Operator {
    pub(super) grid: Grid,
    pub(super) axes: Vec<Stencil>,
    pub(super) blocked: Vec<bool>,
    /// `q/λ` at the time of the last call of `set_time`.
    pub(super) decay: Vec<f64>,
    /// Drift and spread at every node, for spectral derivatives.
    pub(super) drift: Vec<f64>,
    pub(super) spread: Vec<f64>,
    ghosts: Vec<Vec<Ghost>>,
    lambda: f64,
}

impl Operator {
    /// # Errors
    /// When a number of the problem is not finite, or λ is not positive.
    pub(super) fn new(problem: &impl Problem, grid: &Grid, space: Space) -> Result<Operator, BellmanError> {
        let (n, d, lambda) = (grid.len(), grid.dimensions(), problem.softness());
        if !(lambda > 0.0 && lambda.is_finite()) {
            return Err(BellmanError::Settings(format!("the softness λ must be positive, not {lambda}")));
        }
        let empty = Stencil { lower: vec![0.0; n], diagonal: vec![0.0; n], upper: vec![0.0; n] };
        let mut operator = Operator {
            grid: grid.clone(),
            axes: vec![empty; d],
            blocked: vec![false; n],
            decay: vec![0.0; n],
            drift: vec![0.0; n * d],
            spread: vec![0.0; n * d],
            ghosts: vec![Vec::new(); d],
            lambda,
        };
        let mut x = [0.0; DIMENSIONS];
        for node in 0..n {
            grid.place(node, &mut x[..d]);
            operator.blocked[node] = problem.blocked(&x[..d]);
            let (a, s) = (&mut operator.drift[node * d..][..d], &mut operator.spread[node * d..][..d]);
            problem.drift(&x[..d], a);
            problem.spread(&x[..d], s);
            finite("the drift", a, &x[..d])?;
            finite("the spread", s, &x[..d])?;
            if s.iter().any(|s| *s < 0.0) {
                return Err(BellmanError::Settings(format!("the spread is negative at {:?}", &x[..d])));
            }
            if !operator.blocked[node] {
                (0..d).for_each(|axis| operator.difference(node, axis, space));
            }
        }
        operator.set_time(problem, 0.0)?;
        Ok(operator)
    }

    /// Running costs of a time.
    pub(super) fn set_time(&mut self, problem: &impl Problem, t: f64) -> Result<(), BellmanError> {
        let d = self.grid.dimensions();
        let mut x = [0.0; DIMENSIONS];
        for node in (0..self.grid.len()).filter(|node| !self.blocked[*node]) {
            self.grid.place(node, &mut x[..d]);
            self.decay[node] = problem.rate(&x[..d], t) / self.lambda;
            finite("the running cost", &self.decay[node..=node], &x[..d])?;
        }
        Ok(())
    }

    fn difference(&mut self, node: usize, k: usize, space: Space) {
        let axis = &self.grid.axes()[k];
        let (stride, place) = (self.grid.stride(k), self.grid.along(node, k));
        let d = self.grid.dimensions();
        let (a, half) = (self.drift[node * d + k], 0.5 * self.spread[node * d + k]);
        let dx = axis.spacing();
        let [mut lower, mut diagonal, mut upper] = match space {
            Space::Upwind if a >= 0.0 => [0.0, -a / dx, a / dx],
            Space::Upwind => [-a / dx, a / dx, 0.0],
            _ => [-0.5 * a / dx, 0.0, 0.5 * a / dx],
        };
        let second = half / (dx * dx);
        let (before, after) = (axis.before(place), axis.after(place));
        if axis.edge == Edge::Reflecting && (before.is_none() || after.is_none()) {
            // no gradient: no advection, and the ghost is the mirror image
            [lower, diagonal, upper] = if before.is_none() { [0.0, 0.0, second] } else { [second, 0.0, 0.0] };
        }
        lower += second;
        diagonal -= 2.0 * second;
        upper += second;
        if axis.edge == Edge::Open {
            let apart = FAR.min((axis.nodes - 1) / 2);
            let mut ghost = |coefficient: f64, towards: i64| {
                let away = |step: usize| (node as i64 + towards * (step * apart * stride) as i64) as usize;
                self.ghosts[k].push(Ghost {
                    node,
                    inner: [1, 2].map(away),
                    apart: apart as f64,
                    coefficient,
                });
            };
            if before.is_none() {
                ghost(lower, 1);
            }
            if after.is_none() {
                ghost(upper, -1);
            }
        }
        let stencil = &mut self.axes[k];
        stencil.lower[node] = if before.is_some() { lower } else { 0.0 };
        stencil.upper[node] = if after.is_some() { upper } else { 0.0 };
        stencil.diagonal[node] = diagonal;
    }

    /// Whether there are open edges across an axis.
    pub(super) fn open(&self, axis: usize) -> bool {
        !self.ghosts[axis].is_empty()
    }

    /// Adds `factor` times what the ghosts of an axis contribute: `log z` goes on as a parabola.
    pub(super) fn add_ghosts(&self, axis: usize, factor: f64, z: &[f64], into: &mut [f64]) {
        for ghost in &self.ghosts[axis] {
            let z = [z[ghost.node], z[ghost.inner[0]], z[ghost.inner[1]]];
            if z.iter().all(|z| *z > 0.0) {
                let k = ghost.apart;
                let weights = [(1.0 + k) * (0.5 + k), -(1.0 + 2.0 * k), 0.5 * (1.0 + k)];
                let log: f64 = z.iter().zip(weights).map(|(z, w)| w * libm::log(*z)).sum();
                // z is scaled: nowhere greater than one
                let beyond = libm::exp((log / (k * k)).min(0.0));
                into[ghost.node] += factor * ghost.coefficient * beyond;
            }
        }
    }

    /// `y ← y + factor · A_axis z`, derivatives along one axis alone.
    pub(super) fn add_axis(&self, axis: usize, factor: f64, z: &[f64], y: &mut [f64]) {
        let (stride, nodes) = (self.grid.stride(axis), self.grid.axes()[axis].nodes);
        let Stencil { lower, diagonal, upper } = &self.axes[axis];
        let wrap = (nodes - 1) * stride;
        for block in 0..self.grid.len() / (nodes * stride) {
            let base = block * nodes * stride;
            for row in 0..nodes {
                let here = base + row * stride..base + (row + 1) * stride;
                // at the ends the neighbour is across the period, or its coefficient is zero
                let before = if row > 0 { here.start - stride } else { here.start + wrap };
                let after = if row + 1 < nodes { here.start + stride } else { here.start - wrap };
                let (zb, za) = (&z[before..before + stride], &z[after..after + stride]);
                let (l, c, u) = (&lower[here.clone()], &diagonal[here.clone()], &upper[here.clone()]);
                let (zh, out) = (&z[here.clone()], &mut y[here]);
                for i in 0..stride {
                    out[i] += factor * (l[i] * zb[i] + c[i] * zh[i] + u[i] * za[i]);
                }
            }
        }
    }

    /// The greatest `|diagonal|` of the whole operator, which bounds explicit steps.
    pub(super) fn stiffness(&self, with_decay: bool) -> f64 {
        let diagonal = |node: usize| {
            let sum: f64 = self.axes.iter().map(|s| s.diagonal[node]).sum();
            sum.abs() + if with_decay { self.decay[node].max(0.0) } else { 0.0 }
        };
        (0..self.grid.len()).map(diagonal).fold(0.0, f64::max)
    }
}

fn finite(what: &'static str, numbers: &[f64], x: &[f64]) -> Result<(), BellmanError> {
    match numbers.iter().all(|v| v.is_finite()) {
        true => Ok(()),
        false => Err(BellmanError::NotFinite { what, place: x.to_vec() }),
    }
}
