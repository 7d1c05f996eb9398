//! Metadata of a run: its settings, and declared influences.

use crate::Integrator;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Version of the file format.
pub const FORMAT: u32 = 1;

/// About a run, as the JSON text `meta` of its file.
///
/// ```
/// use sinew_world::recording::Meta;
/// let meta = Meta { seed: 7, scenario: "drop".into(), ..Meta::new(1e-3) };
/// let text = serde_json::to_string(&meta)?;
/// assert!(text.contains(r#""integrator":"semi-implicit-euler""#));
/// assert_eq!(serde_json::from_str::<Meta>(&text)?, meta);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Meta {
    /// Version of the file format.
    pub format: u32,
    /// Version of the program.
    pub version: String,
    /// Seed of everything random.
    pub seed: u64,
    /// Name or text of the scenario.
    pub scenario: String,
    /// Name of the recorded character among the world's things.
    #[serde(default)]
    pub actor: String,
    /// Duration of a step, s.
    pub dt: f64,
    /// How a step is made.
    pub integrator: Integrator,
    /// At which velocity viscous damping of the joints is taken.
    #[serde(default)]
    pub damping: Damping,
    /// Rate of a turning coordinate at the beginning of a step, rad/s, above which its velocity products are taken at the mean
    /// of the velocities at its two ends; `None`: never. A [`WorldRecorder`](super::WorldRecorder) fills it in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub midpoint_above: Option<f64>,
    /// Speed at which joints are braked, rad/s or m/s, if they are. A [`WorldRecorder`](super::WorldRecorder) fills it in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub joint_speed: Option<f64>,
    /// The contact model, in words. A [`WorldRecorder`](super::WorldRecorder) fills it in, as it does the integrator.
    pub contact_model: String,
    /// Greatest coefficient of friction of any pair.
    pub friction: f64,
    /// Grips and welds with their times.
    pub attachments: Vec<Attachment>,
    /// Changes of the character's body during the run, in order.
    pub body_changes: Vec<BodyChange>,
    /// What the objects are made of, for drawing: MJCF by the name of the actor. `object_names` has the same name for an
    /// actor of one body, and `actor/body` otherwise.
    #[serde(default)]
    pub objects: BTreeMap<String, String>,
    /// The ground, for drawing: a list of shapes such as `{"kind": "box", "half": [1, 1, 0.1], "at": [2, 0, 0.1, 1, 0, 0, 0]}`,
    /// as docs/viewing.md describes them. A [`WorldRecorder`](super::WorldRecorder) fills it in.
    #[serde(default)]
    pub terrain: serde_json::Value,
    /// Whether the rows are a motion without simulation: configurations of a clip, without forces. Such a recording can be
    /// viewed, but fails the audit.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub kinematic: bool,
    /// The origin of the run: character, controller, clip, machine, …
    pub provenance: BTreeMap<String, String>,
}

impl Meta {
    /// Metadata with default settings, for steps of `dt` seconds by this version of the library.
    pub fn new(dt: f64) -> Meta {
        Meta {
            format: FORMAT,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            seed: 0,
            scenario: String::new(),
            actor: String::new(),
            dt,
            integrator: Integrator::default(),
            damping: Damping::default(),
            midpoint_above: None,
            joint_speed: None,
            contact_model: "none".to_owned(),
            friction: 1.0,
            attachments: Vec::new(),
            body_changes: Vec::new(),
            objects: BTreeMap::new(),
            terrain: serde_json::Value::Null,
            kinematic: false,
            provenance: BTreeMap::new(),
        }
    }
}

/// At which velocity viscous damping of the joints is taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Damping {
    /// At the beginning of the step.
    #[default]
    Explicit,
    /// At its end.
    Implicit,
}

/// A body of the character held by something.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Attachment {
    /// `grip`, `weld`, …
    pub kind: String,
    /// Name of the character's body.
    pub body: String,
    /// What it is held to: `world`, a thing of the world, or another body of the character.
    pub to: String,
    /// Whether `to` is a body of the character.
    #[serde(default)]
    pub own: bool,
    /// First moment, s.
    pub from: f64,
    /// Last moment, s; `None`: until the end of the run.
    pub until: Option<f64>,
}

impl Attachment {
    /// Whether it holds during the step that begins at `time`; `slack` is for the rounding of times.
    pub fn holds_at(&self, time: f64, slack: f64) -> bool {
        time >= self.from - slack && self.until.is_none_or(|end| time <= end + slack)
    }
}

/// A change of the character's body between two steps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BodyChange {
    /// First row of the changed body.
    pub step: usize,
    /// What was changed, in words.
    pub what: String,
    /// The changed body, MJCF; bodies and joints are the same in number and order.
    pub model: String,
    /// State just before the change, which ends the step before `step`.
    pub q_before: Vec<f64>,
    /// Its velocity.
    pub v_before: Vec<f64>,
}
