//! Characters that move under physics.
//!
//! This crate re-exports the rooms of the house; each is usable alone.
#![forbid(unsafe_code)]

pub use sinew_dynamics as dynamics;
pub use sinew_solve as solve;
