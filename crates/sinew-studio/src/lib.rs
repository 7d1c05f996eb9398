//! The studio: a character in a live world, shown and steered in a web page.
//!
//! | module | content |
//! | --- | --- |
//! | [`session`] | one world per visitor: commands, changes, pushes, time, rewind, downloads; without sockets |
//! | [`protocol`] | messages between page and session, byte by byte |
//! | [`server`] | HTTP and WebSocket around sessions, one thread each |
//! | [`view`] | bodies and ground as parts to draw, shared with the one-file export |
//! | [`pages`] | the built pages, or the reason why they are missing |
//!
//! ```
//! use sinew_studio::session::Session;
//! let mut session = Session::new();
//! session.handle(r#"{"type":"steer","forward":1.0,"left":0,"turn":0}"#);
//! session.run(0.5);
//! assert!((session.time() - 0.5).abs() < 1e-9);
//! ```
#![forbid(unsafe_code)]

pub mod pages;
pub mod protocol;
pub mod server;
pub mod session;
pub mod view;
