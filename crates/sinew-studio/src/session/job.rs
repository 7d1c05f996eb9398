//! What takes longer than a frame is made on a thread of its own: files to download, ghosts.

use super::history::Replay;
use super::lane::ACTOR;
use crate::protocol::frame::pose;
use crate::view::pack::Storage;
use crate::view::scene::Part;
use crate::view::{drawing, page, recorded};
use sinew::dynamics::{BodyId, Data, Model, forward_kinematics};
use sinew::motion::cleanup::{self, CleanParams, Grips};
use sinew::motion::export::recording;
use sinew::motion::retarget::{BoneMap, RetargetOptions, Retargeter};
use sinew::motion::{Clip, Take, bvh, gltf, motions};
use sinew::world::recording::{Meta, Recording, RecordingReader, WorldRecorder};
use std::io::Cursor;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError, channel};

/// Frames per second of files and ghosts.
const RATE: f64 = 60.0;
/// Longest ghost, frames.
const LONGEST: usize = 60 * 120;

/// Work on a thread of its own.
#[derive(Debug)]
pub struct Job(Receiver<Outcome>);

/// Work that has not begun.
pub struct Waiting {
    /// What it makes, in words.
    pub what: String,
    /// The work.
    pub work: Box<dyn FnOnce() -> Outcome + Send>,
}

impl std::fmt::Debug for Waiting {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Waiting").field("what", &self.what).finish_non_exhaustive()
    }
}

/// What came of it.
#[derive(Debug)]
pub enum Outcome {
    /// A file to download.
    File {
        /// Its name.
        name: String,
        /// Its bytes.
        content: Vec<u8>,
        /// What is not in it.
        note: Option<String>,
    },
    /// A ghost.
    Ghost {
        /// What it is called.
        name: String,
        /// Frames per second.
        rate: f64,
        /// The binary message with its poses.
        poses: Vec<u8>,
        /// What it looks like.
        bodies: Vec<Part>,
        /// To make it again for another body.
        source: GhostSource,
        /// What was cut.
        note: Option<String>,
    },
    /// It cannot be.
    Problem(String),
}

/// Where a ghost comes from.
#[derive(Clone, Debug)]
pub enum GhostSource {
    /// A built-in motion.
    BuiltIn(String),
    /// A file.
    Take(String, Arc<Take>),
}

impl GhostSource {
    /// What it is called.
    pub fn name(&self) -> &str {
        match self {
            GhostSource::BuiltIn(name) | GhostSource::Take(name, _) => name,
        }
    }
}

/// Kinds of files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A skinned character that moves.
    Glb,
    /// A skeleton that moves.
    Bvh,
    /// Everything, step by step.
    Npz,
    /// A page to look at.
    Html,
}

impl Format {
    /// By its ending.
    pub fn named(name: &str) -> Option<Format> {
        Some(match name {
            "glb" => Format::Glb,
            "bvh" => Format::Bvh,
            "npz" => Format::Npz,
            "html" => Format::Html,
            _ => return None,
        })
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

impl Job {
    /// Begins.
    ///
    /// # Errors
    /// In words, when the system has no thread left.
    pub fn start(work: impl FnOnce() -> Outcome + Send + 'static) -> Result<Job, String> {
        let (done, receiver) = channel();
        let thread = std::thread::Builder::new().name("studio job".into());
        // nobody waits for the answer when the visitor has gone
        thread.spawn(move || drop(done.send(work()))).map_err(|e| format!("no thread: {e}"))?;
        Ok(Job(receiver))
    }

    /// What came of it, once.
    pub fn done(&mut self) -> Option<Outcome> {
        match self.0.try_recv() {
            Ok(outcome) => Some(outcome),
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => {
                Some(Outcome::Problem("the work was given up: this is a bug".into()))
            }
        }
    }
}

/// A stretch of the past as a file.
pub fn file(replay: Replay, format: Format) -> Outcome {
    match write(replay, format) {
        Ok((content, note)) => Outcome::File { name: format!("sinew.{}", format.extension()), content, note },
        Err(problem) => Outcome::Problem(problem),
    }
}

fn write(mut replay: Replay, format: Format) -> Result<(Vec<u8>, Option<String>), String> {
    let record = |replay: &Replay| {
        let lane = &replay.play.lanes[0];
        let mut meta = Meta::new(lane.world().settings().dt);
        meta.scenario = "studio".into();
        meta.provenance.insert("character".into(), lane.setup.character.clone());
        meta.provenance.insert("controller".into(), lane.setup.controller.clone());
        WorldRecorder::in_memory(lane.world(), ACTOR, meta, &[]).map_err(|e| e.to_string())
    };
    replay.begin()?;
    let mut recorder = record(&replay)?;
    let mut note = None;
    let mut actors = replay.play.lanes[0].world().actors().len();
    while replay.step()? {
        let world = replay.play.lanes[0].world();
        if world.actors().len() != actors {
            actors = world.actors().len();
            recorder = record(&replay)?;
            note = Some(format!("The file begins at {:.1} s, with the throw of a box.", world.time()));
        }
        recorder.push(world, &[]).map_err(|e| e.to_string())?;
    }
    let bytes = recorder.into_bytes().map_err(|e| e.to_string())?;
    if format == Format::Npz {
        return Ok((bytes, note));
    }
    if replay.play.lanes.len() > 1 {
        note = Some("The file holds the first of the two characters.".into());
    }
    if format == Format::Html {
        let run = RecordingReader::new(Cursor::new(bytes)).map_err(|e| e.to_string())?;
        let drawn = recorded::read(run, "studio").map_err(|e| e.to_string())?;
        let page = page::html(&drawn.scene, Storage::Deflated).map_err(|e| e.to_string())?;
        return Ok((page.into_bytes(), note.or(drawn.notes.first().cloned())));
    }
    let run = Recording::from_bytes(bytes).map_err(|e| e.to_string())?;
    let clip = recording::clip(&run).map_err(|e| e.to_string())?.resampled(RATE);
    let bytes = match format {
        Format::Glb => gltf::bytes(&clip, &gltf::Options::default()).map_err(|e| e.to_string())?,
        _ => {
            let take = clip.to_take().map_err(|e| e.to_string())?;
            bvh::write(&take, &bvh::WriteOptions::default()).map_err(|e| e.to_string())?.into_bytes()
        }
    };
    Ok((bytes, note))
}

/// A motion on a body, as poses.
pub fn ghost(source: GhostSource, model: &Arc<Model>) -> Outcome {
    match play(&source, model) {
        Ok(clip) => {
            let rate = RATE.min(clip.rate);
            let clip = clip.resampled(rate);
            let frames = clip.len().min(LONGEST);
            let long = clip.len() > frames;
            let note =
                long.then(|| format!("The first {} s of the motion are shown.", LONGEST / RATE as usize));
            let bodies = model.bodies().len();
            let mut poses = vec![3];
            poses.extend((bodies as u16).to_le_bytes());
            let mut data = Data::new(model);
            for q in clip.frames().take(frames) {
                forward_kinematics(model, &mut data, q);
                let numbers = (0..bodies).flat_map(|b| pose(&data.body_placement(model, BodyId(b))));
                poses.extend(numbers.flat_map(|x| (x as f32).to_le_bytes()));
            }
            let name = source.name().to_owned();
            Outcome::Ghost { name, rate, poses, bodies: drawing::parts(model), source, note }
        }
        Err(problem) => Outcome::Problem(format!("{}: {problem}", source.name())),
    }
}

fn play(source: &GhostSource, model: &Arc<Model>) -> Result<Clip, String> {
    let take = match source {
        GhostSource::BuiltIn(name) => return motions::load(name, model).map_err(|e| e.to_string()),
        GhostSource::Take(_, take) => take,
    };
    let map = BoneMap::guess(&take.skeleton);
    let fitted = Retargeter::new(take, &map, Arc::clone(model), &RetargetOptions::default())
        .and_then(|r| r.retarget(take))
        .map_err(|e| e.to_string())?;
    let Some(found) = cleanup::find_contacts(take, &map, None) else { return Ok(fitted.clip) };
    let params = CleanParams { ground: found.ground, ..CleanParams::default() };
    let cleaned = cleanup::clean_holding(&fitted.clip, &found.contacts, &Grips::default(), &params);
    Ok(cleaned.map_or(fitted.clip, |c| c.clip))
}
