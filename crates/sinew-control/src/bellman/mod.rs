//! Controllers made of controllers: linear Bellman combination (da Silva, Durand, Popović 2009).
//!
//! | file | idea |
//! | --- | --- |
//! | `combination` | [`Combination`]: shares from values, mixed torques |
//! | `tape` | [`Tape`]: an optimal trajectory with feedback and value, from a clip |
//! | `flight` | the optimisation behind it |
//! | `systems` | declarations |
//!
//! The mathematics is in [`sinew_solve::linear_bellman`].

mod combination;
mod flight;
mod systems;
mod tape;

pub use combination::{Combination, Sharing};
pub use systems::{BELLMAN, TAPE};
pub use tape::{Costs, Tape};
