//! One character in a world of its own: its episode, growth and falls.

use super::boxes::{self, Boxes, Throw};
use super::clock::reached;
use super::error::SessionError;
use super::meter::{Meter, Spent};
use super::store::Memory;
use sinew::control::{Action, Command, Episode, EpisodeError, Order, SavedEpisode, Stage};
use sinew::dynamics::spatial::{Mat3, Vec3};
use sinew::dynamics::{
    BodyId, Data, JointKind, Model, ModelError, center_of_mass, forward_kinematics, momentum,
};
use sinew::lab::fall::{Looks, Reason, Watch};
use sinew::lab::scenario::{BodyPlan, ControllerPlan};
use sinew::lab::{Scenario, Simulation};
use sinew::world::{BodyChangeError, Push, World};
use std::sync::Arc;

/// Index of the character in its world.
pub const ACTOR: usize = 0;
/// Time between two small changes of a growing body, s, and by how much a length changes each time.
const GROWTH: (f64, f64) = (0.02, 0.004);
/// A character farther away than this is out of sight, m.
const FAR: f64 = 1e5;

/// A character and its world.
#[derive(Clone, Debug)]
pub struct Lane {
    /// The scenario; the body may still be changing towards it.
    pub scenario: Scenario,
    /// The character's unchanged body, as in its file.
    file: Arc<Model>,
    body: BodyPlan,
    episode: Episode,
    /// The run when an object was last added to its world, to return to times with fewer objects.
    stage: Arc<Episode>,
    boxes: Boxes,
    watch: Watch,
    fall: Option<(f64, Reason)>,
    meter: Meter,
    spent: Spent,
    data: Data,
    store: Arc<Memory>,
    /// Incremented whenever shapes change.
    pub shape: u32,
}

/// Everything that the future of a lane depends on, and its reported past.
#[derive(Clone, Debug)]
pub struct SavedLane {
    scenario: Scenario,
    body: BodyPlan,
    episode: SavedEpisode,
    stage: Arc<Episode>,
    boxes: Boxes,
    looks: Looks,
    fall: Option<(f64, Reason)>,
    meter: Meter,
}

impl Lane {
    /// A scenario from its beginning on.
    ///
    /// # Errors
    /// When the body does not suit the controller, or the scenario makes no sense.
    pub fn new(scenario: Scenario, file: Arc<Model>, store: Arc<Memory>) -> Result<Lane, SessionError> {
        // its commands hold until the user steers: see [`Lane::command`]
        let staged = Scenario { commands: Vec::new(), ..scenario.clone() };
        let simulation = Simulation::with_store(staged, Arc::clone(&file), &*store, &|_| true)?;
        let mut episode = simulation.into_episode();
        episode.set_limp_when_fallen(true);
        let model = episode.world().actors()[ACTOR].model();
        Ok(Lane {
            watch: Watch::new(model),
            data: Data::new(model),
            boxes: Boxes::after(episode.world().actors().len()),
            body: scenario.body,
            stage: Arc::new(episode.clone()),
            fall: None,
            meter: Meter::default(),
            spent: Spent::default(),
            shape: 0,
            scenario,
            file,
            episode,
            store,
        })
    }

    /// The scenario's command for the next step.
    pub fn command(&self) -> Command {
        self.scenario.command_at(self.time() + 0.5 * self.dt())
    }

    /// Decides and steps once.
    ///
    /// # Errors
    /// When the world cannot be stepped.
    pub fn step(&mut self, command: &Command) -> Result<(), EpisodeError> {
        if self.body != self.scenario.body && reached(self.time(), self.dt(), GROWTH.0) {
            self.grow()?;
        }
        self.episode.perform(&Action::Command(*command))?;
        self.spent.step(self.episode.step()?);
        let world = self.episode.world();
        self.meter.step(&world.frame(ACTOR), world.settings().dt);
        if self.fall.is_none() && self.episode.order().system.balances {
            self.watch.look(world.actors()[ACTOR].model(), world);
            if let Some((time, fall)) = self.episode.metrics().fall() {
                self.fall = Some((time, self.watch.looks.reason(time, fall)));
            }
        }
        Ok(())
    }

    /// Changes the body by one increment towards the scenario's.
    fn grow(&mut self) -> Result<(), EpisodeError> {
        let next = self.body.towards(&self.scenario.body, GROWTH.1);
        let model = next.build(&self.file).map_err(|e| self.no_body(e))?;
        let low = self.lowest();
        self.episode.perform(&Action::Body("studio".to_owned(), Arc::clone(&model)))?;
        self.body = next;
        self.data = Data::new(&model);
        // soles stay on the ground
        let sunk = low - self.lowest();
        if let Some(root) = model.joints().iter().find(|joint| joint.kind == JointKind::Free) {
            self.episode.world_mut().actor_mut(ACTOR).q[root.q + 2] += sunk;
        }
        boxes::set_gravity(self.episode.world_mut(), model.gravity())?;
        self.shape += 1;
        Ok(())
    }

    fn no_body(&self, problem: ModelError) -> BodyChangeError {
        BodyChangeError { actor: self.file.name().to_owned(), problem: problem.to_string() }
    }

    /// Height of the body's lowest point, m.
    fn lowest(&mut self) -> f64 {
        let actor = &self.episode.world().actors()[ACTOR];
        forward_kinematics(actor.model(), &mut self.data, &actor.q);
        self.data.extent(actor.model(), &Vec3::z()).map_or(0.0, |[low, _]| low)
    }

    /// Continues with another scenario of the same world: another controller, other parameters, or another body.
    ///
    /// # Errors
    /// When it is of another world, or the body does not suit the controller; then nothing changes.
    pub fn change(&mut self, to: Scenario) -> Result<(), SessionError> {
        let same = Scenario {
            controller: self.scenario.controller.clone(),
            body: self.scenario.body,
            settings: self.scenario.settings.clone(),
            requests: self.scenario.requests.clone(),
            commands: self.scenario.commands.clone(),
            ..to.clone()
        };
        if same != self.scenario {
            return Err(SessionError::Refused("another character or another world needs a new beginning"));
        }
        if to.body != self.scenario.body && !to.changes.is_empty() {
            let problem = "the scenario changes the body itself; take its changes out, and sliders can do it";
            return Err(SessionError::Refused(problem));
        }
        let before = self.save();
        let changed = self.follow(&to.controller);
        if changed.is_err() {
            self.restore(&before)?;
            return changed;
        }
        let commands = std::mem::take(&mut self.scenario.commands);
        self.scenario = Scenario { commands, ..to };
        Ok(())
    }

    /// Changes the controller according to a plan.
    fn follow(&mut self, plan: &ControllerPlan) -> Result<(), SessionError> {
        let present = self.episode.order();
        let mut wanted = Order::new(plan.system, Arc::clone(self.episode.base()));
        plan.style.into_iter().for_each(|style| wanted.restyle(style));
        wanted.values.extend(plan.values.clone());
        if wanted.system != present.system || plan.clips != self.scenario.controller.clips {
            return self.switch(plan);
        }
        for group in plan.system.groups {
            for param in group.params {
                let path = format!("{}.{}", group.name, param.name);
                let value = wanted
                    .value(&path)
                    .filter(|value| Some(value) != self.episode.order().value(&path).as_ref());
                if let Some(value) = value {
                    if param.stage == Stage::Prepare {
                        return self.switch(plan);
                    }
                    self.episode.perform(&Action::Set(path, value))?;
                }
            }
        }
        Ok(())
    }

    /// Switches to another controller and drops planned actions that it does not take.
    fn switch(&mut self, plan: &ControllerPlan) -> Result<(), SessionError> {
        let order = plan.order(Arc::clone(self.episode.base()))?;
        let prepared = order.prepare(&*self.store, &|_| true)?;
        self.episode.switch(order, prepared, &self.scenario.world)?;
        let system = plan.system;
        self.episode.keep_planned(|action| match action {
            Action::Set(path, value) => system.check(path, value.clone()).is_ok(),
            Action::Style(style) => system.style(style.name) == Some(style),
            Action::Ask(request) => system.takes(request),
            _ => true,
        });
        self.watch = Watch::new(self.episode.world().actors()[ACTOR].model());
        self.fall = None;
        Ok(())
    }

    /// Asks the controller for something.
    ///
    /// # Errors
    /// When it cannot be done.
    pub fn perform(&mut self, action: &Action) -> Result<(), EpisodeError> {
        self.episode.perform(action)
    }

    /// Pushes a body for a while with an exact impulse.
    pub fn push(&mut self, body: BodyId, point: Vec3, impulse: Vec3, seconds: f64) {
        let push = Push::of_impulse(ACTOR, body, point, impulse, seconds, self.dt());
        self.episode.world_mut().push(push);
    }

    /// Throws a box.
    ///
    /// # Errors
    /// When the box's numbers are out of range.
    pub fn throw(&mut self, throw: &Throw) -> Result<(), BodyChangeError> {
        if self.boxes.throw(self.episode.world_mut(), throw)? {
            self.stage = Arc::new(self.episode.clone());
            self.shape += 1;
        }
        Ok(())
    }

    /// Everything that the future depends on.
    pub fn save(&self) -> SavedLane {
        SavedLane {
            scenario: self.scenario.clone(),
            body: self.body,
            episode: self.episode.save(),
            stage: Arc::clone(&self.stage),
            boxes: self.boxes,
            looks: self.watch.looks.clone(),
            fall: self.fall.clone(),
            meter: self.meter,
        }
    }

    /// Returns to a saved state.
    ///
    /// # Errors
    /// When it is of another world.
    pub fn restore(&mut self, saved: &SavedLane) -> Result<(), SessionError> {
        if self.boxes != saved.boxes || !Arc::ptr_eq(&self.stage, &saved.stage) {
            self.episode = (*saved.stage).clone();
            self.stage = Arc::clone(&saved.stage);
        }
        self.episode.restore(&saved.episode)?;
        let model = self.episode.world().actors()[ACTOR].model();
        self.data = Data::new(model);
        self.watch = Watch::new(model);
        self.watch.looks = saved.looks.clone();
        self.scenario = saved.scenario.clone();
        (self.body, self.boxes, self.meter) = (saved.body, saved.boxes, saved.meter);
        self.fall = saved.fall.clone();
        self.shape += 1;
        Ok(())
    }

    /// The run.
    pub fn episode(&self) -> &Episode {
        &self.episode
    }

    /// The world.
    pub fn world(&self) -> &World {
        self.episode.world()
    }

    /// The world, for a hand.
    pub fn world_mut(&mut self) -> &mut World {
        self.episode.world_mut()
    }

    /// Time, s.
    pub fn time(&self) -> f64 {
        self.world().time()
    }

    /// Duration of a step, s.
    pub fn dt(&self) -> f64 {
        self.world().settings().dt
    }

    /// The character's unchanged body, as in its file.
    pub fn file(&self) -> &Arc<Model> {
        &self.file
    }

    /// How every body of the file is stretched now, in its own frame.
    pub fn stretches(&self) -> Vec<(BodyId, Mat3)> {
        self.body.scalings(&self.file).into_iter().map(|(body, map, _)| (body, map)).collect()
    }

    /// Whether it is too far away to be shown.
    pub fn lost(&self) -> bool {
        self.world().actors().iter().any(|a| a.q.iter().any(|x| !(x.abs() < FAR)))
    }

    /// The present push.
    pub fn meter(&self) -> &Meter {
        &self.meter
    }

    /// The fall, and when it was.
    pub fn fall(&self) -> Option<&(f64, Reason)> {
        self.fall.as_ref()
    }

    /// Computation times of steps since the last call.
    pub fn take_spent(&mut self) -> Spent {
        std::mem::take(&mut self.spent)
    }

    /// Centre of mass and its velocity.
    pub fn com(&mut self) -> (Vec3, Vec3) {
        let actor = &self.episode.world().actors()[ACTOR];
        let model = actor.model();
        let com = center_of_mass(model, &mut self.data, &actor.q);
        (com, momentum(model, &mut self.data, &actor.q, &actor.v).linear / model.mass())
    }

    /// Where it faces in the plane, by its root, rad.
    pub fn facing(&self) -> f64 {
        self.world().actors()[ACTOR].facing()
    }
}
