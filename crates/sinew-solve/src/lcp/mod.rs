//! Linear complementarity problems: contact, friction and limits.
//!
//! # The problem
//! Given a square `M` and `q`, find `z` and `w` with
//!
//! ```text
//! w = M z + q,    z ≥ 0,   w ≥ 0,   zᵀw = 0
//! ```
//!
//! For every index either the force `z_i` or the velocity `w_i` is zero. With bounds, `lo ≤ z ≤ hi`, the velocity
//! may be positive only at the lower bound and negative only at the upper one.
//!
//! # Which solver
//! | solver | solves | accuracy | cost |
//! | --- | --- | --- | --- |
//! | [`Lemke`] | any LCP whose matrix is copositive (contacts with friction are) | to rounding | `n²` per pivot, about n to 3n pivots, no warm start |
//! | [`BoxedLemke`] | the same with bounds, and with equations `w_i = 0` | to rounding | that of the larger LCP without bounds |
//! | [`GaussSeidel`] | contacts with friction polygons, bounds, equations, all on the forces themselves | to a residual that it reports | `n²` per sweep; warm start |
//!
//! Every solver says how far its answer is from a solution: see [`residual`].
//!
//! Sources: Cottle, Pang and Stone, *The Linear Complementarity Problem*, 1992; Stewart and Trinkle, "An implicit
//! time-stepping scheme for rigid body dynamics with inelastic collisions and Coulomb friction", Int. J. Numer.
//! Methods Eng. 39 (1996).

mod boxed;
mod gauss_seidel;
mod law;
mod lemke;
mod newton;

pub use boxed::{BoxedLemke, boxed_residual};
pub use gauss_seidel::{GaussSeidel, GaussSeidelReport, GaussSeidelStatus};
pub use law::Law;
pub use lemke::{Lemke, LemkeReport, LemkeStatus};

use crate::dense::vector::gemv_add;

/// How far `z` is from solving the problem: the largest `|min(z_i, w_i)|`, with `w = M z + q` written to `w`. `M`
/// is n × n, column-major.
///
/// ```
/// let mut w = [0.0; 2];
/// let residual = sinew_solve::lcp::residual(&[2.0, 1.0, 1.0, 2.0], &[-2.0, 1.0], &[1.0, 0.0], &mut w);
/// assert_eq!((residual, w), (0.0, [0.0, 2.0]));
/// ```
///
/// # Panics
/// When the sizes differ.
pub fn residual(m: &[f64], q: &[f64], z: &[f64], w: &mut [f64]) -> f64 {
    assert!(m.len() == z.len() * z.len() && q.len() == z.len() && w.len() == z.len(), "sizes of an LCP");
    w.copy_from_slice(q);
    gemv_add(1.0, m, z.len(), z, w);
    let mut worst = 0.0;
    for (z, w) in z.iter().zip(&*w) {
        let error = z.min(*w).abs();
        // a NaN is the worst of all
        worst = if error <= worst { worst } else { error };
    }
    worst
}
