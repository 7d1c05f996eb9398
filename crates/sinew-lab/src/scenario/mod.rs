//! Scenarios: who, controlled how, on which ground, commanded and pushed when.
//!
//! As a file a scenario is TOML; `docs/scenarios.md` lists every key. Nothing is skipped: a key that nobody knows, a number
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

/// How strong a push is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Strength {
    /// Impulse in world axes, N·s.
    Impulse(Vec3),
    /// Level, for bodies of any mass.
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

/// A push from outside.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PushPlan {
    /// When it begins, s.
    pub time: f64,
    /// How long it lasts, s.
    pub seconds: f64,
    /// How strong it is, and where to.
    pub strength: Strength,
    /// Which part is pushed, at the origin of its frame.
    pub part: Role,
}

/// What is written when a run has ended. Names of files are as in the scenario.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outputs {
    /// Recording, `.npz`.
    pub recording: Option<PathBuf>,
    /// Summary, JSON.
    pub summary: Option<PathBuf>,
}

/// A run, described.
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
    /// What it is called: the file's name, unless the file says otherwise.
    pub name: String,
    /// A built-in character, or a file.
    pub character: String,
    /// How its body differs from its file.
    pub body: BodyPlan,
    /// What moves it.
    pub controller: ControllerPlan,
    /// How the world is stepped; what is not said is as the controller prefers.
    pub world: WorldPlan,
    /// Whether the controller moves the body without physics.
    pub unphysical: bool,
    /// What it stands on.
    pub ground: GroundPlan,
    /// Whether the controller takes the ground for level, whatever it is.
    pub unseen: bool,
    /// What stands about.
    pub things: Vec<ThingPlan>,
    /// Platforms that move.
    pub platforms: Vec<PlatformPlan>,
    /// Duration, s.
    pub seconds: f64,
    /// Seed of everything random.
    pub seed: u64,
    /// By how much every joint is off at the beginning at most, in place (rad or m) and in speed; the seed decides.
    pub jitter: [f64; 2],
    /// Times (s) from which on a command holds, in order.
    pub commands: Vec<(f64, Command)>,
    /// Times (s) at which parameters of the controller change, in order.
    pub settings: Vec<(f64, Setting)>,
    /// Times (s) at which something is asked for, in order.
    pub requests: Vec<(f64, Request)>,
    /// Pushes, in any order.
    pub pushes: Vec<PushPlan>,
    /// Loads and limbs that grow, in any order. The controller knows of them.
    pub changes: Vec<ChangePlan>,
    /// What is written.
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
    /// With file and line, when the text is no TOML, or holds what no scenario has.
    pub fn parse(text: &str, file: &str) -> Result<Scenario, ScenarioError> {
        read::scenario(text, file, &Registry::built_in())
    }

    /// The same with controllers of one's own.
    ///
    /// # Errors
    /// As for [`parse`](Scenario::parse).
    pub fn parse_with(text: &str, file: &str, registry: &Registry) -> Result<Scenario, ScenarioError> {
        read::scenario(text, file, registry)
    }

    /// The line of a text on which a key of the top stands, or the `nth` entry (from 0) of a list of tables: where an error that comes
    /// to light only when the scenario is played belongs.
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

    /// The text of a file that [`parse`](Scenario::parse) reads as this scenario. Angles are written so that the same bits come back.
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

    /// The same run by another system: with all that it takes of style, parameters, changes of them over time, and requests.
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

    /// The command that holds at a time: standing before the first.
    pub fn command_at(&self, time: f64) -> Command {
        let begun = self.commands.partition_point(|(from, _)| *from <= time);
        begun.checked_sub(1).map_or(Command::STAND, |last| self.commands[last].1)
    }

    /// The character, when it is a built-in one.
    ///
    /// # Errors
    /// When there is none of that name.
    pub fn built_in(&self) -> Result<Arc<Model>, UnknownCharacter> {
        characters::load(&self.character).map(Arc::new)
    }
}
