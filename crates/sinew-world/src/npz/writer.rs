//! Writing arrays row by row.

use super::crc::Crc32;
use super::header::Header;
use super::spool::Spool;
use super::zip::{self, Entry};
use super::{Dtype, Element, NpzError};
use crate::file::Place;
use core::marker::PhantomData;
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// A column of a [`Writer`] that takes rows of `T`.
#[derive(Debug)]
pub struct Column<T> {
    index: usize,
    kind: PhantomData<T>,
}

impl<T> Clone for Column<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Column<T> {}

/// An array in the making.
#[derive(Debug)]
struct Growing {
    name: String,
    dtype: Dtype,
    /// Shape of one row and its number of entries; `None` for an array that is whole.
    row: Vec<usize>,
    width: usize,
    rows: Option<usize>,
    spool: Spool,
}

/// Writes an `.npz` file: columns that grow row by row, and whole arrays.
///
/// The file appears under its name when [`finish`](Writer::finish) returns, whole; when the writer is dropped before that,
/// nothing stays behind.
///
/// ```
/// use sinew_world::npz::{Reader, Writer};
/// let mut writer = Writer::in_memory();
/// let q = writer.column::<f64>("q", &[2])?;
/// writer.push(q, &[1.0, 2.0])?;
/// writer.push(q, &[3.0, 4.0])?;
/// writer.text("about", "two rows")?;
/// let bytes = writer.into_bytes()?;
///
/// let mut reader = Reader::new(std::io::Cursor::new(bytes))?;
/// let q = reader.read::<f64>("q")?;
/// assert_eq!((q.shape, q.data), (vec![2, 2], vec![1.0, 2.0, 3.0, 4.0]));
/// assert_eq!(reader.text("about")?, "two rows");
/// # Ok::<(), sinew_world::npz::NpzError>(())
/// ```
#[derive(Debug)]
pub struct Writer {
    /// Target of the file, and storage of its columns.
    target: Option<(Place, PathBuf)>,
    /// In words.
    shown: String,
    arrays: Vec<Growing>,
    limit: u64,
}

impl Writer {
    /// Will write to this file. Fails at once when the folder cannot be written to.
    pub fn create(path: impl AsRef<Path>) -> Result<Writer, NpzError> {
        let path = path.as_ref();
        let shown = path.display().to_string();
        let place = Place::of(path).map_err(NpzError::io(cannot_write(&shown)))?;
        let folder = place.folder();
        Ok(Writer { target: Some((place, folder)), shown, arrays: Vec::new(), limit: zip::LIMIT })
    }

    /// Will give bytes; everything stays in memory.
    pub fn in_memory() -> Writer {
        Writer { target: None, shown: String::new(), arrays: Vec::new(), limit: zip::LIMIT }
    }

    /// Adds a column whose rows have this shape: an array of shape `[rows, …]`.
    pub fn column<T: Element>(&mut self, name: &str, row: &[usize]) -> Result<Column<T>, NpzError> {
        let index = self.add(name, T::DTYPE, row, Some(0))?;
        Ok(Column { index, kind: PhantomData })
    }

    /// Appends a row.
    ///
    /// # Panics
    /// If the row does not have the column's number of entries, or the column is another writer's.
    pub fn push<T: Element>(&mut self, column: Column<T>, row: &[T]) -> Result<(), NpzError> {
        let array = &mut self.arrays[column.index];
        assert_eq!((row.len(), T::DTYPE), (array.width, array.dtype), "a row of array `{}`", array.name);
        row.iter().for_each(|x| x.put(&mut array.spool.bytes));
        array.rows = array.rows.map(|n| n + 1);
        let folder = self.target.as_ref().map(|(_, folder)| folder.as_path());
        array.spool.settle(folder).map_err(NpzError::io(format!("cannot store array `{}`", array.name)))
    }

    /// Adds a whole array.
    ///
    /// # Panics
    /// If the number of entries is not that of the shape.
    pub fn array<T: Element>(&mut self, name: &str, shape: &[usize], data: &[T]) -> Result<(), NpzError> {
        assert_eq!(data.len(), shape.iter().product::<usize>(), "entries of array `{name}`");
        let index = self.add(name, T::DTYPE, shape, None)?;
        let bytes = &mut self.arrays[index].spool.bytes;
        data.iter().for_each(|x| x.put(bytes));
        Ok(())
    }

    /// Adds a text: an array without dimensions, `str(file["name"])` in Python.
    pub fn text(&mut self, name: &str, text: &str) -> Result<(), NpzError> {
        self.unicode(name, &[], &[text])
    }

    /// Adds a list of texts.
    pub fn texts<S: AsRef<str>>(&mut self, name: &str, texts: &[S]) -> Result<(), NpzError> {
        self.unicode(name, &[texts.len()], texts)
    }

    fn unicode<S: AsRef<str>>(&mut self, name: &str, shape: &[usize], texts: &[S]) -> Result<(), NpzError> {
        // numpy pads with NUL and takes trailing ones away: they cannot be kept
        if texts.iter().any(|t| t.as_ref().ends_with('\0')) {
            return Err(NpzError::array(name, "a text ends with the character NUL, which numpy drops"));
        }
        let longest = texts.iter().map(|t| t.as_ref().chars().count()).max().unwrap_or(0).max(1);
        let index = self.add(name, Dtype::Text(longest), shape, None)?;
        let bytes = &mut self.arrays[index].spool.bytes;
        for text in texts {
            let end = bytes.len() + 4 * longest;
            text.as_ref().chars().for_each(|c| bytes.extend(u32::from(c).to_le_bytes()));
            bytes.resize(end, 0);
        }
        Ok(())
    }

    fn add(
        &mut self,
        name: &str,
        dtype: Dtype,
        row: &[usize],
        rows: Option<usize>,
    ) -> Result<usize, NpzError> {
        if name.is_empty() || name.len() > 1000 || name.chars().any(char::is_control) {
            return Err(NpzError::array(name, "is not a usable name"));
        }
        if self.arrays.iter().any(|a| a.name == name) {
            return Err(NpzError::array(name, "there are two of this name"));
        }
        let (row, width) = (row.to_vec(), row.iter().product());
        self.arrays.push(Growing { name: name.to_owned(), dtype, row, width, rows, spool: Spool::default() });
        Ok(self.arrays.len() - 1)
    }

    /// Writes the file in its place. A writer made by [`in_memory`](Writer::in_memory) has none: use
    /// [`into_bytes`](Writer::into_bytes).
    pub fn finish(mut self) -> Result<(), NpzError> {
        let Some((place, _)) = self.target.take() else {
            return Err(NpzError::Archive("this writer has no file".into()));
        };
        let shown = core::mem::take(&mut self.shown);
        let mut attempt = || {
            let mut whole = place.begin()?;
            let mut out = BufWriter::new(whole.file()?);
            self.assemble(&mut out)?;
            out.flush()?;
            drop(out);
            place.put(whole)
        };
        attempt().map_err(NpzError::io(cannot_write(&shown)))
    }

    /// The bytes of the file.
    pub fn into_bytes(mut self) -> Result<Vec<u8>, NpzError> {
        let mut out = io::Cursor::new(Vec::new());
        self.assemble(&mut out).map_err(NpzError::io("cannot put the arrays together"))?;
        Ok(out.into_inner())
    }

    /// Puts all arrays into one archive.
    fn assemble(&mut self, out: &mut (impl Write + Seek)) -> io::Result<()> {
        let mut entries = Vec::new();
        let mut at = 0;
        for array in core::mem::take(&mut self.arrays) {
            let shape = array.rows.into_iter().chain(array.row).collect();
            let header = Header { dtype: array.dtype, shape }.write();
            let size = header.len() as u64 + array.spool.len();
            let mut entry = Entry { name: format!("{}.npy", array.name), crc: 0, size, at };
            let local = entry.local(self.limit);
            out.write_all(&local)?;
            let mut crc = Crc32::new();
            let mut copy = |bytes: &[u8]| {
                crc.update(bytes);
                out.write_all(bytes)
            };
            copy(&header)?;
            array.spool.drain(&mut copy)?;
            // the checksum stands before the bytes that it is of
            entry.crc = crc.value();
            out.seek(SeekFrom::Start(at + zip::LOCAL_CRC))?;
            out.write_all(&entry.crc.to_le_bytes())?;
            at += local.len() as u64 + size;
            out.seek(SeekFrom::Start(at))?;
            entries.push(entry);
        }
        let directory: Vec<u8> = entries.iter().flat_map(|e| e.central(self.limit)).collect();
        out.write_all(&directory)?;
        out.write_all(&zip::end(entries.len() as u64, at, directory.len() as u64, self.limit))
    }
}

fn cannot_write(shown: &str) -> String {
    format!("cannot write `{shown}`; does the folder exist, and is it writable?")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::npz::Reader;

    /// The records for sizes over 4 GiB, at sizes that a test can afford.
    #[test]
    fn the_64_bit_records_are_read_back() {
        for limit in [0, 100, 700, zip::LIMIT] {
            let mut writer = Writer { limit, ..Writer::in_memory() };
            writer.array("a", &[3], &[1.0, 2.0, 3.0]).expect("added");
            writer.array("b", &[2, 2], &[1, 2, 3, 4]).expect("added");
            writer.text("c", "three").expect("added");
            let bytes = writer.into_bytes().expect("written");
            let mut reader = Reader::new(io::Cursor::new(bytes)).expect("an archive");
            assert_eq!(reader.read::<f64>("a").expect("a").data, [1.0, 2.0, 3.0]);
            assert_eq!(reader.read::<i32>("b").expect("b").data, [1, 2, 3, 4]);
            assert_eq!(reader.text("c").expect("c"), "three");
        }
    }
}
