//! Names are unique among elements of a kind.

use super::tree::{Node, clip};
use crate::format::FormatError;
use std::collections::HashMap;

/// Named elements by kind.
#[derive(Default)]
pub(super) struct Names<'t>(HashMap<(&'static str, &'t str), Node<'t>>);

impl<'t> Names<'t> {
    /// Takes note of an element; nameless ones do not count.
    pub(super) fn add(&mut self, kind: &'static str, node: Node<'t>) -> Result<(), FormatError> {
        if node.name().is_empty() {
            return Ok(());
        }
        match self.0.insert((kind, node.name()), node) {
            None => Ok(()),
            Some(first) => {
                let (name, line) = (clip(node.name()), first.line());
                Err(node.error(format!("the {kind} name \"{name}\" is taken already, on line {line}")))
            }
        }
    }

    /// All names of a kind, sorted.
    pub(super) fn all(&self, kind: &'static str) -> Vec<&'t str> {
        let mut names: Vec<&str> = self.0.keys().filter(|(k, _)| *k == kind).map(|(_, n)| *n).collect();
        names.sort_unstable();
        names
    }
}
