//! Tests of the whole crate: identities, closed forms and independent solvers.

mod allocation;
mod cmaes;
mod contacts;
mod dare;
mod ddp;
mod ddp_problems;
mod dense;
mod eigen;
mod fixture;
mod gauss_seidel;
mod gemm;
mod hqp_exact;
mod hqp_random;
mod hqp_whole_body;
mod lemke;
mod levenberg_marquardt;
mod lq;
mod lu;
mod oracle;
mod qp_exact;
mod qp_random;
mod qp_whole_body;
mod random;
mod riccati;
mod structured;
mod sweep;
