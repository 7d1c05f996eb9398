//! Tests of the world: contacts, terrain, stepping, recordings and their audit.

mod collide;
mod terrain;
