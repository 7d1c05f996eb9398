//! The integration tests of `sinew-solve`, one module per part of the crate.
mod contacts;
mod dare;
mod ddp;
mod ddp_problems;
mod gauss_seidel;
mod gemm;
mod lemke;
mod lq;
mod lu;
mod random;
mod riccati;
