//! Part of the past as a file.
//!
//! A recording has one time step, one contact model, one list of objects and one controller's signals. If any of these changed in the
//! chosen time, the file begins after the last such change, with a note.

use super::history::Replay;
use super::job::{MakeError, Outcome};
use super::lane::Lane;
use crate::view::pack::Storage;
use crate::view::{page, recorded};
use sinew::control::EpisodeRecorder;
use sinew::motion::export::recording;
use sinew::motion::{bvh, gltf};
use sinew::world::recording::{Recording, RecordingError, RecordingReader};
use std::io::Cursor;

/// Frames per second of files with motions.
pub const RATE: f64 = 60.0;

/// Kinds of files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A skinned character that moves.
    Glb,
    /// A skeleton that moves.
    Bvh,
    /// The full recording, step by step.
    Npz,
    /// A page to view.
    Html,
}

impl Format {
    /// All of them.
    pub const ALL: [Format; 4] = [Format::Glb, Format::Bvh, Format::Html, Format::Npz];

    /// By its ending.
    pub fn named(name: &str) -> Option<Format> {
        Format::ALL.into_iter().find(|format| format.extension() == name)
    }

    /// Its ending.
    pub fn extension(self) -> &'static str {
        match self {
            Format::Glb => "glb",
            Format::Bvh => "bvh",
            Format::Npz => "npz",
            Format::Html => "html",
        }
    }
}

/// The last steps of a replay as a file.
pub fn make(replay: Replay, format: Format) -> Outcome {
    let name = format!("sinew.{}", format.extension());
    match write(replay, format) {
        Ok((content, notes)) => {
            Outcome::File { name, content, note: (!notes.is_empty()).then(|| notes.join(" ")) }
        }
        Err(problem) => Outcome::Problem(format!("{name} cannot be made: {problem}")),
    }
}

/// The file, and a note on what it leaves out.
fn write(replay: Replay, format: Format) -> Result<(Vec<u8>, Vec<String>), MakeError> {
    let two = replay.play.lanes.len() > 1;
    let (bytes, note) = record(replay)?;
    let mut notes: Vec<String> = note.into_iter().collect();
    if two {
        notes.push("The file holds the first of the two characters.".to_owned());
    }
    let bytes = match format {
        Format::Npz => bytes,
        Format::Html => {
            let drawn = recorded::read(RecordingReader::new(Cursor::new(bytes))?, "studio")?;
            notes.extend(drawn.notes);
            page::html(&drawn.scene, Storage::Deflated)?.into_bytes()
        }
        Format::Glb | Format::Bvh => {
            let clip = recording::clip(&Recording::from_bytes(bytes)?)?.resampled(RATE);
            match format {
                Format::Glb => gltf::bytes(&clip, &gltf::Options::default())?,
                _ => bvh::write(&clip.to_take()?, &bvh::WriteOptions::default())?.into_bytes(),
            }
        }
    };
    Ok((bytes, notes))
}

/// The first character's steps as a recording, after the last change that a recording cannot hold.
fn record(mut replay: Replay) -> Result<(Vec<u8>, Option<String>), MakeError> {
    replay.begin()?;
    let mut recorder = recorder(&replay.play.lanes[0])?;
    let mut form = Form::of(&replay.play.lanes[0]);
    let mut note = None;
    while replay.step()? {
        let lane = &replay.play.lanes[0];
        let now = Form::of(lane);
        if now == form {
            recorder.push(lane.episode())?;
            continue;
        }
        let what = form.difference(&now);
        note = Some(format!("The file begins at {:.3} s, after {what}.", lane.time()));
        recorder = self::recorder(lane)?;
        form = now;
    }
    Ok((recorder.into_bytes()?, note))
}

fn recorder(lane: &Lane) -> Result<EpisodeRecorder, RecordingError> {
    let mut meta = EpisodeRecorder::meta(lane.episode());
    meta.scenario.clone_from(&lane.scenario.name);
    meta.seed = lane.scenario.seed;
    meta.provenance.insert("character".to_owned(), lane.scenario.character.clone());
    EpisodeRecorder::in_memory(lane.episode(), meta)
}

/// Properties that must be constant in a recording.
#[derive(Clone, PartialEq)]
struct Form {
    things: usize,
    controller: &'static str,
    dt: f64,
    contact: String,
}

impl Form {
    fn of(lane: &Lane) -> Form {
        let settings = lane.world().settings();
        Form {
            things: lane.world().actors().len(),
            controller: lane.episode().order().system.name,
            dt: settings.dt,
            contact: format!("{} {:?}", settings.contact, settings.integrator),
        }
    }

    /// The change between two states, in words.
    fn difference(&self, now: &Form) -> String {
        if self.controller != now.controller {
            format!("the change from {} to {}", self.controller, now.controller)
        } else if self.dt != now.dt || self.contact != now.contact {
            "a change of the time step or the contacts".to_owned()
        } else {
            "the throw of a box".to_owned()
        }
    }
}
