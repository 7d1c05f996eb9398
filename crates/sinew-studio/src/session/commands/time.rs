//! Time: play, pause, single steps, seek, reset.

use super::finite;
use crate::session::Session;
use crate::session::error::SessionError;

/// Greatest number of steps in a message.
const MOST_STEPS: u64 = 2000;
/// Lowest and highest speed of time.
const SPEEDS: [f64; 2] = [0.01, 20.0];

impl Session {
    pub(super) fn go_on(&mut self) -> Result<(), SessionError> {
        self.branch();
        self.playing = true;
        self.send_state();
        Ok(())
    }

    pub(super) fn pause(&mut self) -> Result<(), SessionError> {
        self.playing = false;
        self.send_state();
        Ok(())
    }

    pub(super) fn single_steps(&mut self, steps: u64) -> Result<(), SessionError> {
        self.playing = false;
        self.branch();
        for _ in 0..steps.min(MOST_STEPS) {
            if !self.step() {
                break;
            }
        }
        self.send_state();
        Ok(())
    }

    pub(super) fn set_speed(&mut self, factor: Option<f64>) -> Result<(), SessionError> {
        let [slowest, fastest] = SPEEDS;
        self.speed = match factor {
            Some(f) if f.is_finite() => Some(f.clamp(slowest, fastest)),
            Some(_) => return Err(SessionError::Refused("a speed must be a finite number")),
            None => None,
        };
        self.send_state();
        Ok(())
    }

    pub(super) fn seek(&mut self, time: f64) -> Result<(), SessionError> {
        finite(&[time])?;
        self.playing = false;
        self.history.seek(&mut self.play, time)?;
        self.setup.lanes = self.play.lanes.iter().map(|lane| lane.scenario.clone()).collect();
        self.send_state();
        Ok(())
    }

    pub(super) fn begin_again(&mut self) -> Result<(), SessionError> {
        self.restart()?;
        self.playing = true;
        self.send_state();
        Ok(())
    }
}
