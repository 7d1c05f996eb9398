//! Tests of motions: identities and exact answers.
mod clips;
mod fragments;
mod pose;
mod shared;
