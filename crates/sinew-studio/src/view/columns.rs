//! Tables of numbers as bytes for a page.
//!
//! Neighbouring rows are alike: motion is smooth, and so is a skin. A column is a table (`rows × width`) of numbers, rounded to
//! multiples of its `step`; each entry is written as the difference to the entry above it, zigzag (`0, −1, 1, −2, …` as
//! `0, 1, 2, 3, …`), in groups of seven bits, least first, the eighth bit set while more follow. Rounding is to nearest and
//! does not add up: differences are taken between rounded numbers.

use super::ViewError;
use serde::Serialize;

/// Beyond this a quantised number and its differences no longer fit the page's whole numbers.
const GREATEST: f64 = (1u64 << 50) as f64;

/// Where a table is, after the header.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Column {
    pub(super) name: &'static str,
    pub(super) step: f64,
    pub(super) width: usize,
    pub(super) rows: usize,
    pub(super) bytes: usize,
}

/// Tables one after the other.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Columns {
    /// Where each is, in the order of the bytes.
    pub list: Vec<Column>,
    /// Their bytes.
    pub bytes: Vec<u8>,
}

impl Columns {
    /// Appends a table; a row of it holds `per_row` of the groups that are given.
    ///
    /// # Errors
    /// When a number is not finite or too large for the page.
    pub fn push<const W: usize>(
        &mut self,
        name: &'static str,
        step: f64,
        per_row: usize,
        table: impl Iterator<Item = [f64; W]>,
    ) -> Result<(), ViewError> {
        let (width, start) = (W * per_row, self.bytes.len());
        let mut above = vec![0i64; width];
        let mut entries = 0;
        for (i, group) in table.enumerate() {
            let at = i % per_row * W;
            for (x, above) in group.iter().zip(&mut above[at..]) {
                let scaled = (x / step).round();
                let bounded = scaled.abs() < GREATEST;
                if !bounded {
                    let problem = format!("{x} cannot be drawn; the run has gone out of bounds");
                    return Err(ViewError::of(format!("{name}, row {}", i / per_row), problem));
                }
                let whole = scaled as i64;
                write_difference(&mut self.bytes, whole - *above);
                *above = whole;
            }
            entries += W;
        }
        let rows = entries / width.max(1);
        self.list.push(Column { name, step, width, rows, bytes: self.bytes.len() - start });
        Ok(())
    }
}

fn write_difference(out: &mut Vec<u8>, difference: i64) {
    let mut rest = ((difference << 1) ^ (difference >> 63)) as u64;
    while rest > 0x7f {
        out.push(rest as u8 | 0x80);
        rest >>= 7;
    }
    out.push(rest as u8);
}

/// Bytes as text (RFC 4648).
pub fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let at = |i: usize| u32::from(group.get(i).copied().unwrap_or(0));
        let bits = at(0) << 16 | at(1) << 8 | at(2);
        for digit in 0..4 {
            // a group of n bytes has n + 1 digits
            let known = digit <= group.len();
            text.push(if known { DIGITS[(bits >> (18 - 6 * digit)) as usize & 63] as char } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_follows_its_standard() {
        // RFC 4648, section 10
        let pairs = [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")];
        for (plain, coded) in pairs {
            assert_eq!(base64(plain.as_bytes()), coded);
        }
    }

    #[test]
    fn differences_take_seven_bits_a_byte() {
        let bytes = |d: i64| {
            let mut out = Vec::new();
            write_difference(&mut out, d);
            out
        };
        assert_eq!(bytes(0), [0]);
        assert_eq!(bytes(-1), [1]);
        assert_eq!(bytes(1), [2]);
        assert_eq!(bytes(-64), [0x7f]);
        assert_eq!(bytes(64), [0x80, 1]);
        assert_eq!(bytes(i64::MIN).len(), 10);
    }
}
