//! The past of a play: states, and all actions between them. Any step in between is made again from the state before it, with the
//! same bits.
//!
//! A state of a walking human is 2 MB, workspaces of its optimisation included, so states are few: two a second in the last
//! four seconds, one in five seconds further back, about 40 MB for a minute. Whoever looks around in the past waits for at
//! most five seconds of the world to be made again, half a second of time, and once only: states that are passed on the way
//! are kept for as long as the visitor looks around.

use super::play::{Action, Play, SavedPlay};
use std::collections::VecDeque;

/// Steps between two states of the last while, and how many steps that is.
const NEAR: (u64, u64) = (500, 4000);
/// Steps between two states further back, and how far back it reaches: a minute at least.
const FAR: (u64, u64) = (5000, 65_000);
/// Steps between two states that are passed while looking around, and how many of them are kept.
const PASSED: (u64, usize) = (1000, 8);

/// The past.
#[derive(Debug, Default)]
pub struct History {
    states: VecDeque<(u64, SavedPlay)>,
    actions: VecDeque<(u64, Action)>,
    /// States that were passed while looking around, the latest last.
    passed: VecDeque<(u64, SavedPlay)>,
    /// The last step that was ever taken.
    newest: u64,
}

/// A stretch of the past to be played again elsewhere.
#[derive(Debug)]
pub struct Replay {
    /// The state; before its beginning until [`Replay::begin`].
    pub play: Play,
    actions: VecDeque<(u64, Action)>,
    begin: u64,
    end: u64,
}

impl History {
    /// Notes that a step was taken.
    pub fn note(&mut self, play: &Play) {
        let step = play.steps();
        self.newest = step;
        self.passed.clear();
        if step.is_multiple_of(NEAR.0) {
            self.keep(play);
        }
    }

    /// Keeps the present state.
    pub fn keep(&mut self, play: &Play) {
        if self.states.back().is_some_and(|(step, _)| *step == play.steps()) {
            return;
        }
        self.newest = self.newest.max(play.steps());
        self.states.push_back((play.steps(), play.save()));
        let now = play.steps();
        self.states
            .retain(|(step, _)| step + NEAR.1 >= now || (step + FAR.1 >= now && step.is_multiple_of(FAR.0)));
        let oldest = self.oldest();
        while self.actions.front().is_some_and(|(step, _)| *step < oldest) {
            self.actions.pop_front();
        }
    }

    /// Notes an action that was done before the next step.
    pub fn act(&mut self, step: u64, action: Action) {
        // a hand that moves many times within a step counts once, and so does steering
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

    /// First and last step that can be gone to.
    pub fn range(&self) -> [u64; 2] {
        [self.oldest(), self.newest]
    }

    fn oldest(&self) -> u64 {
        self.states.front().map_or(0, |(step, _)| *step)
    }

    /// Brings the play to a step.
    ///
    /// # Errors
    /// In words, when a world cannot be stepped.
    pub fn seek(&mut self, play: &mut Play, step: u64) -> Result<(), String> {
        let step = step.clamp(self.oldest(), self.newest);
        let known = || self.states.iter().chain(&self.passed);
        let nearest = known().filter(|(s, _)| *s <= step).max_by_key(|(s, _)| *s);
        let Some((begin, state)) = nearest else { return Ok(()) };
        // from where it is when that is nearer
        if !(play.steps() <= step && play.steps() >= *begin) {
            play.restore(state)?;
        }
        let mut next = self.actions.partition_point(|(s, _)| *s < play.steps());
        while play.steps() < step {
            while let Some((at, action)) = self.actions.get(next).filter(|(at, _)| *at <= play.steps()) {
                debug_assert_eq!(*at, play.steps());
                // what was refused then is refused again
                let _ = play.apply(action);
                next += 1;
            }
            play.step()?;
            let now = play.steps();
            let mut known = self.states.iter().chain(&self.passed);
            if now.is_multiple_of(PASSED.0) && !known.any(|(s, _)| *s == now) {
                while self.passed.len() >= PASSED.1 {
                    self.passed.pop_front();
                }
                self.passed.push_back((now, play.save()));
            }
        }
        Ok(())
    }

    /// Forgets everything after a step.
    pub fn cut(&mut self, step: u64) {
        self.passed.clear();
        while self.states.back().is_some_and(|(s, _)| *s > step) {
            self.states.pop_back();
        }
        while self.actions.back().is_some_and(|(s, _)| *s >= step) {
            self.actions.pop_back();
        }
        self.newest = step;
    }

    /// The last `steps` steps, to be played again; as many as there are.
    ///
    /// # Errors
    /// In words, when the state cannot be restored.
    pub fn replay(&self, play: &Play, steps: u64) -> Result<Replay, String> {
        let end = play.steps();
        let begin = end.saturating_sub(steps).max(self.oldest());
        let from = self.states.partition_point(|(s, _)| *s <= begin).saturating_sub(1);
        let mut copy = play.clone();
        if let Some((_, state)) = self.states.get(from) {
            copy.restore(state)?;
        }
        let first = self.actions.partition_point(|(s, _)| *s < copy.steps());
        let actions = self.actions.iter().skip(first).cloned().collect();
        Ok(Replay { play: copy, actions, begin, end })
    }
}

impl Replay {
    /// Goes from the state before it to its beginning.
    ///
    /// # Errors
    /// In words, when a world cannot be stepped.
    pub fn begin(&mut self) -> Result<(), String> {
        while self.play.steps() < self.begin {
            self.step()?;
        }
        Ok(())
    }

    /// Takes the next step; false at the end.
    ///
    /// # Errors
    /// In words, when a world cannot be stepped.
    pub fn step(&mut self) -> Result<bool, String> {
        if self.play.steps() >= self.end {
            return Ok(false);
        }
        while self.actions.front().is_some_and(|(at, _)| *at <= self.play.steps()) {
            if let Some((_, action)) = self.actions.pop_front() {
                let _ = self.play.apply(&action);
            }
        }
        self.play.step()?;
        Ok(true)
    }
}
