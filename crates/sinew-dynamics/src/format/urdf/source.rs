//! The parsed file, with a place for every message.

use crate::format::nearest::clip;
use crate::format::{FormatError, xml};
use roxmltree::{Document, Node};

/// A parsed file that knows its lines.
pub(super) struct Source<'t> {
    file: &'t str,
    doc: Document<'t>,
    lines: xml::Lines,
}

impl<'t> Source<'t> {
    /// Parses a text within bounds. `file` names it in errors.
    pub(super) fn parse(file: &'t str, text: &'t str) -> Result<Source<'t>, FormatError> {
        Ok(Source { file, doc: xml::document(file, text)?, lines: xml::Lines::of(text) })
    }

    /// The outermost element.
    pub(super) fn root(&self) -> Node<'_, 't> {
        self.doc.root_element()
    }

    /// `file:line` of a node.
    pub(super) fn place(&self, node: Node) -> String {
        format!("{}:{}", self.file, self.lines.line(node.range().start))
    }

    /// An error at a node, which is named by its tag and `name` attribute.
    pub(super) fn error(&self, node: Node, problem: impl Into<String>) -> FormatError {
        FormatError::new(self.file, self.lines.line(node.range().start), label(node), problem)
    }
}

/// `<joint name="knee">`; an element without a name is shown inside the nearest element that has one.
pub(super) fn label(node: Node) -> String {
    let named = |n: Node| {
        n.attribute("name").map(|name| format!("<{} name=\"{}\">", n.tag_name().name(), clip(name)))
    };
    if let Some(text) = named(node) {
        return text;
    }
    let tag = format!("<{}>", clip(node.tag_name().name()));
    let outer = node.ancestors().skip(1).take(8).filter(|n| n.is_element() && n.parent_element().is_some());
    match outer.into_iter().find_map(named) {
        Some(outer) => format!("{tag} in {outer}"),
        None => tag,
    }
}
