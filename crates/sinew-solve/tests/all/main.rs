//! The integration tests of `sinew-solve`, one module per part of the crate.
mod dare;
mod ddp;
mod ddp_problems;
mod gemm;
mod lq;
mod lu;
mod random;
mod riccati;
