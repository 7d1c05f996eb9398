//! Editing motions, live or whole clips.
//!
//! | edit | live, per frame | whole clip |
//! | --- | --- | --- |
//! | joints turned further | [`Offsets::apply`] | |
//! | hands and feet to places | [`Limbs::reach`] | |
//! | faster, slower | [`TimeWarp::state`] | [`TimeWarp::clip`] |
//! | longer steps, slopes, steps moved one by one | [`Footing::apply`] | [`Footing::clip`] |
//! | mirror image | [`Mirror::configuration`] | [`Mirror::clip`] |
//! | begin in another pose (equation 6 of Lee, Kim, Lee 2010) | [`Warp::apply`] | [`join`] |
//! | from one clip into another | [`blend()`] | [`cross_fade`], [`smooth_blend`] |
//! | between two clips: turns, speeds | [`blend()`] | [`fixed_blend`] |
//! | loop | | [`cyclic`] |
//! | from a few poses | [`Track::at`] | [`KeyFrames::clip`] |
//!
//! Live edits work on a configuration in place, take no memory after they are made, and cost microseconds; velocities of an
//! edited motion are differences of edited configurations, or those of a [`Sampler`](crate::Sampler) over the edited clip.

mod blend;
mod footing;
mod join;
mod keys;
mod limbs;
mod mirror;
mod offsets;
mod parametric;
mod time_warp;
mod track;

pub use blend::{Warp, blend};
pub use footing::{Footing, Plant};
pub use join::{JoinError, cross_fade, cut, cyclic, join, moved};
pub use keys::{KeyError, KeyFrames};
pub use limbs::{Limb, Limbs};
pub use mirror::Mirror;
pub use offsets::Offsets;
pub use parametric::{Feet, fixed_blend, smooth_blend};
pub use time_warp::TimeWarp;
pub use track::Track;
