//! Tests of the whole crate: identities, closed forms and independent solvers.

mod dense;
mod fixture;
mod oracle;
mod qp_exact;
mod qp_random;
mod qp_whole_body;
