//! Motion for simulated characters: from captured clips to references that controllers follow, and back to files of other tools.
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
pub mod cleanup;
mod clip;
mod clip_take;
pub mod contacts;
pub mod edit;
pub mod estimate;
pub mod export;
mod filter;
pub mod gltf;
pub mod graph;
pub mod ik;
pub mod import;
mod layout;
mod level;
pub mod motions;
mod pose;
mod provenance;
pub mod reference;
pub mod retarget;
mod skeleton;
pub mod skin;
mod sole;
mod standing;
mod take;
pub mod transition;
mod travel;

pub use clip::{Clip, ClipError, Interpolation, Outside, Sampler};
pub use clip_take::NoSkeleton;
pub use contacts::FootContacts;
pub use import::{Axis, ImportOptions, Imported, ReadError, Report, WarningKind};
pub use level::drawn_standing;
pub use pose::{Displacement, Pose};
pub use provenance::Provenance;
pub use reference::{Filter, FitError, FitOptions, Fitted, fit};
pub use skeleton::{Joint, Skeleton, SkeletonError};
pub use sole::{BodyPoint, Sole};
pub use standing::on_its_feet;
pub use take::Take;
pub use travel::{Travel, heading};
