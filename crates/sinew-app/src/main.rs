//! The `sinew` command.
#![forbid(unsafe_code)]

fn main() {}
