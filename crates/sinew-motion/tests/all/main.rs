//! Tests of motions: identities and exact answers.
mod common;
mod estimate;
mod pose;
mod sampling;
