//! The stages of `cargo xtask test`, in the order in which they run: cheap checks first.

use crate::replay;
use crate::tally::Tally;
use crate::{exchange, python, studio, wasm};
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

/// The library crates that must build everywhere, the web included.
pub(crate) const CORE: [&str; 4] = ["sinew-dynamics", "sinew-solve", "sinew-world", "sinew"];

/// How a stage ended.
pub(crate) enum Outcome {
    Passed,
    Skipped(String),
    Failed(String),
}

/// One stage.
pub(crate) struct Stage {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    pub(crate) run: fn(&mut Tally) -> Outcome,
}

/// All stages.
pub(crate) const STAGES: &[Stage] = &[
    Stage { name: "fmt", about: "source is formatted", run: |_| cargo(&["fmt", "--all", "--check"]) },
    Stage {
        name: "clippy",
        about: "no compiler or clippy warning",
        run: |_| cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]),
    },
    Stage { name: "features", about: "the libraries build with no and with all features", run: features },
    Stage {
        name: "test",
        about: "unit and integration tests",
        run: |tally| cargo_test(&["--workspace", "--lib", "--bins", "--tests", "--examples"], tally),
    },
    Stage {
        name: "doctest",
        about: "examples in the documentation and the README",
        run: |tally| cargo_test(&["--workspace", "--doc"], tally),
    },
    Stage { name: "doc", about: "the documentation builds without warnings", run: doc },
    Stage { name: "wasm", about: "the core crates build for wasm32", run: wasm::build },
    Stage { name: "replay", about: "recordings replay in MuJoCo", run: replay::replay },
    Stage { name: "gltf", about: "exported animations satisfy Khronos's validator", run: exchange::validate },
    Stage { name: "blender", about: "exported animations in Blender", run: exchange::blender },
    Stage { name: "wasm-run", about: "wasm32 under Node gives the native bits", run: wasm::compare },
    Stage { name: "python", about: "the Python package, installed from its wheel", run: python::test },
    Stage { name: "studio", about: "types and format of the pages' source", run: studio::check },
    Stage { name: "browser", about: "the pages in Chromium", run: studio::test },
];

/// Stages that run only where they are named, and why.
pub(crate) const BY_NAME: &[(&str, &str)] =
    &[("python", "it compiles everything once more; `cargo xtask test --only python` runs it")];

/// A command that runs cargo as the user's own would.
pub(crate) fn cargo_command(args: &[&str]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(args);
    command
}

/// Runs a command that shows its own output.
pub(crate) fn run(mut command: Command, named: &str) -> Outcome {
    println!("$ {named}");
    match command.status() {
        Ok(status) if status.success() => Outcome::Passed,
        Ok(status) => Outcome::Failed(format!("`{named}` ended with {status}")),
        Err(e) => Outcome::Failed(format!("cannot run `{named}`: {e}")),
    }
}

/// Runs cargo.
pub(crate) fn cargo(args: &[&str]) -> Outcome {
    run(cargo_command(args), &format!("cargo {}", args.join(" ")))
}

fn features(_: &mut Tally) -> Outcome {
    for package in CORE {
        for set in ["--no-default-features", "--all-features"] {
            if let failed @ Outcome::Failed(_) = cargo(&["check", "--package", package, set]) {
                return failed;
            }
        }
    }
    Outcome::Passed
}

fn doc(_: &mut Tally) -> Outcome {
    let args = ["doc", "--workspace", "--no-deps"];
    let mut command = cargo_command(&args);
    command.env("RUSTDOCFLAGS", "-D warnings");
    run(command, "RUSTDOCFLAGS='-D warnings' cargo doc --workspace --no-deps")
}

/// Runs `cargo test`, counts the results and shows what matters of the output.
fn cargo_test(selection: &[&str], tally: &mut Tally) -> Outcome {
    let mut args = vec!["test", "--no-fail-fast"];
    args.extend(selection);
    args.extend(["--", "--show-output"]);
    let named = format!("cargo {}", args.join(" "));
    println!("$ {named}");
    let mut child = match cargo_command(&args).stdout(Stdio::piped()).spawn() {
        Ok(child) => child,
        Err(e) => return Outcome::Failed(format!("cannot run `{named}`: {e}")),
    };
    if let Some(output) = child.stdout.take() {
        for line in BufReader::new(output).split(b'\n').map_while(Result::ok) {
            let line = String::from_utf8_lossy(&line);
            if tally.line(&line) {
                println!("{line}");
            }
        }
    }
    match child.wait() {
        Ok(status) if status.success() => Outcome::Passed,
        Ok(status) => Outcome::Failed(format!("`{named}` ended with {status}")),
        Err(e) => Outcome::Failed(format!("`{named}`: {e}")),
    }
}
