//! A whole run in memory.

use super::{Info, RecordingError, RecordingReader, Row};
use crate::{ContactForce, OutsideForce, StepFrame};
use std::io::{Cursor, Read, Seek};
use std::ops::Range;
use std::path::Path;

/// A recording in memory, for random access to its rows.
///
/// A run of an hour can take gigabytes: what goes through the rows once should use [`RecordingReader`].
#[derive(Clone, Debug)]
pub struct Recording {
    info: Info,
    time: Vec<f64>,
    q: Vec<f64>,
    v: Vec<f64>,
    tau: Vec<f64>,
    constraint: Vec<f64>,
    contact_end: Vec<usize>,
    contacts: Vec<ContactForce>,
    outside_end: Vec<usize>,
    outside: Vec<OutsideForce>,
    objects: Vec<[f64; 7]>,
    telemetry: Vec<f64>,
}

impl Recording {
    /// Reads a file.
    pub fn open(path: impl AsRef<Path>) -> Result<Recording, RecordingError> {
        Recording::collect(RecordingReader::open(path)?)
    }

    /// Reads the bytes of a file.
    pub fn from_bytes(bytes: impl AsRef<[u8]>) -> Result<Recording, RecordingError> {
        Recording::collect(RecordingReader::new(Cursor::new(bytes))?)
    }

    fn collect<R: Read + Seek>(mut reader: RecordingReader<R>) -> Result<Recording, RecordingError> {
        let mut run = Recording {
            info: reader.info().clone(),
            time: Vec::new(),
            q: Vec::new(),
            v: Vec::new(),
            tau: Vec::new(),
            constraint: Vec::new(),
            contact_end: Vec::new(),
            contacts: Vec::new(),
            outside_end: Vec::new(),
            outside: Vec::new(),
            objects: Vec::new(),
            telemetry: Vec::new(),
        };
        while let Some(Row { frame, objects, telemetry, .. }) = reader.next_row()? {
            run.time.push(frame.time);
            run.q.extend_from_slice(frame.q);
            run.v.extend_from_slice(frame.v);
            run.tau.extend_from_slice(frame.tau);
            run.constraint.extend_from_slice(frame.constraint);
            run.contacts.extend_from_slice(frame.contacts);
            run.contact_end.push(run.contacts.len());
            run.outside.extend_from_slice(frame.outside);
            run.outside_end.push(run.outside.len());
            run.objects.extend_from_slice(objects);
            run.telemetry.extend_from_slice(telemetry);
        }
        Ok(run)
    }

    /// All but the rows.
    pub fn info(&self) -> &Info {
        &self.info
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.time.len()
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.time.is_empty()
    }

    /// The character and what acted on it in step `k`.
    ///
    /// # Panics
    /// If there is no such row.
    pub fn frame(&self, k: usize) -> StepFrame<'_> {
        let (q, v) = (span(k, self.info.model.nq()), span(k, self.info.model.nv()));
        StepFrame {
            time: self.time[k],
            q: &self.q[q],
            v: &self.v[v.clone()],
            tau: &self.tau[v.clone()],
            constraint: &self.constraint[v],
            contacts: &self.contacts[list(&self.contact_end, k)],
            outside: &self.outside[list(&self.outside_end, k)],
        }
    }

    /// Row `k`.
    ///
    /// # Panics
    /// If there is no such row.
    pub fn row(&self, k: usize) -> Row<'_> {
        Row {
            step: k,
            frame: self.frame(k),
            objects: &self.objects[span(k, self.info.object_names.len())],
            telemetry: &self.telemetry[span(k, self.info.telemetry_names.len())],
        }
    }

    /// All rows.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = Row<'_>> {
        (0..self.len()).map(|k| self.row(k))
    }

    /// Times of all rows, s.
    pub fn time(&self) -> &[f64] {
        &self.time
    }

    /// A recorded figure over time.
    pub fn telemetry(&self, name: &str) -> Option<impl ExactSizeIterator<Item = f64>> {
        let width = self.info.telemetry_names.len();
        let at = self.info.telemetry_names.iter().position(|n| n == name)?;
        Some(self.telemetry[at.min(self.telemetry.len())..].iter().step_by(width).copied())
    }
}

fn span(k: usize, width: usize) -> Range<usize> {
    k * width..(k + 1) * width
}

fn list(ends: &[usize], k: usize) -> Range<usize> {
    let start = if k == 0 { 0 } else { ends[k - 1] };
    start..ends[k]
}
