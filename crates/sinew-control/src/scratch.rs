//! Workspace: memory that is only there to not be allocated again, and on which nothing depends.

use core::fmt;

/// Workspace that copies leave out: a copy makes its own at the next use. So a snapshot of a controller is small.
pub(crate) struct Scratch<T>(Option<Box<T>>);

impl<T> Scratch<T> {
    /// What is in it, made first when nothing is.
    pub(crate) fn get_or(&mut self, make: impl FnOnce() -> T) -> &mut T {
        self.0.get_or_insert_with(|| Box::new(make()))
    }
}

impl<T> Default for Scratch<T> {
    fn default() -> Scratch<T> {
        Scratch(None)
    }
}

impl<T> Clone for Scratch<T> {
    fn clone(&self) -> Scratch<T> {
        Scratch(None)
    }

    /// Keeps its own.
    fn clone_from(&mut self, _: &Scratch<T>) {}
}

impl<T> fmt::Debug for Scratch<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Scratch")
    }
}
