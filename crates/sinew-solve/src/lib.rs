//! Dense optimisation for control: QP, prioritised QP, LCP, Riccati, DDP.
#![forbid(unsafe_code)]
