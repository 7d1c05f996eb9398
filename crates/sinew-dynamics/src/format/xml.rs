//! Parsing of untrusted XML text with bounded cost.
//!
//! The tree of [`roxmltree`] is built without recursion, but some of its steps are quadratic: the check for repeated
//! attributes in the number of attributes of an element, the copying of name spaces in their number. A linear look
//! over the text refuses what no model needs before the parser sees it: a document type definition, thousands of
//! attributes on an element, name spaces by the dozen, millions of elements.

use super::FormatError;

/// Longest text of one file, bytes.
pub(crate) const MAX_BYTES: usize = 16 << 20;
/// Most `<` in one file.
const MAX_TAGS: usize = 400_000;
/// Most attributes on one element.
const MAX_ATTRIBUTES: usize = 200;
/// Most name-space declarations in one file.
const MAX_NAMESPACES: usize = 16;

/// Parses a document after checking its size.
pub(crate) fn document<'t>(file: &str, text: &'t str) -> Result<roxmltree::Document<'t>, FormatError> {
    let refuse = |line, problem: String| FormatError::new(file, line, "", problem);
    if text.len() > MAX_BYTES {
        return Err(refuse(0, format!("the file has more than {} MB of XML", MAX_BYTES >> 20)));
    }
    let lines = Lines::of(text);
    let tags = text.bytes().filter(|&b| b == b'<').count();
    if tags > MAX_TAGS {
        return Err(refuse(0, format!("the file has more than {MAX_TAGS} tags")));
    }
    if text.matches("xmlns").count() > MAX_NAMESPACES {
        return Err(refuse(0, format!("the file declares more than {MAX_NAMESPACES} XML name spaces")));
    }
    if let Some(offset) = crowded_element(text) {
        let problem = format!("an element has more than {MAX_ATTRIBUTES} attributes");
        return Err(refuse(lines.line(offset), problem));
    }
    let options = roxmltree::ParsingOptions { allow_dtd: false, ..Default::default() };
    roxmltree::Document::parse_with_options(text, options).map_err(|e| match e {
        roxmltree::Error::DtdDetected => refuse(0, "a document type definition is not allowed".into()),
        e @ (roxmltree::Error::UnclosedRootNode | roxmltree::Error::UnexpectedEndOfStream) => {
            refuse(0, format!("not well-formed XML: {e}; the file seems to be cut off"))
        }
        e => refuse(e.pos().row, format!("not well-formed XML: {e}")),
    })
}

/// Offset of the first tag with more attributes than allowed.
///
/// An attribute begins with `=`, white space and a quote; a tag ends at the latest where the next one begins.
fn crowded_element(text: &str) -> Option<usize> {
    let (mut tag, mut attributes, mut equals) = (0, 0, false);
    for (offset, byte) in text.bytes().enumerate() {
        match byte {
            b'<' => (tag, attributes, equals) = (offset, 0, false),
            b'=' => equals = true,
            b'"' | b'\'' if equals => {
                attributes += 1;
                equals = false;
                if attributes > MAX_ATTRIBUTES {
                    return Some(tag);
                }
            }
            b' ' | b'\t' | b'\r' | b'\n' => {}
            _ => equals = false,
        }
    }
    None
}

/// Line numbers by byte offset, found by bisection.
pub(crate) struct Lines(Vec<usize>);

impl Lines {
    /// Notes where lines end.
    pub(crate) fn of(text: &str) -> Lines {
        Lines(text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i).collect())
    }

    /// Line of a byte, from 1.
    pub(crate) fn line(&self, offset: usize) -> u32 {
        self.0.partition_point(|&end| end < offset) as u32 + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_counted_from_one() {
        let lines = Lines::of("a\nbc\n\nd");
        let found: Vec<u32> = [0, 1, 2, 3, 4, 5, 6].iter().map(|&o| lines.line(o)).collect();
        assert_eq!(found, [1, 1, 2, 2, 2, 3, 4]);
    }

    #[test]
    fn costly_documents_are_refused_at_once() {
        let crowd: String = (0..100_000).map(|i| format!(" a{i}=''")).collect();
        let e = document("f", &format!("<m>\n<n{crowd}/></m>")).unwrap_err();
        assert_eq!(e.to_string(), "f:2: an element has more than 200 attributes");
        let spaces: String = (0..20).map(|i| format!("<a xmlns:n{i}='u{i}'>")).collect();
        assert!(document("f", &spaces).unwrap_err().problem.contains("name spaces"));
        let e = document("f", "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>").unwrap_err();
        assert_eq!(e.to_string(), "f: a document type definition is not allowed");
        assert!(document("f", &"<a>".repeat(390_000)).is_err());
        assert!(document("f", "<a>====\"\"\"</a>").is_ok());
    }
}
