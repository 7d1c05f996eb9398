//! The records of a zip archive whose entries are stored as they are.
//!
//! An archive is: per entry a local header and its bytes; the central directory, which names all entries again with their
//! places; and a record with the place of the directory. Sizes and places from `0xFFFF_FFFF` on, and counts from `0xFFFF`
//! on, move to the 64-bit records (zip64). Readers go by the directory, never by the local headers.

use super::NpzError;

const LOCAL: u32 = 0x0403_4b50;
const CENTRAL: u32 = 0x0201_4b50;
const END: u32 = 0x0605_4b50;
const END64: u32 = 0x0606_4b50;
const LOCATOR: u32 = 0x0706_4b50;
/// Names are UTF-8.
const UTF8: u16 = 1 << 11;
/// The first day that the format can name: files do not depend on the clock.
const DATE: u16 = (1 << 5) | 1;

/// Sizes and places from here on do not fit into the 32-bit fields.
pub(super) const LIMIT: u64 = 0xFFFF_FFFF;
/// Length of the end record without comment, and of the records of zip64 before it.
const END_LENGTH: usize = 22;
const LOCATOR_LENGTH: usize = 20;
const END64_LENGTH: usize = 56;
/// Enough bytes at the end of a file to hold the end record, the longest comment and the locator.
pub(super) const TAIL: u64 = (END_LENGTH + 0xFFFF + LOCATOR_LENGTH) as u64;
/// A local header without its name; the checksum stands at byte 14.
pub(super) const LOCAL_LENGTH: usize = 30;
pub(super) const LOCAL_CRC: u64 = 14;

/// One file of an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) name: String,
    pub(super) crc: u32,
    pub(super) size: u64,
    /// Where its local header begins.
    pub(super) at: u64,
}

impl Entry {
    /// The local header. `limit` is [`LIMIT`] (tests lower it).
    pub(super) fn local(&self, limit: u64) -> Vec<u8> {
        let wide = self.size >= limit;
        let mut out = Vec::new();
        put32(&mut out, LOCAL);
        put16(&mut out, if wide { 45 } else { 20 });
        self.common(&mut out, [self.size, self.size], limit);
        put16(&mut out, if wide { 20 } else { 0 });
        out.extend(self.name.bytes());
        if wide {
            extra(&mut out, &[self.size, self.size]);
        }
        out
    }

    /// The entry of the central directory.
    pub(super) fn central(&self, limit: u64) -> Vec<u8> {
        let (wide, far) = (self.size >= limit, self.at >= limit);
        let numbers = [(wide, self.size), (wide, self.size), (far, self.at)];
        let moved: Vec<u64> = numbers.into_iter().filter(|(m, _)| *m).map(|(_, x)| x).collect();
        let version = if moved.is_empty() { 20 } else { 45 };
        let mut out = Vec::new();
        put32(&mut out, CENTRAL);
        put16(&mut out, version);
        put16(&mut out, version);
        self.common(&mut out, [self.size, self.size], limit);
        put16(&mut out, if moved.is_empty() { 0 } else { 4 + 8 * moved.len() as u16 });
        // comment, disk, attributes
        out.extend([0; 10]);
        put32(&mut out, clip(self.at, limit));
        out.extend(self.name.bytes());
        if !moved.is_empty() {
            extra(&mut out, &moved);
        }
        out
    }

    /// What both headers share: flags to the length of the name.
    fn common(&self, out: &mut Vec<u8>, sizes: [u64; 2], limit: u64) {
        put16(out, if self.name.is_ascii() { 0 } else { UTF8 });
        put16(out, 0); // stored
        put16(out, 0); // midnight
        put16(out, DATE);
        put32(out, self.crc);
        sizes.into_iter().for_each(|s| put32(out, clip(s, limit)));
        put16(out, self.name.len() as u16);
    }
}

/// The records after the central directory, which begins at `at` and has `size` bytes.
pub(super) fn end(entries: u64, at: u64, size: u64, limit: u64) -> Vec<u8> {
    let mut out = Vec::new();
    if at >= limit || size >= limit || entries >= limit.min(0xFFFF) {
        put32(&mut out, END64);
        put64(&mut out, END64_LENGTH as u64 - 12);
        put16(&mut out, 45);
        put16(&mut out, 45);
        put64(&mut out, 0); // disks
        [entries, entries, size, at].into_iter().for_each(|x| put64(&mut out, x));
        put32(&mut out, LOCATOR);
        put32(&mut out, 0);
        put64(&mut out, at + size);
        put32(&mut out, 1);
    }
    put32(&mut out, END);
    put32(&mut out, 0); // disks
    let count = if entries >= limit.min(0xFFFF) { 0xFFFF } else { entries as u16 };
    put16(&mut out, count);
    put16(&mut out, count);
    put32(&mut out, clip(size, limit));
    put32(&mut out, clip(at, limit));
    put16(&mut out, 0);
    out
}

/// Where the central directory is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Directory {
    pub(super) entries: u64,
    pub(super) at: u64,
    pub(super) size: u64,
}

/// Finds the end record in the last bytes of a file. The second number is where the record of zip64 is, if the file has one.
pub(super) fn find_end(tail: &[u8]) -> Result<(Directory, Option<u64>), NpzError> {
    let bad = |problem: &str| NpzError::Archive(problem.to_owned());
    let last = tail.len().checked_sub(END_LENGTH).ok_or_else(|| bad("it is too short"))?;
    // the comment that may follow must fill the file exactly
    let fits =
        |i: &usize| get32(tail, *i) == END && i + END_LENGTH + get16(tail, i + 20) as usize == tail.len();
    let i = (0..=last).rev().find(fits).ok_or_else(|| bad("it has no directory of entries"))?;
    let directory = Directory {
        entries: u64::from(get16(tail, i + 10)),
        size: u64::from(get32(tail, i + 12)),
        at: u64::from(get32(tail, i + 16)),
    };
    let locator = i.checked_sub(LOCATOR_LENGTH).filter(|l| get32(tail, *l) == LOCATOR);
    Ok((directory, locator.map(|l| get64(tail, l + 8))))
}

/// Reads the end record of zip64.
pub(super) fn parse_end64(record: &[u8; END64_LENGTH]) -> Result<Directory, NpzError> {
    if get32(record, 0) != END64 {
        return Err(NpzError::Archive("its 64-bit directory record is not where it should be".into()));
    }
    Ok(Directory { entries: get64(record, 32), size: get64(record, 40), at: get64(record, 48) })
}

/// Reads the central directory.
pub(super) fn parse_directory(mut bytes: &[u8], entries: u64) -> Result<Vec<Entry>, NpzError> {
    const FIXED: usize = 46;
    let cut = || NpzError::Archive("its directory of entries is cut off".into());
    let mut out = Vec::new();
    for _ in 0..entries {
        if bytes.len() < FIXED || get32(bytes, 0) != CENTRAL {
            return Err(cut());
        }
        let [name, extra, comment] = [28, 30, 32].map(|i| get16(bytes, i) as usize);
        let (fixed, rest) = bytes.split_at(FIXED);
        let after = rest.get(name + extra + comment..).ok_or_else(cut)?;
        let text = core::str::from_utf8(&rest[..name])
            .map_err(|_| NpzError::Archive("a name is not UTF-8".into()))?;
        let problem = match (get16(fixed, 10), get16(fixed, 8) & 1) {
            (0, 0) => None,
            (0, _) => Some("is encrypted".to_owned()),
            (8, _) => Some("is compressed; save with numpy.savez instead of savez_compressed".to_owned()),
            (method, _) => Some(format!("is compressed by method {method}; only stored entries are read")),
        };
        if let Some(problem) = problem {
            return Err(NpzError::array(text.trim_end_matches(".npy"), problem));
        }
        let mut numbers = [24, 20, 42].map(|i| u64::from(get32(fixed, i)));
        widen(&mut numbers, &rest[name..name + extra]).ok_or_else(cut)?;
        let [size, packed, at] = numbers;
        if size != packed {
            return Err(NpzError::array(text, "is stored, but with two different sizes"));
        }
        out.push(Entry { name: text.to_owned(), crc: get32(fixed, 16), size, at });
        bytes = after;
    }
    Ok(out)
}

/// Where the bytes of an entry begin, from its local header.
pub(super) fn data_start(entry: &Entry, local: &[u8; LOCAL_LENGTH]) -> Option<u64> {
    let before = LOCAL_LENGTH as u64 + u64::from(get16(local, 26)) + u64::from(get16(local, 28));
    if get32(local, 0) == LOCAL { entry.at.checked_add(before) } else { None }
}

/// Replaces the numbers that did not fit by those of the zip64 field, in their order.
fn widen(numbers: &mut [u64; 3], mut fields: &[u8]) -> Option<()> {
    while fields.len() >= 4 {
        let (id, length) = (get16(fields, 0), get16(fields, 2) as usize);
        let mut body = fields.get(4..4 + length)?;
        if id == 1 {
            for number in numbers.iter_mut().filter(|n| **n == LIMIT) {
                *number = u64::from_le_bytes(*body.first_chunk()?);
                body = &body[8..];
            }
        }
        fields = &fields[4 + length..];
    }
    Some(())
}

fn clip(x: u64, limit: u64) -> u32 {
    if x >= limit { u32::MAX } else { x as u32 }
}

fn extra(out: &mut Vec<u8>, numbers: &[u64]) {
    put16(out, 1);
    put16(out, 8 * numbers.len() as u16);
    numbers.iter().for_each(|x| put64(out, *x));
}

fn put16(out: &mut Vec<u8>, x: u16) {
    out.extend(x.to_le_bytes());
}

fn put32(out: &mut Vec<u8>, x: u32) {
    out.extend(x.to_le_bytes());
}

fn put64(out: &mut Vec<u8>, x: u64) {
    out.extend(x.to_le_bytes());
}

/// The number at byte `i`; zero beyond the end, which no record has as its signature.
fn get<const N: usize>(bytes: &[u8], i: usize) -> [u8; N] {
    bytes.get(i..).and_then(|b| b.first_chunk()).copied().unwrap_or([0; N])
}

fn get16(bytes: &[u8], i: usize) -> u16 {
    u16::from_le_bytes(get(bytes, i))
}

fn get32(bytes: &[u8], i: usize) -> u32 {
    u32::from_le_bytes(get(bytes, i))
}

fn get64(bytes: &[u8], i: usize) -> u64 {
    u64::from_le_bytes(get(bytes, i))
}
