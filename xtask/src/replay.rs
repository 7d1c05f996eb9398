//! The stage that replays recordings in MuJoCo.
//!
//! Records runs with our own world and lets MuJoCo's inverse dynamics find the forces on record. Python and MuJoCo are no
//! part of the project: the stage makes a virtual environment of its own below the target folder, and is skipped, with the
//! reason, where that cannot be had. `SINEW_MUJOCO_PYTHON` may name an interpreter that has `mujoco` and `numpy`.

use crate::stages::{Outcome, cargo, run};
use crate::tally::Tally;
use crate::venv::{Needs, python};
use crate::wasm::{target_folder, workspace_root};
use std::process::Command;

const MUJOCO: Needs = Needs {
    name: "mujoco",
    variable: "SINEW_MUJOCO_PYTHON",
    interpreters: if cfg!(windows) { &["python"] } else { &["python3"] },
    packages: &["mujoco", "numpy"],
    modules: "mujoco, numpy",
};

/// Replays what the examples record.
pub(crate) fn replay(tally: &mut Tally) -> Outcome {
    let python = match python(&MUJOCO) {
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
