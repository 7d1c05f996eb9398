//! Tests of motions: identities and exact answers.
mod pose;
