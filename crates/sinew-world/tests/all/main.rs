//! Tests of the world: contacts, terrain, stepping, recordings and their audit.

mod audit;
mod collide;
mod honest;
mod metrics;
mod npz;
mod physics;
mod recording;
mod support;
