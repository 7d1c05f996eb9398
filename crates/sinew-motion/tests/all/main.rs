//! Tests of motions: identities and exact answers.
mod asf;
mod bvh_in;
mod bvh_out;
mod clips;
mod common;
mod edit;
mod estimate;
mod fragments;
mod graph;
mod guesses;
mod motions;
mod pose;
mod sampling;
mod shared;
