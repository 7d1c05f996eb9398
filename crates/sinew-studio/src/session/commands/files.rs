//! Files in and out, and ghosts. Longer work is done one job at a time, on a thread of its own.

use crate::protocol::MOST_FILE;
use crate::protocol::server::ServerMessage;
use crate::session::Session;
use crate::session::error::SessionError;
use crate::session::file::{self, Format};
use crate::session::ghost::{self, GhostSource};
use crate::session::job::{Job, Outcome, Waiting};
use std::sync::Arc;

/// Greatest number of waiting jobs.
const MOST_WAITING: usize = 4;
/// Longest name of a file, characters.
const LONGEST_NAME: usize = 120;

impl Session {
    /// Takes a binary message: a file that was dropped on the page.
    pub fn handle_file(&mut self, bytes: &[u8]) {
        if let Err(problem) = self.open(bytes) {
            self.problem(problem);
        }
    }

    fn open(&mut self, bytes: &[u8]) -> Result<(), SessionError> {
        const BROKEN: SessionError = SessionError::Refused("a binary message that is not a file");
        if bytes.len() > MOST_FILE {
            return Err(SessionError::Message(format!("a file may have {} MB", MOST_FILE >> 20)));
        }
        let [1, low, high, rest @ ..] = bytes else { return Err(BROKEN) };
        let length = usize::from(u16::from_le_bytes([*low, *high]));
        let (name, content) = rest.split_at_checked(length).ok_or(BROKEN)?;
        let name: String =
            String::from_utf8_lossy(name).chars().filter(|c| !c.is_control()).take(LONGEST_NAME).collect();
        self.take_file(name, content)
    }

    /// Opens a file by its ending.
    fn take_file(&mut self, name: String, content: &[u8]) -> Result<(), SessionError> {
        let ending = name.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
        match ending.as_str() {
            "bvh" => {
                let (content, body) = (content.to_vec(), Arc::clone(self.play.lanes[0].file()));
                self.start(format!("reading {name}"), move || ghost::read(name, &content, &body))
            }
            "xml" | "mjcf" => self.take_character(name, content),
            "toml" => self.take_scenario(&name, content),
            _ => Err(SessionError::file(
                &name,
                "a motion (.bvh), a character (.xml, MJCF) or a scenario (.toml) can be dropped here",
            )),
        }
    }

    pub(super) fn show_ghost(&mut self, name: Option<String>) -> Result<(), SessionError> {
        match name {
            Some(name) => self.start_ghost(GhostSource::BuiltIn(name)),
            None => {
                self.ghost = None;
                self.send(&ServerMessage::Ghost {
                    name: None,
                    rate: 1.0,
                    bodies: Vec::new(),
                    skin: Arc::default(),
                });
                self.send_state();
            }
        }
        Ok(())
    }

    pub(in crate::session) fn start_ghost(&mut self, source: GhostSource) {
        let body = Arc::clone(self.play.lanes[0].file());
        let what = format!("ghost {}", source.name());
        if let Err(problem) = self.start(what, move || ghost::make(source, &body)) {
            self.problem(problem);
        }
    }

    pub(super) fn download(&mut self, format: &str, seconds: f64) -> Result<(), SessionError> {
        let known = || Format::ALL.map(Format::extension);
        let format = Format::named(format).ok_or_else(|| SessionError::unknown("format", format, known()))?;
        if !(0.1..=60.0).contains(&seconds) {
            return Err(SessionError::Refused("a file holds 0.1 to 60 s"));
        }
        let replay = self.history.replay(&self.play, seconds)?;
        self.start(format!("writing {}", format.extension()), move || file::make(replay, format))
    }

    fn start(
        &mut self,
        what: String,
        work: impl FnOnce() -> Outcome + Send + 'static,
    ) -> Result<(), SessionError> {
        if self.waiting.len() >= MOST_WAITING {
            return Err(SessionError::Refused("too many files at once: wait until the last ones are made"));
        }
        self.waiting.push_back(Waiting { what, work: Box::new(work) });
        self.start_next();
        Ok(())
    }

    /// Begins the next waiting job, if none is running.
    pub(in crate::session) fn start_next(&mut self) {
        if self.job.is_some() {
            return;
        }
        let Some(Waiting { what, work }) = self.waiting.pop_front() else { return };
        match Job::start(work) {
            Ok(job) => self.job = Some(job),
            Err(problem) => return self.problem(problem),
        }
        self.send(&ServerMessage::Progress { what: Some(what) });
    }
}
