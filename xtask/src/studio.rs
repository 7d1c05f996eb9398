//! The studio stage: types and format of the pages' source, then the pages in a real browser.
//!
//! Node does the first, Node with Chromium the second. Packages are installed by npm when those of the lock file are not there;
//! Chromium by apt-get when this is Debian and we are root. Other missing tools are reported as skipped.

use crate::stages::{Outcome, cargo, cargo_command, run};
use crate::tally::Tally;
use crate::wasm::{target_folder, workspace_root};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Names of the browser on the path.
const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// Types and format of the source.
pub(crate) fn check(_: &mut Tally) -> Outcome {
    if let Err(outcome) = prepare() {
        return outcome;
    }
    let mut check = npm();
    check.args(["run", "--silent", "check"]);
    run(check, "npm run check")
}

/// The pages in a browser.
pub(crate) fn test(tally: &mut Tally) -> Outcome {
    if let Err(outcome) = prepare() {
        return outcome;
    }
    let browser = match browser() {
        Ok(path) => path,
        Err(outcome) => return outcome,
    };
    let runs = target_folder().join("studio");
    if let Err(failed) = make_runs(&runs) {
        return failed;
    }
    let mut node = Command::new("node");
    node.args(["--test", "--test-concurrency=1", "--test-reporter=tap", "tests/"])
        .current_dir(studio())
        .env("SINEW_CHROMIUM", browser)
        .env("SINEW_RUNS", &runs)
        .env("SINEW", binary())
        .stdout(Stdio::piped());
    println!("$ node --test tests/");
    let output = match node.spawn().and_then(|child| child.wait_with_output()) {
        Ok(output) => output,
        Err(e) => return Outcome::Failed(format!("cannot run node: {e}")),
    };
    let text = String::from_utf8_lossy(&output.stdout);
    let (passed, failed) = (count(&text, "# pass "), count(&text, "# fail "));
    tally.add(passed, failed);
    figures(&text).for_each(|figure| println!("{figure}"));
    if output.status.success() && passed > 0 {
        println!("{passed} passed in {}", studio().join("tests").display());
        return Outcome::Passed;
    }
    println!("{text}");
    Outcome::Failed(format!("the tests of the pages ended with {}", output.status))
}

/// A recorded run, where its parts are at some times, and its page.
fn make_runs(folder: &Path) -> Result<(), Outcome> {
    std::fs::create_dir_all(folder).map_err(|e| Outcome::Failed(format!("{}: {e}", folder.display())))?;
    let (recorded, expected, page) =
        (folder.join("run.npz"), folder.join("expected.json"), folder.join("run.html"));
    let mut record =
        cargo_command(&["run", "--quiet", "--package", "sinew-app", "--example", "sample_run", "--"]);
    record.arg(&recorded).arg(expected);
    passed(run(record, "cargo run --package sinew-app --example sample_run"))?;
    passed(cargo(&["build", "--package", "sinew-app"]))?;
    let mut export = Command::new(binary());
    export.arg("export").arg(recorded).arg("--to").arg(page);
    passed(run(export, "sinew export run.npz --to run.html"))
}

/// Node, npm and the packages.
pub(crate) fn prepare() -> Result<(), Outcome> {
    for (program, mut command) in [("node", Command::new("node")), ("npm", npm())] {
        if !command.arg("--version").output().is_ok_and(|o| o.status.success()) {
            let reason = format!("there is no `{program}` on the path; install Node 20.19 or later with npm");
            return Err(Outcome::Skipped(reason));
        }
    }
    let modules = studio().join("node_modules");
    let (stamp, lock) = (modules.join(".installed-lock.json"), studio().join("package-lock.json"));
    let wanted =
        std::fs::read(lock).map_err(|e| Outcome::Failed(format!("studio/package-lock.json: {e}")))?;
    let installed = std::fs::read(&stamp).is_ok_and(|text| text == wanted);
    if installed && modules.join("playwright-core").exists() {
        return Ok(());
    }
    let mut install = npm();
    install.args(["ci", "--ignore-scripts"]);
    passed(run(install, "npm ci --ignore-scripts"))?;
    std::fs::write(stamp, wanted).map_err(|e| Outcome::Failed(format!("studio/node_modules: {e}")))
}

/// The browser that is there, or that can be installed.
fn browser() -> Result<PathBuf, Outcome> {
    if let Some(found) = find_browser() {
        return Ok(found);
    }
    let installs = Path::new("/etc/debian_version").exists() && said("id", &["-u"]).as_deref() == Some("0");
    if !installs {
        let reason =
            "there is no Chromium; install it, or name it in the environment variable SINEW_CHROMIUM";
        return Err(Outcome::Skipped(reason.into()));
    }
    for args in
        [&["update"][..], &["install", "--yes", "--no-install-recommends", "chromium", "fonts-liberation"]]
    {
        let mut apt = Command::new("apt-get");
        apt.args(args).stdout(Stdio::null());
        if let Outcome::Failed(problem) = run(apt, &format!("apt-get {}", args.join(" "))) {
            return Err(Outcome::Skipped(format!("Chromium cannot be installed: {problem}")));
        }
    }
    find_browser()
        .ok_or_else(|| Outcome::Failed("apt-get installed Chromium, but it is not on the path".into()))
}

fn find_browser() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os("SINEW_CHROMIUM") {
        return Some(PathBuf::from(named));
    }
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders).flat_map(|f| BROWSERS.map(|name| f.join(name))).find(|p| p.is_file())
}

fn said(program: &str, args: &[&str]) -> Option<String> {
    let output = Command::new(program).args(args).output().ok()?;
    Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

fn studio() -> PathBuf {
    workspace_root().join("studio")
}

fn binary() -> PathBuf {
    target_folder().join("debug").join(format!("sinew{}", std::env::consts::EXE_SUFFIX))
}

fn npm() -> Command {
    let mut command = Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" });
    command.current_dir(studio());
    command
}

fn passed(outcome: Outcome) -> Result<(), Outcome> {
    match outcome {
        Outcome::Passed => Ok(()),
        other => Err(other),
    }
}

/// What tests measured, which they mark as figures.
fn figures(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| line.trim_start().strip_prefix("# figure: "))
}

/// The number after `label` at the beginning of a line; the last when there are several.
fn count(text: &str, label: &str) -> usize {
    text.lines().filter_map(|l| l.strip_prefix(label)?.trim().parse().ok()).next_back().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_of_node_are_counted() {
        let text = "ok 1 - a\nnot ok 2 - b\n# tests 2\n# pass 1\n# fail 1\n# skipped 0\n";
        assert_eq!((count(text, "# pass "), count(text, "# fail ")), (1, 1));
        assert_eq!(count("nothing", "# pass "), 0);
        let measured = "    # figure: 3 ms\n# pass 1\n# figure: 2 s\n";
        assert!(figures(measured).eq(["3 ms", "2 s"]));
    }
}
