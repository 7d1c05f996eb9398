//! A line on the terminal that shows how far something has come.

use std::io::{IsTerminal, Write, stderr};
use std::sync::Mutex;

/// Draws on the terminal's error output; nowhere else unless asked to.
pub(crate) struct Bar<'a> {
    name: &'a str,
    terminal: bool,
    shown: bool,
    /// The last line, and how far it has come: threads may report out of order.
    last: Mutex<(String, usize)>,
}

const WIDTH: usize = 30;

impl<'a> Bar<'a> {
    pub(crate) fn new(name: &'a str, always: bool) -> Bar<'a> {
        let terminal = stderr().is_terminal();
        Bar { name, terminal, shown: terminal || always, last: Mutex::default() }
    }

    pub(crate) fn show(&self, done: usize, total: usize) {
        let Ok(mut last) = self.last.lock() else { return };
        if !self.shown || total == 0 || (done > 0 && done < last.1) {
            return;
        }
        let full = WIDTH * done.min(total) / total;
        let line = format!("{} [{}{}] {done}/{total}", self.name, "#".repeat(full), " ".repeat(WIDTH - full));
        if line != last.0 {
            // who cannot see it does without
            let _ = match self.terminal {
                true => write!(stderr(), "\r{line}\x1b[K"),
                false => writeln!(stderr(), "{line}"),
            };
        }
        *last = (line, done);
    }

    /// Takes the line away.
    pub(crate) fn clear(&self) {
        if self.shown && self.terminal {
            let _ = write!(stderr(), "\r\x1b[K");
        }
    }
}
