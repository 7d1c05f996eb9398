//! Scenarios: character, controller, ground, commands and pushes over time.
//!
//! As a file a scenario is TOML; `docs/scenarios.md` lists every key. Nothing is skipped: an unknown key, a number
//! out of its range or a text in the place of a number is an error with file, line and, for keys and names, the nearest one
//! that exists. Angles in files are degrees, about the vertical from the x axis, left positive; in code they are radians.

mod body;
mod change;
mod clips;
mod ground;
mod plan;
mod read;
mod read_control;
mod read_world;
mod table;
mod things;
mod write;
mod write_world;

pub use body::BodyPlan;
pub(crate) use change::bodies;
pub use change::{ChangePlan, Limb, Reshape};
pub use ground::GroundPlan;
pub use plan::{ControllerPlan, Setting};
pub use table::ScenarioError;
pub use things::{Held, PlatformPlan, Thing, ThingPlan};

use sinew_control::{Command, Registry, Request, System, WorldPlan};
use sinew_dynamics::characters::{self, UnknownCharacter};
use sinew_dynamics::spatial::Vec3;
use sinew_dynamics::{Model, Role};
use std::path::PathBuf;
use std::sync::Arc;

/// Strength and direction of a push.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Strength {
    /// Impulse in world axes, N·s.
    Impulse(Vec3),
    /// A horizontal impulse in proportion to the body's mass.
    PerMass {
        /// Angle from the x axis about the vertical, rad.
        direction: f64,
        /// Impulse over the body's mass, N·s/kg.
        impulse: f64,
    },
}

impl Strength {
    /// The impulse on a body of this mass, N·s.
    ///
    /// ```
    /// use sinew_lab::scenario::Strength;
    /// let left = Strength::PerMass { direction: std::f64::consts::FRAC_PI_2, impulse: 0.5 };
    /// assert!((left.impulse(80.0).y - 40.0).abs() < 1e-12);
    /// ```
    pub fn impulse(&self, mass: f64) -> Vec3 {
        match *self {
            Strength::Impulse(impulse) => impulse,
            Strength::PerMass { direction, impulse } => Command::directions(direction)[0] * (impulse * mass),
        }
    }
}

/// An external push.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PushPlan {
    /// When it begins, s.
    pub time: f64,
    /// How long it lasts, s.
    pub seconds: f64,
    /// Strength and direction.
    pub strength: Strength,
    /// The pushed body part; the force acts at the origin of its frame.
    pub part: Role,
}

/// Files to write at the end of a run, with their names as in the scenario.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outputs {
    /// Recording, `.npz`.
    pub recording: Option<PathBuf>,
    /// Summary, JSON.
    pub summary: Option<PathBuf>,
}

/// The description of a run.
///
/// ```
/// use sinew_lab::Scenario;
/// let text = r#"
/// character = "child"
/// seconds = 6
/// controller = "walker"
///
/// [[command]]
/// velocity = [0.8, 0.0]
///
/// [[push]]
/// time = 3
/// direction = 90       # to the left
/// strength = 0.2       # N·s per kg
/// "#;
/// let scenario = Scenario::parse(text, "pushed.toml")?;
/// assert_eq!(scenario.command_at(1.0).velocity, [0.8, 0.0]);
/// assert_eq!(scenario.pushes[0].seconds, 0.2);
///
/// let wrong = Scenario::parse("carachter = \"child\"", "pushed.toml").unwrap_err();
/// assert_eq!(
///     wrong.to_string(),
///     "pushed.toml:1: there is no key `carachter` here; did you mean `character`?"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    /// Its name; by default that of the file.
    pub name: String,
    /// Name of a built-in character, or of a file.
    pub character: String,
    /// Changes to the body relative to its file.
    pub body: BodyPlan,
    /// The controller.
    pub controller: ControllerPlan,
    /// World settings; those that are not given are as the controller prefers.
    pub world: WorldPlan,
    /// Whether the controller moves the body without physics.
    pub unphysical: bool,
    /// The ground.
    pub ground: GroundPlan,
    /// Whether the controller sees level ground instead of the real ground.
    pub unseen: bool,
    /// Objects.
    pub things: Vec<ThingPlan>,
    /// Moving platforms.
    pub platforms: Vec<PlatformPlan>,
    /// Duration, s.
    pub seconds: f64,
    /// Seed of everything random.
    pub seed: u64,
    /// Greatest random offset of every joint at the beginning, in position (rad or m) and velocity; it depends on the seed.
    pub jitter: [f64; 2],
    /// Commands, each with the time (s) from which it holds, in order.
    pub commands: Vec<(f64, Command)>,
    /// Changes of the controller's parameters with their times (s), in order.
    pub settings: Vec<(f64, Setting)>,
    /// Requests with their times (s), in order.
    pub requests: Vec<(f64, Request)>,
    /// Pushes, in any order.
    pub pushes: Vec<PushPlan>,
    /// Added loads and growing limbs, in any order. The controller gets the changed body.
    pub changes: Vec<ChangePlan>,
    /// Files to write.
    pub outputs: Outputs,
}

impl Default for Scenario {
    /// The human stands on level ground for ten seconds.
    fn default() -> Scenario {
        Scenario {
            name: "standing".to_owned(),
            character: "human".to_owned(),
            body: BodyPlan::default(),
            controller: ControllerPlan::default(),
            world: WorldPlan::default(),
            unphysical: false,
            ground: GroundPlan::default(),
            unseen: false,
            things: Vec::new(),
            platforms: Vec::new(),
            seconds: 10.0,
            seed: 1,
            jitter: [0.0; 2],
            commands: Vec::new(),
            settings: Vec::new(),
            requests: Vec::new(),
            pushes: Vec::new(),
            changes: Vec::new(),
            outputs: Outputs::default(),
        }
    }
}

impl Scenario {
    /// Reads a scenario; `file` names it in errors.
    ///
    /// # Errors
    /// With file and line, when the text is not TOML, or has an unknown key or a wrong value.
    pub fn parse(text: &str, file: &str) -> Result<Scenario, ScenarioError> {
        read::scenario(text, file, &Registry::built_in())
    }

    /// The same with a registry that has controllers of one's own.
    ///
    /// # Errors
    /// As for [`parse`](Scenario::parse).
    pub fn parse_with(text: &str, file: &str, registry: &Registry) -> Result<Scenario, ScenarioError> {
        read::scenario(text, file, registry)
    }

    /// The line of a top-level key in a text, or of the `nth` entry (from 0) of a list of tables, for errors that are found only when the
    /// scenario is played.
    ///
    /// ```
    /// use sinew_lab::Scenario;
    /// let text = "seconds = 3\n[[push]]\ntime = 1\nimpulse = [1, 0, 0]\n[[push]]\nimpulse = [1, 0, 0]\n";
    /// assert_eq!(Scenario::line_of(text, "push", 1), Some(5));
    /// assert_eq!(Scenario::line_of(text, "character", 0), None);
    /// ```
    pub fn line_of(text: &str, key: &str, nth: usize) -> Option<usize> {
        table::line_of(text, key, nth)
    }

    /// The text of a file that [`parse`](Scenario::parse) reads as this scenario. Angles keep their exact bits.
    ///
    /// ```
    /// use sinew_lab::Scenario;
    /// let scenario = Scenario::parse("seconds = 3\n[[command]]\nheading = 45", "turn.toml")?;
    /// assert_eq!(Scenario::parse(&scenario.to_toml(), "again.toml")?, scenario);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_toml(&self) -> String {
        write::scenario(self)
    }

    /// Switches to another system and keeps the style, parameters, their changes over time, and requests that it takes.
    #[must_use]
    pub fn become_system(mut self, system: &'static System) -> Scenario {
        self.controller = self.controller.become_system(system);
        self.settings.retain(|(_, setting)| match setting {
            Setting::Style(style) => system.style(style.name) == Some(style),
            Setting::Value(path, value) => system.check(path, value.clone()).is_ok(),
        });
        self.requests.retain(|(_, request)| system.takes(request));
        self
    }

    /// The command at a time; before the first one the character stands.
    pub fn command_at(&self, time: f64) -> Command {
        let begun = self.commands.partition_point(|(from, _)| *from <= time);
        begun.checked_sub(1).map_or(Command::STAND, |last| self.commands[last].1)
    }

    /// The built-in character.
    ///
    /// # Errors
    /// When there is none of that name.
    pub fn built_in(&self) -> Result<Arc<Model>, UnknownCharacter> {
        characters::load(&self.character).map(Arc::new)
    }
}
