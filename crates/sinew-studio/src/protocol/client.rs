//! Messages from the page.

use super::catalogue::Said;
use super::setup::{LaneMessage, SetupMessage};
use serde::Deserialize;
use std::collections::BTreeMap;

/// A message from the page. Unknown types and keys are errors; the braces extend this to messages without keys.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase", deny_unknown_fields)]
pub enum ClientMessage {
    /// A new world.
    Setup {
        /// Its set-up.
        setup: SetupMessage,
    },
    /// Another controller, style, parameter or body of a running character.
    Change {
        /// Which character, from 0.
        lane: usize,
        /// Its whole set-up; the character must be the same.
        setup: LaneMessage,
    },
    /// Steers: m/s forward and to the left, rad/s to the left.
    Steer {
        /// m/s.
        forward: f64,
        /// m/s.
        left: f64,
        /// rad/s.
        turn: f64,
    },
    /// Holds a body at a point of its frame and drags it towards a place in the world.
    Drag {
        /// Which character, from 0.
        lane: usize,
        /// Index of the body.
        body: usize,
        /// In the body's frame, m.
        point: [f64; 3],
        /// In the world, m.
        target: [f64; 3],
    },
    /// Lets go.
    Release {},
    /// Pushes the trunk: impulse in world axes, N·s, over a time, s.
    Push {
        /// N·s.
        impulse: [f64; 3],
        /// s.
        seconds: f64,
    },
    /// Throws a box: from where, how fast, how heavy (kg), half its edge (m).
    Throw {
        /// m.
        from: [f64; 3],
        /// m/s.
        velocity: [f64; 3],
        /// kg.
        mass: f64,
        /// m.
        half: f64,
    },
    /// A request to the controllers, such as a jump. A character whose system does not take it switches to one that does.
    Ask {
        /// Name of the request.
        name: String,
        /// Values of its parameters; the others have their defaults.
        #[serde(default)]
        values: BTreeMap<String, Said>,
    },
    /// Continues from the present time.
    Play {},
    /// Stops.
    Pause {},
    /// Pauses and takes a number of steps.
    Step {
        /// Steps of the world.
        steps: u64,
    },
    /// Seconds of the world per second; `null`: as fast as possible.
    Speed {
        /// 1 is real time.
        factor: Option<f64>,
    },
    /// Goes to a time in the past, s, and stops.
    Seek {
        /// s.
        time: f64,
    },
    /// The same set-up again from the beginning.
    Reset {},
    /// A built-in motion as a ghost; nothing: no ghost.
    Ghost {
        /// Name of a built-in motion.
        name: Option<String>,
    },
    /// The last seconds as a file: `glb`, `bvh`, `html` or `npz`.
    Download {
        /// One of these.
        format: String,
        /// s.
        seconds: f64,
    },
    /// A character's scenario as the text of a file.
    Scenario {
        /// Which character, from 0.
        #[serde(default)]
        lane: usize,
    },
    /// Checks the connection. The answer has the same number.
    Ping {
        /// Any number.
        id: u64,
    },
}
