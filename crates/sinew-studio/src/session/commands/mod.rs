//! The effect of each message. A message with an error becomes a notice and changes nothing.

mod files;
mod hands;
mod time;
mod worlds;

use super::Session;
use super::error::SessionError;
use crate::protocol::MOST_TEXT;
use crate::protocol::client::ClientMessage;
use crate::protocol::server::ServerMessage;
use sinew::dynamics::spatial::Vec3;

/// Greatest number of a message.
const GREATEST: f64 = 1e6;

impl Session {
    /// Takes a text message.
    pub fn handle(&mut self, text: &str) {
        let done = match serde_json::from_str::<ClientMessage>(text) {
            _ if text.len() > MOST_TEXT => {
                Err(SessionError::Message(format!("a message of {} bytes is too long", text.len())))
            }
            Ok(message) => self.wish(message),
            Err(e) => Err(SessionError::Message(format!("a message that cannot be read: {e}"))),
        };
        if let Err(problem) = done {
            self.problem(problem);
        }
    }

    fn wish(&mut self, message: ClientMessage) -> Result<(), SessionError> {
        match message {
            ClientMessage::Setup { setup } => self.begin_with(setup.read(&self.registry)?),
            ClientMessage::Change { lane, setup } => self.change(lane, &setup),
            ClientMessage::Steer { forward, left, turn } => self.steer(forward, left, turn),
            ClientMessage::Drag { lane, body, point, target } => self.drag(lane, body, point, target),
            ClientMessage::Release {} => self.release(),
            ClientMessage::Push { impulse, seconds } => self.push(impulse, seconds),
            ClientMessage::Throw { from, velocity, mass, half } => self.throw(from, velocity, mass, half),
            ClientMessage::Ask { name, values } => self.ask(&name, &values),
            ClientMessage::Play {} => self.go_on(),
            ClientMessage::Pause {} => self.pause(),
            ClientMessage::Step { steps } => self.single_steps(steps),
            ClientMessage::Speed { factor } => self.set_speed(factor),
            ClientMessage::Seek { time } => self.seek(time),
            ClientMessage::Reset {} => self.begin_again(),
            ClientMessage::Ghost { name } => self.show_ghost(name),
            ClientMessage::Download { format, seconds } => self.download(&format, seconds),
            ClientMessage::Scenario { lane } => self.send_scenario(lane),
            ClientMessage::Ping { id } => {
                self.send(&ServerMessage::Pong { id });
                Ok(())
            }
        }
    }
}

fn vector(v: [f64; 3]) -> Result<Vec3, SessionError> {
    finite(&v)?;
    Ok(Vec3::from(v))
}

fn finite(numbers: &[f64]) -> Result<(), SessionError> {
    match numbers.iter().all(|x| x.is_finite() && x.abs() < GREATEST) {
        true => Ok(()),
        false => Err(SessionError::Refused("a number is out of range")),
    }
}
