//! Bodies and ground as parts to draw: what every page needs to know of a model and a terrain.

pub mod drawing;
pub mod scene;
