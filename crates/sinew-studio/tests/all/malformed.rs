//! Malformed messages: the world continues after each of them.

use sinew_studio::session::{Outgoing, Session};
use std::time::{Duration, Instant};

#[path = "../../../../fuzz/fuzz_targets/inputs/studio.rs"]
mod inputs;

/// A small generator of numbers (xorshift), the same in every run.
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    fn number(&mut self) -> String {
        let numbers =
            ["0", "-1", "1e308", "-1e308", "1e-320", "0.3", "99999999999999999999", "null", "\"x\"", "[]"];
        numbers[self.below(numbers.len())].to_owned()
    }
}

const GOOD: [&str; 12] = [
    r#"{"type":"steer","forward":1.0,"left":0,"turn":0}"#,
    r#"{"type":"push","impulse":[1,2,3],"seconds":0.1}"#,
    r#"{"type":"drag","lane":0,"body":3,"point":[0,0,0],"target":[1,1,1]}"#,
    r#"{"type":"change","lane":0,"setup":{"values":{"lift":0.05},"body":{"legs":1.1}}}"#,
    r#"{"type":"throw","from":[1,1,1],"velocity":[0,0,1],"mass":2,"half":0.1}"#,
    r#"{"type":"seek","time":0.05}"#,
    r#"{"type":"speed","factor":1}"#,
    r#"{"type":"ask","name":"jump","values":{"height":0.2}}"#,
    r#"{"type":"step","steps":3}"#,
    r#"{"type":"play"}"#,
    r#"{"type":"release"}"#,
    r#"{"type":"ping","id":3}"#,
];

#[test]
fn ten_thousand_bad_messages_do_no_harm() {
    let mut noise = Noise(0x5eed);
    let mut session = Session::new();
    session.run(0.1);
    for k in 0..10_000 {
        match noise.below(5) {
            // bytes
            0 => {
                let text: String = (0..noise.below(200)).map(|_| noise.next() as u8 as char).collect();
                session.handle(&text);
            }
            // a good message with a hole or a changed byte
            1 => {
                let mut bytes = GOOD[noise.below(GOOD.len())].as_bytes().to_vec();
                let at = noise.below(bytes.len());
                bytes[at] = (noise.next() & 0x7f) as u8;
                session.handle(&String::from_utf8_lossy(&bytes));
            }
            // a good message with other numbers
            2 => {
                let mut text = String::new();
                for part in GOOD[noise.below(GOOD.len())].split_inclusive([':', ',', '[']) {
                    text.push_str(part);
                    if noise.below(4) == 0 {
                        text.push_str(&noise.number());
                        text.push(',');
                    }
                }
                session.handle(&text);
            }
            // files with invalid content
            3 => {
                let mut bytes = vec![1, noise.next() as u8, (noise.next() & 1) as u8];
                bytes.extend((0..noise.below(300)).map(|_| noise.next() as u8));
                session.handle_file(&bytes);
            }
            _ => session.handle(GOOD[noise.below(GOOD.len())]),
        }
        if k % 100 == 0 {
            session.run(0.002);
        }
        session.outbox();
    }
    session.handle(&format!("{{\"type\":\"ping\",\"id\":{}}}", "9".repeat(1 << 20)));
    let long = session.outbox().any(|o| matches!(o, Outgoing::Text(t) if t.contains("too long")));
    assert!(long);
    // in any state, the session can be reset
    session.handle(r#"{"type":"setup","setup":{}}"#);
    session.handle(r#"{"type":"steer","forward":0.8,"left":0,"turn":0}"#);
    session.run(3.0);
    let q = &session.lanes()[0].world().actors()[0].q;
    assert!(q[0] > 1.0 && q[2] > 0.8, "{:?}", &q[..3]);
}

/// The inputs of the fuzz target `studio` without a fuzzer: words of its dictionary, some of them damaged.
/// `SINEW_FUZZ_SECONDS=600 cargo test -p sinew-studio --test all random_sessions -- --nocapture` goes on for longer.
#[test]
fn random_sessions_go_on() {
    let asked = std::env::var("SINEW_FUZZ_SECONDS").ok().and_then(|text| text.parse().ok());
    let (least, long) = (30, Duration::from_secs(asked.unwrap_or(0)));
    let unquoted = |line: &str| line.trim_matches('"').replace("\\x0a", "\n").replace("\\\"", "\"");
    let words: Vec<String> = include_str!("../../../../fuzz/studio.dict").lines().map(unquoted).collect();
    let mut noise = Noise(0x5eed + asked.unwrap_or(0));
    let (began, mut count) = (Instant::now(), 0);
    while count < least || began.elapsed() < long {
        let mut input = Vec::new();
        for _ in 0..1 + noise.below(16) {
            let mut word = words[noise.below(words.len())].clone();
            if noise.below(3) == 0 {
                let digits: Vec<usize> =
                    word.match_indices(|c: char| c.is_ascii_digit()).map(|(k, _)| k).collect();
                if let Some(&at) = digits.get(noise.below(digits.len().max(1))) {
                    word.replace_range(at..=at, &noise.number());
                }
            }
            input.extend(word.into_bytes());
            if noise.below(4) == 0 {
                let at = noise.below(input.len());
                input[at] = noise.next() as u8;
            }
        }
        let seen = String::from_utf8_lossy(&input).into_owned();
        let ran = std::panic::catch_unwind(move || inputs::run(&input));
        assert!(ran.is_ok(), "this input: {seen}");
        count += 1;
    }
    println!("{count} sessions in {:.0} s", began.elapsed().as_secs_f64());
}
