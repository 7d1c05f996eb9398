//! One visitor's world. A session receives messages and time, and returns messages and frames. It has no sockets, and uses the clock
//! only to measure how long its steps take.
//!
//! | module | content |
//! | --- | --- |
//! | [`setup`] | the description of a world |
//! | [`lane`], [`play`] | a character in its world; all characters under one command |
//! | [`history`] | the past, for rewinding |
//! | `commands` | the effect of each message |
//! | `outbox` | messages to the page |
//! | [`job`], [`file`](mod@file), [`ghost`] | work that takes longer than a frame |

pub mod boxes;
mod catalogue;
pub mod clock;
mod commands;
pub mod error;
pub mod file;
pub mod ghost;
pub mod history;
pub mod job;
pub mod lane;
pub mod meter;
mod outbox;
pub mod play;
mod pull;
pub mod setup;
pub mod store;

use error::SessionError;
use ghost::GhostSource;
use history::History;
use job::{Job, Waiting};
use lane::Lane;
use play::{Action, Play, Steering};
use setup::Setup;
use sinew::control::Registry;
use sinew::dynamics::{Data, Model};
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};
use store::Memory;

/// Speed at which a character walks when the page opens, m/s.
pub const CRUISE: f64 = 0.8;
/// Greatest delay that is made up for after the machine was busy, s.
const LATE: f64 = 0.1;
/// Steps between two checks whether a character is still in sight.
const LOST: u64 = 50;

/// A message to the page.
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
    registry: Arc<Registry>,
    setup: Setup,
    uploads: BTreeMap<String, Arc<Model>>,
    store: Arc<Memory>,
    play: Play,
    history: History,
    playing: bool,
    speed: Option<f64>,
    /// Time of the world that is still to be simulated, s.
    due: f64,
    outbox: Vec<Outgoing>,
    generation: u32,
    /// The last reported state of shapes, boxes and falls.
    shapes: Vec<u32>,
    drawn: Vec<Arc<Model>>,
    falls_told: Vec<bool>,
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
    /// The human walks on level ground, with the controllers of the library to choose from.
    pub fn new() -> Session {
        Session::with_registry(Arc::new(Registry::built_in()))
    }

    /// The same with controllers of one's own to choose from. If the first one does not suit the human, the session begins with a ragdoll.
    pub fn with_registry(registry: Arc<Registry>) -> Session {
        let (uploads, store) = (BTreeMap::new(), Arc::new(Memory::default()));
        let mut setup = Setup::usual(&registry);
        let lanes = build(&setup, &uploads, &store).unwrap_or_else(|_| {
            setup.lanes.iter_mut().for_each(|lane| *lane = setup::switched(lane, registry.limp()));
            build(&setup, &uploads, &store).expect("any body may be limp")
        });
        let steering = Steering { forward: CRUISE, ..Steering::default() };
        let play = Play::new(lanes, Some(steering));
        let mut session = Session {
            history: History::new(&play),
            play,
            registry,
            setup,
            uploads,
            store,
            playing: true,
            speed: Some(1.0),
            due: 0.0,
            outbox: Vec::new(),
            generation: 0,
            shapes: Vec::new(),
            drawn: Vec::new(),
            falls_told: Vec::new(),
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

    /// The set-up of the world.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// A number that differs when any bit of any state differs.
    pub fn fingerprint(&self) -> u64 {
        self.play.fingerprint()
    }

    /// Lets real time pass; at most about `budget` is spent on it.
    pub fn advance(&mut self, wall: f64, budget: Duration) {
        self.finish_job();
        if self.playing {
            let began = Instant::now();
            let before = self.play.time();
            self.due = match self.speed {
                Some(factor) => (self.due + wall * factor).min(LATE * factor.max(1.0) + wall * factor),
                None => f64::INFINITY,
            };
            while self.due >= self.play.dt() && began.elapsed() < budget {
                let before = self.play.time();
                if !self.step() {
                    break;
                }
                self.due -= self.play.time() - before;
            }
            if !self.due.is_finite() {
                self.due = 0.0;
            }
            self.due = self.due.min(LATE);
            self.rate.add(self.play.time() - before, wall);
        }
        self.send_changes();
    }

    /// Simulates a number of seconds of the world, without a time budget.
    pub fn run(&mut self, seconds: f64) {
        let end = self.play.time() + seconds;
        while self.play.time() + 0.5 * self.play.dt() < end && self.step() {}
        self.finish_job();
        self.send_changes();
    }

    fn step(&mut self) -> bool {
        if let Err(problem) = self.play.step() {
            self.stop(&problem.to_string());
            return false;
        }
        self.history.note(&self.play);
        if self.play.steps().is_multiple_of(LOST) && self.play.lanes.iter().any(Lane::lost) {
            self.stop("it flew apart");
            return false;
        }
        true
    }

    fn stop(&mut self, problem: &str) {
        self.playing = false;
        self.problem(format!("The simulation stopped: {problem}. Begin again, or go back in time."));
        self.send_state();
    }

    /// Performs an action now, and stores it in the history.
    fn act(&mut self, action: Action) -> Result<(), SessionError> {
        self.branch();
        self.play.apply(&action)?;
        self.history.act(self.play.steps(), action);
        Ok(())
    }

    /// A new action replaces the recorded future.
    fn branch(&mut self) {
        if self.play.steps() < self.history.newest() {
            self.history.cut(&self.play);
        }
    }

    /// A new world with the present set-up. The scenario's commands hold, or the present steering continues.
    fn restart(&mut self) -> Result<(), SessionError> {
        let lanes = build(&self.setup, &self.uploads, &self.store)?;
        let steering = Steering { turn: 0.0, ..self.play.steering().unwrap_or_default() };
        self.play = Play::new(lanes, (!self.setup.has_commands()).then_some(steering));
        self.begin();
        self.send_scene();
        self.send_state();
        Ok(())
    }

    fn begin(&mut self) {
        self.history = History::new(&self.play);
        self.generation += 1;
        self.due = 0.0;
        self.shapes = self.play.lanes.iter().map(|lane| lane.shape).collect();
        self.falls_told = vec![false; self.play.lanes.len()];
        self.drawn.clear();
        self.frames.clear();
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
fn build(
    setup: &Setup,
    uploads: &BTreeMap<String, Arc<Model>>,
    store: &Arc<Memory>,
) -> Result<Vec<Lane>, SessionError> {
    let lane = |scenario: &sinew::lab::Scenario| {
        let file = setup::character(&scenario.character, uploads)?;
        Lane::new(scenario.clone(), file, Arc::clone(store))
    };
    setup.lanes.iter().map(lane).collect()
}
