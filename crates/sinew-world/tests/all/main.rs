//! Tests of the world: closed forms, conservation laws, and what must be caught.

mod audit;
mod honest;
mod metrics;
mod npz;
mod recording;
