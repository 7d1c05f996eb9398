//! Which frame of the plan acts: one after the other, but for feet that land early or late.
//!
//! A foot that lands within a window before the plan's landing moves the phase on to it; when the plan's foot lands and the real one does
//! not, the phase waits for some frames. The plan's place goes on where it was (`Moved`), so that a jump in time is none in place.

use super::policy::Policy;

/// Where in the plan it is.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Phase {
    /// The frame that acts.
    pub(super) frame: usize,
    /// How long it has waited for a landing, frames.
    pub(super) held: usize,
    /// Landings so far.
    pub(super) steps: usize,
    /// Whether each foot bore force at the last look.
    loaded: [bool; 2],
}

/// What a look at the feet changed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Moved {
    /// By how many frames the phase goes on: 1, or 0 when it waits, or more.
    pub(super) by: usize,
    /// The foot that landed, if one did.
    pub(super) landed: Option<usize>,
}

impl Phase {
    /// At a frame, with the feet as planned there.
    pub(super) fn at(policy: &Policy, frame: usize) -> Phase {
        Phase { frame, loaded: [0, 1].map(|side| down(policy, side, frame)), ..Phase::default() }
    }

    /// Looks at the feet; `window` says how many frames early and late a landing may come.
    pub(super) fn look(&mut self, policy: &Policy, loaded: [bool; 2], window: [usize; 2]) -> Moved {
        let before = core::mem::replace(&mut self.loaded, loaded);
        let [early, late] = window;
        let mut moved = Moved { by: 1, landed: None };
        for side in 0..2 {
            let landed = loaded[side] && !before[side];
            if landed {
                self.steps += 1;
                moved.landed = Some(side);
            }
            let Some(left) = self.landing(policy, side) else { continue };
            if landed && left > 1 && left <= early {
                moved.by = moved.by.max(left);
            } else if left == 1 && !loaded[side] && self.held < late {
                moved.by = 0;
            }
        }
        self.held = if moved.by == 0 { self.held + 1 } else { 0 };
        moved
    }

    /// Frames until a foot of the plan lands; only while it is in the air.
    fn landing(&self, policy: &Policy, side: usize) -> Option<usize> {
        if down(policy, side, self.frame) {
            return None;
        }
        let n = policy.frames.len();
        let most = if policy.travel.is_some() { n } else { n - self.frame };
        (1..most).find(|ahead| down(policy, side, (self.frame + ahead) % n))
    }

    /// Goes on by a frame. True when a cycle begins again; a motion that ends stays at the last frame from which it steps on.
    pub(super) fn next(&mut self, policy: &Policy) -> bool {
        self.frame += 1;
        let cycles = policy.travel.is_some();
        if self.frame + usize::from(!cycles) < policy.frames.len() {
            return false;
        }
        self.frame = if cycles { 0 } else { policy.frames.len() - 2 };
        cycles
    }
}

/// Whether a foot of the plan is down at a frame.
fn down(policy: &Policy, side: usize, frame: usize) -> bool {
    let down = &policy.frames[frame].down;
    down[2 * side] || down[2 * side + 1]
}
