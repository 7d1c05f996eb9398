//! The integration tests of `sinew-solve`, one module per part of the crate.
mod bits;
mod cmaes;
mod contacts;
mod dare;
mod ddp;
mod ddp_problems;
mod eigen;
mod gauss_seidel;
mod gemm;
mod lemke;
mod levenberg_marquardt;
mod lq;
mod lu;
mod random;
mod riccati;
mod structured;
mod sweep;
