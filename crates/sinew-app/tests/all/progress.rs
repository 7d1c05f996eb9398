//! How far a simulation has come: on a terminal, and nowhere else.

use crate::support::{json, scratch, sinew};
use std::process::{Command, Stdio};

/// Runs `sinew` with its error output on a terminal: exit code, standard output, what the terminal showed. None, with a note, where there is no
/// `script` to make one.
fn on_a_terminal(test: &str, args: &str) -> Option<(Option<i32>, String, String)> {
    let out = scratch(test, "stdout.txt");
    let line = format!("'{}' {args} > '{}'", env!("CARGO_BIN_EXE_sinew"), out.display());
    let script = Command::new("script").args(["-qec", &line, "/dev/null"]).stdin(Stdio::null()).output();
    let Ok(said) = script else {
        eprintln!("skipped: there is no `script` to make a terminal");
        return None;
    };
    let shown = String::from_utf8(said.stdout).expect("UTF-8");
    Some((said.status.code(), std::fs::read_to_string(out).expect("an output"), shown))
}

/// Without the lines that depend on the clock.
fn timeless(summary: &str) -> String {
    let clocked = |line: &&str| ["real", "control", "step"].iter().any(|word| line.contains(word));
    summary.lines().filter(|line| !clocked(line)).collect()
}

#[test]
fn a_controlled_run_shows_how_far_it_has_come_on_a_terminal_only() {
    let test = "a_controlled_run_shows_how_far_it_has_come_on_a_terminal_only";
    let [plain, shown] = ["plain.npz", "shown.npz"].map(|f| scratch(test, f).display().to_string());
    let walk = "simulate --controller walker --speed 0.8 --seconds 0.5";
    let args: Vec<&str> = walk.split(' ').chain(["--out", &plain]).collect();
    let unseen = sinew(&args);
    assert_eq!(unseen.stderr, "");
    let expected = unseen.good();
    let Some((code, text, seen)) = on_a_terminal(test, &format!("{walk} --out '{shown}'")) else { return };
    assert_eq!(code, Some(0), "{seen}");
    assert!(
        seen.contains("simulating [") && seen.contains("] 500/500") && seen.ends_with("\r\x1b[K"),
        "{seen:?}"
    );
    assert_eq!(timeless(&text), timeless(&expected));
    assert!(
        std::fs::read(plain).expect("a run") == std::fs::read(shown).expect("a run"),
        "the recordings differ"
    );
    let (code, text, seen) = on_a_terminal(test, &format!("{walk} --json")).expect("a terminal as before");
    assert_eq!((code, seen.as_str()), (Some(0), ""));
    assert_eq!(json(&text)["fell"], false);
    let (code, _, seen) = on_a_terminal(test, "simulate --seconds 0.2 --json").expect("a terminal as before");
    assert_eq!((code, seen.as_str()), (Some(0), ""));
}
