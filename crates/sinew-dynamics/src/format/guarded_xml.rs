//! XML text that may come from anywhere: parsed within bounds on time and memory, and with a line for every node.
//!
//! The parser underneath takes time quadratic in the attributes of one element, and memory quadratic in nested namespace
//! declarations. Both are bounded by one linear scan of the text before it is parsed: no attribute value may hold `<`, so
//! the text between two `<` holds all attributes of at most one element.

use super::FormatError;
use roxmltree::{Document, Node, ParsingOptions};

/// Greatest size of a file, bytes.
pub(super) const MAX_BYTES: usize = 16 << 20;
/// Greatest number of XML nodes (elements, text, comments).
const MAX_NODES: u32 = 500_000;
/// Greatest number of attributes of one element.
const MAX_ATTRIBUTES: usize = 256;
/// Greatest number of namespace declarations in a file.
const MAX_NAMESPACES: usize = 32;
/// Names longer than this are cut in messages and comparisons, characters.
const SHOWN: usize = 60;

/// A parsed file that knows its lines.
pub(super) struct GuardedXml<'t> {
    file: &'t str,
    doc: Document<'t>,
    /// Byte offset of the beginning of each line.
    line_starts: Vec<usize>,
}

impl<'t> GuardedXml<'t> {
    /// Checks the bounds and parses. `file` names the text in errors.
    pub(super) fn parse(file: &'t str, text: &'t str) -> Result<GuardedXml<'t>, FormatError> {
        let refuse = |problem: String| FormatError::new(file, 0, "", problem);
        if text.len() > MAX_BYTES {
            return Err(refuse(format!("{} bytes are more than the {MAX_BYTES} that are read", text.len())));
        }
        if text.matches("xmlns").count() > MAX_NAMESPACES {
            return Err(refuse(format!("more than {MAX_NAMESPACES} namespace declarations (xmlns)")));
        }
        let line_starts: Vec<usize> = std::iter::once(0)
            .chain(text.bytes().enumerate().filter(|b| b.1 == b'\n').map(|b| b.0 + 1))
            .collect();
        if let Some(at) = crowded_element(text) {
            let line = line_of(&line_starts, at);
            let problem = format!("an element with more than {MAX_ATTRIBUTES} attributes");
            return Err(FormatError::new(file, line, "", problem));
        }
        let options = ParsingOptions { nodes_limit: MAX_NODES, ..ParsingOptions::default() };
        let doc = Document::parse_with_options(text, options).map_err(|e| {
            FormatError::new(
                file,
                e.pos().row,
                "",
                format!("this is not well-formed XML: {}", shown(&e.to_string())),
            )
        })?;
        Ok(GuardedXml { file, doc, line_starts })
    }

    /// The outermost element.
    pub(super) fn root(&self) -> Node<'_, 't> {
        self.doc.root_element()
    }

    /// Line of a node, from 1.
    pub(super) fn line(&self, node: Node) -> u32 {
        line_of(&self.line_starts, node.range().start)
    }

    /// `file:line`.
    pub(super) fn place(&self, node: Node) -> String {
        format!("{}:{}", self.file, self.line(node))
    }

    /// An error at a node, which is named by its tag and `name` attribute.
    pub(super) fn error(&self, node: Node, problem: impl Into<String>) -> FormatError {
        FormatError::new(self.file, self.line(node), label(node), problem)
    }
}

/// `<joint name="knee">`; an element without a name is shown inside the nearest element that has one.
pub(super) fn label(node: Node) -> String {
    let named = |n: Node| {
        n.attribute("name").map(|name| format!("<{} name=\"{}\">", n.tag_name().name(), shown(name)))
    };
    if let Some(text) = named(node) {
        return text;
    }
    let tag = format!("<{}>", shown(node.tag_name().name()));
    match node
        .ancestors()
        .skip(1)
        .take(8)
        .filter(|n| n.is_element() && n.parent_element().is_some())
        .find_map(named)
    {
        Some(outer) => format!("{tag} in {outer}"),
        None => tag,
    }
}

/// Beginning of a text from a file, short enough for a message.
pub(super) fn shown(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

/// `; did you mean "…"?` with the nearest of the known names, or nothing when none is near.
pub(super) fn suggestion<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> String {
    let name = shown(name);
    let best = known.into_iter().map(|k| (strsim::jaro_winkler(&name, &shown(k)), k)).fold(
        None,
        |best: Option<(f64, &str)>, c| if best.is_none_or(|b| c.0 > b.0) { Some(c) } else { best },
    );
    match best {
        Some((score, near)) if score > 0.7 => format!("; did you mean \"{}\"?", shown(near)),
        _ => String::new(),
    }
}

/// Offset of a stretch between two `<` that holds more `="` than one element may have attributes.
fn crowded_element(text: &str) -> Option<usize> {
    let (mut count, mut equals) = (0, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'<' => (count, equals) = (0, false),
            b'=' => equals = true,
            b'"' | b'\'' if equals => (count, equals) = (count + 1, false),
            b' ' | b'\t' | b'\r' | b'\n' => {}
            _ => equals = false,
        }
        if count > MAX_ATTRIBUTES {
            return Some(at);
        }
    }
    None
}

fn line_of(line_starts: &[usize], offset: usize) -> u32 {
    line_starts.partition_point(|&start| start <= offset) as u32
}
