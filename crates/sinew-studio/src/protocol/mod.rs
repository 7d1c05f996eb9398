//! The messages between page and session.
//!
//! **From the page**: text messages, JSON with a `type` ([`client::ClientMessage`]), at most [`MOST_TEXT`] bytes; and binary messages
//! that are files to read: one byte 1, the length of the name (u16), the name, the content; at most [`MOST_FILE`] bytes.
//!
//! **To the page**: text messages, JSON with a `type` ([`server::ServerMessage`]); and binary messages, little endian, whose first
//! byte says what they are: 1 a frame ([`frame`]), 2 a file (the length of its name as u16, the name, the content), 3 the poses of a ghost
//! (number of bodies as u16, then seven f32 per body and frame).

pub mod catalogue;
pub mod client;
pub mod frame;
pub mod server;
pub mod setup;

/// Version of the protocol.
pub const VERSION: u32 = 2;
/// Longest text message, bytes.
pub const MOST_TEXT: usize = 64 << 10;
/// Greatest file, bytes.
pub const MOST_FILE: usize = 48 << 20;
