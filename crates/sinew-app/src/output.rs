//! Output to the terminal, or to a file that appears whole or not at all.
//!
//! Every output file is first checked by [`target`]: its ending must fit the content, it must not be an input of the same command, and
//! two outputs must not be the same file.

use anyhow::{Context, Result, ensure};
use sinew::dynamics::file::was_read;
use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Endings of text.
pub(crate) const TEXT: &[&str] = &["txt", "md", "log", "json", "jsonl"];

/// The outputs of this command so far.
static CLAIMED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Checks the name of an output: an error when the ending is wrong, or the file is an input or another output of this command.
pub(crate) fn target<'p>(path: &'p Path, endings: &[&str]) -> Result<&'p Path> {
    let shown = path.display();
    if regular(path) {
        let ending = path.extension().and_then(|e| e.to_str()).unwrap_or("").to_ascii_lowercase();
        let known = endings.iter().map(|e| format!(".{e}")).collect::<Vec<_>>().join(", ");
        ensure!(endings.contains(&&*ending), "`{shown}`: the name of this output must end in {known}");
    }
    ensure!(!was_read(path), "`{shown}` is an input of this command; name another file to write");
    let folder = path.parent().filter(|f| *f != Path::new("")).unwrap_or(Path::new("."));
    if let (Ok(folder), Some(name)) = (folder.canonicalize(), path.file_name()) {
        let new = CLAIMED.lock().unwrap_or_else(PoisonError::into_inner).insert(folder.join(name));
        ensure!(new, "this command would write `{shown}` twice; name another file for one of them");
    }
    Ok(path)
}

/// Whether the path is a regular file or does not exist yet.
fn regular(path: &Path) -> bool {
    path.metadata().is_ok_and(|about| about.is_file()) || !path.exists()
}

/// Writes `text` to the file `out`, or to the terminal when there is none.
pub(crate) fn emit(out: Option<&Path>, text: &str) -> Result<()> {
    match out {
        Some(path) => write_whole(target(path, TEXT)?, text.as_bytes()),
        None => print(text),
    }
}

/// Prints; an error when the reader has gone.
pub(crate) fn print(text: &str) -> Result<()> {
    let mut terminal = std::io::stdout().lock();
    terminal.write_all(text.as_bytes())?;
    terminal.flush()?;
    Ok(())
}

/// Writes a file that appears whole or not at all.
pub(crate) fn write_whole(path: &Path, content: &[u8]) -> Result<()> {
    sinew::world::file::write_whole(path, content).with_context(|| {
        format!("cannot write `{}`; does the folder exist, and is it writable?", path.display())
    })
}

/// JSON on several lines, ending with a newline.
pub(crate) fn json(value: &impl serde::Serialize) -> Result<String> {
    let mut text = serde_json::to_string_pretty(value)?;
    text.push('\n');
    Ok(text)
}
