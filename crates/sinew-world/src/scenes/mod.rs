//! Example worlds, each built by one short function.
//!
//! [`Scene::all`] lists them; `sinew simulate --scene NAME` plays them. Characters are limp, or held in a posture by springs
//! in their joints ([`Hold`]): torques within the effort limits, nothing else.
//!
//! ```
//! use sinew_dynamics::characters;
//! use sinew_world::scenes::Scene;
//! let human = characters::load("human")?.into();
//! let mut stage = Scene::find("seesaw").unwrap().set(&human)?;
//! for _ in 0..100 {
//!     stage.step()?;
//! }
//! assert_eq!(stage.world.actors()[stage.me].name, "human");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod acts;
mod blocks;
mod figure;
mod hold;
pub mod things;

pub use hold::Hold;

use crate::actuation::Actuation;
use crate::step::StepError;
use crate::world::{StepReport, World};
use sinew_dynamics::Model;
use std::sync::Arc;

/// A world to play.
#[derive(Clone, Copy, Debug)]
pub struct Scene {
    /// Its name.
    pub name: &'static str,
    /// A description in one line.
    pub about: &'static str,
    /// Duration, s.
    pub seconds: f64,
    set: fn(&Arc<Model>) -> Result<Stage, SceneError>,
}

/// Why a scene cannot be set with a character.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SceneError {
    /// The character lacks something that the scene needs.
    #[error("this scene needs a character with {what}; \"{name}\" has none")]
    Missing {
        /// Name of the character.
        name: String,
        /// What it lacks.
        what: &'static str,
    },
}

impl Scene {
    /// Every scene.
    pub fn all() -> &'static [Scene] {
        &ALL
    }

    /// The scene of this name.
    pub fn find(name: &str) -> Option<&'static Scene> {
        ALL.iter().find(|s| s.name == name)
    }

    /// Sets the scene with a character.
    ///
    /// # Errors
    /// When the character lacks something that the scene needs, such as hands.
    pub fn set(&self, character: &Arc<Model>) -> Result<Stage, SceneError> {
        (self.set)(character)
    }
}

const fn scene(
    name: &'static str,
    about: &'static str,
    seconds: f64,
    set: fn(&Arc<Model>) -> Result<Stage, SceneError>,
) -> Scene {
    Scene { name, about, seconds, set }
}

static ALL: [Scene; 10] = [
    scene("ragdoll", "a limp character is thrown and falls", 3.0, acts::ragdoll),
    scene("stairs", "a limp character falls down a flight of stairs", 4.0, acts::stairs),
    scene("stand", "stiff joints hold a character on its feet, also through a push", 4.0, acts::stand),
    scene("slide", "a stiff character slides down a slippery slope", 3.0, acts::slide),
    scene("seesaw", "a stiff character rides a seesaw on which a weight drops", 4.0, acts::seesaw),
    scene("bar", "a limp character swings on a bar, held by its hands", 5.0, acts::bar),
    scene("barbell", "a stiff character holds a barbell", 4.0, acts::barbell),
    scene("boxes", "a braced character tumbles into stacked boxes", 3.0, blocks::boxes),
    scene("wrecking", "a ball on a rope swings into a pyramid of boxes", 4.0, blocks::wrecking),
    scene("balls", "balls rain on a stiff character and bounce", 4.0, blocks::balls),
];

/// A scene that is set up: the world, the recorded actor, and the actors that hold a posture.
#[derive(Clone, Debug)]
pub struct Stage {
    /// The world.
    pub world: World,
    /// The actor to record.
    pub me: usize,
    held: Vec<(usize, Hold)>,
    actuation: Vec<Actuation>,
}

impl Stage {
    /// A world and the actor to record; all actors are limp.
    ///
    /// # Panics
    /// When there is no such actor.
    pub fn new(world: World, me: usize) -> Stage {
        assert!(me < world.actors().len(), "no actor {me}");
        let actuation = world.actors().iter().map(|a| Actuation::none(a.model().nv())).collect();
        Stage { world, me, held: Vec::new(), actuation }
    }

    /// Lets an actor hold the posture in which it is now.
    pub fn hold(mut self, actor: usize, stiffness: f64) -> Stage {
        let a = &self.world.actors()[actor];
        let hold = Hold::new(a.model(), &a.q, stiffness, self.world.settings.dt);
        self.held.push((actor, hold));
        self
    }

    /// One step of the world, with the torques of actors that hold a posture.
    ///
    /// # Errors
    /// As [`World::step`].
    pub fn step(&mut self) -> Result<&StepReport, StepError> {
        for (actor, hold) in &self.held {
            let a = &self.world.actors()[*actor];
            hold.torque(a.model(), &a.q, &a.v, &mut self.actuation[*actor].torque);
        }
        self.world.step(&self.actuation)
    }
}
