//! Text messages to the page.

use super::catalogue::{ParamOf, SystemOf};
use super::setup::SetupMessage;
use crate::view::scene::{Part, Shape};
use crate::view::skin::SkinMessage;
use serde::{Serialize, Serializer};
use sinew::lab::fall::Reason;
use std::sync::Arc;

/// A message to the page.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum ServerMessage {
    /// The first message: the catalogue of choices.
    Hello(Box<Hello>),
    /// The scene from frame `generation` on.
    Scene(Box<SceneMessage>),
    /// How the bodies of a character are stretched: nine numbers each, column-major, for every body.
    Stretch {
        /// Which character.
        lane: usize,
        /// Nine numbers per body.
        maps: Vec<[f32; 9]>,
    },
    /// The present set-up and state of the clock.
    State(Box<State>),
    /// A text for the user.
    Notice {
        /// `info` or `problem`.
        level: &'static str,
        /// In words.
        text: String,
    },
    /// A character fell.
    Fell {
        /// Which character.
        lane: usize,
        /// When, s.
        time: f64,
        /// Why.
        #[serde(flatten)]
        reason: Reason,
    },
    /// A new ghost, whose poses came just before; without a name, the ghost is removed.
    Ghost {
        /// What it is called.
        name: Option<String>,
        /// Frames per second.
        rate: f64,
        /// Its bodies, in the order of the poses.
        bodies: Vec<Part>,
        /// What they wear.
        #[serde(serialize_with = "shared")]
        skin: Arc<SkinMessage>,
    },
    /// Work on a file has begun or ended.
    Progress {
        /// The work; `null`: done.
        what: Option<String>,
    },
    /// The text of a scenario.
    Scenario {
        /// TOML.
        text: String,
    },
    /// The answer to a ping.
    Pong {
        /// Its number.
        id: u64,
    },
    /// The only message, before the connection ends: every world has a page. `/live?take=over` takes the place of the quietest.
    Full,
    /// The last message: another page took the place of this one.
    Taken,
}

impl ServerMessage {
    /// [`Full`](ServerMessage::Full) as text.
    pub(crate) const FULL: &'static str = r#"{"type":"full"}"#;
    /// [`Taken`](ServerMessage::Taken) as text.
    pub(crate) const TAKEN: &'static str = r#"{"type":"taken"}"#;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constant_messages_are_what_they_say() {
        for (message, text) in
            [(ServerMessage::Full, ServerMessage::FULL), (ServerMessage::Taken, ServerMessage::TAKEN)]
        {
            assert_eq!(serde_json::to_string(&message).unwrap(), text);
        }
    }
}

/// A ground, and how difficult it is when it is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct TerrainOf {
    /// Key in messages.
    pub name: &'static str,
    /// From 0 to 1.
    pub difficulty: f64,
}

/// The catalogue of choices.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Hello {
    /// Version of the protocol.
    pub protocol: u32,
    /// Version of the program.
    pub version: &'static str,
    /// Token to find the same world again after a lost connection.
    pub token: String,
    /// Whether this is the world of a lost connection.
    pub resumed: bool,
    /// Built-in characters.
    pub characters: Vec<String>,
    /// Systems that move characters, the default one first.
    pub systems: Vec<SystemOf>,
    /// Grounds.
    pub terrains: Vec<TerrainOf>,
    /// The name for a scenario's own ground, which is none of these.
    pub own_terrain: &'static str,
    /// Numbers of a body.
    pub body: Vec<ParamOf>,
    /// Built-in motions for ghosts.
    pub motions: Vec<&'static str>,
}

/// The scene.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SceneMessage {
    /// Frames with this number show this scene.
    pub generation: u32,
    /// The characters.
    pub lanes: Vec<LaneScene>,
    /// The ground.
    pub terrain: Vec<Shape>,
}

/// One character.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LaneScene {
    /// Name of the character.
    pub character: String,
    /// kg.
    pub mass: f64,
    /// m/s².
    pub gravity: f64,
    /// Its default speed over that of the human: the root of the ratio of heights, for equal Froude number.
    pub pace: f64,
    /// Its bodies.
    pub bodies: Vec<Part>,
    /// What they wear.
    #[serde(serialize_with = "shared")]
    pub skin: Arc<SkinMessage>,
    /// Things and platforms.
    pub objects: Vec<Part>,
}

/// The present set-up and state of the clock.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct State {
    /// What the world is made of.
    pub setup: SetupMessage,
    /// Names of uploaded characters.
    pub uploaded: Vec<String>,
    /// Whether time goes on.
    pub playing: bool,
    /// Seconds of the world per second; `null`: as fast as possible.
    pub speed: Option<f64>,
    /// Steering: forward, left, turn; `null`: the scenario's commands hold.
    pub steering: Option<[f64; 3]>,
    /// Name of the ghost.
    pub ghost: Option<String>,
}

fn shared<S: Serializer>(skin: &SkinMessage, to: S) -> Result<S::Ok, S::Error> {
    skin.serialize(to)
}
