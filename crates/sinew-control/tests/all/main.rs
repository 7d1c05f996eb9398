//! Tests of controllers: exact answers first, then that it stands, walks, jumps.
mod accelerated;
mod allocation;
mod balance;
mod bellman;
mod data_driven;
mod features;
mod jumps;
mod mirror;
mod names;
mod references;
mod simbicon;
mod spacetime;
mod whole_body;
