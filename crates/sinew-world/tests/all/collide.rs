//! Tests of collision: closed forms, laws that every pair obeys, persistence, degenerate input, the broad phase.

mod allocation;
mod broad;
mod closed_forms;
mod degenerate;
mod laws;
mod oracle;
mod persistence;
pub(crate) mod random;
#[cfg(feature = "parry")]
mod trimesh;
