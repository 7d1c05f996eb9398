//! Scenarios from strangers: an error with file and line, or a run of a second of simulated time that ends well or says why not.
//!
//! `cargo +nightly fuzz run scenario -- -max_total_time=600`. The input chooses keys and numbers, most within their ranges, some at the ends
//! or beyond; an input that begins with 0xFF is text as it is.
#![no_main]

#[path = "inputs/scenario.rs"]
mod inputs;

libfuzzer_sys::fuzz_target!(|input: &[u8]| inputs::run(input));
