//! Feature-based control (de Lasa, Mordatch, Hertzmann 2010): balance, jumps and walks without motion capture.

mod air;
mod anatomy;
mod balance;
mod calm;
mod disturbance;
mod feet;
mod footing;
mod gait;
mod ground;
mod heel;
mod hips;
mod idle;
mod jump;
mod pace;
mod planner;
mod polygon;
mod posture;
mod stepping;
mod style;
mod support;
mod swing;
mod systems;
mod technique;
mod walk;
mod worth;

pub use balance::{Balancer, Stance};
pub use gait::Gait;
pub use jump::{Jump, Jumper, Legs};
pub use style::STYLES;
pub use systems::{BALANCER, JUMPER, WALKER};
pub use technique::Technique;
pub use walk::Walker;
