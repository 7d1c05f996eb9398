//! Tests of motions: identities and exact answers.
mod clips;
mod pose;
mod shared;
