//! Tests of motions: identities and exact answers.
mod asf;
mod bvh_in;
mod bvh_out;
mod clips;
mod fragments;
mod guesses;
mod pose;
mod shared;
mod common;
mod estimate;
mod pose;
mod sampling;
