//! The studio: a character in a live world, seen and steered in a web page.
//!
//! | room | holds |
//! | --- | --- |
//! | [`session`] | one world per visitor: what is commanded, changed, pushed; time, rewind, downloads; knows no sockets |
//! | [`protocol`] | what page and session say to each other, byte by byte |
//! | [`server`] | HTTP and WebSocket around sessions, one thread each |
//! | [`view`] | bodies and ground as parts to draw, shared with the one-file export |
//! | [`pages`] | the built pages, or what is missing to build them |
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
