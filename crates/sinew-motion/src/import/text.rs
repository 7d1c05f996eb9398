//! Text of a file, word by word, with the place of each word.
//!
//! Lines end with LF, CRLF or CR. Words are separated by white space, commas and semicolons; braces are words of their own.

use super::{ImportOptions, ReadError, Report, WarningKind};
use sinew_dynamics::file;
use std::borrow::Cow;
use std::io::ErrorKind;
use std::path::Path;

/// Greatest magnitude of a number: beyond it is no length, angle or time of a motion in any unit.
const GREATEST: f64 = 1e9;

/// The bytes of a file, unless they are more than the limit.
pub(crate) fn load(path: &Path, options: &ImportOptions) -> Result<Vec<u8>, ReadError> {
    let named = path.display().to_string();
    let limit = options.limits.bytes;
    file::read(path, limit as u64).map_err(|e| match e.kind() {
        ErrorKind::FileTooLarge => ReadError::Limit { file: named, line: 0, what: "bytes", limit },
        _ => ReadError::Io { file: named, source: e },
    })
}

/// The text of a file, without byte-order mark. Letters that are no UTF-8 are replaced, with a warning.
pub(crate) fn decode<'a>(
    bytes: &'a [u8],
    file: &str,
    options: &ImportOptions,
    report: &mut Report,
) -> Result<Cow<'a, str>, ReadError> {
    if bytes.len() > options.limits.bytes {
        return Err(ReadError::Limit {
            file: file.into(),
            line: 0,
            what: "bytes",
            limit: options.limits.bytes,
        });
    }
    let utf16 = bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]);
    // the old DOS mark for the end of a text may stand at its end
    let bytes = bytes.strip_suffix(&[0x1a]).unwrap_or(bytes);
    let control = |b: &u8| *b < 0x20 && !matches!(*b, b'\t' | b'\n' | b'\r' | 0x0b | 0x0c);
    if let Some(at) = bytes.iter().position(control) {
        let line = 1 + bytes[..at].iter().filter(|b| **b == b'\n').count();
        let remedy =
            if utf16 { "save it as UTF-8" } else { "check that it is not compressed or another format" };
        return Err(ReadError::Binary { file: file.into(), line, byte: bytes[at], remedy: remedy.into() });
    }
    let bytes = bytes.strip_prefix(&[0xef, 0xbb, 0xbf]).unwrap_or(bytes);
    let text = String::from_utf8_lossy(bytes);
    if matches!(text, Cow::Owned(_)) {
        report.warn(
            WarningKind::Text,
            "letters that are not UTF-8 are replaced by \u{fffd}; save the file as UTF-8",
        );
    }
    Ok(text)
}

/// Reads words one after the other.
#[derive(Clone, Debug)]
pub(crate) struct Scanner<'a> {
    pub(crate) file: &'a str,
    text: &'a str,
    at: usize,
    /// Of the word read last.
    pub(crate) line: usize,
}

impl<'a> Scanner<'a> {
    pub(crate) fn new(text: &'a str, file: &'a str) -> Scanner<'a> {
        Scanner { file, text, at: 0, line: 1 }
    }

    /// The next word; none at the end.
    pub(crate) fn word(&mut self) -> Option<&'a str> {
        self.word_until(is_separator)
    }

    /// The next word when colons separate too, as in `Frames:12`.
    pub(crate) fn label(&mut self) -> Option<&'a str> {
        self.word_until(|c| is_separator(c) || c == ':')
    }

    fn word_until(&mut self, separates: impl Fn(char) -> bool) -> Option<&'a str> {
        let left = &self.text[self.at..];
        let start = left.find(|c| !separates(c))?;
        self.advance(start);
        let left = &self.text[self.at..];
        let brace = |c| c == '{' || c == '}';
        let end = if left.starts_with(brace) {
            1
        } else {
            left.find(|c| separates(c) || brace(c)).unwrap_or(left.len())
        };
        self.at += end;
        Some(&left[..end])
    }

    /// Looks at the next word without reading it.
    pub(crate) fn peek(&self) -> Option<&'a str> {
        self.clone().word()
    }

    /// A name: all up to the next `{`, which is read too. Names may hold blanks but no line break.
    pub(crate) fn name_and_brace(&mut self, of: &str) -> Result<String, ReadError> {
        let left = &self.text[self.at..];
        let name = left.split_once('{').map(|(name, _)| name);
        let Some(name) = name.filter(|n| !n.trim().contains(['\n', '\r', '}'])) else {
            return Err(self.error(
                of,
                "no `{` follows",
                "a joint is its keyword, its name, and a block in braces",
            ));
        };
        self.advance(name.len());
        self.at += 1;
        let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
        if name.len() > 300 {
            return Err(self.error(of, "its name has more than 300 bytes", "give it a shorter name"));
        }
        Ok(name)
    }

    /// A finite number of reasonable size.
    pub(crate) fn number(&mut self, of: &str) -> Result<f64, ReadError> {
        let word = self.word();
        let parsed = word.and_then(|w| w.parse::<f64>().ok());
        match (word, parsed) {
            (_, Some(x)) if x.abs() <= GREATEST => Ok(x),
            (Some(w), _) => Err(self.no_number(of, w)),
            (None, _) => Err(self.error(of, "the file ends where a number belongs", "get the whole file")),
        }
    }

    /// The error for a word that is not a number, or not finite.
    pub(crate) fn no_number(&self, of: &str, word: &str) -> ReadError {
        let problem = match word.parse::<f64>() {
            Ok(_) => format!("{} is not a number between -{GREATEST:e} and {GREATEST:e}", clip(word)),
            Err(_) => format!("\"{}\" is not a number", clip(word)),
        };
        self.error(of, problem, "mend the file, or export it again")
    }

    /// The rest of the text, and the line on which it begins.
    pub(crate) fn rest(&self) -> (&'a str, usize) {
        (&self.text[self.at..], self.line)
    }

    /// An error at the word read last.
    pub(crate) fn error(
        &self,
        element: impl Into<String>,
        problem: impl Into<String>,
        remedy: impl Into<String>,
    ) -> ReadError {
        ReadError::Format {
            file: self.file.into(),
            line: self.line,
            element: element.into(),
            problem: problem.into(),
            remedy: remedy.into(),
        }
    }

    /// The error for too many of something.
    pub(crate) fn too_many(&self, what: &'static str, limit: usize) -> ReadError {
        ReadError::Limit { file: self.file.into(), line: self.line, what, limit }
    }

    /// Moves on by some bytes and counts the lines among them.
    fn advance(&mut self, by: usize) {
        self.line += line_ends(&self.text[self.at..self.at + by]);
        self.at += by;
    }
}

/// Number of line ends in a text; CRLF is one.
fn line_ends(text: &str) -> usize {
    let bytes = text.as_bytes();
    let ends = |i: usize| bytes[i] == b'\n' || (bytes[i] == b'\r' && bytes.get(i + 1) != Some(&b'\n'));
    (0..bytes.len()).filter(|&i| ends(i)).count()
}

/// Lines of a text with their numbers, the first of which is `first`.
pub(crate) fn lines(text: &str, first: usize) -> impl Iterator<Item = (usize, &str)> {
    let mut left = Some(text);
    let mut number = first;
    std::iter::from_fn(move || {
        let text = left?;
        let here = number;
        number += 1;
        match text.find(['\n', '\r']) {
            None => left = None,
            Some(end) => {
                let ended_by = if text[end..].starts_with("\r\n") { 2 } else { 1 };
                left = Some(&text[end + ended_by..]);
                return Some((here, &text[..end]));
            }
        }
        Some((here, text))
    })
}

/// Words of a line of numbers.
pub(crate) fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(is_separator).filter(|w| !w.is_empty())
}

/// A number to calculate with.
pub(crate) fn finite(word: &str) -> Option<f64> {
    word.parse().ok().filter(|x: &f64| x.abs() <= GREATEST)
}

/// The start of a text that may be long, for messages.
pub(crate) fn clip(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(60) {
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
        None => Cow::Borrowed(text),
    }
}

/// `; did you mean "OFFSET"?` or nothing: the known word at the least edit distance, up to a third of its length.
pub(crate) fn did_you_mean(word: &str, known: &[&str]) -> String {
    let word = word.to_ascii_lowercase();
    if word.len() > 100 {
        return String::new();
    }
    let distance = |k: &str| strsim::damerau_levenshtein(&word, &k.to_ascii_lowercase());
    let near = known.iter().map(|k| (distance(k), k)).filter(|(d, k)| *d <= (k.len() / 3).max(1));
    near.min_by_key(|(d, _)| *d).map_or(String::new(), |(_, k)| format!("; did you mean \"{k}\"?"))
}

fn is_separator(c: char) -> bool {
    c.is_whitespace() || c == ',' || c == ';'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_lines_of_any_ends() {
        let mut scanner = Scanner::new("a{b, 1;2\r\nc\rd\n\ne:f", "t");
        let mut seen = Vec::new();
        while let Some(word) = scanner.word() {
            seen.push((word, scanner.line));
        }
        let expected = [("a", 1), ("{", 1), ("b", 1), ("1", 1), ("2", 1), ("c", 2), ("d", 3), ("e:f", 5)];
        assert_eq!(seen, expected);
        let ends: Vec<_> = lines("a\r\nb\rc\n", 7).collect();
        assert_eq!(ends, [(7, "a"), (8, "b"), (9, "c"), (10, "")]);
    }
}
