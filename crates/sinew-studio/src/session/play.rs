//! All lanes under one command and the same pushes, and every action that changes their future.
//!
//! The same actions at the same steps give the same bits: that is what rewinding and downloads rely on.

use super::lane::{ACTOR, Lane, Saved};
use super::setup::{LaneSetup, bounded_gait};
use super::things::Throw;
use sinew::control::Command;
use sinew::control::features::Jump;
use sinew::dynamics::spatial::Vec3;
use sinew::dynamics::{BodyId, JointKind, Role};
use sinew::world::{Hand, Push};

/// What the visitor steers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Steering {
    /// Speed forward, m/s.
    pub forward: f64,
    /// Speed to the left, m/s.
    pub left: f64,
    /// Turn to the left, rad/s.
    pub turn: f64,
}

/// A hand that drags.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drag {
    /// Whose body is held.
    pub lane: usize,
    /// The body.
    pub body: BodyId,
    /// Where, in the body's frame, m.
    pub point: Vec3,
    /// Where it shall go, m.
    pub target: Vec3,
}

/// Something that changes the future.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Steers.
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
    /// Asks for a jump.
    Jump(Jump),
    /// Another set-up of a lane that keeps its character: controller, style, gait, body.
    Change {
        /// Which lane.
        lane: usize,
        /// The set-up.
        setup: Box<LaneSetup>,
    },
}

/// Stiffness per weight of the dragging hand, 1/m, and its damping relative to critical.
const GRIP: (f64, f64) = (0.8, 0.3);
/// Greatest force of the hand, in weights.
const STRONGEST: f64 = 0.6;
/// How far the command's heading may run ahead of the body's, rad.
const AHEAD: f64 = 0.9;

/// The lanes and what is commanded.
#[derive(Clone, Debug)]
pub struct Play {
    /// One or two.
    pub lanes: Vec<Lane>,
    steering: Steering,
    heading: f64,
    drag: Option<Drag>,
}

/// All that the future depends on.
#[derive(Clone, Debug)]
pub struct SavedPlay {
    lanes: Vec<Saved>,
    steering: Steering,
    heading: f64,
    drag: Option<Drag>,
}

impl Play {
    /// With lanes that have just begun.
    pub fn new(lanes: Vec<Lane>, steering: Steering) -> Play {
        Play { lanes, steering, heading: 0.0, drag: None }
    }

    /// Steps taken.
    pub fn steps(&self) -> u64 {
        self.lanes[0].world().steps()
    }

    /// Time, s.
    pub fn time(&self) -> f64 {
        self.lanes[0].world().time()
    }

    /// Duration of a step, s.
    pub fn dt(&self) -> f64 {
        self.lanes[0].world().settings().dt
    }

    /// What is steered.
    pub fn steering(&self) -> Steering {
        self.steering
    }

    /// Where the character is asked to face, rad.
    pub fn heading(&self) -> f64 {
        self.heading
    }

    /// What is held.
    pub fn drag(&self) -> Option<Drag> {
        self.drag
    }

    /// Steps all lanes once.
    ///
    /// # Errors
    /// In words, when a world cannot be stepped.
    pub fn step(&mut self) -> Result<(), String> {
        let facing = self.facing();
        let ahead = wrapped(self.heading - facing) + self.steering.turn * self.dt();
        if self.steering.turn != 0.0 {
            self.heading = facing + ahead.clamp(-AHEAD, AHEAD);
        }
        let Steering { forward, left, .. } = self.steering;
        let command = Command { velocity: [forward, left], heading: self.heading };
        // the hand pulls at one; the others feel the same force at the same place
        let first = self.drag.map_or(0, |drag| drag.lane.min(self.lanes.len() - 1));
        self.lanes[first].step(&command)?;
        let pull = self.drag.map(|drag| (drag, self.lanes[first].meter().force));
        for i in (0..self.lanes.len()).filter(|i| *i != first) {
            let lane = &mut self.lanes[i];
            if let Some((drag, force)) = pull
                && drag.body.0 < lane.base().bodies().len()
            {
                let Drag { body, point, .. } = drag;
                lane.world_mut().push(Push { actor: ACTOR, body, point, force, steps: 1 });
            }
            lane.step(&command)?;
        }
        Ok(())
    }

    /// Where the first character faces in the plane, by its root, rad.
    pub fn facing(&self) -> f64 {
        facing(&self.lanes[0])
    }

    /// Does an action, between two steps.
    ///
    /// # Errors
    /// In words; then nothing changes.
    pub fn apply(&mut self, action: &Action) -> Result<(), String> {
        match action {
            Action::Steer(steering) => self.steering = *steering,
            Action::Drag(drag) => self.grip(*drag)?,
            Action::Push { impulse, seconds } => {
                for lane in &mut self.lanes {
                    let body = lane.base().role(Role::Trunk).unwrap_or(BodyId(0));
                    let com = lane.base().bodies()[body.0].inertia.com;
                    lane.push(body, com, *impulse, *seconds);
                }
            }
            Action::Throw(throw) => {
                for lane in &mut self.lanes {
                    lane.throw(throw)?;
                }
            }
            Action::Jump(jump) => {
                let asked =
                    self.lanes.iter_mut().filter_map(|l| l.driver_mut().jump(*jump).then_some(())).count();
                if asked == 0 {
                    return Err("only the jumper jumps; choose it as the controller".into());
                }
            }
            Action::Change { lane, setup } => self.change(*lane, setup)?,
        }
        Ok(())
    }

    fn grip(&mut self, drag: Option<Drag>) -> Result<(), String> {
        for lane in &mut self.lanes {
            lane.world_mut().set_hand(None);
        }
        self.drag = None;
        let Some(drag) = drag else { return Ok(()) };
        let lane = self.lanes.get_mut(drag.lane).ok_or("there is no such character to drag")?;
        let model = lane.world().actors()[ACTOR].model();
        if drag.body.0 >= model.bodies().len() {
            return Err("there is no such body to drag".into());
        }
        // a hand is as strong as it must be for a body of this mass, whatever the gravity
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

    fn change(&mut self, lane: usize, setup: &LaneSetup) -> Result<(), String> {
        let lane = self.lanes.get_mut(lane).ok_or("there is no such character")?;
        if setup.character != lane.setup.character {
            return Err("another character needs a new world".into());
        }
        let controller = setup.controller.clone();
        let switch = controller != lane.setup.controller;
        let before = lane.setup.clone();
        lane.setup = LaneSetup { controller: before.controller.clone(), ..setup.clone() };
        for (name, value) in &mut lane.setup.gait {
            *value = bounded_gait(name, *value).unwrap_or(*value);
        }
        lane.set_gait();
        if switch && let Err(problem) = lane.set_controller(&controller) {
            lane.setup = before;
            lane.set_gait();
            return Err(problem);
        }
        Ok(())
    }

    /// Everything that the future depends on.
    pub fn save(&self) -> SavedPlay {
        SavedPlay {
            lanes: self.lanes.iter().map(Lane::save).collect(),
            steering: self.steering,
            heading: self.heading,
            drag: self.drag,
        }
    }

    /// Goes back to a saved state.
    ///
    /// # Errors
    /// In words, when it is of another world.
    pub fn restore(&mut self, saved: &SavedPlay) -> Result<(), String> {
        for (lane, saved) in self.lanes.iter_mut().zip(&saved.lanes) {
            lane.restore(saved)?;
        }
        (self.steering, self.heading, self.drag) = (saved.steering, saved.heading, saved.drag);
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

/// Where a character faces in the plane, by its root, rad.
pub fn facing(lane: &Lane) -> f64 {
    let actor = &lane.world().actors()[ACTOR];
    let root = actor.model().joints().iter().find(|joint| joint.kind == JointKind::Free);
    root.map_or(0.0, |root| {
        let [w, x, y, z] = [3, 4, 5, 6].map(|k| actor.q[root.q + k]);
        libm::atan2(2.0 * (x * y + w * z), 1.0 - 2.0 * (y * y + z * z))
    })
}

/// An angle in −π..π.
fn wrapped(x: f64) -> f64 {
    libm::remainder(x, std::f64::consts::TAU)
}
