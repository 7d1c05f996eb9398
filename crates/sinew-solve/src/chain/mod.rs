//! Trajectories under constraints: least squares along a chain of frames, by Gauss–Newton inside an augmented Lagrangian.
//!
//! # The problem
//! Frames `x_0 … x_{N−1}` on a manifold, each with `n` tangent numbers, and unknowns `l_k` that only stage `k` knows (contact forces,
//! say). Stage `k` sees the frames `k−1, k, k+1` and `l_k`, and has rows `c` of two kinds ([`Row`]): costs `½ w c²`, and rows kept between
//! bounds, `lo ≤ c ≤ hi` (`lo = hi`: an equality). Accelerations by differences, inverse dynamics, contacts and limits of a motion
//! all fit. A chain is open, or *cyclic*: frame `N` is frame 0 again, moved by the problem.
//!
//! # Augmented Lagrangian
//! With multipliers `y` and penalties `ρ`, one per group of rows, a kept row costs
//!
//! ```text
//! ½ρ d(c + y/ρ)²,    d(z) = z − clamp(z, lo, hi);        after a round   y ← ρ d(c + y/ρ),   ρ ← min(growth·ρ, most)
//! ```
//!
//! (Nocedal and Wright, *Numerical Optimization*, 2nd ed., section 17.4; Rockafellar's form for bounds on both sides.) Every row is then
//! a weighted square, and a round is a few damped Gauss–Newton steps with a search along the step.
//!
//! # Linear algebra
//! The unknowns of a stage alone leave first, by a partial Cholesky factorisation of the stage's own small matrix. What is
//! left couples a frame to the two on either side: a band of blocks ([`BlockBand`]), factored front by front. In a cycle the last two
//! frames are set apart as a border. Rows with few non-zeros are added entry by entry, the others by a blocked product.
//! Cost per frame and step: about `6n³` (open) or `20n³` (cyclic) flops for the band, `rows·(3n + m)²` for the products.
//!
//! Columns of zeros hold an unknown where it is: fixed frames are made that way.

mod band;
mod solver;
mod stage;

pub use band::{BlockBand, BlockBandNotPositive};
pub use solver::{Chain, ChainReport, ChainSettings, ChainSolver, ChainStatus, Round};

/// The kind of a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Row {
    /// Costs `½ weight c²`.
    Cost {
        /// Not negative.
        weight: f64,
    },
    /// Is kept between two bounds.
    Keep {
        /// Least value; −∞ for none.
        lo: f64,
        /// Greatest value; ∞ for none.
        hi: f64,
        /// Index of its group, with a penalty and a tolerance of its own.
        group: usize,
    },
}

impl Row {
    /// Kept at zero.
    pub const fn zero(group: usize) -> Row {
        Row::Keep { lo: 0.0, hi: 0.0, group }
    }

    /// Kept at a value or above.
    pub const fn at_least(lo: f64, group: usize) -> Row {
        Row::Keep { lo, hi: f64::INFINITY, group }
    }
}

/// Penalty and tolerance of a group of rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Penalty {
    /// In the first round.
    pub first: f64,
    /// The greatest.
    pub most: f64,
    /// How far a row may be from its bounds in the answer.
    pub tolerance: f64,
}
