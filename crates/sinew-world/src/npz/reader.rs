//! Reading arrays, whole or row by row, from files that may be damaged or hostile.

use super::crc::Crc32;
use super::header::{Header, MAX_HEADER};
use super::zip::{self, Entry};
use super::{Dtype, Element, NpzError};
use sinew_dynamics::file;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

/// Bytes that a cursor fetches at a time.
const PIECE: usize = 1 << 16;
/// No archive of ours or numpy's has more arrays or a longer directory.
const MAX_ARRAYS: u64 = 10_000;
const MAX_DIRECTORY: u64 = 64 << 20;

/// An array in memory, C order.
#[derive(Clone, Debug, PartialEq)]
pub struct Array<T> {
    /// Its dimensions.
    pub shape: Vec<usize>,
    /// Its entries, last index fastest.
    pub data: Vec<T>,
}

/// One array of the archive.
#[derive(Clone, Debug)]
struct Found {
    name: String,
    header: Header,
    /// Where the entry's bytes begin, and how many of them are the header.
    at: u64,
    before: usize,
    crc: u32,
}

/// Reads an `.npz` file. See [`Writer`](super::Writer) for an example.
#[derive(Debug)]
pub struct Reader<R> {
    source: R,
    arrays: Vec<Found>,
}

impl Reader<File> {
    /// Opens a file.
    pub fn open(path: impl AsRef<Path>) -> Result<Reader<File>, NpzError> {
        let path = path.as_ref();
        Reader::new(file::open(path).map_err(NpzError::io(format!("cannot read `{}`", path.display())))?)
    }
}

impl<R: Read + Seek> Reader<R> {
    /// Reads the directory and the headers of all arrays.
    pub fn new(mut source: R) -> Result<Reader<R>, NpzError> {
        let length =
            source.seek(SeekFrom::End(0)).map_err(NpzError::io("cannot find the end of the file"))?;
        let tail = fetch(&mut source, length.saturating_sub(zip::TAIL), length.min(zip::TAIL))?;
        let (mut directory, wide) = zip::find_end(&tail)?;
        if let Some(at) = wide {
            directory = zip::parse_end64(&fixed(&mut source, at, length)?)?;
        }
        let end = directory.at.checked_add(directory.size).filter(|end| *end <= length);
        if directory.entries > MAX_ARRAYS {
            return Err(NpzError::Archive(format!("it has more than {MAX_ARRAYS} entries")));
        }
        if end.is_none() || directory.size > MAX_DIRECTORY {
            return Err(NpzError::Archive("its directory of entries lies outside the file".into()));
        }
        let bytes = fetch(&mut source, directory.at, directory.size)?;
        let mut arrays: Vec<Found> = Vec::new();
        for entry in zip::parse_directory(&bytes, directory.entries)? {
            let found = locate(&mut source, &entry, length)?;
            if arrays.iter().any(|a| a.name == found.name) {
                return Err(NpzError::array(&found.name, "there are two of this name"));
            }
            arrays.push(found);
        }
        Ok(Reader { source, arrays })
    }

    /// Names of all arrays, in their order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.arrays.iter().map(|a| a.name.as_str())
    }

    /// Kind and dimensions of an array.
    pub fn shape(&self, name: &str) -> Option<(Dtype, &[usize])> {
        self.arrays.iter().find(|a| a.name == name).map(|a| (a.header.dtype, a.header.shape.as_slice()))
    }

    /// Reads a whole array.
    pub fn read<T: Element>(&mut self, name: &str) -> Result<Array<T>, NpzError> {
        let found = self.find(name, Some(T::DTYPE))?.clone();
        let bytes = self.bytes(&found)?;
        let data = bytes.chunks_exact(T::DTYPE.size()).map(T::get).collect();
        Ok(Array { shape: found.header.shape, data })
    }

    /// Reads an array that is one text.
    pub fn text(&mut self, name: &str) -> Result<String, NpzError> {
        let mut all = self.texts(name)?;
        match (all.pop(), all.is_empty()) {
            (Some(text), true) => Ok(text),
            _ => Err(NpzError::array(name, "should be one text")),
        }
    }

    /// Reads an array of texts.
    pub fn texts(&mut self, name: &str) -> Result<Vec<String>, NpzError> {
        let found = self.find(name, None)?.clone();
        let Dtype::Text(_) = found.header.dtype else {
            return Err(NpzError::array(name, format!("holds {} and should hold text", found.header.dtype)));
        };
        let bytes = self.bytes(&found)?;
        bytes.chunks_exact(found.header.dtype.size()).map(|item| decode(name, item)).collect()
    }

    /// A cursor at the first row of an array.
    pub fn cursor<T: Element>(&self, name: &str) -> Result<Cursor<T>, NpzError> {
        let found = self.find(name, Some(T::DTYPE))?;
        let left = found.header.bytes().unwrap_or(0);
        // an array without rows may claim rows of any width
        let width = found.header.shape.iter().skip(1).fold(1_usize, |n, k| n.saturating_mul(*k));
        Ok(Cursor {
            found: found.clone(),
            next: found.at + found.before as u64,
            left,
            width,
            row: vec![T::default(); if left > 0 { width } else { 0 }],
            piece: Vec::new(),
            used: 0,
            crc: None,
        })
    }

    fn find(&self, name: &str, dtype: Option<Dtype>) -> Result<&Found, NpzError> {
        let found = self.arrays.iter().find(|a| a.name == name);
        let found = found.ok_or_else(|| NpzError::array(name, "is missing"))?;
        match dtype {
            Some(dtype) if dtype != found.header.dtype => {
                Err(NpzError::array(name, format!("holds {} and should hold {dtype}", found.header.dtype)))
            }
            _ => Ok(found),
        }
    }

    /// The data of an array, its checksum compared.
    fn bytes(&mut self, found: &Found) -> Result<Vec<u8>, NpzError> {
        let size = found.before as u64 + found.header.bytes().unwrap_or(0);
        let mut bytes = fetch(&mut self.source, found.at, size)?;
        let mut crc = Crc32::new();
        crc.update(&bytes);
        found.compare(crc)?;
        bytes.drain(..found.before);
        Ok(bytes)
    }
}

impl Found {
    fn compare(&self, crc: Crc32) -> Result<(), NpzError> {
        // a fuzzer would never get past a checksum
        if crc.value() == self.crc || cfg!(fuzzing) {
            return Ok(());
        }
        Err(NpzError::array(&self.name, "its checksum does not fit: the file is damaged"))
    }
}

/// Reads an array row by row, a row being all that the first index picks out.
///
/// A cursor holds a small piece of its array; it asks the [`Reader`] that it came from for the next one. The checksum is
/// compared after the last row.
#[derive(Debug)]
pub struct Cursor<T> {
    found: Found,
    next: u64,
    left: u64,
    width: usize,
    row: Vec<T>,
    piece: Vec<u8>,
    used: usize,
    crc: Option<Crc32>,
}

impl<T: Element> Cursor<T> {
    /// The next row.
    pub fn next_row<R: Read + Seek>(&mut self, from: &mut Reader<R>) -> Result<&[T], NpzError> {
        let size = T::DTYPE.size();
        for k in 0..self.width {
            if self.used == self.piece.len() {
                self.refill(from)?;
            }
            self.row[k] = T::get(&self.piece[self.used..]);
            self.used += size;
        }
        Ok(&self.row)
    }

    fn refill<R: Read + Seek>(&mut self, from: &mut Reader<R>) -> Result<(), NpzError> {
        let take = self.left.min(PIECE as u64);
        if take == 0 {
            return Err(NpzError::array(&self.found.name, "has too few rows"));
        }
        let mut crc = match self.crc {
            Some(crc) => crc,
            // the checksum counts from the header on
            None => {
                let mut crc = Crc32::new();
                crc.update(&fetch(&mut from.source, self.found.at, self.found.before as u64)?);
                crc
            }
        };
        from.source.seek(SeekFrom::Start(self.next)).map_err(NpzError::io("cannot read the file"))?;
        self.piece.resize(take as usize, 0);
        from.source.read_exact(&mut self.piece).map_err(NpzError::io("cannot read the file"))?;
        crc.update(&self.piece);
        self.crc = Some(crc);
        self.used = 0;
        self.next += take;
        self.left -= take;
        if self.left == 0 { self.found.compare(crc) } else { Ok(()) }
    }
}

/// Finds the bytes of an entry and reads its header.
fn locate<R: Read + Seek>(source: &mut R, entry: &Entry, length: u64) -> Result<Found, NpzError> {
    let name = entry.name.strip_suffix(".npy").unwrap_or(&entry.name);
    let outside = || NpzError::array(name, "lies outside the file");
    let local = fixed(source, entry.at, length)?;
    let at = zip::data_start(entry, &local).ok_or_else(outside)?;
    if at.checked_add(entry.size).is_none_or(|end| end > length) {
        return Err(outside());
    }
    let start = fetch(source, at, entry.size.min(MAX_HEADER as u64 + 12))?;
    let (header, before) = Header::parse(name, &start)?;
    if header.bytes().and_then(|b| b.checked_add(before as u64)) != Some(entry.size) {
        return Err(NpzError::array(name, "its shape does not fit its size"));
    }
    Ok(Found { name: name.to_owned(), header, at, before, crc: entry.crc })
}

/// `size` bytes from `at`; the caller has checked that the file has them.
fn fetch<R: Read + Seek>(source: &mut R, at: u64, size: u64) -> Result<Vec<u8>, NpzError> {
    let cannot = || NpzError::io("cannot read the file");
    let size =
        usize::try_from(size).map_err(|_| NpzError::Archive("it is too large for this machine".into()))?;
    source.seek(SeekFrom::Start(at)).map_err(cannot())?;
    let mut bytes = vec![0; size];
    source.read_exact(&mut bytes).map_err(cannot())?;
    Ok(bytes)
}

/// `N` bytes from `at`.
fn fixed<R: Read + Seek, const N: usize>(source: &mut R, at: u64, length: u64) -> Result<[u8; N], NpzError> {
    let outside = || NpzError::Archive("a record lies outside the file".into());
    at.checked_add(N as u64).filter(|end| *end <= length).ok_or_else(outside)?;
    let bytes = fetch(source, at, N as u64)?;
    bytes.first_chunk().copied().ok_or_else(outside)
}

/// A text of numpy's: UTF-32, padded with NUL.
fn decode(name: &str, item: &[u8]) -> Result<String, NpzError> {
    let characters = item.chunks_exact(4).map(|c| char::from_u32(i32::get(c) as u32));
    let text: Option<String> = characters.collect();
    let text = text.ok_or_else(|| NpzError::array(name, "holds a number that is not a character"))?;
    Ok(text.trim_end_matches('\0').to_owned())
}
