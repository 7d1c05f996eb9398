//! The stage that replays recordings in MuJoCo.
//!
//! Records runs with our own world and lets MuJoCo's inverse dynamics find the forces on record. Python and MuJoCo are no
//! part of the project: the stage makes a virtual environment of its own below the target folder, and is skipped, with the
//! reason, where that cannot be had. `SINEW_MUJOCO_PYTHON` may name an interpreter that has `mujoco` and `numpy`.

use crate::stages::{Outcome, cargo, run};
use crate::tally::Tally;
use crate::wasm::{target_folder, workspace_root};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Replays what the examples record.
pub(crate) fn replay(tally: &mut Tally) -> Outcome {
    let python = match python() {
        Ok(python) => python,
        Err(why) => return Outcome::Skipped(why),
    };
    let file = target_folder().join("replay").join("run.npz");
    if let Some(folder) = file.parent()
        && let Err(e) = std::fs::create_dir_all(folder)
    {
        return Outcome::Failed(format!("cannot make `{}`: {e}", folder.display()));
    }
    let path = file.display().to_string();
    let record = ["run", "--quiet", "--package", "sinew-world", "--example", "record", "--", &path];
    if let failed @ Outcome::Failed(_) = cargo(&record) {
        return failed;
    }
    let script = workspace_root().join("tools/replay_in_mujoco.py");
    let mut replay = Command::new(&python);
    replay.arg(&script).arg(&file);
    let outcome = run(replay, &format!("{} tools/replay_in_mujoco.py {path}", python.display()));
    if matches!(outcome, Outcome::Passed) {
        tally.pass();
    }
    outcome
}

/// An interpreter with MuJoCo and numpy, or why there is none.
fn python() -> Result<PathBuf, String> {
    if let Some(named) = std::env::var_os("SINEW_MUJOCO_PYTHON").map(PathBuf::from) {
        let fit = ready(&named);
        return fit.then_some(named).ok_or("SINEW_MUJOCO_PYTHON has no mujoco and numpy".to_owned());
    }
    let folder = target_folder().join("mujoco-venv");
    let inside = if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" };
    let python = folder.join(inside);
    if ready(&python) {
        return Ok(python);
    }
    let mut make = Command::new(if cfg!(windows) { "python" } else { "python3" });
    make.args(["-m", "venv"]).arg(&folder);
    quietly(make, "python3 -m venv")?;
    let mut install = Command::new(&python);
    install.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "mujoco", "numpy"]);
    quietly(install, "pip install mujoco numpy")?;
    let fit = ready(&python);
    fit.then_some(python).ok_or("mujoco was installed and cannot be imported".to_owned())
}

/// Whether an interpreter is there and has what the script needs.
fn ready(python: &Path) -> bool {
    let found = Command::new(python).args(["-c", "import mujoco, numpy"]).output();
    found.is_ok_and(|out| out.status.success())
}

/// Runs a command whose output matters only when it fails: then its last line is the reason.
fn quietly(mut command: Command, named: &str) -> Result<(), String> {
    println!("$ {named}");
    let out = command.output().map_err(|e| format!("cannot run `{named}`: {e}"))?;
    if out.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&out.stderr);
    let last = said.lines().rev().find(|l| !l.trim().is_empty()).unwrap_or("it said nothing");
    Err(format!("`{named}` failed: {}", last.trim()))
}
