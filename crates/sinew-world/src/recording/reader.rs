//! Reading a run row by row, with bounded memory.

use super::{Info, RecordingError};
use crate::npz::{Cursor, Dtype, NpzError, Reader};
use crate::{ContactForce, OutsideForce, StepFrame};
use sinew_dynamics::spatial::Vec3;
use std::fs::File;
use std::io::{Read, Seek};
use std::path::Path;

/// One row of a recording.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    /// Which one, from 0.
    pub step: usize,
    /// The character and what acted on it.
    pub frame: StepFrame<'a>,
    /// Poses of the objects: position, quaternion w x y z.
    pub objects: &'a [[f64; 7]],
    /// Figures of a controller, in the order of [`Info::telemetry_names`].
    pub telemetry: &'a [f64],
}

/// Reads a recording row by row.
///
/// ```no_run
/// use sinew_world::recording::RecordingReader;
/// let mut run = RecordingReader::open("run.npz")?;
/// let mut pushes = 0;
/// while let Some(row) = run.next_row()? {
///     pushes += row.frame.outside.len();
/// }
/// # Ok::<(), sinew_world::recording::RecordingError>(())
/// ```
#[derive(Debug)]
pub struct RecordingReader<R> {
    arrays: Reader<R>,
    info: Info,
    numbers: Numbers,
    contacts: ContactColumns,
    outside: OutsideColumns,
    telemetry: Vec<Cursor<f64>>,
    step: usize,
    row: Buffer,
}

#[derive(Debug)]
struct Numbers {
    time: Cursor<f64>,
    q: Cursor<f64>,
    v: Cursor<f64>,
    tau: Cursor<f64>,
    constraint: Cursor<f64>,
    objects: Cursor<f64>,
}

#[derive(Debug)]
struct ContactColumns {
    list: Lists,
    body: Cursor<i32>,
    other: Cursor<i32>,
    point: Cursor<f64>,
    force: Cursor<f64>,
    normal: Cursor<f64>,
    distance: Cursor<f64>,
    friction: Cursor<f64>,
}

#[derive(Debug)]
struct OutsideColumns {
    list: Lists,
    body: Cursor<i32>,
    point: Cursor<f64>,
    force: Cursor<f64>,
}

/// Lists of different lengths, one per row, behind each other in one column.
#[derive(Debug)]
struct Lists {
    offset: Cursor<i64>,
    last: i64,
    total: i64,
}

/// The present row.
#[derive(Debug, Default)]
struct Buffer {
    time: f64,
    q: Vec<f64>,
    v: Vec<f64>,
    tau: Vec<f64>,
    constraint: Vec<f64>,
    objects: Vec<[f64; 7]>,
    contacts: Vec<ContactForce>,
    outside: Vec<OutsideForce>,
    telemetry: Vec<f64>,
}

impl RecordingReader<File> {
    /// Opens a file.
    pub fn open(path: impl AsRef<Path>) -> Result<RecordingReader<File>, RecordingError> {
        RecordingReader::of(Reader::open(path)?)
    }
}

impl<R: Read + Seek> RecordingReader<R> {
    /// Reads from anything that can seek.
    pub fn new(source: R) -> Result<RecordingReader<R>, RecordingError> {
        RecordingReader::of(Reader::new(source)?)
    }

    fn of(mut arrays: Reader<R>) -> Result<RecordingReader<R>, RecordingError> {
        let info = Info::read(&mut arrays)?;
        let (t, nq, nv) = (info.rows, info.model.nq(), info.model.nv());
        let a = &arrays;
        let n = entries(a, "contact_body");
        let e = entries(a, "external_body");
        let numbers = Numbers {
            time: column(a, "time", &[t])?,
            q: column(a, "q", &[t, nq])?,
            v: column(a, "v", &[t, nv])?,
            tau: column(a, "tau", &[t, nv])?,
            constraint: column(a, "constraint", &[t, nv])?,
            objects: column(a, "object_pose", &[t, info.object_names.len(), 7])?,
        };
        let mut contacts = ContactColumns {
            list: Lists { offset: column(a, "contact_offset", &[t + 1])?, last: 0, total: n as i64 },
            body: column(a, "contact_body", &[n])?,
            other: column(a, "contact_other", &[n])?,
            point: column(a, "contact_point", &[n, 3])?,
            force: column(a, "contact_force", &[n, 3])?,
            normal: column(a, "contact_normal", &[n, 3])?,
            distance: column(a, "contact_distance", &[n])?,
            friction: column(a, "contact_friction", &[n])?,
        };
        let mut outside = OutsideColumns {
            list: Lists { offset: column(a, "external_offset", &[t + 1])?, last: 0, total: e as i64 },
            body: column(a, "external_body", &[e])?,
            point: column(a, "external_point", &[e, 3])?,
            force: column(a, "external_force", &[e, 3])?,
        };
        let telemetry: Result<_, _> =
            info.telemetry_names.iter().map(|name| column(a, &format!("telemetry_{name}"), &[t])).collect();
        let telemetry = telemetry?;
        // the first offset of each list is its beginning
        for list in [&mut contacts.list, &mut outside.list] {
            if list.offset.next_row(&mut arrays)? != [0] {
                return Err(NpzError::array("contact_offset, external_offset", "must begin with 0").into());
            }
        }
        let row = Buffer::default();
        Ok(RecordingReader { arrays, info, numbers, contacts, outside, telemetry, step: 0, row })
    }

    /// All but the rows.
    pub fn info(&self) -> &Info {
        &self.info
    }

    /// The next row, or `None` after the last.
    pub fn next_row(&mut self) -> Result<Option<Row<'_>>, RecordingError> {
        if self.step == self.info.rows {
            return Ok(None);
        }
        let (a, n, row) = (&mut self.arrays, &mut self.numbers, &mut self.row);
        row.time = n.time.next_row(a)?[0];
        for (cursor, out) in [
            (&mut n.q, &mut row.q),
            (&mut n.v, &mut row.v),
            (&mut n.tau, &mut row.tau),
            (&mut n.constraint, &mut row.constraint),
        ] {
            out.clear();
            out.extend_from_slice(cursor.next_row(a)?);
        }
        row.objects.clear();
        row.objects.extend_from_slice(n.objects.next_row(a)?.as_chunks().0);
        row.telemetry.clear();
        for cursor in &mut self.telemetry {
            row.telemetry.push(cursor.next_row(a)?[0]);
        }
        self.read_contacts()?;
        self.read_outside()?;
        let row = &self.row;
        let frame = StepFrame {
            time: row.time,
            q: &row.q,
            v: &row.v,
            tau: &row.tau,
            constraint: &row.constraint,
            contacts: &row.contacts,
            outside: &row.outside,
        };
        self.step += 1;
        let (objects, telemetry) = (row.objects.as_slice(), row.telemetry.as_slice());
        Ok(Some(Row { step: self.step - 1, frame, objects, telemetry }))
    }

    fn read_contacts(&mut self) -> Result<(), RecordingError> {
        let (a, c) = (&mut self.arrays, &mut self.contacts);
        let (bodies, things) = (self.info.model.bodies().len(), self.info.things.len());
        self.row.contacts.clear();
        for _ in 0..c.list.next_length(a, self.step)? {
            let body = own_body(c.body.next_row(a)?[0], &self.info, self.step)?;
            let other = c.other.next_row(a)?[0];
            let other = match usize::try_from(other) {
                Ok(index) if (bodies..bodies + things).contains(&index) => Some(index - bodies),
                Err(_) if other == -1 => None,
                _ => {
                    return Err(bad_row(
                        self.step,
                        format!("a contact points to {other}, which is not in `body_names`"),
                    ));
                }
            };
            self.row.contacts.push(ContactForce {
                body,
                other,
                point: vec3(c.point.next_row(a)?),
                force: vec3(c.force.next_row(a)?),
                normal: vec3(c.normal.next_row(a)?),
                distance: c.distance.next_row(a)?[0],
                friction: c.friction.next_row(a)?[0],
            });
        }
        Ok(())
    }

    fn read_outside(&mut self) -> Result<(), RecordingError> {
        let (a, o) = (&mut self.arrays, &mut self.outside);
        self.row.outside.clear();
        for _ in 0..o.list.next_length(a, self.step)? {
            self.row.outside.push(OutsideForce {
                body: own_body(o.body.next_row(a)?[0], &self.info, self.step)?,
                point: vec3(o.point.next_row(a)?),
                force: vec3(o.force.next_row(a)?),
            });
        }
        Ok(())
    }
}

impl Lists {
    /// Length of the next row's list.
    fn next_length<R: Read + Seek>(
        &mut self,
        arrays: &mut Reader<R>,
        step: usize,
    ) -> Result<usize, RecordingError> {
        let (start, end) = (self.last, self.offset.next_row(arrays)?[0]);
        if end < start || end > self.total {
            return Err(bad_row(
                step,
                format!("its list ends at {end}, which is not in {start}..={}", self.total),
            ));
        }
        self.last = end;
        Ok((end - start) as usize)
    }
}

/// Length of a list; 0 when it is missing, which [`column`] will tell.
fn entries<R: Read + Seek>(arrays: &Reader<R>, name: &str) -> usize {
    arrays.shape(name).and_then(|(_, shape)| shape.first().copied()).unwrap_or(0)
}

/// A cursor at a column that must have this shape.
fn column<R: Read + Seek, T: crate::npz::Element>(
    arrays: &Reader<R>,
    name: &str,
    shape: &[usize],
) -> Result<Cursor<T>, NpzError> {
    match arrays.shape(name) {
        Some((Dtype::Text(_), _)) | None => {}
        Some((_, found)) if found == shape => {}
        Some((_, found)) => {
            return Err(NpzError::array(name, format!("has shape {found:?} instead of {shape:?}")));
        }
    }
    arrays.cursor(name)
}

fn own_body(index: i32, info: &Info, step: usize) -> Result<usize, RecordingError> {
    let bodies = info.model.bodies().len();
    let own = usize::try_from(index).ok().filter(|b| *b < bodies);
    own.ok_or_else(|| bad_row(step, format!("a force acts on body {index}; the character has {bodies}")))
}

fn bad_row(step: usize, problem: String) -> RecordingError {
    RecordingError::Row { step, problem }
}

fn vec3(row: &[f64]) -> Vec3 {
    Vec3::new(row[0], row[1], row[2])
}
