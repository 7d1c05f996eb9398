//! One visitor's world. A session is handed messages and time, and gives back messages and frames; it knows no sockets and no clock
//! but for measuring how long its steps take.

pub mod body;
pub mod catalogue;
pub mod driver;
pub mod fall;
pub mod history;
pub mod job;
pub mod lane;
pub mod play;
pub mod scenario;
pub mod setup;
pub mod things;
mod wishes;

use crate::protocol::client::ClientMessage;
use crate::protocol::frame::{self, Head};
use crate::protocol::server::{LaneScene, SceneMessage, ServerMessage, State};
use crate::protocol::{MOST_FILE, MOST_TEXT};
use crate::view::drawing;
use history::History;
use job::{GhostSource, Job, Outcome, Waiting};
use lane::Lane;
use play::{Action, Play, Steering};
use setup::Setup;
use sinew::dynamics::{Data, Model, characters};
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Speed at which a character walks when the page opens, m/s.
pub const CRUISE: f64 = 0.8;
/// Height of the human, m.
const HUMAN: f64 = 1.78;
/// Longest time of the world that is made up for after the machine was busy, s.
const LATE: f64 = 0.1;

/// What a session sends.
#[derive(Clone, Debug, PartialEq)]
pub enum Outgoing {
    /// JSON.
    Text(String),
    /// A file or poses.
    Binary(Vec<u8>),
}

/// One visitor's world.
#[derive(Debug)]
pub struct Session {
    setup: Setup,
    uploads: BTreeMap<String, Arc<Model>>,
    play: Play,
    history: History,
    playing: bool,
    speed: Option<f64>,
    /// Time of the world that is due, s.
    due: f64,
    outbox: Vec<Outgoing>,
    generation: u32,
    shapes: Vec<u32>,
    /// The boxes of the last scene.
    drawn: Vec<Arc<Model>>,
    told: Vec<bool>,
    rate: Rate,
    frames: Vec<Vec<Data>>,
    ghost: Option<GhostSource>,
    job: Option<Job>,
    waiting: VecDeque<Waiting>,
}

/// Seconds of the world per second, over the last while.
#[derive(Clone, Copy, Debug, Default)]
struct Rate {
    world: f64,
    wall: f64,
    shown: f64,
}

impl Default for Session {
    fn default() -> Session {
        Session::new()
    }
}

impl Session {
    /// The human walks on level ground.
    pub fn new() -> Session {
        let setup = Setup::default();
        let steering = Steering { forward: CRUISE, ..Steering::default() };
        let lanes = build(&setup, &BTreeMap::new()).expect("the default set-up is tested");
        let mut session = Session {
            play: Play::new(lanes, steering),
            setup,
            uploads: BTreeMap::new(),
            history: History::default(),
            playing: true,
            speed: Some(1.0),
            due: 0.0,
            outbox: Vec::new(),
            generation: 0,
            shapes: Vec::new(),
            drawn: Vec::new(),
            told: Vec::new(),
            rate: Rate::default(),
            frames: Vec::new(),
            ghost: None,
            job: None,
            waiting: VecDeque::new(),
        };
        session.begin();
        session
    }

    /// Time of the world, s.
    pub fn time(&self) -> f64 {
        self.play.time()
    }

    /// The characters and their worlds.
    pub fn lanes(&self) -> &[Lane] {
        &self.play.lanes
    }

    /// A number that differs when any bit of any state differs.
    pub fn fingerprint(&self) -> u64 {
        self.play.fingerprint()
    }

    /// What waits to be sent.
    pub fn outbox(&mut self) -> std::vec::Drain<'_, Outgoing> {
        self.outbox.drain(..)
    }

    /// Takes back what could not be sent.
    pub fn keep(&mut self, unsent: impl IntoIterator<Item = Outgoing>) {
        self.outbox.extend(unsent);
    }

    /// Everything that a page must know first.
    pub fn greet(&mut self, token: &str, resumed: bool) {
        // a file that was made for the page before waits for this one
        let files: Vec<Outgoing> = self
            .outbox
            .drain(..)
            .filter(|o| matches!(o, Outgoing::Binary(b) if b.first() == Some(&2)))
            .collect();
        self.tell(&ServerMessage::Hello(Box::new(catalogue::hello(token, resumed))));
        self.tell_scene();
        self.tell_state();
        self.told.fill(false);
        self.outbox.extend(files);
        if let Some(ghost) = self.ghost.clone() {
            self.start_ghost(ghost);
        }
    }

    /// Takes a text message. Whatever is wrong with it becomes a notice; nothing else happens then.
    pub fn handle(&mut self, text: &str) {
        if text.len() > MOST_TEXT {
            return self.problem(format!("a message of {} bytes is too long", text.len()));
        }
        match serde_json::from_str::<ClientMessage>(text) {
            Ok(message) => {
                if let Err(problem) = self.wish(message) {
                    self.problem(problem);
                }
            }
            Err(e) => self.problem(format!("a message that cannot be read: {e}")),
        }
    }

    /// Takes a binary message: a file that was dropped on the page.
    pub fn handle_file(&mut self, bytes: &[u8]) {
        if let Err(problem) = self.open(bytes) {
            self.problem(problem);
        }
    }

    fn open(&mut self, bytes: &[u8]) -> Result<(), String> {
        let broken = || "a binary message that is no file".to_owned();
        if bytes.len() > MOST_FILE {
            return Err(format!("a file may have {} MB; this one has more", MOST_FILE >> 20));
        }
        let [1, low, high, rest @ ..] = bytes else { return Err(broken()) };
        let length = usize::from(u16::from_le_bytes([*low, *high]));
        let (name, content) = rest.split_at_checked(length).ok_or_else(broken)?;
        let name = String::from_utf8_lossy(name).chars().filter(|c| !c.is_control()).take(120).collect();
        self.take_file(name, content)
    }

    /// Lets real time pass; at most about `budget` is spent on it.
    pub fn advance(&mut self, wall: f64, budget: Duration) {
        self.finish_job();
        if self.playing {
            let began = Instant::now();
            let before = self.play.time();
            let dt = self.play.dt();
            self.due = match self.speed {
                Some(factor) => (self.due + wall * factor).min(LATE * factor.max(1.0) + wall * factor),
                None => f64::INFINITY,
            };
            while self.due >= dt && began.elapsed() < budget {
                self.due -= dt;
                if !self.step() {
                    break;
                }
            }
            if !self.due.is_finite() {
                self.due = 0.0;
            }
            self.due = self.due.min(LATE);
            self.rate.add(self.play.time() - before, wall);
        }
        self.tell_changes();
    }

    /// Steps for so many seconds of the world, however long that takes.
    pub fn run(&mut self, seconds: f64) {
        for _ in 0..(seconds / self.play.dt()).round() as u64 {
            if !self.step() {
                break;
            }
        }
        self.finish_job();
        self.tell_changes();
    }

    fn step(&mut self) -> bool {
        match self.play.step() {
            Ok(()) => {
                self.history.note(&self.play);
                if self.play.steps().is_multiple_of(50) && self.play.lanes.iter().any(Lane::lost) {
                    self.stop("it flew apart".into());
                    return false;
                }
                true
            }
            Err(problem) => {
                self.stop(problem);
                false
            }
        }
    }

    fn stop(&mut self, problem: String) {
        self.playing = false;
        self.problem(format!("The simulation stopped: {problem}. Begin again, or go back in time."));
        self.tell_state();
    }

    /// The present moment as bytes.
    pub fn frame(&mut self, out: &mut Vec<u8>) {
        let [oldest, newest] = self.history.range();
        let dt = self.play.dt();
        let head = Head {
            lanes: self.play.lanes.len() as u8,
            playing: self.playing,
            past: self.play.steps() < newest,
            generation: self.generation,
            time: self.play.time(),
            range: [oldest as f64 * dt, newest as f64 * dt],
            fingerprint: self.play.fingerprint(),
            rate: if self.playing { self.rate.shown as f32 } else { 0.0 },
            heading: self.play.heading() as f32,
        };
        head.write(out);
        self.frames.resize_with(self.play.lanes.len(), Vec::new);
        for (lane, frames) in self.play.lanes.iter_mut().zip(&mut self.frames) {
            frame::write_lane(lane, play::facing(lane), frames, out);
        }
    }

    /// Does an action now, and remembers it.
    fn act(&mut self, action: Action) -> Result<(), String> {
        self.branch();
        self.play.apply(&action)?;
        self.history.act(self.play.steps(), action);
        Ok(())
    }

    /// Whatever comes next takes the place of the future that was.
    fn branch(&mut self) {
        if self.play.steps() < self.history.range()[1] {
            self.history.cut(self.play.steps());
        }
    }

    /// A new world of the present set-up.
    fn restart(&mut self) -> Result<(), String> {
        let lanes = build(&self.setup, &self.uploads)?;
        self.play = Play::new(lanes, Steering { turn: 0.0, ..self.play.steering() });
        self.begin();
        self.tell_scene();
        self.tell_state();
        Ok(())
    }

    fn begin(&mut self) {
        self.history = History::default();
        self.history.keep(&self.play);
        self.generation += 1;
        self.due = 0.0;
        self.shapes = self.play.lanes.iter().map(|lane| lane.shape).collect();
        self.told = vec![false; self.play.lanes.len()];
        self.drawn.clear();
        self.frames.clear();
    }

    /// Tells what changed by itself: shapes that grew, boxes, falls.
    fn tell_changes(&mut self) {
        for i in 0..self.play.lanes.len() {
            if self.shapes[i] != self.play.lanes[i].shape {
                self.shapes[i] = self.play.lanes[i].shape;
                self.tell_shapes(i);
            }
            let fall = self.play.lanes[i].fall().cloned();
            if fall.is_some() != self.told[i] {
                self.told[i] = fall.is_some();
                if let Some((time, reason)) = fall {
                    self.tell(&ServerMessage::Fell { lane: i, time, reason });
                }
            }
        }
    }

    /// How a body is stretched now, or a new scene when there are other boxes than before.
    fn tell_shapes(&mut self, lane: usize) {
        let boxes = self.boxes();
        let same = boxes.len() == self.drawn.len()
            && boxes.iter().zip(&self.drawn).all(|(a, b)| a.bodies() == b.bodies());
        if same {
            return self.tell_stretch(lane);
        }
        self.drawn = boxes;
        self.frames.clear();
        self.generation += 1;
        self.tell_scene();
    }

    /// The bodies of all boxes.
    fn boxes(&self) -> Vec<Arc<Model>> {
        let actors = self.play.lanes.iter().flat_map(|lane| &lane.world().actors()[1..]);
        actors.map(|actor| Arc::clone(actor.model())).collect()
    }

    fn tell_scene(&mut self) {
        let lanes = self.play.lanes.iter().map(|lane| {
            let model = lane.world().actors()[lane::ACTOR].model();
            let boxes = &lane.world().actors()[1..];
            LaneScene {
                character: lane.setup.character.clone(),
                mass: model.mass(),
                gravity: model.gravity().norm(),
                pace: (lane.base().height() / HUMAN).clamp(0.1, 4.0).sqrt(),
                bodies: drawing::parts(lane.base()),
                objects: boxes.iter().flat_map(|b| drawing::parts(b.model())).collect(),
            }
        });
        let scene = SceneMessage {
            generation: self.generation,
            lanes: lanes.collect(),
            terrain: drawing::ground(self.play.lanes[0].world().terrain()),
        };
        self.tell(&ServerMessage::Scene(Box::new(scene)));
        for lane in 0..self.play.lanes.len() {
            self.tell_stretch(lane);
        }
    }

    fn tell_stretch(&mut self, lane: usize) {
        let of = &self.play.lanes[lane];
        let mut maps = vec![[1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]; of.base().bodies().len()];
        for (body, map) in of.stretches() {
            maps[body.0].iter_mut().zip(map.iter()).for_each(|(to, from)| *to = *from as f32);
        }
        self.tell(&ServerMessage::Stretch { lane, maps });
    }

    fn tell_state(&mut self) {
        let Steering { forward, left, turn } = self.play.steering();
        let state = State {
            setup: self.setup.clone(),
            uploaded: self.uploads.keys().cloned().collect(),
            playing: self.playing,
            speed: self.speed,
            steering: [forward, left, turn],
            ghost: self.ghost.as_ref().map(|g| g.name().to_owned()),
        };
        self.tell(&ServerMessage::State(Box::new(state)));
    }

    fn tell(&mut self, message: &ServerMessage) {
        let text = serde_json::to_string(message).expect("messages are plain data");
        self.outbox.push(Outgoing::Text(text));
    }

    fn problem(&mut self, text: String) {
        self.tell(&ServerMessage::Notice { level: "problem", text });
    }

    fn info(&mut self, text: String) {
        self.tell(&ServerMessage::Notice { level: "info", text });
    }

    fn finish_job(&mut self) {
        let Some(outcome) = self.job.as_mut().and_then(Job::done) else { return };
        self.job = None;
        self.tell(&ServerMessage::Progress { what: None });
        match outcome {
            Outcome::File { name, content, note } => {
                let mut bytes = vec![2];
                bytes.extend((name.len() as u16).to_le_bytes());
                bytes.extend(name.as_bytes());
                bytes.extend(content);
                self.outbox.push(Outgoing::Binary(bytes));
                note.into_iter().for_each(|note| self.info(note));
            }
            Outcome::Ghost { name, rate, poses, bodies, source, note } => {
                self.outbox.push(Outgoing::Binary(poses));
                self.ghost = Some(source);
                self.tell(&ServerMessage::Ghost { name: Some(name), rate, bodies });
                note.into_iter().for_each(|note| self.info(note));
                self.tell_state();
            }
            Outcome::Problem(problem) => self.problem(problem),
        }
        self.start_next();
    }
}

impl Rate {
    fn add(&mut self, world: f64, wall: f64) {
        self.world += world;
        self.wall += wall;
        if self.wall > 0.25 {
            *self = Rate { shown: self.world / self.wall, ..Rate::default() };
        }
    }
}

/// The characters of a set-up, each in a world of its own.
fn build(setup: &Setup, uploads: &BTreeMap<String, Arc<Model>>) -> Result<Vec<Lane>, String> {
    let terrain = setup.terrain.ground().build(setup.terrain.seed).map_err(|e| e.to_string())?;
    let lane = |lane: &setup::LaneSetup| {
        let base = match uploads.get(&lane.character) {
            Some(model) => Arc::clone(model),
            None => Arc::new(characters::load(&lane.character).map_err(|e| e.to_string())?),
        };
        Lane::new(lane, base, terrain.clone())
    };
    setup.lanes.iter().map(lane).collect()
}
