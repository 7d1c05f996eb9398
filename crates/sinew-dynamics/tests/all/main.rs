//! All integration tests of the crate, in one binary.

mod mjcf_characters;
mod shared;
