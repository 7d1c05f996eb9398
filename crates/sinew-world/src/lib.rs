//! A world for articulated characters: terrain, objects, contacts, pushes, and a record of what acted.
#![forbid(unsafe_code)]

mod actor;
mod actuation;
mod attachment;
pub mod audit;
mod ball_limits;
pub mod collide;
mod contacts;
pub mod metrics;
pub mod npz;
mod platform;
mod push;
pub mod recording;
mod report;
mod settings;
mod solver;
mod step;
pub mod terrain;
mod text;
mod world;

pub use actor::{Actor, ActorKind};
pub use actuation::Actuation;
pub use attachment::Attachment;
pub use platform::{Path, Platform};
pub use push::{Hand, Push};
pub use report::{ContactForce, OutsideForce, StepFrame};
pub use settings::Settings;
pub use solver::SolveReport;
pub use step::StepError;
pub use terrain::Terrain;
pub use world::{StepReport, World};
