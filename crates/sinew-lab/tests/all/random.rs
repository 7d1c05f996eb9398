//! Random scenarios, within their ranges and beyond: the inputs of the fuzz target `scenario` without a fuzzer.
//!
//! `SINEW_FUZZ_SECONDS=600 cargo test -p sinew-lab --test all random_scenarios -- --nocapture` goes on for longer.

use std::time::{Duration, Instant};

#[path = "../../../../fuzz/fuzz_targets/inputs/scenario.rs"]
mod inputs;

#[test]
fn random_scenarios_are_refused_or_run() {
    let seconds = std::env::var("SINEW_FUZZ_SECONDS").ok().and_then(|text| text.parse().ok());
    let (least, long) = (12, Duration::from_secs(seconds.unwrap_or(0)));
    // xorshift; longer runs begin elsewhere
    let mut state = 0x5eed_u64 + seconds.unwrap_or(0);
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let began = Instant::now();
    let mut count = 0;
    while count < least || began.elapsed() < long {
        let input: Vec<u8> = (0..40 + next() % 160).map(|_| (next() >> 32) as u8 & 0xFE).collect();
        let seen = input.clone();
        let ran = std::panic::catch_unwind(move || inputs::run(&input));
        assert!(ran.is_ok(), "this input: {seen:?}");
        count += 1;
    }
    println!("{count} scenarios in {:.0} s", began.elapsed().as_secs_f64());
}
