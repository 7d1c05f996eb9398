//! Dense kernels on plain column-major slices, so that no linear-algebra crate is part of the public contract.
//!
//! Every factorisation is a struct with its workspace, made once for a largest size; `factor` then never allocates.
//! Element (i, j) of an m×n matrix is `a[j·m + i]`.
//!
//! | what | for |
//! | --- | --- |
//! | [`Cholesky`] | positive definite matrices; knows blocks of zeros; rank-one update and downdate |
//! | [`Ldlt`] | symmetric matrices with pivots of both signs; rank-one change |
//! | [`Lu`] | square systems |
//! | [`Qr`] | least squares of full rank |
//! | [`PivotedQr`] | how many independent columns |
//! | [`CompleteOrthogonal`] | rank, null space and shortest least-squares solution of any matrix |
//! | [`gemm`] | products of matrices in blocks that stay in registers |

mod cholesky;
mod complete_orthogonal;
pub mod gemm;
mod householder;
mod ldlt;
mod lu;
pub(crate) mod orthonormal;
mod panel;
pub(crate) mod partial_cholesky;
pub(crate) mod pivoted_cholesky;
mod pivoted_qr;
pub(crate) mod scale;
pub(crate) mod thin_qr;
mod triangular;
mod update;
pub(crate) mod vector;

pub use cholesky::{Cholesky, NotPositiveDefinite};
pub(crate) use cholesky::{ROWS, padded};
pub use complete_orthogonal::CompleteOrthogonal;
pub use householder::Qr;
pub use ldlt::Ldlt;
pub use lu::Lu;
pub use pivoted_qr::PivotedQr;
pub use vector::{axpy, dot, max_abs, norm};
