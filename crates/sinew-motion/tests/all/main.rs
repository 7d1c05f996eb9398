//! Tests of motions: identities and exact answers.
mod clips;
mod common;
mod estimate;
mod fragments;
mod pose;
mod pose;
mod sampling;
mod shared;
