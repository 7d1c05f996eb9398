//! Untrusted messages: after anything that a page sends, its session continues, and its messages are JSON.
//!
//! `cargo +nightly fuzz run studio -- -max_total_time=600 -dict=fuzz/studio.dict`. The input is a list of messages, a line each; a line
//! that begins with 0x01 is a file, and after each line a little time passes.
#![no_main]

#[path = "inputs/studio.rs"]
mod inputs;

libfuzzer_sys::fuzz_target!(|input: &[u8]| inputs::run(input));
