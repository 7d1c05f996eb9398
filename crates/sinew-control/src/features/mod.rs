//! Feature-based control (de Lasa, Mordatch, Hertzmann 2010): balance, jumps and walks without motion capture.

mod anatomy;
mod disturbance;
mod feet;
mod gait;
mod jump;
mod planner;
mod polygon;
mod posture;
mod swing;
mod walk;

pub use gait::Gait;
pub use jump::{Jump, Jumper, Legs};
pub use walk::Walker;
