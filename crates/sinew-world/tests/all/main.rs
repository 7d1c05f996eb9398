//! Tests of the world: closed forms, conservation laws, and what must be caught.

mod audit;
mod audit_declared;
mod collide;
mod honest;
mod metrics;
mod npz;
mod physics;
mod recording;
mod runs;
mod scenes;
mod support;
mod terrain;
