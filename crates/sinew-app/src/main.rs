//! The `sinew` command.
//!
//! Exit codes: 0 done, 1 a check failed, 2 wrong usage or input. Nothing panics on input; a closed pipe ends the program
//! quietly.
#![forbid(unsafe_code)]

mod at;
mod bench;
mod cache;
mod cli;
mod controllers;
mod export;
mod import;
mod inspect;
mod interrupt;
mod lab;
mod motion_source;
mod motions;
mod optimise;
mod output;
mod progress;
mod retarget;
mod shell;
mod simulate;
mod source;
mod studio;
mod track;
mod tune;
mod verify;
mod view;

use anyhow::Result;
use clap::Parser;
use cli::{Cli, Verb};
use std::io::ErrorKind;
use std::process::ExitCode;

/// The result of a verb that had no error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    /// Done, and all checks hold.
    Good,
    /// Done, and a check fails.
    CheckFailed,
    /// The user ended it early; what was done until then is kept.
    Ended,
}

fn main() -> ExitCode {
    if let Some(remedy) = unfit_processor() {
        eprintln!("error: {remedy}");
        return ExitCode::from(2);
    }
    match run(Cli::parse()) {
        Ok(Verdict::Good) => ExitCode::SUCCESS,
        Ok(Verdict::CheckFailed) => ExitCode::from(1),
        Ok(Verdict::Ended) => ExitCode::from(130),
        Err(error) if pipe_closed(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {}", cause(&error));
            ExitCode::from(2)
        }
    }
}

/// The remedy when the processor lacks instructions that this build uses.
fn unfit_processor() -> Option<&'static str> {
    #[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
    if !std::arch::is_x86_feature_detected!("avx2") {
        return Some("this build needs a processor with AVX2; build with RUSTFLAGS=\"\" for one without");
    }
    None
}

fn run(cli: Cli) -> Result<Verdict> {
    // the studio's server handles signals itself, and writes no files
    if !matches!(cli.verb, None | Some(Verb::Studio(_))) {
        interrupt::listen();
    }
    match cli.verb {
        None => studio::run(&cli::StudioArgs::default()),
        Some(Verb::Studio(args)) => studio::run(&args),
        Some(Verb::Inspect(args)) => inspect::run(&args),
        Some(Verb::Import(args)) => import::run(&args),
        Some(Verb::Export(args)) => export::run(&args),
        Some(Verb::Sheet(args)) => view::sheet(&args),
        Some(Verb::Optimise(args)) => optimise::run(&args),
        Some(Verb::Track(args)) => track::run(&args),
        Some(Verb::Motions(args)) => motions::run(&args),
        Some(Verb::Controllers(args)) => controllers::run(&args),
        Some(Verb::Simulate(args)) => simulate::run(&args),
        Some(Verb::Tune(args)) => tune::run(&args),
        Some(Verb::Lab(args)) => lab::run(&args),
        Some(Verb::Bench(args)) => bench::run(&args),
        Some(Verb::Verify(args)) => verify::run(&args),
        Some(Verb::Cache(args)) => cache::run(&args),
        Some(Verb::Completions(args)) => shell::completions(&args),
        Some(Verb::Man(args)) => shell::man(&args),
    }
}

/// An error and its causes in one line, each cause once.
fn cause(error: &anyhow::Error) -> String {
    error.chain().map(ToString::to_string).fold(String::new(), |line, cause| match line.is_empty() {
        true => cause,
        false if line.ends_with(&cause) => line,
        false => format!("{line}: {cause}"),
    })
}

/// Whether the reader of the output has closed the pipe, as in `sinew inspect human | head -1`.
fn pipe_closed(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause.downcast_ref::<std::io::Error>().is_some_and(|e| e.kind() == ErrorKind::BrokenPipe)
    })
}
