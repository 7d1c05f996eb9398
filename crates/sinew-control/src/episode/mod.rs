//! An episode: world, controller, command, metrics and signals in one loop.
//!
//! `sinew simulate`, the lab, the studio and the tests all use it. One step is, in order: actions that are due; the first half of the
//! world's step, which finds the contacts; the controller's decision; the second half of the step; signals and metrics.

mod action;
mod record;
mod saved;
mod stand;
mod switch;

pub use action::Action;
pub use record::EpisodeRecorder;
pub use saved::SavedEpisode;

use crate::system::Order;
use crate::{
    Advanced, Command, ControlError, ControlStatus, Controller, Observation, Out, Prepared, System,
    Unsuitable, Wants, WorldPlan,
};
use sinew_dynamics::{JointKind, Model};
use sinew_world::metrics::{Metrics, Params};
use sinew_world::{Actuation, BodyChangeError, Claim, StepError, Terrain, World};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Why an episode cannot begin or continue.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum EpisodeError {
    /// The controller.
    #[error(transparent)]
    Control(#[from] ControlError),
    /// The world.
    #[error(transparent)]
    Step(#[from] StepError),
    /// World settings that contradict a need of the system.
    #[error(transparent)]
    World(#[from] Unsuitable),
    /// A change of the body.
    #[error(transparent)]
    Body(#[from] BodyChangeError),
}

/// How an episode begins.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Beginning {
    /// World settings of the scenario.
    pub world: WorldPlan,
    /// The initial state; without it, the controller's.
    pub start: Option<crate::Start>,
    /// Greatest random offset of every joint's position (rad or m) and velocity.
    pub jitter: [f64; 2],
    /// Seed of the jitter.
    pub seed: u64,
    /// Height of the ground under the character; without it, that of the terrain.
    pub floor: Option<f64>,
    /// The ground that the controller sees instead of the real one.
    pub imagined: Option<Terrain>,
    /// Whether a character gives no torques after a fall.
    pub limp_when_fallen: bool,
    /// Whether the controller moves the body without physics.
    pub unphysical: bool,
}

/// How long a step took to compute, where the platform has a clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    /// The controller's decision.
    pub control: Duration,
    /// The world's step.
    pub step: Duration,
    /// How well the decision could be computed.
    pub status: ControlStatus,
}

/// Counts of decisions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Decisions {
    /// All of them.
    pub all: usize,
    /// Those that met only the more important objectives.
    pub partial: usize,
    /// Those without a solution: the joints were weak springs.
    pub fallbacks: usize,
}

/// A run of a controlled character.
///
/// ```
/// use sinew_control::{Action, Command, Episode, Registry};
/// use sinew_dynamics::characters;
///
/// let walker = Registry::built_in().get("walker").unwrap();
/// let mut episode = Episode::on_flat_ground(walker, characters::load("human")?)?;
/// episode.perform(&Action::Command(Command::forward(0.8)))?;
/// episode.run(2.0)?;
/// assert!(episode.metrics().fall().is_none() && episode.q()[0] > 0.4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Episode {
    world: World,
    actor: usize,
    /// The given body; the one in the world may have springs or armature that the system adds.
    base: Arc<Model>,
    order: Order,
    prepared: Prepared,
    /// World settings of the scenario; the others are the system's.
    plan: WorldPlan,
    wants: Wants,
    controller: Box<dyn Controller>,
    /// The body that the controller knows.
    known: Arc<Model>,
    torques: Vec<Actuation>,
    /// Torques added to the controller's; empty for none.
    assist: Vec<f64>,
    imagined: Option<Arc<Terrain>>,
    limp_when_fallen: bool,
    advanced: Option<Advanced>,
    command: Command,
    /// Planned actions in order of time, and how many of them are done.
    actions: Arc<Vec<(f64, Action)>>,
    done: usize,
    metrics: Metrics,
    signals: Vec<f64>,
    decisions: Decisions,
}

impl Episode {
    /// Puts a character into a world, in its controller's initial state, at the origin and facing along x.
    ///
    /// # Errors
    /// When body, clips or world do not suit the controller.
    pub fn new(
        mut world: World,
        mut order: Order,
        prepared: Prepared,
        beginning: Beginning,
    ) -> Result<Episode, EpisodeError> {
        let base = Arc::clone(&order.model);
        order.model = (order.system.body)(&order, &base)?;
        let wants = (order.system.wants)(&order);
        let settings = beginning.world.settle(order.system.name, &wants)?;
        world.configure(|s| {
            (s.dt, s.contact, s.integrator, s.tolerance) =
                (settings.dt, settings.contact, settings.integrator, settings.tolerance)
        });
        let mut controller = order.build(&prepared)?;
        let model = Arc::clone(&order.model);
        let actor = world.add_character(model.name(), Arc::clone(&model));
        let start = beginning.start.clone().unwrap_or_else(|| controller.start());
        stand::place(&mut world, actor, start, &beginning)?;
        world.begin_step()?;
        controller.reset(&Observation::of(&world, actor).knowing(wants.peeks))?;
        let torques = world.actors().iter().map(|a| Actuation::none(a.model().nv())).collect();
        let mut episode = Episode {
            metrics: Metrics::new(&model, world.settings().dt, Some(actor), Params::default()),
            imagined: beginning.imagined.map(Arc::new),
            limp_when_fallen: beginning.limp_when_fallen,
            advanced: beginning.unphysical.then(Advanced::default),
            known: model,
            command: Command::STAND,
            actions: Arc::default(),
            done: 0,
            signals: Vec::new(),
            decisions: Decisions::default(),
            world,
            actor,
            base,
            order,
            prepared,
            plan: beginning.world,
            wants,
            controller,
            torques,
            assist: Vec::new(),
        };
        episode.read_signals()?;
        Ok(episode)
    }

    /// A system without clips on a body, alone on level ground.
    ///
    /// # Errors
    /// When the body does not suit the system.
    pub fn on_flat_ground(
        system: &'static System,
        model: impl Into<Arc<Model>>,
    ) -> Result<Episode, EpisodeError> {
        let order = Order::new(system, model.into());
        Episode::new(World::new(Terrain::flat()), order, Prepared::default(), Beginning::default())
    }

    /// One decision, one step, and the metrics.
    ///
    /// # Errors
    /// When an action cannot be done or the world cannot be stepped.
    pub fn step(&mut self) -> Result<Spent, EpisodeError> {
        // an action planned for a time between two steps, or for a step up to rounding, is due in the next one
        let due = self.world.time() + 0.5 * self.world.settings().dt;
        while let Some((_, action)) = self.actions.get(self.done).filter(|(from, _)| *from < due) {
            let action = action.clone();
            self.done += 1;
            self.perform(&action)?;
        }
        let began = now();
        self.world.begin_step()?;
        self.tell_body()?;
        let fallen = self.limp_when_fallen && self.metrics.fall().is_some();
        let Episode { world, controller, torques, command, actor, wants, .. } = self;
        let mut seen = Observation::of(world, *actor).knowing(wants.peeks);
        seen.terrain = self.imagined.as_deref().unwrap_or(seen.terrain);
        let mut out = Out::new(&mut torques[*actor]);
        let status = if fallen { ControlStatus::Good } else { controller.act(&seen, command, &mut out) };
        if !fallen && !self.assist.is_empty() {
            // the world keeps the sum within the limits of the joints
            self.torques[self.actor].torque.iter_mut().zip(&self.assist).for_each(|(t, more)| *t += more);
        }
        let advances = self.advanced.as_mut().is_some_and(|next| controller.advance(&seen, next));
        let decided = now();
        self.declared()?;
        match &self.advanced {
            Some(next) if advances => {
                let Advanced { dt, q, v, contacts } = next;
                let tau = &self.torques[self.actor].torque;
                self.world.claim(self.actor, &Claim { dt: *dt, q, v, tau, contacts });
            }
            Some(_) => {
                let problem = "it cannot move the body without physics".to_owned();
                return Err(ControlError::Declaration { system: self.order.system.name, problem }.into());
            }
            None => drop(self.world.step(&self.torques)?),
        }
        let spent = Spent { control: between(began, decided), step: between(decided, now()), status };
        self.decisions.all += 1;
        match status {
            ControlStatus::Partial => self.decisions.partial += 1,
            ControlStatus::FellBack => self.decisions.fallbacks += 1,
            ControlStatus::Good => {}
        }
        self.read_signals()?;
        if self.order.system.balances {
            self.metrics.step(self.world.actors()[self.actor].model(), &self.world.frame(self.actor));
        }
        Ok(spent)
    }

    /// Adds torques to those of the controller in every step from now on, as a policy on top of it does; those of a free root have no
    /// effect, and the sum stays within the limits of the joints. An empty slice ends it.
    ///
    /// # Panics
    /// If there are neither `nv` numbers nor none, or one is not finite.
    pub fn set_assist(&mut self, torque: &[f64]) {
        let model = self.world.actors()[self.actor].model();
        assert!(torque.is_empty() || torque.len() == model.nv(), "torques for all degrees of freedom");
        assert!(torque.iter().all(|t| t.is_finite()), "torques are finite");
        self.assist.clear();
        self.assist.extend_from_slice(torque);
        for joint in model.joints().iter().filter(|j| j.kind == JointKind::Free && !torque.is_empty()) {
            self.assist[joint.v..joint.v + joint.kind.nv()].fill(0.0);
        }
    }

    /// Steps for a duration, s.
    ///
    /// # Errors
    /// As for [`step`](Episode::step).
    pub fn run(&mut self, seconds: f64) -> Result<(), EpisodeError> {
        let end = self.world.time() + seconds - 0.5 * self.world.settings().dt;
        while self.world.time() < end {
            self.step()?;
        }
        Ok(())
    }

    /// Gives the controller the new body if the body has changed.
    fn tell_body(&mut self) -> Result<(), EpisodeError> {
        let model = self.world.actors()[self.actor].model();
        if !Arc::ptr_eq(model, &self.known) {
            self.known = Arc::clone(model);
            self.order.model = Arc::clone(model);
            self.controller.change_body(&self.known)?;
        }
        Ok(())
    }

    /// Refuses a torque law that the system did not declare.
    fn declared(&self) -> Result<(), ControlError> {
        let undeclared = !self.torques[self.actor].feedback.is_empty() && !self.wants.peeks.law;
        let problem =
            || "it gives a torque law in the contact forces, which its `Peeks` do not declare".to_owned();
        match undeclared {
            true => Err(ControlError::Declaration { system: self.order.system.name, problem: problem() }),
            false => Ok(()),
        }
    }

    fn read_signals(&mut self) -> Result<(), ControlError> {
        self.signals.clear();
        self.controller.signals(&mut self.signals);
        let declared = self.order.system.signals().count();
        if self.signals.len() == declared {
            return Ok(());
        }
        let problem = format!("it reports {} signals, and {declared} are declared", self.signals.len());
        Err(ControlError::Declaration { system: self.order.system.name, problem })
    }

    /// The world.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The world, to push the character, throw objects at it or grip it.
    pub fn world_mut(&mut self) -> &mut World {
        &mut self.world
    }

    /// Index of the character in the world.
    pub fn actor(&self) -> usize {
        self.actor
    }

    /// The character's configuration.
    pub fn q(&self) -> &[f64] {
        &self.world.actors()[self.actor].q
    }

    /// The character's velocity.
    pub fn v(&self) -> &[f64] {
        &self.world.actors()[self.actor].v
    }

    /// The given body, with all changes since.
    pub fn base(&self) -> &Arc<Model> {
        &self.base
    }

    /// The controller's system, body, clips and present parameters.
    pub fn order(&self) -> &Order {
        &self.order
    }

    /// The controller.
    pub fn controller(&self) -> &dyn Controller {
        self.controller.as_ref()
    }

    /// Whether a character gives no torques after a fall.
    pub fn set_limp_when_fallen(&mut self, limp: bool) {
        self.limp_when_fallen = limp;
    }

    /// The present command.
    pub fn command(&self) -> Command {
        self.command
    }

    /// The metrics so far.
    pub fn metrics(&self) -> &Metrics {
        &self.metrics
    }

    /// The controller's signals after its last decision, in the order of its system.
    pub fn signals(&self) -> &[f64] {
        &self.signals
    }

    /// A signal of the last decision, by name.
    pub fn signal(&self, name: &str) -> Option<f64> {
        let place = self.order.system.signals().position(|signal| signal.name == name)?;
        self.signals.get(place).copied()
    }

    /// Footsteps so far, if the controller counts them.
    pub fn footsteps(&self) -> Option<f64> {
        self.signals.get(self.order.system.footsteps()?).copied()
    }

    /// Counts of decisions.
    pub fn decisions(&self) -> Decisions {
        self.decisions
    }
}

/// The clock, where there is one.
fn now() -> Option<Instant> {
    cfg!(not(target_arch = "wasm32")).then(Instant::now)
}

fn between(begin: Option<Instant>, end: Option<Instant>) -> Duration {
    begin.zip(end).map_or(Duration::ZERO, |(begin, end)| end - begin)
}
