//! Motion for simulated characters: from anybody's clip to a reference a controller can follow, and back to anybody's tool.
//!
//! | stage | type | what it is |
//! | --- | --- | --- |
//! | captured | [`Take`] | a [`Skeleton`] of somebody else and a [`Pose`] of it per frame |
//! | on a body | [`Clip`] | configurations `q` of a character's [`Model`](sinew_dynamics::Model) per frame, with foot contacts |
//!
//! Both are in metres, z up, whatever the file said; importers report what they assumed.
#![forbid(unsafe_code)]

pub mod asf;
pub mod bvh;
mod clip;
mod clip_take;
pub mod contacts;
pub mod export;
pub mod import;
mod pose;
mod provenance;
mod sha256;
mod skeleton;
mod take;
pub mod transition;

pub use clip::{Clip, ClipError};
pub use clip_take::NoSkeleton;
pub use contacts::FootContacts;
pub use import::{Axis, ImportOptions, Imported, ReadError, Report, WarningKind};
pub use pose::{Displacement, Pose};
pub use provenance::Provenance;
pub use skeleton::{Joint, Skeleton, SkeletonError};
pub use take::Take;
