//! Whole-body control by features and priorities.

mod accelerated;
mod foothold;
mod hinged;
mod kinetics;
mod objective;
mod priorities;
mod problem;
mod sole;
mod solver;
mod target;
mod warm;

pub(crate) use accelerated::Accelerated;
pub use foothold::{Foothold, MOST_FOOTHOLDS};
pub(crate) use hinged::Hinged;
pub use kinetics::Kinetics;
pub use objective::{Axes, Goal, Objective, PoseGain, Task};
pub use priorities::Priorities;
pub use sole::Sole;
pub(crate) use solver::LIMIT_HORIZON;
pub use solver::WholeBody;
pub use target::reach;
