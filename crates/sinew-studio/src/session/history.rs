//! The past of a play: saved states, and all actions between them. Any other step is computed again from the state before it, with the
//! same bits.
//!
//! A state of a walking human is about 0.2 MB. Four a second are kept of the last four seconds, one a second further back, about
//! 15 MB for a minute. A jump in time simulates at most one second of the world again.
//!
//! Events are stored by steps of the first lane, because these are exact; `Steps` converts times to steps for changing time
//! steps.

use super::clock::reached;
use super::error::SessionError;
use super::play::{Action, Play, SavedPlay};
use std::collections::VecDeque;

/// Interval of recent states, and how long they count as recent, s.
const NEAR: (f64, f64) = (0.25, 4.0);
/// Interval of older states, and the length of the history, s: a minute at least.
const FAR: (f64, f64) = (1.0, 61.0);

/// The past.
#[derive(Debug)]
pub struct History {
    states: VecDeque<State>,
    actions: VecDeque<(u64, Action)>,
    steps: Steps,
}

#[derive(Debug)]
struct State {
    step: u64,
    time: f64,
    /// Whether it is kept among the older states.
    far: bool,
    play: SavedPlay,
}

/// Part of the past to be played again elsewhere.
#[derive(Debug)]
pub struct Replay {
    /// The state; before its beginning until [`Replay::begin`].
    pub play: Play,
    actions: VecDeque<(u64, Action)>,
    begin: u64,
    end: u64,
}

impl History {
    /// Of a play that begins.
    pub fn new(play: &Play) -> History {
        let begin = State { step: play.steps(), time: play.time(), far: true, play: play.save() };
        History { states: [begin].into(), actions: VecDeque::new(), steps: Steps::new(play) }
    }

    /// Notes that a step was taken.
    pub fn note(&mut self, play: &Play) {
        self.steps.note(play);
        let (step, time, dt) = (play.steps(), play.time(), play.dt());
        let far = reached(time, dt, FAR.0);
        if !far && !reached(time, dt, NEAR.0) {
            return;
        }
        self.states.push_back(State { step, time, far, play: play.save() });
        let fresh = |state: &State| {
            let age = time - state.time;
            age <= NEAR.1 || (age <= FAR.1 && state.far)
        };
        self.states.retain(fresh);
        let oldest = self.oldest();
        while self.actions.front().is_some_and(|(step, _)| *step < oldest) {
            self.actions.pop_front();
        }
        self.steps.forget_before(oldest);
    }

    /// Notes an action that was done before the next step.
    pub fn act(&mut self, step: u64, action: Action) {
        // repeated drags or steering within one step count once
        if let Some((at, last)) = self.actions.back_mut()
            && *at == step
            && std::mem::discriminant(last) == std::mem::discriminant(&action)
            && matches!(action, Action::Drag(_) | Action::Steer(_))
        {
            *last = action;
            return;
        }
        self.actions.push_back((step, action));
    }

    /// First and last time of the history, s.
    pub fn range(&self) -> [f64; 2] {
        [self.states.front().map_or(0.0, |state| state.time), self.steps.newest.1]
    }

    /// The last step that was taken.
    pub fn newest(&self) -> u64 {
        self.steps.newest.0
    }

    fn oldest(&self) -> u64 {
        self.states.front().map_or(0, |state| state.step)
    }

    /// Brings the play to the step that ends nearest to a time.
    ///
    /// # Errors
    /// When a world cannot be stepped.
    pub fn seek(&mut self, play: &mut Play, time: f64) -> Result<(), SessionError> {
        let step = self.steps.at(time).clamp(self.oldest(), self.newest());
        let Some(state) = self.states.iter().rfind(|state| state.step <= step) else { return Ok(()) };
        // from the present state when that is nearer
        if !(play.steps() <= step && play.steps() >= state.step) {
            play.restore(&state.play)?;
        }
        let first = self.actions.partition_point(|(at, _)| *at < play.steps());
        let mut actions = self.actions.iter().skip(first).peekable();
        while play.steps() < step {
            while let Some((_, action)) = actions.next_if(|(at, _)| *at <= play.steps()) {
                // an action that was refused then is refused again
                let _ = play.apply(action);
            }
            play.step()?;
        }
        Ok(())
    }

    /// Forgets everything after a step.
    pub fn cut(&mut self, play: &Play) {
        let step = play.steps();
        while self.states.back().is_some_and(|state| state.step > step) {
            self.states.pop_back();
        }
        while self.actions.back().is_some_and(|(at, _)| *at >= step) {
            self.actions.pop_back();
        }
        self.steps.cut(step, play.time());
    }

    /// The last seconds, or as much as there is, to be played again.
    ///
    /// # Errors
    /// When the state cannot be restored.
    pub fn replay(&self, play: &Play, seconds: f64) -> Result<Replay, SessionError> {
        let end = play.steps();
        let begin = self.steps.at(play.time() - seconds).clamp(self.oldest(), end);
        let mut copy = play.clone();
        if let Some(state) = self.states.iter().rfind(|state| state.step <= begin) {
            copy.restore(&state.play)?;
        }
        let first = self.actions.partition_point(|(at, _)| *at < copy.steps());
        let actions = self.actions.iter().skip(first).cloned().collect();
        Ok(Replay { play: copy, actions, begin, end })
    }
}

impl Replay {
    /// Goes from the state before it to its beginning.
    ///
    /// # Errors
    /// When a world cannot be stepped.
    pub fn begin(&mut self) -> Result<(), SessionError> {
        while self.play.steps() < self.begin {
            self.step()?;
        }
        // actions at the beginning belong to it
        self.act();
        Ok(())
    }

    /// Takes the next step; false at the end.
    ///
    /// # Errors
    /// When a world cannot be stepped.
    pub fn step(&mut self) -> Result<bool, SessionError> {
        if self.play.steps() >= self.end {
            return Ok(false);
        }
        self.act();
        self.play.step()?;
        Ok(true)
    }

    /// Repeats the actions before the next step.
    fn act(&mut self) {
        while self.actions.front().is_some_and(|(at, _)| *at <= self.play.steps()) {
            if let Some((_, action)) = self.actions.pop_front() {
                // an action that was refused then is refused again
                let _ = self.play.apply(&action);
            }
        }
    }
}

/// Times of steps: consecutive spans of constant time step.
#[derive(Debug)]
struct Steps {
    spans: VecDeque<Span>,
    /// The last step, and its time, s.
    newest: (u64, f64),
}

/// From a step and its time on, steps have this length.
#[derive(Clone, Copy, Debug)]
struct Span {
    step: u64,
    time: f64,
    dt: f64,
}

impl Steps {
    fn new(play: &Play) -> Steps {
        let (step, time, dt) = (play.steps(), play.time(), play.dt());
        Steps { spans: [Span { step, time, dt }].into(), newest: (step, time) }
    }

    fn note(&mut self, play: &Play) {
        let dt = play.dt();
        if self.spans.back().is_none_or(|span| span.dt != dt) {
            let (step, time) = self.newest;
            self.spans.push_back(Span { step, time, dt });
        }
        self.newest = (play.steps(), play.time());
    }

    /// The step that ends nearest to a time.
    fn at(&self, time: f64) -> u64 {
        let span = self.spans.iter().rfind(|span| span.time <= time).or(self.spans.front());
        let Some(span) = span else { return 0 };
        let last =
            self.spans.iter().find(|next| next.step > span.step).map_or(self.newest.0, |next| next.step);
        // after the last step, the last step
        let ahead = ((time - span.time) / span.dt).round().max(0.0) as u64;
        span.step.saturating_add(ahead).min(last)
    }

    fn cut(&mut self, step: u64, time: f64) {
        while self.spans.len() > 1 && self.spans.back().is_some_and(|span| span.step >= step) {
            self.spans.pop_back();
        }
        self.newest = (step, time);
    }

    fn forget_before(&mut self, step: u64) {
        while self.spans.get(1).is_some_and(|next| next.step <= step) {
            self.spans.pop_front();
        }
    }
}
