//! The state machine: which leg swings, whether it lifts or lands, and for how long.
//!
//! ```text
//! left lifts --time--> left lands --foot strike--> right lifts --time--> right lands --foot strike--> left lifts
//! ```
//! Runs have no landing states: the legs change by time alone.

use super::gait::Gait;
use sinew_dynamics::Side;

/// The present state of the stride.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Machine {
    /// The leg that swings.
    pub(super) swing: Side,
    /// Whether it lands; otherwise it lifts.
    pub(super) lands: bool,
    /// Time in this state, s.
    pub(super) since: f64,
    /// Steps taken.
    pub(super) steps: f64,
}

impl Machine {
    /// A leg begins to lift.
    pub(super) fn lifting(swing: Side) -> Machine {
        Machine { swing, lands: false, since: 0.0, steps: 0.0 }
    }

    /// Goes to the next state when it is due, with the gait's times multiplied by a factor; true when the other leg begins to swing.
    pub(super) fn advance(&mut self, gait: &Gait, slower: f64, struck: bool) -> bool {
        let waits = gait.wait > 0.0;
        let over = match self.lands {
            false => self.since >= gait.period * slower,
            true => struck || self.since >= gait.wait * slower,
        };
        if !over {
            return false;
        }
        self.since = 0.0;
        if waits && !self.lands {
            self.lands = true;
            return false;
        }
        (self.swing, self.lands) = (self.swing.other(), false);
        self.steps += 1.0;
        true
    }

    /// Number of the state as in the paper: 0 and 1 lift and land the left leg, 2 and 3 the right one.
    pub(super) fn number(&self) -> f64 {
        f64::from(2 * (self.swing as u8) + u8::from(self.lands))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_ends_lifting_and_touch_ends_landing() {
        let gait = Gait { period: 0.3, wait: 2.0, ..Gait::default() };
        let mut machine = Machine::lifting(Side::Left);
        let mut go = |since: f64, struck: bool| {
            machine.since = since;
            machine.advance(&gait, 1.0, struck);
            machine.number()
        };
        // a foot that touches the ground while it lifts does not end the state
        assert_eq!(go(0.29, true), 0.0);
        assert_eq!(go(0.30, false), 1.0);
        assert_eq!(go(0.5, false), 1.0);
        assert_eq!(go(0.5, true), 2.0);
        assert_eq!(go(0.31, false), 3.0);
        assert_eq!(go(0.0, true), 0.0);
        // a foot that never lands ends its state after the longest time
        assert_eq!((go(0.31, false), go(2.0, false)), (1.0, 2.0));
        assert_eq!(machine.steps, 3.0);
    }

    #[test]
    fn a_run_has_two_states() {
        let gait = Gait { period: 0.3, wait: 0.0, ..Gait::default() };
        let mut machine = Machine::lifting(Side::Left);
        machine.since = 0.3;
        assert!(machine.advance(&gait, 1.0, false));
        assert_eq!(machine.number(), 2.0);
    }
}
