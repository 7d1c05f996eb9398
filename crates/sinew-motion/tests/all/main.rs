//! Tests of motions: identities and exact answers.
mod bvh_out;
mod clips;
mod fragments;
mod pose;
mod shared;
mod common;
mod estimate;
mod pose;
mod sampling;
