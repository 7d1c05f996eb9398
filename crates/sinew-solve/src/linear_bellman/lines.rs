//! Tridiagonal systems along one axis of a grid, all lines at once, factored once.
//!
//! For every line `I − c A_axis = L U` without row exchanges: with upwind differences, and with central ones where `|a|Δx ≤ σ²`, the matrix
//! is diagonally dominant and none are needed. A periodic line sets its last node apart and joins it by a Schur complement. Lines of
//! all axes but the last lie side by side in memory, so that the inner loop runs over neighbours and is vectorised. Cost: 5 flops
//! per node and solve, four numbers of memory per node.

use super::grid::{Axis, Edge};
use super::operator::Stencil;

pub(super) struct Lines {
    stride: usize,
    /// Nodes of a line, and of the part that is tridiagonal.
    nodes: usize,
    inner: usize,
    /// Multipliers of L.
    multiplier: Vec<f64>,
    /// Inverse pivots, and the upper diagonal times these.
    inverse: Vec<f64>,
    upper: Vec<f64>,
    /// Periodic lines: `B⁻¹A₁₂` in the rows of the inner nodes; in the last row the inverse Schur complement.
    coupling: Vec<f64>,
    /// Periodic lines: the last row's entries of the first and the last inner node.
    last: Vec<[f64; 2]>,
}

impl Lines {
    /// Factors `I − c A`; `None` when a pivot is not positive.
    pub(super) fn new(axis: &Axis, stride: usize, stencil: &Stencil, c: f64) -> Option<Lines> {
        let len = stencil.diagonal.len();
        let nodes = axis.nodes;
        let periodic = axis.edge == Edge::Periodic;
        let inner = if periodic { nodes - 1 } else { nodes };
        let zeros = || vec![0.0; len];
        let mut lines = Lines {
            stride,
            nodes,
            inner,
            multiplier: zeros(),
            inverse: zeros(),
            upper: zeros(),
            coupling: if periodic { zeros() } else { Vec::new() },
            last: if periodic { vec![[0.0; 2]; len / nodes] } else { Vec::new() },
        };
        let entry = |values: &[f64], node: usize| -c * values[node];
        for line in 0..len / nodes {
            let first = line / stride * nodes * stride + line % stride;
            let at = |row: usize| first + row * stride;
            for row in 0..inner {
                let node = at(row);
                let mut pivot = 1.0 + entry(&stencil.diagonal, node);
                if row > 0 {
                    // `upper` still holds U of the row before, scaled by its pivot
                    let lower = entry(&stencil.lower, node);
                    lines.multiplier[node] = lower * lines.inverse[at(row - 1)];
                    pivot -= lower * lines.upper[at(row - 1)];
                }
                if !(pivot > 0.0 && pivot.is_finite()) {
                    return None;
                }
                lines.inverse[node] = 1.0 / pivot;
                let upper = if row + 1 < inner { entry(&stencil.upper, node) } else { 0.0 };
                lines.upper[node] = upper / pivot;
            }
            if periodic {
                lines.join(stencil, c, line, first)?;
            }
        }
        Some(lines)
    }

    /// The Schur complement of the last node of a periodic line.
    fn join(&mut self, stencil: &Stencil, c: f64, line: usize, first: usize) -> Option<()> {
        let (stride, inner) = (self.stride, self.inner);
        let at = |row: usize| first + row * stride;
        // column of the last node: the first inner node sees it before itself, the last inner one after
        let mut column = vec![0.0; inner];
        column[0] += -c * stencil.lower[at(0)];
        column[inner - 1] += -c * stencil.upper[at(inner - 1)];
        for row in 1..inner {
            column[row] -= self.multiplier[at(row)] * column[row - 1];
        }
        for row in (0..inner).rev() {
            let beyond = if row + 1 < inner { column[row + 1] } else { 0.0 };
            column[row] = column[row] * self.inverse[at(row)] - self.upper[at(row)] * beyond;
            self.coupling[at(row)] = column[row];
        }
        let end = at(inner);
        let ends = [-c * stencil.upper[end], -c * stencil.lower[end]];
        let schur = 1.0 - c * stencil.diagonal[end] - ends[0] * column[0] - ends[1] * column[inner - 1];
        if !(schur.abs() > 0.0 && schur.is_finite()) {
            return None;
        }
        self.last[line] = ends;
        self.coupling[end] = 1.0 / schur;
        Some(())
    }

    /// `z ← (I − c A)⁻¹ z`
    pub(super) fn solve(&self, z: &mut [f64]) {
        let (s, size) = (self.stride, self.nodes * self.stride);
        for (block, z) in z.chunks_exact_mut(size).enumerate() {
            let base = block * size;
            let part = |row: usize| base + row * s..base + (row + 1) * s;
            for row in 1..self.inner {
                let m = &self.multiplier[part(row)];
                let (before, here) = z[(row - 1) * s..(row + 1) * s].split_at_mut(s);
                for ((h, b), m) in here.iter_mut().zip(&*before).zip(m) {
                    *h -= m * b;
                }
            }
            let end = self.inner - 1;
            for (h, d) in z[end * s..(end + 1) * s].iter_mut().zip(&self.inverse[part(end)]) {
                *h *= d;
            }
            for row in (0..end).rev() {
                let (d, u) = (&self.inverse[part(row)], &self.upper[part(row)]);
                let (here, after) = z[row * s..(row + 2) * s].split_at_mut(s);
                for (((h, a), d), u) in here.iter_mut().zip(&*after).zip(d).zip(u) {
                    *h = *h * d - u * a;
                }
            }
            if self.inner < self.nodes {
                self.close(z, base, block);
            }
        }
    }

    /// The last node of periodic lines, and what it changes in the others.
    fn close(&self, z: &mut [f64], base: usize, block: usize) {
        let (s, end) = (self.stride, self.inner);
        for i in 0..s {
            let [first, last] = self.last[block * s + i];
            let rest = z[end * s + i] - first * z[i] - last * z[(end - 1) * s + i];
            z[end * s + i] = rest * self.coupling[base + end * s + i];
        }
        let (inner, tail) = z.split_at_mut(end * s);
        for (row, here) in inner.chunks_exact_mut(s).enumerate() {
            let w = &self.coupling[base + row * s..][..s];
            for ((h, w), t) in here.iter_mut().zip(w).zip(&*tail) {
                *h -= w * t;
            }
        }
    }
}
