//! The wasm32 stages: the core crates build there, and give the same bits under Node as natively.

use crate::stages::{CORE, Outcome, cargo, cargo_command, run};
use crate::tally::Tally;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const TARGET: &str = "wasm32-unknown-unknown";
const CHECK: &str = "sinew-wasm-check";

/// Builds the core crates for wasm32, adding the target to the toolchain when it is missing.
pub(crate) fn build(_: &mut Tally) -> Outcome {
    if let Err(problem) = ensure_target() {
        return Outcome::Failed(problem);
    }
    let mut args = vec!["build", "--target", TARGET];
    args.extend(CORE.iter().flat_map(|name| ["--package", name]));
    cargo(&args)
}

/// Runs the same evaluation natively and as wasm32 under Node and compares the two texts, which hold every number's bits.
pub(crate) fn compare(tally: &mut Tally) -> Outcome {
    if let Err(problem) = ensure_target() {
        return Outcome::Failed(problem);
    }
    if let failed @ Outcome::Failed(_) = cargo(&["build", "--package", CHECK, "--lib", "--target", TARGET]) {
        return failed;
    }
    if Command::new("node").arg("--version").output().is_err() {
        return Outcome::Skipped("there is no `node` on the path; install Node 18 or later".into());
    }
    let native = cargo_command(&["run", "--quiet", "--package", CHECK]).output();
    let page = workspace_root().join("bindings/wasm-check/run.mjs");
    let web = Command::new("node").arg(page).arg(wasm_file()).output();
    match (text(native, "the native run"), text(web, "the run under Node")) {
        (Ok(native), Ok(web)) => {
            let verdict = verdict(&native, &web);
            if matches!(verdict, Outcome::Passed) {
                tally.pass();
            }
            verdict
        }
        (Err(problem), _) | (_, Err(problem)) => Outcome::Failed(problem),
    }
}

fn ensure_target() -> Result<(), String> {
    let library = Command::new("rustc").args(["--print", "target-libdir", "--target", TARGET]).output();
    if let Ok(found) = library
        && found.status.success()
        && Path::new(String::from_utf8_lossy(&found.stdout).trim()).is_dir()
    {
        return Ok(());
    }
    if Command::new("rustup").arg("--version").output().is_err() {
        return Err(format!(
            "Rust's standard library for {TARGET} is not installed, and there is no `rustup` to add it; \
             install it with the tool that installed Rust"
        ));
    }
    let mut add = Command::new("rustup");
    add.args(["target", "add", TARGET]);
    match run(add, &format!("rustup target add {TARGET}")) {
        Outcome::Failed(problem) => Err(format!("{problem}; is the network reachable?")),
        _ => Ok(()),
    }
}

pub(crate) fn workspace_root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(Path::to_path_buf).unwrap_or_default()
}

/// Where cargo puts what it builds.
pub(crate) fn target_folder() -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    target.unwrap_or_else(|| workspace_root().join("target"))
}

fn wasm_file() -> PathBuf {
    target_folder().join(TARGET).join("debug/sinew_wasm_check.wasm")
}

fn text(run: std::io::Result<Output>, what: &str) -> Result<String, String> {
    let out = run.map_err(|e| format!("{what}: {e}"))?;
    if !out.status.success() {
        let said = String::from_utf8_lossy(&out.stderr);
        return Err(format!("{what} ended with {}:\n{said}", out.status));
    }
    Ok(String::from_utf8_lossy(&out.stdout).into_owned())
}

/// Both texts have one line per number: a label and 16 hexadecimal digits.
fn verdict(native: &str, web: &str) -> Outcome {
    let (n, w) = (native.lines().count(), web.lines().count());
    if n == 0 || n != w {
        return Outcome::Failed(format!("natively {n} numbers, under Node {w}"));
    }
    let differ: Vec<_> = native.lines().zip(web.lines()).filter(|(a, b)| a != b).collect();
    if differ.is_empty() {
        println!("{n} numbers, the same bits natively and under Node");
        return Outcome::Passed;
    }
    for (a, b) in differ.iter().take(10) {
        println!("native {a}\n  node {b}");
    }
    Outcome::Failed(format!("{} of {n} numbers differ in their bits", differ.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_single_different_bit_fails() {
        assert!(matches!(verdict("a 01\nb 02\n", "a 01\nb 02\n"), Outcome::Passed));
        assert!(matches!(verdict("a 01\nb 02\n", "a 01\nb 03\n"), Outcome::Failed(_)));
        assert!(matches!(verdict("a 01\nb 02\n", "a 01\n"), Outcome::Failed(_)));
        assert!(matches!(verdict("", ""), Outcome::Failed(_)), "nothing compared is no agreement");
    }
}
