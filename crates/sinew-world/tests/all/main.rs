//! Tests of the world: closed forms, conservation laws, and what must be caught.

mod allocation;
mod audit;
mod audit_declared;
mod collide;
mod conflicts;
mod honest;
mod metrics;
mod npz;
mod physics;
mod recording;
mod runs;
mod support;
mod terrain;
mod torture;
