//! Dense optimisation for control: QP, prioritised QP, LCP, Riccati, DDP.
#![forbid(unsafe_code)]
pub mod dense;
pub mod hqp;
pub mod qp;
