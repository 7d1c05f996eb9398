//! A scenario being played: an episode in the world that the scenario describes.

use crate::LabError;
use crate::scenario::{PushPlan, Scenario, Setting, bodies};
use sinew_control::{Action, Beginning, Controller, Decisions, Episode, EpisodeRecorder, Spent, Store};
use sinew_dynamics::Model;
use sinew_dynamics::spatial::Vec3;
use sinew_world::metrics::Metrics;
use sinew_world::recording::Meta;
use sinew_world::terrain::{Ground, Piece, Terrain};
use sinew_world::{Event, Push, World};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A scenario being played.
///
/// ```
/// use sinew_lab::{Scenario, Simulation};
/// let scenario = Scenario { seconds: 0.1, ..Scenario::default() };
/// let mut simulation = Simulation::new(scenario.clone(), scenario.built_in()?)?;
/// while !simulation.ended() {
///     simulation.step()?;
/// }
/// assert_eq!(simulation.world().steps(), 100);
/// assert!(simulation.metrics().fall().is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Simulation {
    scenario: Scenario,
    episode: Episode,
}

impl Simulation {
    /// Sets up the world: the body begins at the origin in its controller's initial state, facing along x. A preparation is computed
    /// again, because there is no store.
    ///
    /// # Errors
    /// When the body does not suit the controller or a push, or the ground is invalid.
    pub fn new(scenario: Scenario, model: Arc<Model>) -> Result<Simulation, LabError> {
        Simulation::with_store(scenario, model, &(), &|_| true)
    }

    /// The same with a store for preparations, and a callback for their progress.
    ///
    /// # Errors
    /// As for [`new`](Simulation::new), and when a preparation fails or `progress` cancels it.
    pub fn with_store(
        scenario: Scenario,
        model: Arc<Model>,
        store: &dyn Store,
        progress: &(dyn Fn(f64) -> bool + Sync),
    ) -> Result<Simulation, LabError> {
        let model = scenario.body.build(&model)?;
        // changes at time 0 belong to the initial body
        let changes = bodies(&scenario.changes, &model)?;
        let (early, changes) = changes.split_at(changes.partition_point(|(time, _)| *time <= 0.0));
        let model = early.last().map_or(model, |(_, model)| Arc::clone(model));
        let order = scenario.controller.order(Arc::clone(&model))?;
        let prepared = order.prepare(store, progress)?;
        let (world, beginning) = stage(&scenario)?;
        let mut episode = Episode::new(world, order, prepared, beginning)?;
        let me = episode.actor();
        for (nth, thing) in scenario.things.iter().enumerate() {
            thing.place(episode.world_mut(), me).map_err(|e| e.of("object", nth))?;
        }
        plan_pushes(&scenario.pushes, &model, &mut episode)?;
        for (time, action) in actions(&scenario) {
            episode.plan(time, action);
        }
        for (time, body) in changes {
            episode.plan(*time, Action::Body("the scenario changes the body".to_owned(), Arc::clone(body)));
        }
        Ok(Simulation { scenario, episode })
    }

    /// One decision, one step, and the metrics.
    ///
    /// # Errors
    /// When the world cannot be stepped, or a planned action cannot be done.
    pub fn step(&mut self) -> Result<Spent, LabError> {
        Ok(self.episode.step()?)
    }

    /// A copy of this simulation with other pushes, none of them in the past, and another duration. If this simulation has had no pushes,
    /// the copy gives the same bits as a run with the new pushes from the beginning.
    ///
    /// # Errors
    /// When the body lacks the part to push.
    pub fn with_pushes(&self, pushes: Vec<PushPlan>, seconds: f64) -> Result<Simulation, LabError> {
        let mut other = self.clone();
        let model = Arc::clone(self.model());
        plan_pushes(&pushes, &model, &mut other.episode)?;
        (other.scenario.pushes, other.scenario.seconds) = (pushes, seconds);
        Ok(other)
    }

    /// Performs an action now, between two steps: steers, sets a parameter.
    ///
    /// # Errors
    /// When it cannot be done.
    pub fn perform(&mut self, action: &Action) -> Result<(), LabError> {
        Ok(self.episode.perform(action)?)
    }

    /// Number of steps that are left, with the present time step.
    pub fn steps_left(&self) -> u64 {
        let world = self.world();
        ((self.scenario.seconds - world.time()) / world.settings().dt).round().max(0.0) as u64
    }

    /// Whether the scenario's time is over.
    pub fn ended(&self) -> bool {
        self.steps_left() == 0
    }

    /// The scenario.
    pub fn scenario(&self) -> &Scenario {
        &self.scenario
    }

    /// The run.
    pub fn episode(&self) -> &Episode {
        &self.episode
    }

    /// The run, to push or to change what is asked for.
    pub fn episode_mut(&mut self) -> &mut Episode {
        &mut self.episode
    }

    /// The episode alone. It can be stepped without end, and planned events still happen in it.
    pub fn into_episode(self) -> Episode {
        self.episode
    }

    /// The world.
    pub fn world(&self) -> &World {
        self.episode.world()
    }

    /// The character's configuration.
    pub fn q(&self) -> &[f64] {
        self.episode.q()
    }

    /// The character's velocity.
    pub fn v(&self) -> &[f64] {
        self.episode.v()
    }

    /// The character's body as it is now.
    pub fn model(&self) -> &Arc<Model> {
        self.world().actors()[self.episode.actor()].model()
    }

    /// The metrics so far.
    pub fn metrics(&self) -> &Metrics {
        self.episode.metrics()
    }

    /// A signal of the controller's last decision, by its name.
    pub fn signal(&self, name: &str) -> Option<f64> {
        self.episode.signal(name)
    }

    /// Footsteps so far; 0 when the controller does not count them.
    pub fn footsteps(&self) -> f64 {
        self.episode.footsteps().unwrap_or(0.0)
    }

    /// The controller as a type, if it is that type.
    pub fn controller<C: Controller + 'static>(&self) -> Option<&C> {
        self.episode.controller().as_any().downcast_ref()
    }

    /// Counts of decisions.
    pub fn decisions(&self) -> Decisions {
        self.episode.decisions()
    }

    /// Metadata for a recording.
    pub fn meta(&self) -> Meta {
        let mut meta = EpisodeRecorder::meta(&self.episode);
        (meta.seed, meta.scenario) = (self.scenario.seed, self.scenario.name.clone());
        meta.provenance.insert("character".to_owned(), self.scenario.character.clone());
        meta
    }
}

/// The world with its ground and platforms, and the character's beginning.
fn stage(scenario: &Scenario) -> Result<(World, Beginning), LabError> {
    let mut world = World::new(scenario.ground.build(scenario.seed)?);
    let platform = scenario.ground.platform();
    let floor = platform.is_some().then_some(0.0);
    platform.into_iter().for_each(|platform| world.add_platform(platform));
    scenario.platforms.iter().for_each(|plan| world.add_platform(plan.build()));
    let level = floor.unwrap_or_else(|| world.terrain().height(0.0, 0.0));
    let imagined = scenario.unseen.then_some(Ground::Plane { height: level });
    let imagined = imagined.map(|plane| Terrain::new(vec![Piece::new(plane, 1.0)])).transpose()?;
    let Scenario { jitter, seed, unphysical, .. } = *scenario;
    let world_plan = scenario.world.clone();
    let beginning =
        Beginning { world: world_plan, jitter, seed, floor, imagined, unphysical, ..Beginning::default() };
    Ok((world, beginning))
}

/// Planned actions in order of time. At equal times parameters come before requests, and both before the command.
fn actions(scenario: &Scenario) -> Vec<(f64, Action)> {
    let set = |setting: &Setting| match setting {
        Setting::Style(style) => Action::Style(style),
        Setting::Value(path, value) => Action::Set(path.clone(), value.clone()),
    };
    let settings = scenario.settings.iter().map(|(time, setting)| (*time, set(setting)));
    let requests = scenario.requests.iter().map(|(time, request)| (*time, Action::Ask(request.clone())));
    let commands = scenario.commands.iter().map(|(time, command)| (*time, Action::Command(*command)));
    settings.chain(requests).chain(commands).collect()
}

/// Plans pushes as events of the world.
fn plan_pushes(pushes: &[PushPlan], model: &Model, episode: &mut Episode) -> Result<(), LabError> {
    let me = episode.actor();
    for (nth, push) in pushes.iter().enumerate() {
        let part = model
            .role(push.part)
            .ok_or_else(|| LabError::Part { model: model.name().to_owned(), role: push.part })
            .map_err(|e| e.of("push", nth))?;
        let impulse = push.strength.impulse(model.mass());
        let dt = episode.world().settings().dt;
        let planned = Push::of_impulse(me, part, Vec3::zeros(), impulse, push.seconds, dt);
        episode.world_mut().at(push.time, Event::Push(planned));
    }
    Ok(())
}

/// The clock, where there is one.
pub(crate) fn now() -> Option<Instant> {
    cfg!(not(target_arch = "wasm32")).then(Instant::now)
}

pub(crate) fn between(begin: Option<Instant>, end: Option<Instant>) -> Duration {
    begin.zip(end).map_or(Duration::ZERO, |(begin, end)| end - begin)
}
