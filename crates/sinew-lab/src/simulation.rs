//! A scenario being played: world, controller and measures, step by step.

use crate::LabError;
use crate::scenario::{ControllerPlan, PushPlan, Scenario, bodies};
use sinew_control::features::{Balancer, Jumper, Walker};
use sinew_control::whole_body::Sole;
use sinew_control::{ControlStatus, Controller, Observation, Telemetry};
use sinew_dynamics::spatial::Vec3;
use sinew_dynamics::{Data, JointKind, Model, Side, forward_kinematics};
use sinew_solve::sweep;
use sinew_world::metrics::{Metrics, Params};
use sinew_world::terrain::{Ground, Piece, Terrain};
use sinew_world::{Actuation, Event, Push, World};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Who moves the character.
#[derive(Clone, Debug)]
enum Driver {
    Walker(Box<Walker>),
    Jumper(Box<Jumper>),
    Balancer(Box<Balancer>),
}

impl Driver {
    fn controller(&mut self) -> &mut dyn Controller {
        match self {
            Driver::Walker(walker) => walker.as_mut(),
            Driver::Jumper(jumper) => jumper.as_mut(),
            Driver::Balancer(balancer) => balancer.as_mut(),
        }
    }

    fn walker(&self) -> &Walker {
        match self {
            Driver::Walker(walker) => walker,
            Driver::Jumper(jumper) => &jumper.walker,
            Driver::Balancer(balancer) => &balancer.walker,
        }
    }

    fn walker_mut(&mut self) -> &mut Walker {
        match self {
            Driver::Walker(walker) => walker,
            Driver::Jumper(jumper) => &mut jumper.walker,
            Driver::Balancer(balancer) => &mut balancer.walker,
        }
    }
}

/// How long a step took, where a clock is at hand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    /// The controller's decision.
    pub control: Duration,
    /// The world's step.
    pub step: Duration,
}

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
    /// What the controller takes for the ground, when it does not see it.
    imagined: Option<Terrain>,
    world: World,
    driver: Driver,
    torques: [Actuation; 1],
    metrics: Metrics,
    telemetry: Telemetry,
    steps: u64,
    /// Jumps that have been asked for, parameters of the gait that have been set, changes of the body that were told.
    asked: usize,
    set: usize,
    changes: Vec<(f64, Arc<Model>)>,
    told: usize,
    troubles: [usize; 2],
}

impl Simulation {
    /// Index of the character in the world.
    pub const ACTOR: usize = 0;

    /// Sets the stage: the body stands at the origin as its controller likes to stand, facing along x.
    ///
    /// # Errors
    /// When the body does not suit the controller or a push, or the ground makes no sense.
    pub fn new(scenario: Scenario, model: Arc<Model>) -> Result<Simulation, LabError> {
        // what is changed from the beginning on belongs to the body
        let changes = bodies(&scenario.changes, &model)?;
        let (early, changes) = changes.split_at(changes.partition_point(|(time, _)| *time <= 0.0));
        let model = early.last().map_or(model, |(_, model)| Arc::clone(model));
        let mut driver = match &scenario.controller {
            ControllerPlan::Walker(_) => Driver::Walker(Box::new(Walker::new(Arc::clone(&model))?)),
            ControllerPlan::Jumper { .. } => Driver::Jumper(Box::new(Jumper::new(Arc::clone(&model))?)),
            ControllerPlan::Balancer { stance, .. } => {
                let mut balancer = Balancer::new(Arc::clone(&model))?;
                balancer.stance = stance.clone();
                Driver::Balancer(Box::new(balancer))
            }
        };
        driver.walker_mut().gait = scenario.controller.gait().clone();
        driver.walker_mut().priorities_mut().clone_from(&scenario.priorities);
        let mut world = World::new(scenario.ground.build(scenario.seed)?);
        world.configure(|s| s.dt = scenario.step);
        let me = world.add_character(model.name(), Arc::clone(&model));
        let platform = scenario.ground.platform();
        let level = if platform.is_some() { 0.0 } else { world.terrain().height(0.0, 0.0) };
        platform.into_iter().for_each(|platform| world.add_platform(platform));
        stand(&scenario, driver.walker().rest(), &mut world, me)?;
        let dt = world.settings().dt;
        plan_pushes(&scenario.pushes, &model, &mut world)?;
        for (time, body) in changes {
            let what = "the scenario changes the body".to_owned();
            world.at(*time, Event::Body { actor: me, what, model: Arc::clone(body) });
        }
        let imagined = scenario.unseen.then_some(Ground::Plane { height: level });
        let imagined = imagined.map(|plane| Terrain::new(vec![Piece::new(plane, 1.0)])).transpose()?;
        driver.controller().reset(&Observation::of(&world, me))?;
        let mut telemetry = Telemetry::default();
        driver.controller().telemetry(&mut telemetry);
        Ok(Simulation {
            steps: (scenario.seconds / dt).round() as u64,
            torques: [Actuation::none(model.nv())],
            metrics: Metrics::new(&model, dt, Some(me), Params::default()),
            changes: changes.to_vec(),
            scenario,
            imagined,
            world,
            driver,
            telemetry,
            asked: 0,
            set: 0,
            told: 0,
            troubles: [0; 2],
        })
    }

    /// Decides and steps once, and measures.
    ///
    /// # Errors
    /// When the world cannot be stepped.
    pub fn step(&mut self) -> Result<Spent, LabError> {
        // what is planned for a time between two steps, or for one of them but for rounding, begins with the next one
        let time = self.world.time() + 0.5 * self.world.settings().dt;
        if let (Driver::Jumper(jumper), ControllerPlan::Jumper { jumps, .. }) =
            (&mut self.driver, &self.scenario.controller)
            && let Some((from, jump)) = jumps.get(self.asked)
            && *from < time
        {
            jumper.jump(*jump);
            self.asked += 1;
        }
        self.prepare(time)?;
        let command = self.scenario.command_at(time);
        let began = now();
        let mut seen = Observation::of(&self.world, Self::ACTOR);
        seen.terrain = self.imagined.as_ref().unwrap_or(seen.terrain);
        let status = self.driver.controller().act(&seen, &command, &mut self.torques[0]);
        let decided = now();
        self.world.step(&self.torques)?;
        let spent = Spent { control: between(began, decided), step: between(decided, now()) };
        match status {
            ControlStatus::Partial => self.troubles[0] += 1,
            ControlStatus::FellBack => self.troubles[1] += 1,
            _ => {}
        }
        self.telemetry.values.clear();
        self.driver.controller().telemetry(&mut self.telemetry);
        self.metrics.step(self.world.actors()[Self::ACTOR].model(), &self.world.frame(Self::ACTOR));
        Ok(spent)
    }

    /// This moment with another future: other pushes, none of them in the past, and another end. The same bits as a run from the
    /// beginning on with those pushes, when this one has had none.
    ///
    /// # Errors
    /// When the body has no part that is to be pushed.
    pub fn with_pushes(&self, pushes: Vec<PushPlan>, seconds: f64) -> Result<Simulation, LabError> {
        let mut other = self.clone();
        let model = Arc::clone(self.world.actors()[Self::ACTOR].model());
        plan_pushes(&pushes, &model, &mut other.world)?;
        other.steps = (seconds / self.world.settings().dt).round() as u64;
        (other.scenario.pushes, other.scenario.seconds) = (pushes, seconds);
        Ok(other)
    }

    /// Tells the controller what it has to know that is due before it decides: other parameters, another body.
    fn prepare(&mut self, due: f64) -> Result<(), LabError> {
        while let Some((_, name, value)) = self.scenario.gait.get(self.set).filter(|(from, ..)| *from < due) {
            let gait = &mut self.driver.walker_mut().gait;
            let parameter = gait.get_mut(name).ok_or(LabError::Parameter { name })?;
            (*parameter, self.set) = (*value, self.set + 1);
        }
        while let Some((_, body)) = self.changes.get(self.told).filter(|(from, _)| *from < due) {
            self.driver.walker_mut().change_body(Arc::clone(body))?;
            self.told += 1;
        }
        Ok(())
    }

    /// Number of steps of the whole scenario.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Whether the scenario's time is over.
    pub fn ended(&self) -> bool {
        self.world.steps() >= self.steps
    }

    /// The scenario.
    pub fn scenario(&self) -> &Scenario {
        &self.scenario
    }

    /// The world.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The measures so far.
    pub fn metrics(&self) -> &Metrics {
        &self.metrics
    }

    /// The controller's figures of the last step.
    pub fn telemetry(&self) -> &Telemetry {
        &self.telemetry
    }

    /// The walker that stands and steps inside of whatever controls the body.
    pub fn walker(&self) -> &Walker {
        self.driver.walker()
    }

    /// Decisions that met only the more important objectives, and those without a solution, in which the body went soft.
    pub fn troubles(&self) -> [usize; 2] {
        self.troubles
    }
}

/// Plans pushes as events of the world.
fn plan_pushes(pushes: &[PushPlan], model: &Model, world: &mut World) -> Result<(), LabError> {
    for push in pushes {
        let part = model
            .role(push.part)
            .ok_or_else(|| LabError::Part { model: model.name().to_owned(), role: push.part })?;
        let impulse = push.strength.impulse(model.mass());
        let dt = world.settings().dt;
        let planned = Push::of_impulse(Simulation::ACTOR, part, Vec3::zeros(), impulse, push.seconds, dt);
        world.at(push.time, Event::Push(planned));
    }
    Ok(())
}

/// Puts the body on the ground as it likes to stand, or nearly so.
fn stand(scenario: &Scenario, rest: &[f64], world: &mut World, me: usize) -> Result<(), LabError> {
    let model = Arc::clone(world.actors()[me].model());
    let Some(root) = model.joints().iter().find(|joint| joint.kind == JointKind::Free) else {
        world.actor_mut(me).q.copy_from_slice(rest);
        return Ok(());
    };
    let (mut q, mut v) = (rest.to_vec(), vec![0.0; model.nv()]);
    if scenario.jitter != [0.0; 2] {
        let [place, speed] = scenario.jitter.map(|x| vec![(-x, x); model.nv()]);
        let random = sweep::latin_hypercube(&[place, speed].concat(), 1, scenario.seed);
        let (mut places, speeds) = (random[0].values[..model.nv()].to_vec(), &random[0].values[model.nv()..]);
        let free = root.v..root.v + 6;
        places[free.clone()].fill(0.0);
        model.integrate(rest, &places, &mut q);
        v.copy_from_slice(speeds);
        v[free].fill(0.0);
    }
    // as high as the soles need it: on the ground, none of their corners in it
    let height =
        |p: &Vec3| if scenario.ground.platform().is_some() { 0.0 } else { world.terrain().height(p.x, p.y) };
    let mut data = Data::new(&model);
    forward_kinematics(&model, &mut data, &q);
    let mut lift = f64::NEG_INFINITY;
    for sole in Side::BOTH.map(|side| Sole::of(&model, side)) {
        let sole = sole?;
        let at = data.body_placement(&model, sole.body);
        let lack = sole.corners.iter().map(|c| at.act(c)).map(|p| height(&p) - p.z);
        lift = lack.fold(lift, f64::max);
    }
    q[root.q + 2] += lift;
    let actor = world.actor_mut(me);
    actor.q.copy_from_slice(&q);
    actor.v.copy_from_slice(&v);
    Ok(())
}

/// The clock, where there is one.
pub(crate) fn now() -> Option<Instant> {
    cfg!(not(target_arch = "wasm32")).then(Instant::now)
}

pub(crate) fn between(begin: Option<Instant>, end: Option<Instant>) -> Duration {
    begin.zip(end).map_or(Duration::ZERO, |(begin, end)| end - begin)
}
