//! The Python package: its wheel is built, installed into an environment of its own, and tested from there.

use crate::stages::Outcome;
use crate::tally::Tally;
use crate::venv::{self, Needs};
use crate::wasm::target_folder;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const FOLDER: &str = "bindings/python";

/// Builds the wheel and runs its tests; skipped where there is no Python, or its packages cannot be had.
pub(crate) fn test(tally: &mut Tally) -> Outcome {
    let needs = Needs {
        name: "python",
        variable: "SINEW_PYTHON",
        interpreters: &["python3", "python"],
        packages: &["maturin>=1.16,<2", "numpy>=1.26", "gymnasium>=1.0", "pytest"],
        modules: "maturin, numpy, gymnasium, pytest",
    };
    let python = match venv::python(&needs) {
        Ok(python) => python,
        Err(reason) => return Outcome::Skipped(reason),
    };
    match tried(&python, tally) {
        Ok(()) => Outcome::Passed,
        Err(problem) => Outcome::Failed(problem),
    }
}

fn tried(python: &Path, tally: &mut Tally) -> Result<(), String> {
    let wheel = wheel(python)?;
    let mut install = Command::new(python);
    install.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
    install.args(["--force-reinstall", "--no-deps"]).arg(&wheel);
    shown(install, "pip install sinew_physics-….whl")?;

    let mut tests = Command::new(python);
    tests.args(["-m", "pytest", "-q", "-rs", "--doctest-modules", "-p", "no:cacheprovider", FOLDER]);
    // the installed package, not the folder of its sources
    tests.args(["--ignore", &format!("{FOLDER}/python")]);
    let program = if cfg!(windows) { "debug/sinew.exe" } else { "debug/sinew" };
    tests.env("SINEW", target_folder().join(program));
    println!("$ python -m pytest {FOLDER}");
    let out = tests.output().map_err(|e| format!("cannot run pytest: {e}"))?;
    let said = String::from_utf8_lossy(&out.stdout);
    print!("{said}{}", String::from_utf8_lossy(&out.stderr));
    let last = said.lines().rev().find(|line| line.contains(" in ")).unwrap_or_default();
    tally.add(counted(last, "passed"), counted(last, "failed") + counted(last, "error"));
    for line in said.lines().filter_map(|line| line.strip_prefix("SKIPPED ")) {
        let (what, why) = line.rsplit_once(": ").unwrap_or(("python", line));
        tally.skip(what, why);
    }
    match out.status.success() {
        true => Ok(()),
        false => Err(format!("pytest: {last}")),
    }
}

/// The wheel, with the profile of the other tests. The package is a workspace of its own: NumPy's crate asks for features of others that the rest
/// of the project does without.
fn wheel(python: &Path) -> Result<PathBuf, String> {
    let wheels = target_folder().join("wheels");
    if wheels.exists() {
        fs::remove_dir_all(&wheels).map_err(|e| format!("{}: {e}", wheels.display()))?;
    }
    let mut build = Command::new(python);
    build.env("CARGO_TARGET_DIR", target_folder().join("python"));
    build.args(["-m", "maturin", "build", "--quiet", "--profile", "dev", "--manifest-path"]);
    build.arg(format!("{FOLDER}/Cargo.toml")).arg("--out").arg(&wheels).arg("--interpreter").arg(python);
    shown(build, "maturin build --profile dev")?;
    let found = fs::read_dir(&wheels).map_err(|e| format!("{}: {e}", wheels.display()))?;
    let mut files = found.filter_map(Result::ok).map(|entry| entry.path());
    let wheel = files.find(|path| path.extension().is_some_and(|e| e == "whl"));
    wheel.ok_or_else(|| "maturin made no wheel".to_owned())
}

fn shown(mut command: Command, named: &str) -> Result<(), String> {
    println!("$ {named}");
    let status = command.status().map_err(|e| format!("cannot run `{named}`: {e}"))?;
    status.success().then_some(()).ok_or_else(|| format!("`{named}` ended with {status}"))
}

/// The number before a word in pytest's last line, as in `12 passed, 1 skipped in 3.1s`.
fn counted(line: &str, word: &str) -> usize {
    let words: Vec<&str> = line.split([' ', ',']).filter(|w| !w.is_empty()).collect();
    let before = words.windows(2).find(|pair| pair[1].starts_with(word)).map(|pair| pair[0]);
    before.and_then(|n| n.parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_counted_from_the_last_line() {
        let line = "1 failed, 12 passed, 2 skipped, 1 error in 3.10s";
        assert_eq!(["passed", "failed", "error", "xfailed"].map(|word| counted(line, word)), [12, 1, 1, 0]);
        assert_eq!(counted("no tests ran in 0.01s", "passed"), 0);
    }
}
