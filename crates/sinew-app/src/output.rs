//! Where results go: the terminal, or a file that appears whole or not at all.

use anyhow::{Context, Result};
use std::io::Write;
use std::path::Path;

/// Writes `text` to the file `out`, or to the terminal when there is none.
pub(crate) fn emit(out: Option<&Path>, text: &str) -> Result<()> {
    match out {
        Some(path) => write_whole(path, text.as_bytes()),
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
    sinew::world::write_whole(path, content)
        .with_context(|| format!("cannot write `{}`; is the folder there and writable?", path.display()))
}

/// JSON on several lines, ending with a newline.
pub(crate) fn json(value: &impl serde::Serialize) -> Result<String> {
    let mut text = serde_json::to_string_pretty(value)?;
    text.push('\n');
    Ok(text)
}
