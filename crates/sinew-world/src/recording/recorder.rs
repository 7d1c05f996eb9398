//! Writes a run step by step.

use super::{Meta, RecordingError};
use crate::npz::{Column, Writer};
use crate::{ContactForce, OutsideForce, StepFrame};
use sinew_dynamics::Model;
use sinew_dynamics::format::mjcf;
use std::path::Path;

/// Information that is known before the first step.
#[derive(Clone, Debug)]
pub struct Setup<'a> {
    /// The character.
    pub model: &'a Model,
    /// About the run.
    pub meta: Meta,
    /// Names of the world's things that contacts point to: actors, then platforms.
    pub things: &'a [String],
    /// Names of the objects whose poses come with every row.
    pub objects: &'a [String],
    /// Names of the figures that come with every row.
    pub telemetry: &'a [String],
}

impl<'a> Setup<'a> {
    /// A character alone.
    pub fn new(model: &'a Model, meta: Meta) -> Setup<'a> {
        Setup { model, meta, things: &[], objects: &[], telemetry: &[] }
    }
}

/// Writes a run row by row, with bounded memory; the file appears whole at the end.
///
/// ```
/// use sinew_dynamics::characters;
/// use sinew_world::StepFrame;
/// use sinew_world::recording::{Meta, Recorder, Recording, Setup};
///
/// let human = characters::load("human")?;
/// let (q, rest) = (human.neutral(), vec![0.0; human.nv()]);
/// let mut recorder = Recorder::in_memory(Setup::new(&human, Meta::new(1e-3)))?;
/// let frame =
///     StepFrame { time: 0.0, q: &q, v: &rest, tau: &rest, constraint: &rest, contacts: &[], outside: &[] };
/// recorder.push(&frame, &[], &[])?;
///
/// let run = Recording::from_bytes(recorder.into_bytes()?)?;
/// assert_eq!((run.len(), run.frame(0).q), (1, q.as_slice()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Recorder {
    writer: Writer,
    meta: Meta,
    sizes: Sizes,
    columns: Columns,
    telemetry: Vec<Column<f64>>,
    rows: usize,
    contacts: i64,
    outside: i64,
}

/// How many numbers a row has.
#[derive(Clone, Copy, Debug)]
struct Sizes {
    nq: usize,
    nv: usize,
    bodies: usize,
    things: usize,
    objects: usize,
}

#[derive(Debug)]
struct Columns {
    time: Column<f64>,
    q: Column<f64>,
    v: Column<f64>,
    tau: Column<f64>,
    constraint: Column<f64>,
    contact_offset: Column<i64>,
    contact_body: Column<i32>,
    contact_other: Column<i32>,
    contact_point: Column<f64>,
    contact_force: Column<f64>,
    contact_normal: Column<f64>,
    contact_distance: Column<f64>,
    contact_friction: Column<f64>,
    external_offset: Column<i64>,
    external_body: Column<i32>,
    external_point: Column<f64>,
    external_force: Column<f64>,
    object_pose: Column<f64>,
}

impl Recorder {
    /// Records into this file.
    pub fn create(path: impl AsRef<Path>, setup: Setup<'_>) -> Result<Recorder, RecordingError> {
        Recorder::new(Writer::create(path)?, setup)
    }

    /// Records into memory.
    pub fn in_memory(setup: Setup<'_>) -> Result<Recorder, RecordingError> {
        Recorder::new(Writer::in_memory(), setup)
    }

    fn new(mut writer: Writer, setup: Setup<'_>) -> Result<Recorder, RecordingError> {
        let Setup { model, meta, things, objects, telemetry } = setup;
        let names: Vec<&str> =
            model.bodies().iter().map(|b| b.name.as_str()).chain(things.iter().map(String::as_str)).collect();
        writer.text("model", &text_of(model)?)?;
        writer.texts("body_names", &names)?;
        writer.texts("object_names", objects)?;
        let w = &mut writer;
        let columns = Columns {
            time: w.column("time", &[])?,
            q: w.column("q", &[model.nq()])?,
            v: w.column("v", &[model.nv()])?,
            tau: w.column("tau", &[model.nv()])?,
            constraint: w.column("constraint", &[model.nv()])?,
            contact_offset: w.column("contact_offset", &[])?,
            contact_body: w.column("contact_body", &[])?,
            contact_other: w.column("contact_other", &[])?,
            contact_point: w.column("contact_point", &[3])?,
            contact_force: w.column("contact_force", &[3])?,
            contact_normal: w.column("contact_normal", &[3])?,
            contact_distance: w.column("contact_distance", &[])?,
            contact_friction: w.column("contact_friction", &[])?,
            external_offset: w.column("external_offset", &[])?,
            external_body: w.column("external_body", &[])?,
            external_point: w.column("external_point", &[3])?,
            external_force: w.column("external_force", &[3])?,
            object_pose: w.column("object_pose", &[objects.len(), 7])?,
        };
        let telemetry: Result<_, _> =
            telemetry.iter().map(|name| w.column(&format!("telemetry_{name}"), &[])).collect();
        let telemetry = telemetry?;
        // offsets have one entry more than there are rows
        w.push(columns.contact_offset, &[0])?;
        w.push(columns.external_offset, &[0])?;
        let sizes = Sizes {
            nq: model.nq(),
            nv: model.nv(),
            bodies: model.bodies().len(),
            things: things.len(),
            objects: objects.len(),
        };
        Ok(Recorder { writer, meta, sizes, columns, telemetry, rows: 0, contacts: 0, outside: 0 })
    }

    /// Rows so far.
    pub fn len(&self) -> usize {
        self.rows
    }

    /// Whether there is no row yet.
    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// About the run: attachments and changes of the body may be declared until the end.
    pub fn meta_mut(&mut self) -> &mut Meta {
        &mut self.meta
    }

    /// Declares that from the next row on the character has another body. `q` and `v` are the state before the change.
    pub fn change_body(
        &mut self,
        what: &str,
        model: &Model,
        q: &[f64],
        v: &[f64],
    ) -> Result<(), RecordingError> {
        let sized = (q.len(), v.len()) == (self.sizes.nq, self.sizes.nv);
        let same = (model.nq(), model.nv(), model.bodies().len())
            == (self.sizes.nq, self.sizes.nv, self.sizes.bodies);
        if self.rows == 0 || !sized || !same {
            let problem = "a body can change after the first row, into one of the same joints".to_owned();
            return Err(RecordingError::Row { step: self.rows, problem });
        }
        // a further change before the same row goes on from the first
        if let Some(last) = self.meta.body_changes.last_mut().filter(|c| c.step == self.rows) {
            last.what = format!("{}; {what}", last.what);
            last.model = text_of(model)?;
            return Ok(());
        }
        let change = super::BodyChange {
            step: self.rows,
            what: what.to_owned(),
            model: text_of(model)?,
            q_before: q.to_vec(),
            v_before: v.to_vec(),
        };
        self.meta.body_changes.push(change);
        Ok(())
    }

    /// Appends a row: the frame, the objects' poses (position, quaternion w x y z) and the telemetry.
    pub fn push(
        &mut self,
        frame: &StepFrame<'_>,
        objects: &[[f64; 7]],
        telemetry: &[f64],
    ) -> Result<(), RecordingError> {
        self.check(frame, objects.len(), telemetry.len())
            .map_err(|problem| RecordingError::Row { step: self.rows, problem })?;
        let (w, c) = (&mut self.writer, &self.columns);
        w.push(c.time, &[frame.time])?;
        w.push(c.q, frame.q)?;
        w.push(c.v, frame.v)?;
        w.push(c.tau, frame.tau)?;
        w.push(c.constraint, frame.constraint)?;
        for ContactForce { body, other, point, force, normal, distance, friction } in frame.contacts {
            w.push(c.contact_body, &[*body as i32])?;
            w.push(c.contact_other, &[other.map_or(-1, |o| (self.sizes.bodies + o) as i32)])?;
            w.push(c.contact_point, point.as_slice())?;
            w.push(c.contact_force, force.as_slice())?;
            w.push(c.contact_normal, normal.as_slice())?;
            w.push(c.contact_distance, &[*distance])?;
            w.push(c.contact_friction, &[*friction])?;
        }
        for OutsideForce { body, point, force } in frame.outside {
            w.push(c.external_body, &[*body as i32])?;
            w.push(c.external_point, point.as_slice())?;
            w.push(c.external_force, force.as_slice())?;
        }
        self.contacts += frame.contacts.len() as i64;
        self.outside += frame.outside.len() as i64;
        w.push(c.contact_offset, &[self.contacts])?;
        w.push(c.external_offset, &[self.outside])?;
        w.push(c.object_pose, objects.as_flattened())?;
        for (column, value) in self.telemetry.iter().zip(telemetry) {
            w.push(*column, &[*value])?;
        }
        self.rows += 1;
        Ok(())
    }

    /// Whether the row fits.
    fn check(&self, frame: &StepFrame<'_>, objects: usize, telemetry: usize) -> Result<(), String> {
        let Sizes { nq, nv, bodies, things, .. } = self.sizes;
        let has = [
            ("q", frame.q.len(), nq),
            ("v", frame.v.len(), nv),
            ("tau", frame.tau.len(), nv),
            ("constraint", frame.constraint.len(), nv),
            ("objects", objects, self.sizes.objects),
            ("telemetry", telemetry, self.telemetry.len()),
        ];
        if let Some((what, got, want)) = has.into_iter().find(|(_, got, want)| got != want) {
            return Err(format!("{what} has {got} entries instead of {want}"));
        }
        let touched = frame.contacts.iter().map(|c| c.body).chain(frame.outside.iter().map(|o| o.body));
        if let Some(body) = touched.into_iter().find(|b| *b >= bodies) {
            return Err(format!("the character has no body {body}"));
        }
        match frame.contacts.iter().filter_map(|c| c.other).find(|o| *o >= things) {
            Some(other) => Err(format!("a contact points to entry {other} of {things} names")),
            None => Ok(()),
        }
    }

    /// Writes the file in its place.
    pub fn finish(mut self) -> Result<(), RecordingError> {
        self.close()?;
        Ok(self.writer.finish()?)
    }

    /// The bytes of the file.
    pub fn into_bytes(mut self) -> Result<Vec<u8>, RecordingError> {
        self.close()?;
        Ok(self.writer.into_bytes()?)
    }

    fn close(&mut self) -> Result<(), RecordingError> {
        let text = serde_json::to_string(&self.meta).map_err(|e| RecordingError::Meta(e.to_string()))?;
        Ok(self.writer.text("meta", &text)?)
    }
}

/// A character alone as MJCF, which must give back its bodies in their order.
pub(super) fn text_of(model: &Model) -> Result<String, RecordingError> {
    let mut spec = model.spec().clone();
    spec.world_geoms.clear();
    spec.world_sites.clear();
    let text = mjcf::write(&spec);
    let (read, _) = Model::from_mjcf(&text)?;
    let names = |m: &Model| m.bodies().iter().map(|b| b.name.clone()).collect::<Vec<_>>();
    if names(&read) != names(model) {
        let problem =
            "the character cannot be recorded: its bodies must have names and stand in depth-first order";
        return Err(RecordingError::Meta(problem.into()));
    }
    Ok(text)
}
