//! The stages that hand our animations to other programs: Khronos's glTF validator under Node, and Blender.
//!
//! Neither is part of the project. The validator is among the packages of `studio/`; Blender is a Python module of some hundred
//! megabytes that needs one version of Python, in an environment of its own below the target folder. Missing tools are
//! reported as skipped. `SINEW_BLENDER_PYTHON` may name an interpreter that has `bpy`.

use crate::stages::{Outcome, cargo, run};
use crate::studio;
use crate::tally::Tally;
use crate::venv::{Needs, python};
use crate::wasm::{target_folder, workspace_root};
use std::path::PathBuf;
use std::process::Command;

/// The release of Blender that the stage is written for, and the only Python that it runs in.
const BLENDER: Needs = Needs {
    name: "blender",
    variable: "SINEW_BLENDER_PYTHON",
    interpreters: &["python3.11"],
    packages: &["bpy==5.0.1"],
    modules: "bpy",
};

/// Every kind of file that we write, under the validator: no error, warning or remark.
pub(crate) fn validate(tally: &mut Tally) -> Outcome {
    if let Err(outcome) = studio::prepare() {
        return outcome;
    }
    let folder = match exported() {
        Ok(folder) => folder,
        Err(failed) => return failed,
    };
    let mut node = Command::new("node");
    node.arg(workspace_root().join("tools/validate_gltf.mjs"));
    node.args(["walk.glb", "rest.glb", "odd.glb"].map(|file| folder.join(file)));
    counted(run(node, "node tools/validate_gltf.mjs walk.glb rest.glb odd.glb"), tally)
}

/// A walk as glTF and as BVH, in Blender.
pub(crate) fn blender(tally: &mut Tally) -> Outcome {
    let python = match python(&BLENDER) {
        Ok(python) => python,
        Err(why) => return Outcome::Skipped(why),
    };
    let folder = match exported() {
        Ok(folder) => folder,
        Err(failed) => return failed,
    };
    let mut check = Command::new(&python);
    check.arg(workspace_root().join("tools/check_in_blender.py")).arg(&folder);
    counted(
        run(check, &format!("{} tools/check_in_blender.py {}", python.display(), folder.display())),
        tally,
    )
}

/// The folder with what the example wrote.
fn exported() -> Result<PathBuf, Outcome> {
    let folder = target_folder().join("exchange");
    std::fs::create_dir_all(&folder).map_err(|e| Outcome::Failed(format!("{}: {e}", folder.display())))?;
    let named = folder.display().to_string();
    match cargo(&["run", "--quiet", "--package", "sinew-motion", "--example", "exchange", "--", &named]) {
        Outcome::Passed => Ok(folder),
        other => Err(other),
    }
}

fn counted(outcome: Outcome, tally: &mut Tally) -> Outcome {
    if matches!(outcome, Outcome::Passed) {
        tally.pass();
    }
    outcome
}
