//! Tests of motions: identities and exact answers.
mod clips;
mod fragments;
mod pose;
mod shared;
mod common;
mod estimate;
mod pose;
mod sampling;
