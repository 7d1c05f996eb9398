//! What each message does.

use super::job::{self, Format, GhostSource, Waiting};
use super::play::{Action, Drag, Steering};
use super::setup::Setup;
use super::things::Throw;
use super::{Session, scenario};
use crate::protocol::client::{ClientMessage, Legs};
use crate::protocol::server::ServerMessage;
use sinew::control::features::{self, Jump};
use sinew::dynamics::spatial::Vec3;
use sinew::dynamics::{BodyId, Model};
use sinew::lab::Scenario;
use sinew::motion::{ImportOptions, bvh};
use std::f64::consts::PI;
use std::sync::Arc;

/// Most uploaded characters.
const MOST_UPLOADS: usize = 8;
/// Most files and ghosts that wait to be made.
const MOST_WAITING: usize = 4;
/// Most steps that a message may ask for.
const MOST_STEPS: u64 = 2000;

impl Session {
    pub(super) fn wish(&mut self, message: ClientMessage) -> Result<(), String> {
        match message {
            ClientMessage::Setup { setup } => self.begin_with(setup)?,
            ClientMessage::Change { lane, setup } => {
                let mut whole = self.setup.clone();
                *whole.lanes.get_mut(lane).ok_or("there is no such character")? = setup;
                let names: Vec<&str> = self.uploads.keys().map(String::as_str).collect();
                let whole = whole.checked(&names)?;
                let changed = self.act(Action::Change { lane, setup: Box::new(whole.lanes[lane].clone()) });
                if changed.is_ok() {
                    self.setup = whole;
                }
                self.tell_state();
                changed?;
            }
            ClientMessage::Steer { forward, left, turn } => {
                finite(&[forward, left, turn])?;
                let steering = Steering {
                    forward: forward.clamp(-1.0, 2.0),
                    left: left.clamp(-0.8, 0.8),
                    turn: turn.clamp(-2.5, 2.5),
                };
                self.act(Action::Steer(steering))?;
            }
            ClientMessage::Drag { lane, body, point, target } => {
                let [point, target] = [vector(point)?, vector(target)?];
                self.act(Action::Drag(Some(Drag { lane, body: BodyId(body), point, target })))?;
            }
            ClientMessage::Release => self.act(Action::Drag(None))?,
            ClientMessage::Push { impulse, seconds } => {
                let impulse = vector(impulse)?;
                if impulse.norm() > 2000.0 || !(0.001..=5.0).contains(&seconds) {
                    return Err("a push has at most 2000 N·s, over 0.001 to 5 s".into());
                }
                self.act(Action::Push { impulse, seconds })?;
            }
            ClientMessage::Throw { from, velocity, mass, half } => {
                let (from, velocity) = (vector(from)?, vector(velocity)?);
                let sound = (0.1..=100.0).contains(&mass) && (0.02..=1.0).contains(&half);
                if !sound || velocity.norm() > 40.0 || from.norm() > 1e4 {
                    return Err(
                        "a box weighs 0.1 to 100 kg, measures 4 cm to 2 m, and flies at up to 40 m/s".into(),
                    );
                }
                self.act(Action::Throw(Throw { from, velocity, mass, half }))?;
            }
            ClientMessage::Jump { height, forward, twist, legs } => {
                finite(&[height, forward, twist])?;
                let jump = Jump {
                    height: height.clamp(0.05, 0.5),
                    forward: forward.clamp(-0.5, 0.8),
                    twist: twist.clamp(-PI, PI),
                    legs: match legs {
                        Legs::Hang => features::Legs::Hang,
                        Legs::Scissor => features::Legs::Scissor,
                        Legs::Split => features::Legs::Split,
                    },
                    ..Jump::default()
                };
                self.act(Action::Jump(jump))?;
            }
            ClientMessage::Play => {
                self.branch();
                self.playing = true;
                self.tell_state();
            }
            ClientMessage::Pause => {
                self.playing = false;
                self.tell_state();
            }
            ClientMessage::Step { steps } => {
                self.playing = false;
                self.branch();
                for _ in 0..steps.min(MOST_STEPS) {
                    if !self.step() {
                        break;
                    }
                }
                self.tell_state();
            }
            ClientMessage::Speed { factor } => {
                self.speed = match factor {
                    Some(f) if f.is_finite() => Some(f.clamp(0.01, 20.0)),
                    Some(_) => return Err("a speed is a number".into()),
                    None => None,
                };
                self.tell_state();
            }
            ClientMessage::Seek { time } => {
                finite(&[time])?;
                self.playing = false;
                let step = (time / self.play.dt()).round().max(0.0) as u64;
                self.history.seek(&mut self.play, step)?;
                self.setup.lanes = self.play.lanes.iter().map(|lane| lane.setup.clone()).collect();
                self.tell_state();
            }
            ClientMessage::Reset => {
                self.restart()?;
                self.playing = true;
                self.tell_state();
            }
            ClientMessage::Ghost { name: None } => {
                self.ghost = None;
                self.tell(&ServerMessage::Ghost { name: None, rate: 1.0, bodies: Vec::new() });
                self.tell_state();
            }
            ClientMessage::Ghost { name: Some(name) } => self.start_ghost(GhostSource::BuiltIn(name)),
            ClientMessage::Download { format, seconds } => {
                let format = Format::named(&format).ok_or("files are glb, bvh, html or npz")?;
                if !(0.1..=60.0).contains(&seconds) {
                    return Err("a file holds 0.1 to 60 s".into());
                }
                let replay = self.history.replay(&self.play, (seconds / self.play.dt()).round() as u64)?;
                self.start(format!("writing {}", format.extension()), move || job::file(replay, format))?;
            }
            ClientMessage::Scenario => {
                let text = scenario::text(&self.setup, self.play.steering());
                self.tell(&ServerMessage::Scenario { text });
            }
            ClientMessage::Ping { id } => self.tell(&ServerMessage::Pong { id }),
        }
        Ok(())
    }

    /// A new world; whoever cannot walk can still be looked at.
    fn begin_with(&mut self, setup: Setup) -> Result<(), String> {
        let names: Vec<&str> = self.uploads.keys().map(String::as_str).collect();
        let setup = setup.checked(&names)?;
        let before = std::mem::replace(&mut self.setup, setup);
        let other = before.lanes[0].character != self.setup.lanes[0].character;
        if let Err(problem) = self.restart() {
            self.setup.lanes.iter_mut().for_each(|lane| lane.controller = "none".into());
            if let Err(worse) = self.restart() {
                self.setup = before;
                // the page shows what was asked for
                self.tell_state();
                return Err(worse);
            }
            self.info(format!("A ragdoll: {problem}"));
        }
        self.playing = true;
        self.tell_state();
        match self.ghost.clone() {
            Some(ghost) if other => self.start_ghost(ghost),
            _ => {}
        }
        Ok(())
    }

    /// Opens a file by its ending.
    pub(super) fn take_file(&mut self, name: String, content: &[u8]) -> Result<(), String> {
        let ending = name.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
        match ending.as_str() {
            "bvh" => {
                let content = content.to_vec();
                let base = Arc::clone(self.play.lanes[0].base());
                self.start(format!("reading {name}"), move || {
                    match bvh::parse(&content, &name, &ImportOptions::default()) {
                        Ok(read) => job::ghost(GhostSource::Take(name, Arc::new(read.take)), &base),
                        Err(e) => job::Outcome::Problem(e.to_string()),
                    }
                })
            }
            "xml" | "mjcf" => self.take_character(name, content),
            "toml" => {
                let text = std::str::from_utf8(content).map_err(|_| format!("{name} is no text"))?;
                let scenario = Scenario::parse(text, &name).map_err(|e| e.to_string())?;
                let (setup, steering) = scenario::setup(&scenario, &self.setup)?;
                self.wish(ClientMessage::Setup { setup })?;
                let Steering { forward, left, turn } = steering;
                self.wish(ClientMessage::Steer { forward, left, turn })
            }
            _ => Err(format!(
                "{name}: a motion (.bvh), a character (.xml, MJCF) or a scenario (.toml) can be dropped here"
            )),
        }
    }

    fn take_character(&mut self, name: String, content: &[u8]) -> Result<(), String> {
        let text = std::str::from_utf8(content).map_err(|_| format!("{name} is no text"))?;
        let (model, _) = Model::from_mjcf(text).map_err(|e| format!("{name}: {e}"))?;
        let mut spec = model.spec().clone();
        spec.complete_roles(None);
        let model = Model::new(spec).map_err(|e| format!("{name}: {e}"))?;
        if self.uploads.len() >= MOST_UPLOADS && !self.uploads.contains_key(&name) {
            self.uploads.pop_first();
        }
        self.uploads.insert(name.clone(), Arc::new(model));
        let mut setup = self.setup.clone();
        setup.lanes.truncate(1);
        setup.lanes[0].character = name.clone();
        setup.lanes[0].body = Default::default();
        self.begin_with(setup)?;
        self.info(format!("{name} is the character now"));
        Ok(())
    }

    pub(super) fn start_ghost(&mut self, source: GhostSource) {
        let base = Arc::clone(self.play.lanes[0].base());
        let what = format!("ghost {}", source.name());
        if let Err(problem) = self.start(what, move || job::ghost(source, &base)) {
            self.problem(problem);
        }
    }

    fn start(
        &mut self,
        what: String,
        work: impl FnOnce() -> job::Outcome + Send + 'static,
    ) -> Result<(), String> {
        if self.waiting.len() >= MOST_WAITING {
            return Err("too many files at once: wait until the last ones are made".into());
        }
        self.waiting.push_back(Waiting { what, work: Box::new(work) });
        self.start_next();
        Ok(())
    }

    /// Begins with what waits, when nothing else is being made.
    pub(super) fn start_next(&mut self) {
        if self.job.is_some() {
            return;
        }
        let Some(Waiting { what, work }) = self.waiting.pop_front() else { return };
        match job::Job::start(work) {
            Ok(job) => self.job = Some(job),
            Err(problem) => return self.problem(problem),
        }
        self.tell(&ServerMessage::Progress { what: Some(what) });
    }
}

fn vector(v: [f64; 3]) -> Result<Vec3, String> {
    finite(&v)?;
    Ok(Vec3::from(v))
}

fn finite(numbers: &[f64]) -> Result<(), String> {
    if numbers.iter().all(|x| x.is_finite() && x.abs() < 1e6) {
        Ok(())
    } else {
        Err("a number out of bounds".into())
    }
}
