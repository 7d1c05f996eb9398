//! The header of an `.npy` file: magic, version, and a Python dictionary of kind, order and shape.
//!
//! ```text
//! \x93NUMPY 1 0 len  {'descr': '<f8', 'fortran_order': False, 'shape': (100, 42), }   \n
//! ```
//! padded with spaces so that the data begin at a multiple of 64 bytes. Version 2 has four bytes of length instead of two,
//! version 3 is version 2 in UTF-8.

use super::{Dtype, NpzError};

const MAGIC: &[u8] = b"\x93NUMPY";

/// The longest header that numpy itself reads unasked.
pub(super) const MAX_HEADER: usize = 10_000;

/// Kind and shape of an array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Header {
    pub(super) dtype: Dtype,
    pub(super) shape: Vec<usize>,
}

impl Header {
    /// Number of entries; `None` when the shape is beyond all bounds.
    pub(super) fn count(&self) -> Option<usize> {
        self.shape.iter().try_fold(1_usize, |n, k| n.checked_mul(*k))
    }

    /// Bytes of the data.
    pub(super) fn bytes(&self) -> Option<u64> {
        u64::try_from(self.count()?.checked_mul(self.dtype.size())?).ok()
    }

    /// The bytes that stand before the data.
    pub(super) fn write(&self) -> Vec<u8> {
        let numbers: Vec<String> = self.shape.iter().map(usize::to_string).collect();
        let shape = match numbers.as_slice() {
            [one] => format!("({one},)"),
            many => format!("({})", many.join(", ")),
        };
        let text = format!("{{'descr': '{}', 'fortran_order': False, 'shape': {shape}, }}", self.dtype);
        let padded = (10 + text.len() + 1).next_multiple_of(64);
        let mut out = MAGIC.to_vec();
        out.extend([1, 0]);
        // a shape of a few numbers never needs version 2
        out.extend(((padded - 10) as u16).to_le_bytes());
        out.extend(text.bytes());
        out.resize(padded - 1, b' ');
        out.push(b'\n');
        out
    }

    /// Reads the header at the beginning of `bytes`; returns it with its length.
    pub(super) fn parse(name: &str, bytes: &[u8]) -> Result<(Header, usize), NpzError> {
        let bad = |problem: &str| NpzError::array(name, format!("not an .npy file: {problem}"));
        let rest = bytes.strip_prefix(MAGIC).ok_or_else(|| bad("the first bytes are not \\x93NUMPY"))?;
        let (start, length) = match rest {
            [1, _, a, b, ..] => (10, usize::from(u16::from_le_bytes([*a, *b]))),
            [2 | 3, _, a, b, c, d, ..] => (12, u32::from_le_bytes([*a, *b, *c, *d]) as usize),
            [version, ..] if *version > 3 => return Err(bad("its version is newer than 3")),
            _ => return Err(bad("the header ends too early")),
        };
        if length > MAX_HEADER {
            return Err(bad("the header is too long"));
        }
        let text = bytes.get(start..start + length).ok_or_else(|| bad("the header ends too early"))?;
        let text = core::str::from_utf8(text).map_err(|_| bad("the header is not text"))?;

        let descr = value(text, "descr").and_then(quoted).ok_or_else(|| bad("no simple 'descr'"))?;
        let dtype = Dtype::parse(descr).ok_or_else(|| {
            let known = "little-endian f8, f4, i8, i4, u1 and U are";
            NpzError::array(name, format!("entries of kind '{descr}' are not read; {known}"))
        })?;
        let fortran = value(text, "fortran_order").ok_or_else(|| bad("no 'fortran_order'"))?;
        let shape = value(text, "shape").and_then(tuple).ok_or_else(|| bad("no simple 'shape'"))?;
        if !fortran.starts_with("False") && shape.len() > 1 {
            let remedy = "save numpy.ascontiguousarray of it";
            return Err(NpzError::array(name, format!("is in Fortran order; {remedy}")));
        }
        Ok((Header { dtype, shape }, start + length))
    }
}

/// What follows `'key':` in a dictionary.
fn value<'t>(text: &'t str, key: &str) -> Option<&'t str> {
    let found =
        [format!("'{key}'"), format!("\"{key}\"")].iter().find_map(|k| text.split_once(k.as_str()))?;
    Some(found.1.trim_start().strip_prefix(':')?.trim_start())
}

/// A quoted word.
fn quoted(text: &str) -> Option<&str> {
    let mark = text.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
    text[1..].split_once(mark).map(|(word, _)| word)
}

/// A tuple of whole numbers.
fn tuple(text: &str) -> Option<Vec<usize>> {
    let (inner, _) = text.strip_prefix('(')?.split_once(')')?;
    let items = inner.split(',').map(str::trim).filter(|s| !s.is_empty());
    let shape: Option<Vec<usize>> = items.map(|s| s.trim_end_matches('L').parse().ok()).collect();
    shape.filter(|s| s.len() <= 32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_read_back_and_aligned() {
        for shape in [vec![], vec![7], vec![0, 3], vec![1000, 55], vec![2, 3, 4]] {
            for dtype in [Dtype::F64, Dtype::U8, Dtype::Text(12)] {
                let header = Header { dtype, shape: shape.clone() };
                let bytes = header.write();
                assert_eq!(bytes.len() % 64, 0);
                assert_eq!(Header::parse("a", &bytes).expect("our own"), (header, bytes.len()));
            }
        }
    }

    #[test]
    fn invalid_headers_are_refused() {
        let of = |dict: &str| {
            let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
            bytes.extend((dict.len() as u16).to_le_bytes());
            bytes.extend(dict.bytes());
            Header::parse("a", &bytes).map(|(h, _)| h.shape).map_err(|e| e.to_string())
        };
        assert_eq!(of("{'shape': (2, 3L,), 'fortran_order': False, 'descr': \"<f8\"}"), Ok(vec![2, 3]));
        assert!(
            of("{'descr': '|O', 'fortran_order': False, 'shape': (2,)}").is_err_and(|e| e.contains("|O"))
        );
        assert!(of("{'descr': '<U0', 'fortran_order': False, 'shape': (2,)}").is_err());
        assert!(of("{'descr': '<f8', 'fortran_order': True, 'shape': (2, 2)}").is_err());
        assert!(of("{'descr': '<f8', 'fortran_order': False, 'shape': (-2,)}").is_err());
        assert!(of("{'descr': [('x', '<f8')], 'fortran_order': False, 'shape': (2,)}").is_err());
        let huge = Header { dtype: Dtype::F64, shape: vec![usize::MAX, 2] };
        assert_eq!((huge.count(), huge.bytes()), (None, None));
    }
}
