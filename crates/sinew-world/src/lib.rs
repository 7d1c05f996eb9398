//! A world for articulated characters: terrain, objects, contacts, pushes, and a record of what acted.
#![forbid(unsafe_code)]

pub mod collide;
pub mod npz;
mod report;

pub use report::{ContactForce, OutsideForce, StepFrame};
