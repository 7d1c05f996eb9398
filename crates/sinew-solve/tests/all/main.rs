//! Tests of the whole crate: identities, closed forms and independent solvers.

mod allocation;
mod dense;
mod fixture;
mod hqp_exact;
mod hqp_random;
mod hqp_whole_body;
mod oracle;
mod qp_exact;
mod qp_random;
mod qp_whole_body;
