//! Motions for other programs: tables, arrays, recordings. BVH is in [`bvh`](crate::bvh).

pub mod csv;
mod felt;
pub mod npz;
pub mod recording;
