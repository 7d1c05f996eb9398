//! Tests of motions: identities and exact answers.
mod asf;
mod bvh_in;
mod bvh_out;
mod cleanup;
mod clips;
mod common;
mod edit;
mod estimate;
mod fragments;
mod graph;
mod guesses;
mod ik;
mod motions;
mod pose;
mod retarget;
mod sampling;
mod shared;
