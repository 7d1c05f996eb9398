//! All lanes under one command and the same pushes, and every action that changes their future.
//!
//! The same actions at the same steps give the same bits; rewinding and downloads rely on it. The first lane is the clock: a step of the
//! play is one step of it, and as many steps of the others as bring them to its time, to half of their own time step.

use super::boxes::Throw;
use super::error::SessionError;
use super::lane::{ACTOR, Lane, SavedLane};
use super::pull::Pull;
use sinew::control::{self, Command, ControlError, EpisodeError, Request, System, Value};
use sinew::dynamics::spatial::Vec3;
use sinew::dynamics::{BodyId, Role};
use sinew::lab::Scenario;
use sinew::world::{Hand, Push};

/// Steering by the visitor.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Steering {
    /// Speed forward, m/s.
    pub forward: f64,
    /// Speed to the left, m/s.
    pub left: f64,
    /// Turn to the left, rad/s.
    pub turn: f64,
}

/// A dragging hand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drag {
    /// The lane of the held body.
    pub lane: usize,
    /// The body.
    pub body: BodyId,
    /// The held point in the body's frame, m.
    pub point: Vec3,
    /// Its target, m.
    pub target: Vec3,
}

/// An action that changes the future.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Steers; from now on the scenarios' commands do not hold.
    Steer(Steering),
    /// Takes hold, moves, or lets go.
    Drag(Option<Drag>),
    /// Pushes the trunk of all, world axes, N·s.
    Push {
        /// N·s.
        impulse: Vec3,
        /// s.
        seconds: f64,
    },
    /// Throws a box at all.
    Throw(Throw),
    /// A request to all lanes whose systems take it.
    Ask {
        /// Name of the request.
        name: String,
        /// Values of its parameters.
        values: Vec<(String, Value)>,
    },
    /// Another controller, style, parameter or body of a running character.
    Change {
        /// Which lane.
        lane: usize,
        /// Its new scenario.
        to: Box<Scenario>,
    },
}

/// Stiffness per weight of the dragging hand, 1/m, and its damping relative to critical.
const GRIP: (f64, f64) = (0.8, 0.3);
/// Greatest force of the hand, in weights.
const STRONGEST: f64 = 0.6;
/// How far the command's heading may run ahead of the body's, rad.
const AHEAD: f64 = 0.9;

/// The lanes and their commands.
#[derive(Clone, Debug)]
pub struct Play {
    /// One or two.
    pub lanes: Vec<Lane>,
    /// `None` as long as the scenarios' commands hold.
    steering: Option<Steering>,
    heading: f64,
    drag: Option<Drag>,
    pull: Pull,
}

/// Everything that the future depends on.
#[derive(Clone, Debug)]
pub struct SavedPlay {
    lanes: Vec<SavedLane>,
    steering: Option<Steering>,
    heading: f64,
    drag: Option<Drag>,
    pull: Pull,
}

impl Play {
    /// A play of new lanes; without steering, their scenarios' commands hold.
    pub fn new(lanes: Vec<Lane>, steering: Option<Steering>) -> Play {
        Play { lanes, steering, heading: 0.0, drag: None, pull: Pull::default() }
    }

    /// Steps of the first lane.
    pub fn steps(&self) -> u64 {
        self.lanes[0].world().steps()
    }

    /// Time of the first lane, s.
    pub fn time(&self) -> f64 {
        self.lanes[0].time()
    }

    /// Duration of a step of the first lane, s.
    pub fn dt(&self) -> f64 {
        self.lanes[0].dt()
    }

    /// The steering.
    pub fn steering(&self) -> Option<Steering> {
        self.steering
    }

    /// Commanded heading, rad.
    pub fn heading(&self) -> f64 {
        self.heading
    }

    /// The dragging hand.
    pub fn drag(&self) -> Option<Drag> {
        self.drag
    }

    /// Steps the first lane once, and all others to its time.
    ///
    /// # Errors
    /// When a world cannot be stepped.
    pub fn step(&mut self) -> Result<(), EpisodeError> {
        let command = self.steer();
        let end = self.time() + self.dt();
        // the hand pulls one character; the same force acts at the same place of the others
        let held = self.drag.map_or(0, |drag| drag.lane.min(self.lanes.len() - 1));
        let others = (0..self.lanes.len()).filter(|lane| *lane != held);
        for i in std::iter::once(held).chain(others) {
            let mut stepped = false;
            while self.lanes[i].time() + 0.5 * self.lanes[i].dt() < end {
                if i != held {
                    self.pull_along(i);
                }
                let lane = &mut self.lanes[i];
                let command = command.unwrap_or_else(|| lane.command());
                lane.step(&command)?;
                if i == held && self.drag.is_some() {
                    self.pull.take(lane.meter().force);
                }
                stepped = true;
            }
            if i != held && stepped {
                self.pull.passed_on();
            }
        }
        if command.is_none() {
            self.heading = self.lanes[0].episode().command().heading;
        }
        Ok(())
    }

    /// The visitor's command, if the visitor steers.
    fn steer(&mut self) -> Option<Command> {
        let Steering { forward, left, turn } = self.steering?;
        let facing = self.lanes[0].facing();
        let ahead = wrapped(self.heading - facing) + turn * self.dt();
        if turn != 0.0 {
            self.heading = facing + ahead.clamp(-AHEAD, AHEAD);
        }
        Some(Command { velocity: [forward, left], heading: self.heading })
    }

    /// Applies the hand's force on the other lane to this one.
    fn pull_along(&mut self, lane: usize) {
        let (Some(Drag { body, point, .. }), lane) = (self.drag, &mut self.lanes[lane]) else { return };
        if body.0 < lane.file().bodies().len() {
            let force = self.pull.mean();
            lane.world_mut().push(Push { actor: ACTOR, body, point, force, steps: 1 });
        }
    }

    /// Performs an action between two steps.
    ///
    /// # Errors
    /// When it cannot be done.
    pub fn apply(&mut self, action: &Action) -> Result<(), SessionError> {
        match action {
            Action::Steer(steering) => {
                self.steering = Some(*steering);
                self.lanes.iter_mut().for_each(|lane| lane.scenario.commands.clear());
            }
            Action::Drag(drag) => self.grip(*drag)?,
            Action::Push { impulse, seconds } => {
                for lane in &mut self.lanes {
                    let body = lane.file().role(Role::Trunk).unwrap_or(BodyId(0));
                    let com = lane.file().bodies()[body.0].inertia.com;
                    lane.push(body, com, *impulse, *seconds);
                }
            }
            Action::Throw(throw) => {
                for lane in &mut self.lanes {
                    lane.throw(throw).map_err(EpisodeError::from)?;
                }
            }
            Action::Ask { name, values } => self.ask(name, values)?,
            Action::Change { lane, to } => {
                let lane = self.lanes.get_mut(*lane).ok_or(NOBODY)?;
                lane.change((**to).clone())?;
            }
        }
        Ok(())
    }

    /// Passes a request to all lanes whose systems take it.
    fn ask(&mut self, name: &str, values: &[(String, Value)]) -> Result<(), SessionError> {
        for lane in &mut self.lanes {
            if let Some(request) = request(lane.episode().order().system, name, values)? {
                lane.perform(&control::Action::Ask(request))?;
            }
        }
        Ok(())
    }

    fn grip(&mut self, drag: Option<Drag>) -> Result<(), SessionError> {
        let goes_on = self.drag.zip(drag).is_some_and(|(a, b)| (a.lane, a.body) == (b.lane, b.body));
        if !goes_on {
            self.pull = Pull::default();
        }
        for lane in &mut self.lanes {
            lane.world_mut().set_hand(None);
        }
        self.drag = None;
        let Some(drag) = drag else { return Ok(()) };
        let lane = self.lanes.get_mut(drag.lane).ok_or(NOBODY)?;
        let model = lane.world().actors()[ACTOR].model();
        if drag.body.0 >= model.bodies().len() {
            return Err(SessionError::Refused("there is no such body to drag"));
        }
        // the strength of the hand depends on the mass, not on gravity
        let weight = 9.81 * model.mass();
        let stiffness = GRIP.0 * weight;
        let hand = Hand {
            actor: ACTOR,
            body: drag.body,
            point: drag.point,
            target: drag.target,
            stiffness,
            damping: 2.0 * GRIP.1 * (stiffness * 0.3 * model.mass()).sqrt(),
            strength: STRONGEST * weight,
        };
        lane.world_mut().set_hand(Some(hand));
        self.drag = Some(drag);
        Ok(())
    }

    /// Everything that the future depends on.
    pub fn save(&self) -> SavedPlay {
        SavedPlay {
            lanes: self.lanes.iter().map(Lane::save).collect(),
            steering: self.steering,
            heading: self.heading,
            drag: self.drag,
            pull: self.pull,
        }
    }

    /// Returns to a saved state.
    ///
    /// # Errors
    /// When it is of another world.
    pub fn restore(&mut self, saved: &SavedPlay) -> Result<(), SessionError> {
        for (lane, saved) in self.lanes.iter_mut().zip(&saved.lanes) {
            lane.restore(saved)?;
        }
        (self.steering, self.heading) = (saved.steering, saved.heading);
        (self.drag, self.pull) = (saved.drag, saved.pull);
        Ok(())
    }

    /// A number that differs when any bit of any state differs (FNV-1a over configurations and velocities).
    pub fn fingerprint(&self) -> u64 {
        let states = self.lanes.iter().flat_map(|l| l.world().actors()).flat_map(|a| a.q.iter().chain(&a.v));
        states
            .flat_map(|x| x.to_bits().to_le_bytes())
            .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
    }
}

/// The error for a lane that does not exist.
pub(super) const NOBODY: SessionError = SessionError::Refused("there is no such character");

/// A checked request; `None` when the system takes no request of that name.
///
/// # Errors
/// When it does not take a value.
pub fn request(
    system: &System,
    name: &str,
    values: &[(String, Value)],
) -> Result<Option<Request>, ControlError> {
    let Some(kind) = system.request(name) else { return Ok(None) };
    let with = |request, (name, value): &(String, Value)| kind.with(request, name, value.clone());
    values.iter().try_fold(Request::new(kind), with).map(Some)
}

/// An angle in −π..π.
fn wrapped(x: f64) -> f64 {
    libm::remainder(x, std::f64::consts::TAU)
}
