//! Tests of the studio's sessions and server.

mod session;
