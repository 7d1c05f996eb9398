//! Tests of motions: identities and exact answers.
mod bvh_out;
mod clips;
mod fragments;
mod pose;
mod shared;
