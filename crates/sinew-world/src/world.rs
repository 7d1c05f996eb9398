//! The world: actors on terrain, stepped through time.

use crate::Settings;
use crate::actor::{Actor, ActorKind};
use crate::ahead::Ahead;
use crate::attachment::{Attachment, Holding};
use crate::contacts::Candidates;
use crate::event::Event;
use crate::platform::Platform;
use crate::push::{Hand, Push};
use crate::report::{ContactForce, OutsideForce, StepFrame};
use crate::solver::islands::Islands;
use crate::solver::newton::Newton;
use crate::solver::pivoting::Pivoting;
use crate::solver::problem::CONTACTS;
use crate::solver::{Problem, SolveReport};
use crate::terrain::Terrain;
use sinew_dynamics::Model;
use std::sync::Arc;

/// Actors, terrain and everything between them.
///
/// ```
/// use sinew_dynamics::characters;
/// use sinew_world::{Actuation, Terrain, World};
/// let human = characters::load("human")?;
/// let mut world = World::new(Terrain::flat());
/// let nv = human.nv();
/// let me = world.add_character("human", human.into());
/// let limp = [Actuation::none(nv)];
/// for _ in 0..3000 {
///     world.step(&limp)?;
/// }
/// assert!(world.actors()[me].q[2] < 0.6); // three seconds later it lies on the ground
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct World {
    /// How it is stepped.
    pub(crate) settings: Settings,
    pub(crate) terrain: Arc<Terrain>,
    pub(crate) actors: Vec<Actor>,
    pub(crate) platforms: Vec<Platform>,
    pub(crate) attachments: Vec<Holding>,
    pub(crate) pushes: Vec<Push>,
    pub(crate) hand: Option<Hand>,
    /// What is planned, by step.
    pub(crate) events: Vec<(u64, Event)>,
    pub(crate) steps: u64,
    /// Time at which the present time step began to hold, and steps taken until then.
    pub(crate) start: f64,
    pub(crate) since: u64,
    /// When the last step began, s.
    pub(crate) last: f64,
    pub(crate) unphysical: bool,
    pub(crate) candidates: Candidates,
    pub(crate) problem: Problem,
    pub(crate) newton: Newton,
    pub(crate) islands: Islands,
    pub(crate) pivoting: Pivoting,
    pub(crate) report: StepReport,
    pub(crate) ahead: Ahead,
}

/// What happened in a step.
#[derive(Clone, Debug, Default)]
pub struct StepReport {
    /// How well the impulses solve the step's problem.
    pub solve: SolveReport,
    /// Contacts of each actor, in the order of the actors.
    pub(crate) contacts: Vec<Vec<ContactForce>>,
    /// Outside forces on each actor.
    pub(crate) outside: Vec<Vec<OutsideForce>>,
    /// Joint torques that were cut to the effort limits, over all actors.
    pub saturated: usize,
}

impl StepReport {
    /// Contacts of an actor.
    pub fn contacts(&self, actor: usize) -> &[ContactForce] {
        &self.contacts[actor]
    }

    /// Outside forces on an actor.
    pub fn outside(&self, actor: usize) -> &[OutsideForce] {
        &self.outside[actor]
    }
}

impl World {
    /// An empty world on a terrain.
    pub fn new(terrain: Terrain) -> World {
        World {
            settings: Settings::default(),
            terrain: Arc::new(terrain),
            actors: Vec::new(),
            platforms: Vec::new(),
            attachments: Vec::new(),
            pushes: Vec::new(),
            hand: None,
            events: Vec::new(),
            steps: 0,
            start: 0.0,
            since: 0,
            last: 0.0,
            unphysical: false,
            candidates: Candidates::default(),
            problem: Problem::default(),
            newton: Newton::default(),
            islands: Islands::default(),
            pivoting: Pivoting::default(),
            report: StepReport::default(),
            ahead: Ahead::default(),
        }
    }

    /// Adds a character in its neutral configuration and returns its index. Ties of its model hold from now on.
    pub fn add_character(&mut self, name: impl Into<String>, model: Arc<Model>) -> usize {
        self.add(Actor::new(name, ActorKind::Character, model))
    }

    /// Adds an object in its neutral configuration and returns its index.
    pub fn add_object(&mut self, name: impl Into<String>, model: Arc<Model>) -> usize {
        self.add(Actor::new(name, ActorKind::Object, model))
    }

    fn add(&mut self, actor: Actor) -> usize {
        let nv = actor.model.nv();
        self.report.contacts.push(Vec::with_capacity(CONTACTS));
        self.report.outside.push(Vec::with_capacity(8));
        self.ahead.add_actor(CONTACTS);
        self.problem.reserve(&actor.model);
        self.newton.reserve(CONTACTS + 2 * nv, nv);
        self.islands.items.reserve(CONTACTS + 2 * nv);
        self.candidates.reserve(CONTACTS);
        let me = self.actors.len();
        let ties: Vec<Attachment> =
            actor.model.spec().ties.iter().filter_map(|tie| Attachment::of(me, &actor.model, tie)).collect();
        self.actors.push(actor);
        for tie in ties {
            self.attach(tie);
        }
        me
    }

    /// Adds a platform.
    pub fn add_platform(&mut self, platform: Platform) {
        self.platforms.push(platform);
    }

    /// The platforms.
    pub fn platforms(&self) -> &[Platform] {
        &self.platforms
    }

    /// Holds a body to another or to the world, from the next step on, and returns the attachment's index.
    pub fn attach(&mut self, attachment: Attachment) -> usize {
        self.attachments.push(Holding { attachment, impulses: Default::default() });
        self.attachments.len() - 1
    }

    /// Lets go of an attachment; the indices of later ones move down.
    pub fn detach(&mut self, index: usize) {
        self.attachments.remove(index);
    }

    /// The actors.
    pub fn actors(&self) -> &[Actor] {
        &self.actors
    }

    /// An actor to set up: its state, its self-collision.
    pub fn actor_mut(&mut self, actor: usize) -> &mut Actor {
        &mut self.actors[actor]
    }

    /// The terrain.
    pub fn terrain(&self) -> &Terrain {
        &self.terrain
    }

    /// Grips and welds that hold now.
    pub fn attachments(&self) -> impl Iterator<Item = &Attachment> {
        self.attachments.iter().map(|held| &held.attachment)
    }

    /// Names of everything that contacts can point to: actors, then platforms.
    pub fn names(&self) -> Vec<String> {
        self.actors.iter().map(|a| &a.name).chain(self.platforms.iter().map(|p| &p.name)).cloned().collect()
    }

    /// Steps taken.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Begins a push with the next step.
    pub fn push(&mut self, push: Push) {
        self.pushes.push(push);
    }

    /// Holds, moves or (`None`) lets go the hand.
    pub fn set_hand(&mut self, hand: Option<Hand>) {
        self.hand = hand;
    }

    /// What happened in the last step.
    pub fn report(&self) -> &StepReport {
        &self.report
    }

    /// The last step of an actor: its state at the beginning and what acted.
    pub fn frame(&self, actor: usize) -> StepFrame<'_> {
        let a = &self.actors[actor];
        StepFrame {
            time: self.last,
            q: &a.work.before.0,
            v: &a.work.before.1,
            tau: &a.work.tau,
            constraint: &a.work.constraint,
            contacts: &self.report.contacts[actor],
            outside: &self.report.outside[actor],
        }
    }
}
