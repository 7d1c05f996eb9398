//! A line of progress on the terminal.

use std::io::{IsTerminal, Write, stderr};
use std::sync::Mutex;

/// Where a line is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Shown {
    /// On the error output when that is a terminal.
    OnTerminal,
    /// On the error output, even if it is a file or pipe.
    Always,
    Never,
}

/// Draws on the error output; when it goes out of scope, the line on a terminal is erased.
pub(crate) struct Bar<'a> {
    name: &'a str,
    terminal: bool,
    shown: bool,
    /// The last line and its progress: threads may report out of order.
    last: Mutex<(String, usize)>,
}

const WIDTH: usize = 30;

impl<'a> Bar<'a> {
    pub(crate) fn new(name: &'a str, shown: Shown) -> Bar<'a> {
        let terminal = stderr().is_terminal();
        let shown = shown == Shown::Always || (terminal && shown == Shown::OnTerminal);
        Bar { name, terminal, shown, last: Mutex::default() }
    }

    pub(crate) fn show(&self, done: usize, total: usize) {
        let Ok(mut last) = self.last.lock() else { return };
        if !self.shown || total == 0 || (done > 0 && done < last.1) {
            return;
        }
        let full = WIDTH * done.min(total) / total;
        let line = format!("{} [{}{}] {done}/{total}", self.name, "#".repeat(full), " ".repeat(WIDTH - full));
        if line != last.0 {
            // a line that cannot be written is left out
            let _ = match self.terminal {
                true => write!(stderr(), "\r{line}\x1b[K"),
                false => writeln!(stderr(), "{line}"),
            };
        }
        *last = (line, done);
    }
}

impl Drop for Bar<'_> {
    fn drop(&mut self) {
        if self.shown && self.terminal {
            let _ = write!(stderr(), "\r\x1b[K");
        }
    }
}
