//! Dense kernels on plain slices.
mod cholesky;
pub mod gemm;
mod lu;
pub(crate) mod partial_cholesky;
pub(crate) mod scale;
pub(crate) mod vector;

pub use cholesky::{Cholesky, NotPositiveDefinite};
pub use lu::Lu;
pub use vector::{axpy, dot, max_abs, norm};
