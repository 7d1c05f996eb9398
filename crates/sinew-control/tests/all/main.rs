//! Tests of controllers: exact answers first, then that it stands, walks, jumps.
mod accelerated;
mod balance;
mod features;
mod jumps;
mod whole_body;
