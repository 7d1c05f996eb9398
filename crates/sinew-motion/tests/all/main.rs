//! Tests of motions: identities and exact answers.
mod asf;
mod bvh_in;
mod bvh_out;
mod clips;
mod common;
mod estimate;
mod fragments;
mod gltf_out;
mod guesses;
mod pose;
mod sampling;
mod shared;
mod skin;
