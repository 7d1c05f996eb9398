//! Finds Chromium and draws a page with it, without a window.

use anyhow::{Context, Result, bail, ensure};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Names on the path, and places where installers put it.
const NAMES: [&str; 7] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "microsoft-edge",
    "msedge",
];
const PLACES: [&str; 8] = [
    "/usr/lib/chromium/chromium",
    "/snap/bin/chromium",
    "/opt/google/chrome/chrome",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe",
];
/// Environment variable with the path of the browser.
const VARIABLE: &str = "SINEW_CHROMIUM";
/// Time limit for drawing a page.
const PATIENCE: Duration = Duration::from_secs(300);

/// The browser, or the remedy if there is none.
pub(crate) fn find() -> Result<PathBuf> {
    if let Some(named) = std::env::var_os(VARIABLE) {
        let path = PathBuf::from(named);
        ensure!(path.exists(), "{VARIABLE} names `{}`, which does not exist", path.display());
        return Ok(path);
    }
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let on_path = std::env::split_paths(&folders)
        .flat_map(|folder| NAMES.map(|name| folder.join(format!("{name}{}", std::env::consts::EXE_SUFFIX))));
    let usual = PLACES.iter().map(PathBuf::from);
    on_path.chain(usual).find(|path| path.is_file()).context(format!(
        "no Chromium, Chrome or Edge was found. Install one (on Debian as root `apt-get install chromium`, or add \
         --install-browser to have it done), or name it in the environment variable {VARIABLE}"
    ))
}

/// Installs Chromium with Debian's package manager.
pub(crate) fn install() -> Result<()> {
    ensure!(
        Path::new("/etc/debian_version").exists(),
        "--install-browser knows Debian and Ubuntu only; install Chromium or Chrome with your system's tool"
    );
    ensure!(is_root(), "--install-browser needs root; run `sudo apt-get install chromium`");
    for args in
        [&["update"][..], &["install", "--yes", "--no-install-recommends", "chromium", "fonts-liberation"]]
    {
        let status = Command::new("apt-get").args(args).stdin(Stdio::null()).stdout(Stdio::null()).status();
        let status = status.context("cannot run apt-get")?;
        ensure!(status.success(), "`apt-get {}` ended with {status}", args.join(" "));
    }
    Ok(())
}

/// The document of a page after it has been drawn. `work` is an empty folder for the browser's own files.
pub(crate) fn document(browser: &Path, address: &str, work: &Path) -> Result<String> {
    let (out, log) = (work.join("document.html"), work.join("log.txt"));
    let mut command = Command::new(browser);
    command
        .args(["--headless", "--hide-scrollbars", "--disable-extensions", "--no-first-run", "--mute-audio"])
        // drawing without a graphics card, the same on every machine
        .args(["--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--force-device-scale-factor=1"])
        .arg(format!("--user-data-dir={}", work.join("profile").display()))
        .args(["--virtual-time-budget=1000", "--dump-dom", address])
        .stdin(Stdio::null())
        .stdout(File::create(&out)?)
        .stderr(File::create(&log)?);
    if is_root() {
        // as root Chromium's sandbox refuses to start; the page is ours and loads nothing
        command.arg("--no-sandbox");
    }
    let mut child = command.spawn().with_context(|| format!("cannot run `{}`", browser.display()))?;
    let started = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if started.elapsed() > PATIENCE {
            // it may have ended just now; the result does not matter
            let _ = child.kill();
            let _ = child.wait();
            bail!("`{}` did not draw the page within {} s", browser.display(), PATIENCE.as_secs());
        }
        std::thread::sleep(Duration::from_millis(50));
    };
    let said = || std::fs::read_to_string(&log).unwrap_or_default();
    ensure!(status.success(), "`{}` ended with {status}:\n{}", browser.display(), said());
    std::fs::read_to_string(&out).context("the drawn page cannot be read")
}

#[cfg(unix)]
fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

#[cfg(not(unix))]
fn is_root() -> bool {
    false
}
