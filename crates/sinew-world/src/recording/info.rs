//! The metadata of a recording, checked.

use super::{FORMAT, Meta, RecordingError};
use crate::npz::{Dtype, Reader};
use sinew_dynamics::Model;
use std::io::{Read, Seek};

/// Everything of a recording except its rows.
#[derive(Clone, Debug)]
pub struct Info {
    /// About the run.
    pub meta: Meta,
    /// The character at the beginning.
    pub model: Model,
    /// Its MJCF text.
    pub model_text: String,
    /// The changed characters, in the order of [`Meta::body_changes`].
    pub changed: Vec<Model>,
    /// The world's things that contacts point to: actors, then platforms.
    pub things: Vec<String>,
    /// Names of the objects whose poses are recorded.
    pub object_names: Vec<String>,
    /// Names of the recorded figures of a controller.
    pub telemetry_names: Vec<String>,
    /// Number of rows.
    pub rows: usize,
}

impl Info {
    /// Index of the recorded character among the world's actors and platforms.
    pub fn itself(&self) -> Option<usize> {
        self.things.iter().position(|t| *t == self.meta.actor)
    }

    /// The character as it is in a row.
    pub fn model_at(&self, step: usize) -> &Model {
        let changes = self.meta.body_changes.iter().zip(&self.changed);
        changes.rev().find(|(change, _)| change.step <= step).map_or(&self.model, |(_, model)| model)
    }

    /// Reads and checks everything except the rows.
    pub(super) fn read<R: Read + Seek>(arrays: &mut Reader<R>) -> Result<Info, RecordingError> {
        let meta: Meta =
            serde_json::from_str(&arrays.text("meta")?).map_err(|e| RecordingError::Meta(e.to_string()))?;
        if meta.format > FORMAT {
            let problem = format!("format {} is newer than {FORMAT}, which is read here", meta.format);
            return Err(RecordingError::Meta(problem));
        }
        if !(meta.dt.is_finite() && meta.dt > 0.0) {
            return Err(RecordingError::Meta(format!("dt = {} s is not a valid time step", meta.dt)));
        }
        let model_text = arrays.text("model")?;
        let (model, _) = Model::from_mjcf(&model_text)?;
        let mut body_names = arrays.texts("body_names")?;
        let own = model.bodies().iter().map(|b| &b.name);
        if body_names.len() < model.bodies().len() || !own.eq(&body_names[..model.bodies().len()]) {
            let problem = "body_names must begin with the bodies of the model in their order";
            return Err(RecordingError::Meta(problem.into()));
        }
        let things = body_names.split_off(model.bodies().len());
        let mut changed = Vec::new();
        let mut last = 0;
        for change in &meta.body_changes {
            let (next, _) = Model::from_mjcf(&change.model)?;
            let same = next.bodies().iter().map(|b| &b.name).eq(model.bodies().iter().map(|b| &b.name))
                && next.joints() == model.joints();
            let sized = (change.q_before.len(), change.v_before.len()) == (model.nq(), model.nv());
            if !same || !sized || change.step <= last {
                let problem = "a body change must keep bodies and joints, hold the state before it, and come after others";
                return Err(RecordingError::Meta(problem.into()));
            }
            last = change.step;
            changed.push(next);
        }
        let telemetry_names =
            arrays.names().filter_map(|n| n.strip_prefix("telemetry_")).map(str::to_owned).collect();
        let rows = match arrays.shape("time") {
            Some((Dtype::F64, &[rows])) => rows,
            _ => return Err(RecordingError::Meta("array `time` is missing or not a list of numbers".into())),
        };
        let object_names = arrays.texts("object_names")?;
        Ok(Info { meta, model, model_text, changed, things, object_names, telemetry_names, rows })
    }
}
