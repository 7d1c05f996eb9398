//! The checks of the project.
//!
//! `cargo xtask test` runs every check that a change must pass, stage by stage, and ends with the sum of all test
//! results. There is nothing to install besides Rust; Node, Python and Chromium are used when they are there.
#![forbid(unsafe_code)]

mod exchange;
mod python;
mod replay;
mod stages;
mod studio;
mod tally;
mod venv;
mod wasm;

use stages::{BY_NAME, Outcome, STAGES, Stage};
use std::process::ExitCode;
use std::time::{Duration, Instant};
use tally::Tally;

const HELP: &str = "\
The checks of the project.

Usage: cargo xtask test [--only STAGE]... [--keep-going] [--list]

  --only STAGE   run only this stage; may be given several times
  --keep-going   run the remaining stages after a failure
  --list         print the stages

Exit code: 0 all passed, 1 a stage failed, 2 wrong usage.

Examples:
  cargo xtask test
  cargo xtask test --only clippy --only test";

/// What the command line asks for.
#[derive(Debug, Default, PartialEq)]
struct Request {
    only: Vec<String>,
    keep_going: bool,
    list: bool,
    help: bool,
}

fn parse(args: impl IntoIterator<Item = String>) -> Result<Request, String> {
    let mut args = args.into_iter();
    let mut request = Request::default();
    match args.next().as_deref() {
        Some("test") => {}
        None | Some("help" | "--help" | "-h") => return Ok(Request { help: true, ..request }),
        Some(other) => return Err(format!("unknown command `{other}`; the only one is `test`")),
    }
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--keep-going" => request.keep_going = true,
            "--list" => request.list = true,
            "--help" | "-h" => request.help = true,
            "--only" => {
                let name = args.next().ok_or("--only needs the name of a stage")?;
                if !STAGES.iter().any(|s| s.name == name) {
                    let known: Vec<_> = STAGES.iter().map(|s| s.name).collect();
                    return Err(format!("unknown stage `{name}`; known are {}", known.join(", ")));
                }
                request.only.push(name);
            }
            other => return Err(format!("unknown option `{other}`")),
        }
    }
    Ok(request)
}

fn main() -> ExitCode {
    let request = match parse(std::env::args().skip(1)) {
        Ok(request) => request,
        Err(problem) => {
            eprintln!("error: {problem}\n\n{HELP}");
            return ExitCode::from(2);
        }
    };
    if request.help {
        println!("{HELP}");
        return ExitCode::SUCCESS;
    }
    if request.list {
        for stage in STAGES {
            println!("{:10} {}", stage.name, stage.about);
        }
        return ExitCode::SUCCESS;
    }
    run(&request)
}

fn run(request: &Request) -> ExitCode {
    let asked = |s: &&Stage| request.only.is_empty() || request.only.iter().any(|o| o == s.name);
    let mut tally = Tally::default();
    let mut done: Vec<(&str, &str, Duration)> = Vec::new();
    let mut failed = false;
    for stage in STAGES.iter().filter(asked) {
        if failed && !request.keep_going {
            done.push((stage.name, "not run", Duration::ZERO));
            continue;
        }
        println!("\n==== {}: {}", stage.name, stage.about);
        let (start, before) = (Instant::now(), tally.failed);
        let left_out = BY_NAME.iter().find(|(name, _)| *name == stage.name && request.only.is_empty());
        let outcome = match left_out {
            Some((_, why)) => Outcome::Skipped((*why).to_owned()),
            None => (stage.run)(&mut tally),
        };
        let verdict = match outcome {
            Outcome::Passed => "passed",
            Outcome::Skipped(reason) => {
                tally.skip(stage.name, &reason);
                "skipped"
            }
            Outcome::Failed(problem) => {
                // a stage that fails without a failing test (a lint, a build) is one failure
                tally.failed = tally.failed.max(before + 1);
                failed = true;
                println!("error: {problem}");
                "FAILED"
            }
        };
        let took = start.elapsed();
        println!("---- {}: {verdict} in {:.1} s", stage.name, took.as_secs_f64());
        done.push((stage.name, verdict, took));
    }

    println!("\n==== summary");
    for (name, verdict, took) in &done {
        println!("{name:10} {verdict:8} {:6.1} s", took.as_secs_f64());
    }
    for (name, reason) in &tally.skipped {
        println!("skipped {name}: {reason}");
    }
    println!("{tally}");
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(line: &str) -> Result<Request, String> {
        parse(line.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn options_are_read() {
        let wanted =
            Request { only: vec!["fmt".into(), "wasm".into()], keep_going: true, ..Request::default() };
        assert_eq!(request("test --only fmt --keep-going --only wasm"), Ok(wanted));
        assert!(request("").is_ok_and(|r| r.help));
    }

    #[test]
    fn unknown_arguments_are_refused_with_the_known_names() {
        assert!(request("test --only ftm").is_err_and(|e| e.contains("fmt")));
        assert!(request("test --only").is_err());
        assert!(request("tests").is_err());
        assert!(request("test --fast").is_err());
    }
}
