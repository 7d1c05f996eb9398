//! Dense optimisation for control: QP, prioritised QP, LCP, Riccati, DDP.
#![forbid(unsafe_code)]

pub mod banded;
pub mod block_tridiagonal;
pub mod box_qp;
pub mod cmaes;
pub mod ddp;
pub mod dense;
pub mod eigen;
pub mod hqp;
pub mod lcp;
pub mod levenberg_marquardt;
pub mod qp;
pub mod riccati;
pub mod sweep;
