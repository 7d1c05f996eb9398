//! One character in a world of its own: it acts, is stepped, grows, falls.

use super::body::BodyPlan;
use super::driver::Driver;
use super::fall::{Reason, Watch};
use super::setup::LaneSetup;
use super::things::{self, Throw};
use sinew::control::{Command, ControlStatus, Observation};
use sinew::dynamics::spatial::{Mat3, Vec3};
use sinew::dynamics::{BodyId, Data, JointKind, Model, center_of_mass, forward_kinematics, momentum};
use sinew::world::metrics::{Metrics, Params};
use sinew::world::{Actuation, Push, Snapshot, Terrain, World};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Index of the character in its world.
pub const ACTOR: usize = 0;
/// Steps between two small changes of a growing body, and by how much a length changes each time.
const GROWTH: (u64, f64) = (20, 0.004);
/// Nobody walks this far, m.
const FAR: f64 = 1e5;
/// Time without any push after which the next one is counted from zero, s.
const NEXT_PUSH: f64 = 0.7;

/// A push as it is felt: force and what it has added up to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Meter {
    /// Sum of the outside forces in the last step, N.
    pub force: Vec3,
    /// Their impulse since the push began, N·s.
    pub impulse: Vec3,
    /// Greatest force of this push, N.
    pub peak: f64,
    /// When something last pushed, s.
    pub last: f64,
    /// Pushes so far.
    pub count: u32,
}

/// Time that a lane has spent since it was last asked.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spent {
    /// Steps.
    pub steps: u32,
    /// In the controller.
    pub control: Duration,
    /// In the world.
    pub world: Duration,
    /// Decisions that were less than good.
    pub troubles: u32,
}

/// A character and its world.
#[derive(Clone, Debug)]
pub struct Lane {
    /// What was asked for; the body may still be on its way there.
    pub setup: LaneSetup,
    base: Arc<Model>,
    body: BodyPlan,
    world: World,
    /// The world without state, to go back to a time with other things in it.
    empty: Arc<World>,
    driver: Driver,
    torques: Vec<Actuation>,
    metrics: Metrics,
    watch: Watch,
    fall: Option<(f64, Reason)>,
    meter: Meter,
    spent: Spent,
    data: Data,
    /// Raised whenever shapes change.
    pub shape: u32,
}

/// All that the future of a lane depends on.
#[derive(Clone, Debug)]
pub struct Saved {
    setup: LaneSetup,
    body: BodyPlan,
    world: Snapshot,
    empty: Arc<World>,
    driver: Driver,
    meter: Meter,
    fall: Option<(f64, Reason)>,
}

impl Lane {
    /// The character stands at the origin as its controller likes to stand, facing along x.
    ///
    /// # Errors
    /// In words, when the body does not suit the controller.
    pub fn new(setup: &LaneSetup, base: Arc<Model>, terrain: Terrain) -> Result<Lane, String> {
        let model = Arc::new(setup.body.build(&base).map_err(|e| e.to_string())?);
        let mut driver = Driver::new(setup, &model).map_err(|e| e.to_string())?;
        let mut world = World::new(terrain);
        world.add_character(model.name(), Arc::clone(&model));
        let level = world.terrain().height(0.0, 0.0);
        let rest = driver.rest(&model);
        let actor = world.actor_mut(ACTOR);
        actor.q.copy_from_slice(&rest);
        if let Some(root) = model.joints().iter().find(|joint| joint.kind == JointKind::Free) {
            actor.q[root.q + 2] += level;
        }
        driver.reset(&Observation::of(&world, ACTOR)).map_err(|e| e.to_string())?;
        Ok(Lane {
            torques: vec![Actuation::none(model.nv())],
            metrics: Metrics::new(&model, world.settings().dt, Some(ACTOR), Params::default()),
            watch: Watch::new(&model),
            data: Data::new(&model),
            setup: setup.clone(),
            body: setup.body,
            empty: Arc::new(world.clone()),
            fall: None,
            meter: Meter::default(),
            spent: Spent::default(),
            shape: 0,
            base,
            world,
            driver,
        })
    }

    /// Decides and steps once.
    ///
    /// # Errors
    /// In words, when the world cannot be stepped.
    pub fn step(&mut self, command: &Command) -> Result<(), String> {
        if self.body != self.setup.body && self.world.steps().is_multiple_of(GROWTH.0) {
            self.grow()?;
        }
        let began = Instant::now();
        let seen = Observation::of(&self.world, ACTOR);
        let status = match self.fall {
            // a fallen body does not fight the ground
            Some(_) => {
                self.torques[ACTOR].torque.fill(0.0);
                ControlStatus::Good
            }
            None => self.driver.act(&seen, command, &mut self.torques[ACTOR]),
        };
        let decided = Instant::now();
        self.world.step(&self.torques).map_err(|e| e.to_string())?;
        self.spent.steps += 1;
        self.spent.control += decided - began;
        self.spent.world += decided.elapsed();
        self.spent.troubles += u32::from(status != ControlStatus::Good);
        self.measure();
        Ok(())
    }

    fn measure(&mut self) {
        let (frame, dt) = (self.world.frame(ACTOR), self.world.settings().dt);
        let force = frame.outside.iter().map(|o| o.force).sum::<Vec3>();
        self.meter.force = force;
        if !frame.outside.is_empty() {
            if frame.time - self.meter.last > NEXT_PUSH || self.meter.count == 0 {
                self.meter = Meter { force, count: self.meter.count + 1, ..Meter::default() };
            }
            self.meter.impulse += force * dt;
            self.meter.peak = self.meter.peak.max(force.norm());
            self.meter.last = frame.time;
        }
        if self.fall.is_none() && !matches!(self.driver, Driver::Limp) {
            let model = self.world.actors()[ACTOR].model();
            self.watch.look(model, &self.world);
            self.metrics.step(model, &frame);
            if let Some((time, fall)) = self.metrics.fall() {
                self.fall = Some((time, self.watch.reason(time, fall)));
            }
        }
    }

    /// Takes the body a little nearer to the one asked for.
    fn grow(&mut self) -> Result<(), String> {
        self.body = self.body.towards(&self.setup.body, GROWTH.1);
        let model = Arc::new(self.body.build(&self.base).map_err(|e| e.to_string())?);
        let foot = |lane: &mut Lane| {
            let actor = &lane.world.actors()[ACTOR];
            let model = Arc::clone(actor.model());
            forward_kinematics(&model, &mut lane.data, &actor.q);
            lane.data.extent(&model, &Vec3::z()).map_or(0.0, |[low, _]| low)
        };
        let low = foot(self);
        self.world.change_body(ACTOR, "studio", Arc::clone(&model)).map_err(|e| e.to_string())?;
        self.data = Data::new(&model);
        // soles stay on the ground
        let sunk = low - foot(self);
        if let Some(root) = model.joints().iter().find(|joint| joint.kind == JointKind::Free) {
            self.world.actor_mut(ACTOR).q[root.q + 2] += sunk;
        }
        things::set_gravity(&mut self.world, model.gravity())?;
        self.driver.change_body(&model).map_err(|e| e.to_string())?;
        self.shape += 1;
        Ok(())
    }

    /// Another controller, from here on.
    ///
    /// # Errors
    /// In words, when the body does not suit it; then nothing changes.
    pub fn set_controller(&mut self, name: &str) -> Result<(), String> {
        let model = Arc::clone(self.world.actors()[ACTOR].model());
        let setup = LaneSetup { controller: name.to_owned(), ..self.setup.clone() };
        let mut driver = Driver::new(&setup, &model).map_err(|e| e.to_string())?;
        driver.relieve(&self.driver, &Observation::of(&self.world, ACTOR)).map_err(|e| e.to_string())?;
        driver.adopt(&setup);
        self.setup = setup;
        self.driver = driver;
        self.forgive();
        Ok(())
    }

    /// Gives the controller gait and stance of the set-up.
    pub fn set_gait(&mut self) {
        self.driver.adopt(&self.setup);
    }

    /// Forgets a fall: the measures begin anew.
    fn forgive(&mut self) {
        let model = self.world.actors()[ACTOR].model();
        self.metrics = Metrics::new(model, self.world.settings().dt, Some(ACTOR), Params::default());
        self.watch = Watch::new(model);
        self.fall = None;
    }

    /// Pushes a body for a while with an exact impulse.
    pub fn push(&mut self, body: BodyId, point: Vec3, impulse: Vec3, seconds: f64) {
        let dt = self.world.settings().dt;
        self.world.push(Push::of_impulse(ACTOR, body, point, impulse, seconds, dt));
    }

    /// Throws a box.
    ///
    /// # Errors
    /// In words, when there can be no such box.
    pub fn throw(&mut self, throw: &Throw) -> Result<(), String> {
        if things::throw(&mut self.world, throw)? {
            self.empty = Arc::new(self.world.clone());
            self.torques.resize_with(self.world.actors().len(), Actuation::default);
            let sizes: Vec<usize> = self.world.actors().iter().map(|a| a.model().nv()).collect();
            for (torques, nv) in self.torques.iter_mut().zip(sizes) {
                torques.torque.resize(nv, 0.0);
            }
            self.shape += 1;
        }
        Ok(())
    }

    /// Everything that the future depends on.
    pub fn save(&self) -> Saved {
        Saved {
            setup: self.setup.clone(),
            body: self.body,
            world: self.world.save(),
            empty: Arc::clone(&self.empty),
            driver: self.driver.clone(),
            meter: self.meter,
            fall: self.fall.clone(),
        }
    }

    /// Goes back to a saved state.
    ///
    /// # Errors
    /// In words, when it is of another world.
    pub fn restore(&mut self, saved: &Saved) -> Result<(), String> {
        if self.world.actors().len() != saved.empty.actors().len() {
            self.world = (*saved.empty).clone();
            self.empty = Arc::clone(&saved.empty);
            self.torques.truncate(self.world.actors().len());
        }
        self.world.restore(&saved.world).map_err(|e| e.to_string())?;
        self.shape += 1;
        self.setup = saved.setup.clone();
        self.body = saved.body;
        self.driver = saved.driver.clone();
        self.data = Data::new(self.world.actors()[ACTOR].model());
        self.forgive();
        (self.meter, self.fall) = (saved.meter, saved.fall.clone());
        Ok(())
    }

    /// The world.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The world, for a hand.
    pub fn world_mut(&mut self) -> &mut World {
        &mut self.world
    }

    /// The controller.
    pub fn driver_mut(&mut self) -> &mut Driver {
        &mut self.driver
    }

    /// The controller.
    pub fn driver(&self) -> &Driver {
        &self.driver
    }

    /// The character's body as its file has it.
    pub fn base(&self) -> &Arc<Model> {
        &self.base
    }

    /// How every body of the file is stretched now, in its own frame.
    pub fn stretches(&self) -> Vec<(BodyId, Mat3)> {
        self.body.scalings(&self.base).into_iter().map(|(body, map, _)| (body, map)).collect()
    }

    /// Whether it has left all that can be shown.
    pub fn lost(&self) -> bool {
        self.world.actors().iter().any(|a| a.q.iter().any(|x| !(x.abs() < FAR)))
    }

    /// The push as it is felt.
    pub fn meter(&self) -> &Meter {
        &self.meter
    }

    /// The fall, and when it was.
    pub fn fall(&self) -> Option<&(f64, Reason)> {
        self.fall.as_ref()
    }

    /// Time spent since the last call.
    pub fn take_spent(&mut self) -> Spent {
        std::mem::take(&mut self.spent)
    }

    /// Centre of mass and its velocity.
    pub fn com(&mut self) -> (Vec3, Vec3) {
        let actor = &self.world.actors()[ACTOR];
        let model = actor.model();
        let com = center_of_mass(model, &mut self.data, &actor.q);
        (com, momentum(model, &mut self.data, &actor.q, &actor.v).linear / model.mass())
    }
}
