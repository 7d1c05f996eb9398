//! Dense optimisation for control: QP, prioritised QP, LCP, Riccati, DDP.
#![forbid(unsafe_code)]
pub mod box_qp;
pub mod ddp;
pub mod dense;
pub mod lcp;
pub mod riccati;
