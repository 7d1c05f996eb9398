//! Workspace: memory that is only there to not be allocated again, and on which nothing depends.

use core::fmt;

/// Workspace that copies leave out: a copy makes its own at the next use. So snapshots of its owner are small.
///
/// ```
/// use sinew_dynamics::Scratch;
/// let mut sums = Scratch::<Vec<f64>>::default();
/// sums.get_or(|| Vec::with_capacity(100)).push(1.0);
/// assert!(sums.clone().get_or(Vec::new).is_empty());
/// ```
pub struct Scratch<T>(Option<Box<T>>);

impl<T> Scratch<T> {
    /// Made already, so that the first use does not allocate.
    pub fn new(value: T) -> Scratch<T> {
        Scratch(Some(Box::new(value)))
    }

    /// What is in it, made first when nothing is.
    pub fn get_or(&mut self, make: impl FnOnce() -> T) -> &mut T {
        self.0.get_or_insert_with(|| Box::new(make()))
    }

    /// What is in it, if anything is.
    pub fn get(&self) -> Option<&T> {
        self.0.as_deref()
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
