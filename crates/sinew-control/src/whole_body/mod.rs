//! Whole-body control by features and priorities.

mod accelerated;
mod kinetics;
mod objective;
mod priorities;
mod sole;
mod solver;
mod target;

pub(crate) use accelerated::Accelerated;
pub use kinetics::Kinetics;
pub use objective::{Axes, Goal, Objective, PoseGain, Task};
pub use sole::Sole;
pub(crate) use solver::LIMIT_HORIZON;
pub use solver::{Foothold, MOST_FOOTHOLDS, Priorities, WholeBody};
pub use target::reach;
