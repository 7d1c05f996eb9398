//! New worlds, changes of controllers and bodies in the present one, scenarios in and out.

use crate::protocol::server::ServerMessage;
use crate::protocol::setup::LaneMessage;
use crate::session::Session;
use crate::session::error::SessionError;
use crate::session::play::{Action, NOBODY, Steering};
use crate::session::setup::{self, Setup};
use sinew::control::Command;
use sinew::dynamics::Model;
use sinew::lab::Scenario;
use sinew::lab::scenario::BodyPlan;
use std::sync::Arc;

/// Most uploaded characters.
const MOST_UPLOADS: usize = 8;

impl Session {
    /// A new world. A character that does not suit its controller becomes a ragdoll.
    pub(super) fn begin_with(&mut self, setup: Setup) -> Result<(), SessionError> {
        for lane in &setup.lanes {
            setup::character(&lane.character, &self.uploads)?;
        }
        let before = std::mem::replace(&mut self.setup, setup);
        let other = before.lanes[0].character != self.setup.lanes[0].character;
        if let Err(problem) = self.restart() {
            let limp = self.registry.limp();
            self.setup.lanes.iter_mut().for_each(|lane| *lane = setup::switched(lane, limp));
            if let Err(worse) = self.restart() {
                self.setup = before;
                // the page shows the requested set-up
                self.send_state();
                return Err(worse);
            }
            self.info(format!("A ragdoll: {problem}"));
        }
        self.playing = true;
        self.send_state();
        match self.ghost.clone() {
            Some(ghost) if other => self.start_ghost(ghost),
            _ => {}
        }
        Ok(())
    }

    /// Another controller, style, parameter or body of a running character.
    pub(super) fn change(&mut self, lane: usize, said: &LaneMessage) -> Result<(), SessionError> {
        let present = self.setup.lanes.get(lane).ok_or(NOBODY)?;
        let to = said.read(&self.setup.terrain, &self.registry)?;
        // the common ground stays as it is
        let to = Scenario { ground: present.ground.clone(), ..to };
        setup::character(&to.character, &self.uploads)?;
        self.change_to(lane, to)
    }

    pub(super) fn change_to(&mut self, lane: usize, to: Scenario) -> Result<(), SessionError> {
        let changed = self.act(Action::Change { lane, to: Box::new(to) });
        if let (Ok(()), Some(playing)) = (&changed, self.play.lanes.get(lane)) {
            self.setup.lanes[lane] = playing.scenario.clone();
        }
        self.send_state();
        changed
    }

    /// The world of a scenario file.
    pub(super) fn take_scenario(&mut self, name: &str, content: &[u8]) -> Result<(), SessionError> {
        let text = std::str::from_utf8(content).map_err(|_| SessionError::file(name, "it is no text"))?;
        let scenario = Scenario::parse_with(text, name, &self.registry)?;
        let stands = scenario.commands.is_empty();
        self.begin_with(Setup::of(scenario, &self.setup.terrain))?;
        if stands {
            self.act(Action::Steer(Steering::default()))?;
            self.send_state();
        }
        Ok(())
    }

    /// A character's scenario as the text of a file, with the present steering.
    pub(super) fn send_scenario(&mut self, lane: usize) -> Result<(), SessionError> {
        let mut scenario = self.setup.lanes.get(lane).ok_or(NOBODY)?.clone();
        if let Some(Steering { forward, left, .. }) = self.play.steering() {
            let command = Command { velocity: [forward, left], heading: 0.0 };
            scenario.commands = if command == Command::STAND { Vec::new() } else { vec![(0.0, command)] };
        }
        let text = format!(
            "# From the studio; run it with: sinew simulate studio.toml --out run.npz\n{}",
            scenario.to_toml()
        );
        self.send(&ServerMessage::Scenario { text });
        Ok(())
    }

    /// A character of a file.
    pub(super) fn take_character(&mut self, name: String, content: &[u8]) -> Result<(), SessionError> {
        let broken = |problem: &dyn std::fmt::Display| SessionError::file(&name, problem);
        let text = std::str::from_utf8(content).map_err(|_| broken(&"it is no text"))?;
        let (model, _) = Model::from_mjcf(text).map_err(|e| broken(&e))?;
        let mut spec = model.spec().clone();
        spec.complete_roles(None);
        let model = Model::new(spec).map_err(|e| broken(&e))?;
        if self.uploads.len() >= MOST_UPLOADS && !self.uploads.contains_key(&name) {
            self.uploads.pop_first();
        }
        self.uploads.insert(name.clone(), Arc::new(model));
        let mut setup = self.setup.clone();
        setup.lanes.truncate(1);
        setup.lanes[0].character.clone_from(&name);
        setup.lanes[0].body = BodyPlan::default();
        self.begin_with(setup)?;
        self.info(format!("{name} is the character now"));
        Ok(())
    }
}
