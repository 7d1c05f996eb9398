//! Uniform grids in one to three dimensions.
//!
//! Nodes are numbered with the last axis fastest. Where they lie on an axis `[low, high]` follows from its [`Edge`]: a periodic axis
//! has no node at `high`, an absorbing one has nodes inside only, so that `z = 0` holds exactly at `low` and `high`.

/// What holds at the ends of an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edge {
    /// `high` is `low` again.
    Periodic,
    /// `z = 0`: leaving costs infinitely much, so the policy is pushed inward.
    Absorbing,
    /// No gradient of `z` across the edge.
    Reflecting,
    /// The slope of `log z` goes on as a straight line, as it does for a quadratic value function.
    Open,
}

/// One axis of a [`Grid`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axis {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// Number of nodes, at least four.
    pub nodes: usize,
    /// What holds at both ends.
    pub edge: Edge,
}

impl Axis {
    /// An axis.
    pub fn new(low: f64, high: f64, nodes: usize, edge: Edge) -> Axis {
        Axis { low, high, nodes, edge }
    }

    /// Distance between nodes.
    pub fn spacing(&self) -> f64 {
        let gaps = match self.edge {
            Edge::Periodic => self.nodes,
            Edge::Absorbing => self.nodes + 1,
            Edge::Reflecting | Edge::Open => self.nodes - 1,
        };
        (self.high - self.low) / gaps as f64
    }

    /// Where a node lies.
    pub fn at(&self, node: usize) -> f64 {
        let first = if self.edge == Edge::Absorbing { 1 } else { 0 };
        self.low + (node + first) as f64 * self.spacing()
    }

    /// The node below `x` and the share of the way to the next one; outside of the nodes the nearest cell, with a share held to [0, 1].
    pub(super) fn cell(&self, x: f64) -> (usize, f64) {
        let place = (x - self.at(0)) / self.spacing();
        if self.edge == Edge::Periodic {
            let n = self.nodes as f64;
            let place = place - n * libm::floor(place / n);
            // rounding may give n itself
            let below = (libm::floor(place) as usize).min(self.nodes - 1);
            return (below, place - below as f64);
        }
        let place = place.clamp(0.0, (self.nodes - 1) as f64);
        let below = (libm::floor(place) as usize).min(self.nodes - 2);
        (below, place - below as f64)
    }

    /// The node after, if there is one.
    pub(super) fn after(&self, node: usize) -> Option<usize> {
        match self.edge {
            Edge::Periodic => Some((node + 1) % self.nodes),
            _ => (node + 1 < self.nodes).then_some(node + 1),
        }
    }

    /// The node before, if there is one.
    pub(super) fn before(&self, node: usize) -> Option<usize> {
        match self.edge {
            Edge::Periodic => Some((node + self.nodes - 1) % self.nodes),
            _ => node.checked_sub(1),
        }
    }
}

/// A grid; the last axis runs fastest.
///
/// ```
/// use sinew_solve::linear_bellman::{Axis, Edge, Grid};
/// let grid = Grid::new(&[Axis::new(0.0, 1.0, 5, Edge::Reflecting), Axis::new(-1.0, 1.0, 8, Edge::Periodic)]);
/// let mut x = [0.0; 2];
/// grid.place(9, &mut x);
/// assert_eq!((grid.len(), x), (40, [0.25, -0.75]));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Grid {
    axes: Vec<Axis>,
}

/// Most dimensions of a grid.
pub(super) const DIMENSIONS: usize = 3;

impl Grid {
    /// A grid over one to three axes.
    ///
    /// # Panics
    /// When there are none or more than three, or an axis has fewer than four nodes, or no length.
    pub fn new(axes: &[Axis]) -> Grid {
        assert!((1..=DIMENSIONS).contains(&axes.len()), "a grid has one to three axes");
        assert!(
            axes.iter().all(|a| a.nodes >= 4 && a.high > a.low),
            "an axis has length and at least four nodes"
        );
        Grid { axes: axes.to_vec() }
    }

    /// The axes.
    pub fn axes(&self) -> &[Axis] {
        &self.axes
    }

    /// Number of dimensions.
    pub fn dimensions(&self) -> usize {
        self.axes.len()
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.axes.iter().map(|a| a.nodes).product()
    }

    /// Never: there are at least four nodes.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// By how much the number of a node grows along an axis.
    pub fn stride(&self, axis: usize) -> usize {
        self.axes[axis + 1..].iter().map(|a| a.nodes).product()
    }

    /// Place of a node on an axis, counted from its first.
    pub fn along(&self, node: usize, axis: usize) -> usize {
        node / self.stride(axis) % self.axes[axis].nodes
    }

    /// Coordinates of a node.
    pub fn place(&self, node: usize, x: &mut [f64]) {
        for (k, axis) in self.axes.iter().enumerate() {
            x[k] = axis.at(self.along(node, k));
        }
    }
}
