//! All integration tests of the crate, in one binary.

mod mjcf_characters;
mod mjcf_errors;
mod mjcf_hostile;
mod mjcf_read;
mod mjcf_write;
mod shared;
