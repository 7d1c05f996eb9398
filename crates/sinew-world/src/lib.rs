//! A world for articulated characters: terrain, objects, contacts, pushes, and a record of all forces.
#![forbid(unsafe_code)]

mod actor;
mod actuation;
mod ahead;
mod attachment;
pub mod audit;
mod ball_limits;
mod body_change;
mod clock;
pub mod collide;
mod contact_model;
mod contacts;
mod event;
pub mod file;
pub mod metrics;
pub mod npz;
mod platform;
mod push;
pub mod range;
pub mod recording;
mod report;
pub mod scenes;
mod settings;
mod snapshot;
mod solver;
mod step;
pub mod terrain;
mod text;
mod unphysical;
mod world;

pub use actor::{Actor, ActorKind};
pub use actuation::Actuation;
pub use attachment::Attachment;
pub use body_change::BodyChangeError;
pub use contact_model::{Anchor, Cone, ContactModel, Penalty};
pub use event::Event;
pub use platform::{Path, Platform};
pub use push::{Hand, Push};
pub use report::{ContactForce, OutsideForce, StepFrame};
pub use settings::{Integrator, Settings};
pub use snapshot::{RestoreError, Snapshot};
pub use solver::SolveReport;
pub use step::StepError;
pub use terrain::Terrain;
pub use unphysical::Claim;
pub use world::{StepReport, World};
