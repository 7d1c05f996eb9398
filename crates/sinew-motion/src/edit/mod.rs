//! Editing motions: live, frame by frame, or whole clips.

mod blend;
mod join;
mod mirror;
mod time_warp;
mod track;

pub use blend::{Warp, blend};
pub use join::{JoinError, cross_fade, cut, cyclic, join, moved};
pub use mirror::Mirror;
pub use time_warp::TimeWarp;
pub use track::Track;
