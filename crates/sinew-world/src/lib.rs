//! A world for articulated characters: terrain, objects, contacts, pushes, and a record of what acted.
#![forbid(unsafe_code)]

pub mod collide;
mod report;
pub mod terrain;

pub use report::{ContactForce, OutsideForce, StepFrame};
