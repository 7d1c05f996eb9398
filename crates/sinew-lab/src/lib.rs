//! Experiments with controlled characters: what is asked for, what happened, and how much it takes to make one fall.
//!
//! A [`Scenario`] says who walks where, what is commanded and who pushes; it is a TOML file or made in code. A
//! [`Simulation`] plays it step by step, [`run`] plays it to the end and sums up. [`push`] measures the greatest push that
//! a controller survives.
//!
//! ```
//! use sinew_lab::{Scenario, run};
//! let scenario = Scenario::parse("seconds = 0.2\ncontroller = \"walker\"", "stand.toml")?;
//! let outcome = run(&scenario, scenario.built_in()?, None)?;
//! assert_eq!(outcome.summary.fell, Some(false));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod error;
pub mod push;
mod run;
pub mod scenario;
mod simulation;

pub use error::LabError;
pub use run::{Outcome, run};
pub use scenario::{Scenario, ScenarioError};
pub use simulation::{Simulation, Spent};
