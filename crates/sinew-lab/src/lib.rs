//! Scenarios, metrics and experiments for controlled characters, and the pushes that they survive.
//!
//! A [`Scenario`] gives the character, the controller, the ground, commands and pushes; it is a TOML file or made in code. A
//! [`Simulation`] plays it step by step. [`run`] plays it to the end and returns a summary, [`run_audited`] also checks the physics of
//! every step. [`push`] measures the greatest push that a controller survives, [`walking`] how similar a walk is to people's.
//!
//! The [registry](experiment) holds the papers' experiments and our own; each returns [findings], which are [stored](results) as JSON,
//! CSV and SVG and [reported](report) as one page. The [gallery] holds runs for contact sheets.
//!
//! ```
//! use sinew_lab::{Scenario, run};
//! let scenario = Scenario::parse("seconds = 0.2\ncontroller = \"walker\"", "stand.toml")?;
//! let outcome = run(&scenario, scenario.built_in()?, None)?;
//! assert_eq!(outcome.summary.fell, Some(false));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod audited;
mod bellman;
pub mod context;
mod data_driven;
mod error;
pub mod experiment;
pub mod fall;
mod features;
pub mod findings;
pub mod gallery;
mod nqr;
pub mod plot;
pub mod push;
pub mod report;
pub mod results;
mod run;
pub mod scenario;
mod simbicon;
mod simulation;
mod store;
pub mod tune;
pub mod walking;

pub use audited::{Audited, Watch, run_audited};
pub use error::LabError;
pub use run::{Outcome, play, run, run_with};
pub use scenario::{Scenario, ScenarioError};
pub use simulation::Simulation;
pub use store::{Entry, FolderStore};

/// The example of the page, run as a test.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/lab.md")]
struct Page;
