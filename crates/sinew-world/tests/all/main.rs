//! Tests of the world: closed forms, conservation laws, and what must be caught.

mod allocation;
mod audit;
mod audit_attacks;
mod audit_declared;
mod circles;
mod clock;
mod collide;
mod cones;
mod conflicts;
mod honest;
mod laws;
mod limits;
mod metrics;
mod npz;
mod penalty;
mod physics;
mod recording;
mod runs;
mod scenes;
mod script;
mod snapshot;
mod spin;
mod support;
mod terrain;
mod torture;
