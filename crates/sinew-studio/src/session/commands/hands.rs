//! Interaction: steering, dragging, pushing, throwing, requests.

use super::{finite, vector};
use crate::protocol::catalogue::Said;
use crate::session::boxes::Throw;
use crate::session::error::SessionError;
use crate::session::play::{self, Action, Drag, Steering};
use crate::session::{Session, setup};
use sinew::control::{RequestKind, Value};
use sinew::dynamics::BodyId;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// Speeds forward and to the left, m/s, and turns, rad/s, that can be steered.
const FORWARD: [f64; 2] = [-1.0, 2.0];
const LEFT: [f64; 2] = [-0.8, 0.8];
const TURN: [f64; 2] = [-2.5, 2.5];
/// Greatest impulse of a push, N·s, and how long it may last, s.
const PUSH: (f64, RangeInclusive<f64>) = (2000.0, 0.001..=5.0);
/// Mass, kg, and half of the edge, m, of a box.
const BOX: (RangeInclusive<f64>, RangeInclusive<f64>) = (0.1..=100.0, 0.02..=1.0);
/// Greatest speed of a box, m/s, and distance from the origin, m.
const FLIGHT: (f64, f64) = (40.0, 1e4);

impl Session {
    pub(super) fn steer(&mut self, forward: f64, left: f64, turn: f64) -> Result<(), SessionError> {
        finite(&[forward, left, turn])?;
        let within = |x: f64, [low, high]: [f64; 2]| x.clamp(low, high);
        let took_over = self.play.steering().is_none();
        let steering = Steering {
            forward: within(forward, FORWARD),
            left: within(left, LEFT),
            turn: within(turn, TURN),
        };
        self.act(Action::Steer(steering))?;
        if took_over {
            self.setup.lanes.iter_mut().for_each(|lane| lane.commands.clear());
            self.send_state();
        }
        Ok(())
    }

    pub(super) fn drag(
        &mut self,
        lane: usize,
        body: usize,
        point: [f64; 3],
        target: [f64; 3],
    ) -> Result<(), SessionError> {
        let [point, target] = [vector(point)?, vector(target)?];
        self.act(Action::Drag(Some(Drag { lane, body: BodyId(body), point, target })))
    }

    pub(super) fn release(&mut self) -> Result<(), SessionError> {
        self.act(Action::Drag(None))
    }

    pub(super) fn push(&mut self, impulse: [f64; 3], seconds: f64) -> Result<(), SessionError> {
        let impulse = vector(impulse)?;
        if impulse.norm() > PUSH.0 || !PUSH.1.contains(&seconds) {
            return Err(SessionError::Refused("a push has at most 2000 N·s, over 0.001 to 5 s"));
        }
        self.act(Action::Push { impulse, seconds })
    }

    pub(super) fn throw(
        &mut self,
        from: [f64; 3],
        velocity: [f64; 3],
        mass: f64,
        half: f64,
    ) -> Result<(), SessionError> {
        let (from, velocity) = (vector(from)?, vector(velocity)?);
        let sound = BOX.0.contains(&mass) && BOX.1.contains(&half);
        if !sound || velocity.norm() > FLIGHT.0 || from.norm() > FLIGHT.1 {
            let problem = "a box weighs 0.1 to 100 kg, measures 4 cm to 2 m, and flies at up to 40 m/s";
            return Err(SessionError::Refused(problem));
        }
        self.act(Action::Throw(Throw { from, velocity, mass, half }))
    }

    /// A request. A character whose system does not take it switches to the first system that does.
    pub(super) fn ask(&mut self, name: &str, said: &BTreeMap<String, Said>) -> Result<(), SessionError> {
        let unknown = || {
            let known = self.registry.iter().flat_map(|system| system.requests);
            let mut known: Vec<&str> = known.map(|kind| kind.name).collect();
            known.dedup();
            SessionError::unknown("request", name, known)
        };
        let system = self.registry.that_takes(name).ok_or_else(unknown)?;
        let kind = system.request(name).ok_or_else(unknown)?;
        let values = values(kind, said)?;
        // check all values before any change
        play::request(system, name, &values)?;
        for lane in 0..self.setup.lanes.len() {
            if self.setup.lanes[lane].controller.system.request(name).is_none() {
                let to = setup::switched(&self.setup.lanes[lane], system);
                self.change_to(lane, to)?;
            }
        }
        self.act(Action::Ask { name: name.to_owned(), values })
    }
}

fn values(
    kind: &'static RequestKind,
    said: &BTreeMap<String, Said>,
) -> Result<Vec<(String, Value)>, SessionError> {
    let value = |(name, said): (&String, &Said)| {
        let param = kind.params.iter().find(|param| param.name == *name).ok_or_else(|| {
            SessionError::unknown("value of the request", name, kind.params.iter().map(|param| param.name))
        })?;
        Ok((name.clone(), said.value(param)))
    };
    said.iter().map(value).collect()
}
