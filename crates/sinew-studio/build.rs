//! Builds the pages of `studio/` for embedding in the binary.
//!
//! Node and npm are used if they are installed; packages are installed once into `studio/node_modules`. The build also works without
//! Node, or without network for the packages: then the binary holds the reason instead of the page, and the verbs that need the page
//! print it. `SINEW_NO_STUDIO=1` leaves the pages out on purpose.
//!
//! Written to `OUT_DIR`: `viewer.html` and `studio.html`, the pages or nothing, and `missing.txt`, nothing or the reason.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What the pages are made of: a change of any of these makes them anew.
const INPUTS: [&str; 7] =
    ["src", "viewer.html", "studio.html", "package.json", "package-lock.json", ".npmrc", "vite.config.ts"];

/// The pages.
const PAGES: [&str; 2] = ["viewer", "studio"];

const INSTALL: &str = "install Node 20.19 or later with npm, from nodejs.org or your system's packages";

fn main() {
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let studio = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../studio");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=SINEW_NO_STUDIO");
    // a file that is not there would make every build run this again
    for input in INPUTS.map(|name| studio.join(name)).iter().filter(|path| path.exists()) {
        println!("cargo::rerun-if-changed={}", input.display());
    }
    let (pages, missing) = match build(&studio, &out) {
        Ok(pages) => (pages, String::new()),
        Err(reason) => {
            println!("cargo::warning=the studio's pages are left out: {}", reason.replace('\n', " "));
            // installing Node mostly changes the path
            println!("cargo::rerun-if-env-changed=PATH");
            (PAGES.map(|_| String::new()), reason)
        }
    };
    for (name, page) in PAGES.iter().zip(pages) {
        fs::write(out.join(format!("{name}.html")), page).expect("OUT_DIR can be written to");
    }
    fs::write(out.join("missing.txt"), missing).expect("OUT_DIR can be written to");
}

fn build(studio: &Path, out: &Path) -> Result<[String; 2], String> {
    if std::env::var_os("SINEW_NO_STUDIO").is_some_and(|v| v != "0") {
        return Err("SINEW_NO_STUDIO was set when this program was built; unset it".into());
    }
    if !studio.join("package.json").exists() {
        return Err("studio/ was not there when this program was built; build from a whole checkout".into());
    }
    let missing = |what: &str| format!("{what} was not found when this program was built; {INSTALL}");
    let node = said(Command::new("node").arg("--version")).map_err(|_| missing("Node"))?;
    if !recent(&node) {
        return Err(format!("Node {node} is too old to build the pages; {INSTALL}"));
    }
    said(npm(studio).arg("--version")).map_err(|_| missing("npm"))?;
    install(studio).map_err(|e| format!("{e}. Is the network reachable?"))?;
    let mut pages = PAGES.map(|_| String::new());
    for (name, page) in PAGES.iter().zip(&mut pages) {
        let made = out.join("pages").join(name);
        said(
            Command::new("node")
                .arg(studio.join("node_modules/vite/bin/vite.js"))
                .args(["build", "--logLevel", "warn", "--emptyOutDir", "--outDir"])
                .arg(&made)
                .env("SINEW_PAGE", name)
                .current_dir(studio),
        )?;
        *page = fs::read_to_string(made.join(format!("{name}.html")))
            .map_err(|e| format!("the built page cannot be read: {e}"))?;
    }
    Ok(pages)
}

/// Installs the packages that the pages need, unless those of the lock file are there already.
fn install(studio: &Path) -> Result<(), String> {
    // two builds at once (debug and release) take turns
    let turn = File::create(studio.join(".npm-running")).map_err(|e| format!("studio/: {e}"))?;
    turn.lock().map_err(|e| format!("studio/.npm-running: {e}"))?;
    let wanted =
        fs::read(studio.join("package-lock.json")).map_err(|e| format!("studio/package-lock.json: {e}"))?;
    let stamp = studio.join("node_modules/.installed-lock.json");
    if fs::read(&stamp).is_ok_and(|installed| installed == wanted) {
        return Ok(());
    }
    // few retries: without network the rest of the build should not wait for minutes
    let mut flags =
        vec!["--ignore-scripts", "--fetch-retries=1", "--fetch-timeout=60000", "--loglevel=error"];
    // the tools of the tests are left out, and left where they are
    if !studio.join("node_modules/playwright-core").exists() {
        flags.push("--omit=dev");
    }
    said(npm(studio).arg("ci").args(flags))?;
    fs::write(&stamp, wanted).map_err(|e| format!("studio/node_modules: {e}"))
}

/// npm, which is a script with an extension on Windows.
fn npm(studio: &Path) -> Command {
    let mut command = Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" });
    command.current_dir(studio);
    command
}

/// Whether a version such as `v20.19.1` is at least 20.19.
fn recent(version: &str) -> bool {
    let mut numbers = version.trim_start_matches('v').split('.').map(|n| n.parse::<u32>().unwrap_or(0));
    let (major, minor) = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
    (major, minor) >= (20, 19)
}

/// What a command that succeeds prints; else the end of what it complains of.
fn said(command: &mut Command) -> Result<String, String> {
    let name = format!("{command:?}").replace('"', "");
    let output = command.stdin(Stdio::null()).output().map_err(|e| format!("`{name}` cannot run: {e}"))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned());
    }
    let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
    let lines: Vec<_> = complaint.lines().filter(|l| !l.trim().is_empty()).take(4).collect();
    Err(format!("`{name}` failed when this program was built: {}", lines.join("; ")))
}
