//! Tests of the studio's sessions and server.

mod malformed;
mod server;
mod session;
mod socket;
