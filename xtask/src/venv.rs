//! Python with packages that are no part of the project, in a virtual environment of its own below the target folder.

use crate::wasm::target_folder;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What a stage needs of Python.
pub(crate) struct Needs {
    /// Names the environment.
    pub(crate) name: &'static str,
    /// Environment variable that may name an interpreter that has the packages.
    pub(crate) variable: &'static str,
    /// Interpreters to make the environment with; the first that is there.
    pub(crate) interpreters: &'static [&'static str],
    /// What pip installs.
    pub(crate) packages: &'static [&'static str],
    /// What a script imports.
    pub(crate) modules: &'static str,
}

/// An interpreter with the packages, or why there is none.
pub(crate) fn python(needs: &Needs) -> Result<PathBuf, String> {
    let ready = |python: &Path| {
        let found = Command::new(python).args(["-c", &format!("import {}", needs.modules)]).output();
        found.is_ok_and(|out| out.status.success())
    };
    if let Some(named) = std::env::var_os(needs.variable).map(PathBuf::from) {
        let fit = ready(&named);
        return fit.then_some(named).ok_or(format!("{} cannot import {}", needs.variable, needs.modules));
    }
    let folder = target_folder().join(format!("{}-venv", needs.name));
    let python = folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    if ready(&python) {
        return Ok(python);
    }
    let there =
        |program: &&&str| Command::new(program).arg("--version").output().is_ok_and(|o| o.status.success());
    let Some(interpreter) = needs.interpreters.iter().find(there) else {
        return Err(format!("there is no {} on the path", needs.interpreters.join(" or ")));
    };
    let mut make = Command::new(interpreter);
    make.args(["-m", "venv"]).arg(&folder);
    quietly(make, &format!("{interpreter} -m venv"))?;
    let mut install = Command::new(&python);
    install.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]).args(needs.packages);
    let named = format!("pip install {}", needs.packages.join(" "));
    quietly(install, &named)?;
    let fit = ready(&python);
    fit.then_some(python).ok_or(format!("`{named}` succeeded, but {} cannot be imported", needs.modules))
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
