//! Controllers that move characters under physics: published control systems behind one interface.
//!
//! - A [`Controller`] moves a body. It reads an [`Observation`] and writes an [`Out`].
//! - A [`System`] declares a kind of controller: its parameters, requests, signals, needs and preferred world settings. The [`Registry`] lists all systems.
//! - An [`Order`] is a system with a body, clips and parameters. [`Prepared`] holds what was computed before the run.
//! - An [`Episode`] is a run: world, controller, command and metrics in one loop.
#![forbid(unsafe_code)]

pub mod bellman;
mod command;
mod controller;
pub mod data_driven;
mod episode;
pub mod features;
pub mod nqr;
mod observation;
mod out;
mod params;
pub mod passive;
mod prepare;
mod registry;
mod request;
mod signal;
pub mod simbicon;
pub mod spacetime;
mod system;
mod wants;
pub mod whole_body;

pub use command::Command;
pub use controller::{Advanced, ControlError, ControlStatus, Controller, Copies, Start};
pub use episode::{
    Action, Beginning, Decisions, Episode, EpisodeError, EpisodeRecorder, SavedEpisode, Spent,
};
pub use observation::{Known, Observation, Peeks};
pub use out::Out;
#[doc(hidden)]
pub use params::Field;
pub use params::{Choice, Group, Kind, Param, Parameters, Stage, Style, Value};
pub use prepare::{Prepare, Prepared, Progress, Store};
pub use registry::Registry;
pub use request::{Request, RequestKind};
pub use signal::{Meaning, Signal};
pub use system::{Build, Clips, Followed, Follows, Needs, Order, System};
pub use wants::{Contacts, Unsuitable, Wants, WorldPlan};

/// The examples of the page on combination, run as tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/bellman.md")]
struct CombinationPage;

/// The examples of the page on features, run as tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/features.md")]
struct Page;
