//! Scenarios: who, controlled how, on which ground, commanded and pushed when.
//!
//! As a file a scenario is TOML; `docs/scenarios.md` lists every key. Nothing is skipped: a key that nobody knows, a number
//! out of its range or a text in the place of a number is an error with file, line and, for keys and names, the nearest one
//! that exists. Angles in files are degrees, about the vertical from the x axis, left positive; in code they are radians.

mod change;
mod ground;
mod read;
mod table;

pub(crate) use change::bodies;
pub use change::{ChangePlan, Limb, Reshape};
pub use ground::GroundPlan;
pub use table::ScenarioError;

use sinew_control::Command;
use sinew_control::features::{Gait, Jump, Stance};
use sinew_control::whole_body::Priorities;
use sinew_dynamics::characters::{self, UnknownCharacter};
use sinew_dynamics::spatial::Vec3;
use sinew_dynamics::{Model, Role};
use std::path::PathBuf;
use std::sync::Arc;

/// What moves the character.
#[derive(Clone, Debug, PartialEq)]
pub enum ControllerPlan {
    /// Stands, walks, turns, catches pushes by stepping.
    Walker(Gait),
    /// The same, and jumps at given times.
    Jumper {
        /// How it walks and stands.
        gait: Gait,
        /// Times (s) and jumps, in order of time.
        jumps: Vec<(f64, Jump)>,
    },
    /// Balances on both feet and steps only when it must: squats, leans, ground that moves.
    Balancer {
        /// How it walks when it must step, and stands.
        gait: Gait,
        /// How it balances.
        stance: Stance,
    },
}

impl ControllerPlan {
    /// Names of all controllers.
    pub const NAMES: &'static [&'static str] = &["walker", "jumper", "balancer"];

    /// A controller by its name, with default parameters.
    ///
    /// ```
    /// use sinew_lab::scenario::ControllerPlan;
    /// assert_eq!(ControllerPlan::named("walker").map(|c| c.name()), Some("walker"));
    /// assert_eq!(ControllerPlan::named("flyer"), None);
    /// ```
    pub fn named(name: &str) -> Option<ControllerPlan> {
        match name {
            "walker" => Some(ControllerPlan::Walker(Gait::default())),
            "jumper" => Some(ControllerPlan::Jumper { gait: Gait::default(), jumps: Vec::new() }),
            "balancer" => Some(ControllerPlan::Balancer { gait: Gait::default(), stance: Stance::default() }),
            _ => None,
        }
    }

    /// How it walks.
    pub fn gait(&self) -> &Gait {
        let (ControllerPlan::Walker(gait)
        | ControllerPlan::Jumper { gait, .. }
        | ControllerPlan::Balancer { gait, .. }) = self;
        gait
    }

    /// How it walks, to change it.
    pub fn gait_mut(&mut self) -> &mut Gait {
        let (ControllerPlan::Walker(gait)
        | ControllerPlan::Jumper { gait, .. }
        | ControllerPlan::Balancer { gait, .. }) = self;
        gait
    }

    /// Its name.
    pub fn name(&self) -> &'static str {
        match self {
            ControllerPlan::Walker(_) => "walker",
            ControllerPlan::Jumper { .. } => "jumper",
            ControllerPlan::Balancer { .. } => "balancer",
        }
    }
}

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
    /// What moves it.
    pub controller: ControllerPlan,
    /// How its levels of objectives are told apart.
    pub priorities: Priorities,
    /// What it stands on.
    pub ground: GroundPlan,
    /// Whether the controller takes the ground for level, whatever it is.
    pub unseen: bool,
    /// Duration, s.
    pub seconds: f64,
    /// Time step of world and controller, s.
    pub step: f64,
    /// Seed of everything random.
    pub seed: u64,
    /// By how much every joint is off at the beginning at most, in place (rad or m) and in speed; the seed decides.
    pub jitter: [f64; 2],
    /// Times (s) from which on a command holds, in order.
    pub commands: Vec<(f64, Command)>,
    /// Times (s) at which a parameter of the gait takes a value, in order.
    pub gait: Vec<(f64, &'static str, f64)>,
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
            controller: ControllerPlan::Walker(Gait::default()),
            priorities: Priorities::Strict,
            ground: GroundPlan::default(),
            unseen: false,
            seconds: 10.0,
            step: 0.001,
            seed: 1,
            jitter: [0.0; 2],
            commands: Vec::new(),
            gait: Vec::new(),
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
        read::scenario(text, file)
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
