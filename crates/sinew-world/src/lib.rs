//! A world for articulated characters: terrain, objects, contacts, pushes, and a record of what acted.
#![forbid(unsafe_code)]

pub mod audit;
pub mod collide;
pub mod npz;
pub mod recording;
mod report;
mod text;

pub use report::{ContactForce, OutsideForce, StepFrame};
