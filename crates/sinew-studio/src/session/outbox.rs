//! Messages to the page.

use super::job::Outcome;
use super::lane::{ACTOR, Lane};
use super::{Outgoing, Session, catalogue};
use crate::protocol::frame::{self, Head};
use crate::protocol::server::{LaneScene, SceneMessage, ServerMessage, State};
use crate::protocol::setup::SetupMessage;
use crate::view::drawing::{self, Paint};
use crate::view::scene::Part;
use crate::view::skin;
use sinew::dynamics::Model;
use std::sync::Arc;

/// Height of the human, m.
const HUMAN: f64 = 1.78;

impl Session {
    /// Takes the waiting messages.
    pub fn outbox(&mut self) -> std::vec::Drain<'_, Outgoing> {
        self.outbox.drain(..)
    }

    /// Returns messages that could not be sent.
    pub fn keep(&mut self, unsent: impl IntoIterator<Item = Outgoing>) {
        self.outbox.extend(unsent);
    }

    /// The first messages for a new page.
    pub fn greet(&mut self, token: &str, resumed: bool) {
        // files for the previous connection are sent to this one
        let is_file = |out: &Outgoing| matches!(out, Outgoing::Binary(b) if b.first() == Some(&2));
        let files: Vec<Outgoing> = self.outbox.drain(..).filter(is_file).collect();
        let hello = catalogue::hello(&self.registry, token, resumed);
        self.send(&ServerMessage::Hello(Box::new(hello)));
        self.send_scene();
        self.send_state();
        self.falls_told.fill(false);
        self.outbox.extend(files);
        if let Some(ghost) = self.ghost.clone() {
            self.start_ghost(ghost);
        }
    }

    /// The present moment as bytes.
    pub fn frame(&mut self, out: &mut Vec<u8>) {
        let head = Head {
            lanes: self.play.lanes.len() as u8,
            playing: self.playing,
            past: self.play.steps() < self.history.newest(),
            generation: self.generation,
            time: self.play.time(),
            range: self.history.range(),
            fingerprint: self.play.fingerprint(),
            rate: if self.playing { self.rate.shown as f32 } else { 0.0 },
            heading: self.play.heading() as f32,
        };
        head.write(out);
        self.frames.resize_with(self.play.lanes.len(), Vec::new);
        for (lane, frames) in self.play.lanes.iter_mut().zip(&mut self.frames) {
            frame::write_lane(lane, frames, out);
        }
    }

    /// Reports changes of shapes and boxes, and falls.
    pub(super) fn send_changes(&mut self) {
        for i in 0..self.play.lanes.len() {
            if self.shapes[i] != self.play.lanes[i].shape {
                self.shapes[i] = self.play.lanes[i].shape;
                self.send_shapes(i);
            }
            let fall = self.play.lanes[i].fall().cloned();
            if fall.is_some() != self.falls_told[i] {
                self.falls_told[i] = fall.is_some();
                if let Some((time, reason)) = fall {
                    self.send(&ServerMessage::Fell { lane: i, time, reason });
                }
            }
        }
    }

    /// Sends the present stretch of a body, or a new scene when boxes were added.
    fn send_shapes(&mut self, lane: usize) {
        let boxes = self.boxes();
        let same = boxes.len() == self.drawn.len()
            && boxes.iter().zip(&self.drawn).all(|(a, b)| a.bodies() == b.bodies());
        if same {
            return self.send_stretch(lane);
        }
        self.drawn = boxes;
        self.frames.clear();
        self.generation += 1;
        self.send_scene();
    }

    /// The bodies of all boxes and other things.
    fn boxes(&self) -> Vec<Arc<Model>> {
        let actors = self.play.lanes.iter().flat_map(|lane| &lane.world().actors()[1..]);
        actors.map(|actor| Arc::clone(actor.model())).collect()
    }

    pub(super) fn send_scene(&mut self) {
        let scene = SceneMessage {
            generation: self.generation,
            lanes: self.play.lanes.iter().map(scene_of).collect(),
            terrain: drawing::ground(self.play.lanes[0].world().terrain()),
        };
        self.send(&ServerMessage::Scene(Box::new(scene)));
        for lane in 0..self.play.lanes.len() {
            self.send_stretch(lane);
        }
    }

    fn send_stretch(&mut self, lane: usize) {
        let of = &self.play.lanes[lane];
        let mut maps = vec![[1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]; of.file().bodies().len()];
        for (body, map) in of.stretches() {
            maps[body.0].iter_mut().zip(map.iter()).for_each(|(to, from)| *to = *from as f32);
        }
        self.send(&ServerMessage::Stretch { lane, maps });
    }

    pub(super) fn send_state(&mut self) {
        let state = State {
            setup: SetupMessage::of(&self.setup),
            uploaded: self.uploads.keys().cloned().collect(),
            playing: self.playing,
            speed: self.speed,
            steering: self.play.steering().map(|steering| [steering.forward, steering.left, steering.turn]),
            ghost: self.ghost.as_ref().map(|g| g.name().to_owned()),
        };
        self.send(&ServerMessage::State(Box::new(state)));
    }

    pub(super) fn send(&mut self, message: &ServerMessage) {
        let text = serde_json::to_string(message).expect("messages are plain data");
        self.outbox.push(Outgoing::Text(text));
    }

    pub(super) fn problem(&mut self, text: impl ToString) {
        self.send(&ServerMessage::Notice { level: "problem", text: text.to_string() });
    }

    pub(super) fn info(&mut self, text: String) {
        self.send(&ServerMessage::Notice { level: "info", text });
    }

    pub(super) fn finish_job(&mut self) {
        let Some(outcome) = self.job.as_mut().and_then(super::Job::done) else { return };
        self.job = None;
        self.send(&ServerMessage::Progress { what: None });
        match outcome {
            Outcome::File { name, content, note } => {
                let mut bytes = vec![2];
                bytes.extend((name.len() as u16).to_le_bytes());
                bytes.extend(name.as_bytes());
                bytes.extend(content);
                self.outbox.push(Outgoing::Binary(bytes));
                note.into_iter().for_each(|note| self.info(note));
            }
            Outcome::Ghost { name, rate, poses, bodies, skin, source, note } => {
                self.outbox.push(Outgoing::Binary(poses));
                self.ghost = Some(source);
                self.send(&ServerMessage::Ghost { name: Some(name), rate, bodies, skin });
                note.into_iter().for_each(|note| self.info(note));
                self.send_state();
            }
            Outcome::Problem(problem) => self.problem(problem),
        }
        self.start_next();
    }
}

/// The drawable parts of a lane: the character, objects, platforms.
fn scene_of(lane: &Lane) -> LaneScene {
    let world = lane.world();
    let model = world.actors()[ACTOR].model();
    let things = world.actors()[1..].iter().flat_map(|thing| drawing::parts(thing.model(), Paint::Thing));
    let platforms = world.platforms().iter().map(|platform| Part {
        name: platform.name.clone(),
        shapes: vec![drawing::plain(&platform.shape)],
        ..drawing::at_origin()
    });
    LaneScene {
        character: lane.scenario.character.clone(),
        mass: model.mass(),
        gravity: model.gravity().norm(),
        pace: (lane.file().height() / HUMAN).clamp(0.1, 4.0).sqrt(),
        bodies: drawing::parts(lane.file(), Paint::Character),
        skin: skin::message(lane.file()),
        objects: things.chain(platforms).collect(),
    }
}
