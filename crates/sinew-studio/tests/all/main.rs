//! Tests of the studio's sessions and server.

mod malformed;
mod own_controller;
mod server;
mod session;
mod socket;
