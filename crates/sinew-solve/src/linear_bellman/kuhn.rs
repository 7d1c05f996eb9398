//! Interpolation on simplices (Kuhn's triangulation of a cell).
//!
//! Within a cell let `f ∈ [0,1]^d` be the fractional coordinates, sorted `f₍₁₎ ≥ … ≥ f₍d₎`. The simplex around the point starts at the lower
//! corner and adds the unit vectors in that order; its weights are `1 − f₍₁₎, f₍₁₎ − f₍₂₎, …, f₍d₎`. Affine functions are met exactly,
//! with d + 1 look-ups instead of the 2^d of a multilinear form, and weights are never negative, so that a value iteration with
//! it stays a contraction.
//!
//! Source: Kuhn, "Some combinatorial lemmas in topology", IBM J. Res. Dev. 4 (1960).

use super::grid::{DIMENSIONS, Grid};

/// The nodes around a point, with weights that add up to one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Simplex {
    nodes: [usize; DIMENSIONS + 1],
    weights: [f64; DIMENSIONS + 1],
    len: usize,
}

impl Simplex {
    /// Around a point of a grid; points outside are moved to the nearest edge, periodic axes wrap around.
    ///
    /// ```
    /// use sinew_solve::linear_bellman::{Axis, Edge, Grid, Simplex};
    /// let grid = Grid::new(&[Axis::new(0.0, 3.0, 4, Edge::Open)]);
    /// let values = [0.0, 2.0, 4.0, 6.0];
    /// assert_eq!(Simplex::around(&grid, &[1.25]).of(&values), 2.5);
    /// ```
    pub fn around(grid: &Grid, x: &[f64]) -> Simplex {
        let d = grid.dimensions();
        let (mut shares, mut steps) = ([0.0; DIMENSIONS], [0i64; DIMENSIONS]);
        let mut corner = 0;
        for (k, axis) in grid.axes().iter().enumerate() {
            let (below, share) = axis.cell(x[k]);
            let stride = grid.stride(k);
            corner += below * stride;
            let next = axis.after(below).unwrap_or(below);
            (shares[k], steps[k]) = (share, (next as i64 - below as i64) * stride as i64);
        }
        let mut order = [0, 1, 2];
        // greatest share first; equal ones in the order of the axes
        order[..d].sort_by(|a, b| shares[*b].total_cmp(&shares[*a]));
        let mut simplex =
            Simplex { nodes: [corner; DIMENSIONS + 1], weights: [0.0; DIMENSIONS + 1], len: d + 1 };
        let (mut node, mut left) = (corner as i64, 1.0);
        for (place, axis) in order[..d].iter().enumerate() {
            simplex.weights[place] = left - shares[*axis];
            left = shares[*axis];
            node += steps[*axis];
            simplex.nodes[place + 1] = node as usize;
        }
        simplex.weights[d] = left;
        simplex
    }

    /// Nodes and weights.
    pub fn iter(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        self.nodes.iter().copied().zip(self.weights).take(self.len)
    }

    /// The interpolated value; nodes without weight are not looked at, so that an infinite one does no harm.
    pub fn of(&self, values: &[f64]) -> f64 {
        self.iter().filter(|(_, w)| *w > 0.0).map(|(node, w)| w * values[node]).sum()
    }
}
