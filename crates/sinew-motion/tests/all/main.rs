//! Tests of motions: identities and exact answers.
mod common;
mod pose;
mod sampling;
