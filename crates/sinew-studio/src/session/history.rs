//! The past of a play: states, and all actions between them. Any step in between is made again from the state before it, with the
//! same bits.
//!
//! A state of a walking human is 2 MB, warm starts of its optimisation included. The last seconds have one every quarter of a
//! second, what lies further back every two seconds: about 90 MB for a minute.

use super::play::{Action, Play, SavedPlay};
use std::collections::VecDeque;

/// Steps between two states of the last while, and how many steps that is.
const NEAR: (u64, u64) = (250, 4000);
/// Steps between two states further back, and how far back it reaches.
const FAR: (u64, u64) = (2000, 60_000);

/// The past.
#[derive(Debug, Default)]
pub struct History {
    states: VecDeque<(u64, SavedPlay)>,
    actions: VecDeque<(u64, Action)>,
    /// The last step that was ever taken.
    newest: u64,
}

/// A stretch of the past to be played again elsewhere.
#[derive(Debug)]
pub struct Replay {
    /// The state at its beginning.
    pub play: Play,
    actions: VecDeque<(u64, Action)>,
    end: u64,
}

impl History {
    /// Notes that a step was taken.
    pub fn note(&mut self, play: &Play) {
        let step = play.steps();
        self.newest = step;
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
    pub fn seek(&self, play: &mut Play, step: u64) -> Result<(), String> {
        let step = step.clamp(self.oldest(), self.newest);
        let from = self.states.partition_point(|(s, _)| *s <= step).saturating_sub(1);
        let Some((begin, state)) = self.states.get(from) else { return Ok(()) };
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
        }
        Ok(())
    }

    /// Forgets everything after a step.
    pub fn cut(&mut self, step: u64) {
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
        let from = self.states.partition_point(|(s, _)| s + steps <= end).saturating_sub(1);
        let mut copy = play.clone();
        let begin = match self.states.get(from) {
            Some((begin, state)) => {
                copy.restore(state)?;
                *begin
            }
            None => end,
        };
        let first = self.actions.partition_point(|(s, _)| *s < begin);
        Ok(Replay { play: copy, actions: self.actions.iter().skip(first).cloned().collect(), end })
    }
}

impl Replay {
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
