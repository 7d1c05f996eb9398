//! Controllers that move characters under physics: published control systems behind one interface.
#![forbid(unsafe_code)]

mod controller;
pub mod features;
pub mod whole_body;

pub use controller::{
    Command, ControlError, ControlStatus, Controller, ControllerState, Observation, Telemetry,
};

/// The examples of the page on features, run as tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/features.md")]
struct Page;
