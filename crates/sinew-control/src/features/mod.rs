//! Feature-based control (de Lasa, Mordatch, Hertzmann 2010): balance, jumps and walks without motion capture.

mod gait;
mod planner;
mod polygon;
mod walk;

pub use gait::Gait;
pub use walk::Walker;
