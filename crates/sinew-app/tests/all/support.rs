//! Running the binary, and where things are.

use serde_json::Value;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

/// What a run left behind.
pub(crate) struct Run {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// The binary, without `DATA_DIR` so that the tests do not depend on the caller's environment.
pub(crate) fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sinew"));
    command.args(args).env_remove("DATA_DIR").stdin(Stdio::null());
    command
}

/// Runs `sinew` with these arguments.
pub(crate) fn sinew(args: &[&str]) -> Run {
    finish(command(args).output())
}

pub(crate) fn finish(output: std::io::Result<Output>) -> Run {
    let output = output.expect("the binary runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    Run { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
}

impl Run {
    /// Standard output of a run that ended well.
    #[track_caller]
    pub(crate) fn good(self) -> String {
        assert_eq!(self.code, Some(0), "stderr: {}", self.stderr);
        self.stdout
    }

    /// The message of a run that was refused.
    #[track_caller]
    pub(crate) fn refused(self) -> String {
        assert_eq!(self.code, Some(2), "stdout: {}\nstderr: {}", self.stdout, self.stderr);
        assert_eq!(self.stdout, "");
        self.stderr
    }
}

#[track_caller]
pub(crate) fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

/// A file in a folder of its own for this test.
pub(crate) fn scratch(test: &str, file: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(test);
    std::fs::create_dir_all(&folder).expect("a folder for the test");
    folder.join(file)
}

/// A file with this content.
pub(crate) fn written(test: &str, file: &str, content: &str) -> String {
    let path = scratch(test, file);
    std::fs::write(&path, content).expect("a file for the test");
    path.to_str().expect("UTF-8").to_owned()
}

/// A file of reference material beside the workspace, or a note that the test is skipped.
pub(crate) fn shared(path: &str) -> Option<String> {
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared").join(path);
    if file.exists() {
        return Some(file.to_str().expect("UTF-8").to_owned());
    }
    eprintln!("skipped: no reference material ({path}) beside the workspace");
    None
}
