//! Tests of motions: identities and exact answers.
mod asf;
mod bvh_in;
mod bvh_out;
mod cleanup;
mod clips;
mod common;
mod estimate;
mod fragments;
mod guesses;
mod ik;
mod pose;
mod retarget;
mod sampling;
mod shared;
