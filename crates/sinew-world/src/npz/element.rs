//! The kinds of numbers that arrays hold.

use core::fmt;

/// Kind of the entries of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dtype {
    /// `float64`.
    F64,
    /// `float32`.
    F32,
    /// `int64`.
    I64,
    /// `int32`.
    I32,
    /// `uint8`.
    U8,
    /// Unicode text of at most this number of characters.
    Text(usize),
}

impl Dtype {
    /// Bytes per entry.
    pub fn size(self) -> usize {
        match self {
            Dtype::F64 | Dtype::I64 => 8,
            Dtype::F32 | Dtype::I32 => 4,
            Dtype::U8 => 1,
            Dtype::Text(characters) => 4 * characters,
        }
    }

    /// From numpy's notation, such as `<f8` or `<U12`.
    pub(super) fn parse(text: &str) -> Option<Dtype> {
        let plain = [Dtype::F64, Dtype::F32, Dtype::I64, Dtype::I32, Dtype::U8];
        if let Some(found) = plain.into_iter().find(|d| d.to_string() == text) {
            return Some(found);
        }
        let characters = text.strip_prefix("<U")?.parse().ok()?;
        // the size in bytes must be a number, and an entry must have one
        (1..=usize::MAX / 8).contains(&characters).then_some(Dtype::Text(characters))
    }
}

impl fmt::Display for Dtype {
    /// numpy's notation.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Dtype::F64 => f.write_str("<f8"),
            Dtype::F32 => f.write_str("<f4"),
            Dtype::I64 => f.write_str("<i8"),
            Dtype::I32 => f.write_str("<i4"),
            Dtype::U8 => f.write_str("|u1"),
            Dtype::Text(characters) => write!(f, "<U{characters}"),
        }
    }
}

mod sealed {
    pub trait Sealed {}
}

/// A number that arrays can hold: `f64`, `f32`, `i64`, `i32` or `u8`.
pub trait Element: Copy + Default + sealed::Sealed {
    /// Its kind.
    const DTYPE: Dtype;
    /// Appends the number to bytes.
    #[doc(hidden)]
    fn put(self, out: &mut Vec<u8>);
    /// The number at the beginning of bytes.
    #[doc(hidden)]
    fn get(bytes: &[u8]) -> Self;
}

macro_rules! element {
    ($($number:ty => $kind:ident),*) => {$(
        impl sealed::Sealed for $number {}
        impl Element for $number {
            const DTYPE: Dtype = Dtype::$kind;
            #[inline]
            fn put(self, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_le_bytes());
            }
            #[inline]
            fn get(bytes: &[u8]) -> $number {
                bytes.first_chunk().map_or_else(Default::default, |b| <$number>::from_le_bytes(*b))
            }
        }
    )*};
}

element!(f64 => F64, f32 => F32, i64 => I64, i32 => I32, u8 => U8);
