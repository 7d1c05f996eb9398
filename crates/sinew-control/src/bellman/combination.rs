//! A controller made of controllers.
//!
//! ```text
//! u = Σ αᵢ uᵢ,     αᵢ = softmaxᵢ(log wᵢ − vᵢ/λ)
//! ```
//! Every part decides and gives its expected cost from the present state on ([`Controller::value`]); the lower the cost, the greater the
//! part's share α. λ is the softness: with a small λ the cheapest part takes all, with a large λ the shares equal the weights. Torque
//! laws in the contact forces are mixed with the same shares. If the parts are optimal for one linear Bellman problem, the mixture is
//! optimal too; elsewhere it is a heuristic that has to be measured (`docs/bellman.md`). Mixing takes less than 2 µs besides the parts.

use crate::{
    Command, ControlError, ControlStatus, Controller, Observation, Out, Parameters, Request, Start,
    parameters,
};
use sinew_dynamics::Model;
use sinew_solve::linear_bellman::{Slew, Softmax};
use sinew_world::Actuation;
use std::sync::Arc;

parameters! {
    /// How the parts share control.
    pub struct Sharing {
        /// Softness of the choice, λ, in units of the parts' costs. With a small λ the cheapest part takes all, with a large λ shares equal the weights.
        softness: number(1.0, [1e-9, 1e12]).slider(0.01, 100.0).main();
        /// Greatest change of a share per second; infinite: no limit.
        slew: number(f64::INFINITY, [0.0, f64::INFINITY]).unit("1/s").slider(0.5, 50.0).main();
        /// Weight of each part, in their order; 1 for those that are not named.
        weights: numbers([]);
    }
}

/// Number of parts that have signals for their shares.
pub(super) const SIGNALLED: usize = 6;

/// A controller made of controllers.
#[derive(Clone, Debug)]
pub struct Combination {
    /// How the parts share control.
    pub sharing: Sharing,
    parts: Vec<Box<dyn Controller>>,
    names: Vec<&'static str>,
    softmax: Softmax,
    slew: Slew,
    values: Vec<f64>,
    given: Vec<Actuation>,
}

impl Combination {
    /// A combination of parts, given with their names.
    ///
    /// # Errors
    /// When there are no parts.
    pub fn new(
        model: &Model,
        parts: Vec<(&'static str, Box<dyn Controller>)>,
    ) -> Result<Combination, ControlError> {
        if parts.is_empty() {
            let problem = "a combination needs parts: two controllers or more that have a value function";
            return Err(ControlError::Parameter(problem.to_owned()));
        }
        let n = parts.len();
        let (names, parts) = parts.into_iter().unzip();
        Ok(Combination {
            sharing: Sharing::default(),
            parts,
            names,
            softmax: Softmax::new(1.0, &vec![1.0; n]),
            slew: Slew::new(n),
            values: vec![0.0; n],
            given: vec![Actuation::none(model.nv()); n],
        })
    }

    /// The shares of the last decision.
    pub fn shares(&self) -> &[f64] {
        self.slew.shares()
    }

    /// The values of the last decision.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// Weight of a part; 1 by default.
    fn weight(&self, part: usize) -> f64 {
        self.sharing.weights.get(part).copied().unwrap_or(1.0)
    }

    /// Computes the values of all parts and their shares.
    fn share(&mut self, seen: &Observation<'_>) {
        self.sharing.keep_in_range();
        for (value, part) in self.values.iter_mut().zip(&mut self.parts) {
            *value = part.value(seen).unwrap_or(f64::INFINITY);
        }
        self.softmax.softness = self.sharing.softness;
        for part in 0..self.parts.len() {
            let weight = self.weight(part);
            self.softmax.set_weight(part, weight);
        }
        self.slew.follow(self.softmax.shares(&self.values), self.sharing.slew * seen.dt);
    }

    /// Checks that all parts have a value function.
    fn check(&mut self, seen: &Observation<'_>) -> Result<(), ControlError> {
        let blind = self.parts.iter_mut().position(|part| part.value(seen).is_none());
        match blind {
            None => Ok(()),
            Some(part) => Err(ControlError::Parameter(format!(
                "`{}`, part {part} of the combination, has no value function; `sinew controllers` says which have one",
                self.names[part]
            ))),
        }
    }
}

impl Controller for Combination {
    /// The initial state of the first part.
    fn start(&self) -> Start {
        self.parts[0].start()
    }

    fn reset(&mut self, seen: &Observation<'_>) -> Result<(), ControlError> {
        self.parts.iter_mut().try_for_each(|part| part.reset(seen))?;
        self.slew.restart();
        self.check(seen)
    }

    fn act(&mut self, seen: &Observation<'_>, command: &Command, out: &mut Out<'_>) -> ControlStatus {
        let mut status = ControlStatus::Good;
        for (part, given) in self.parts.iter_mut().zip(&mut self.given) {
            let own = part.act(seen, command, &mut Out::new(given));
            status = worse(status, own);
        }
        self.share(seen);
        for (share, given) in self.slew.shares().iter().zip(&self.given).filter(|(share, _)| **share > 0.0) {
            out.add(*share, given);
        }
        status
    }

    /// Shares of the first parts, then their values.
    fn signals(&self, into: &mut Vec<f64>) {
        let entry = |list: &[f64], k: usize| list.get(k).copied().unwrap_or(f64::NAN);
        into.extend((0..SIGNALLED).map(|k| entry(self.slew.shares(), k)));
        into.extend((0..SIGNALLED).map(|k| entry(&self.values, k)));
    }

    fn parameters(&mut self, group: &str) -> Option<&mut dyn Parameters> {
        (group == "sharing").then_some(&mut self.sharing)
    }

    fn parts(&mut self) -> &mut [Box<dyn Controller>] {
        &mut self.parts
    }

    /// Passes the request to every part that takes it.
    fn ask(&mut self, request: &Request) -> Result<(), ControlError> {
        let mut answers = self.parts.iter_mut().map(|part| part.ask(request));
        let first = answers.next().unwrap_or(Ok(()));
        answers.fold(first, |best, answer| if best.is_ok() { best } else { answer })
    }

    fn change_body(&mut self, model: &Arc<Model>) -> Result<(), ControlError> {
        self.parts.iter_mut().try_for_each(|part| part.change_body(model))
    }

    fn take_over(&mut self, from: &dyn Controller, seen: &Observation<'_>) -> Result<(), ControlError> {
        self.parts.iter_mut().try_for_each(|part| part.take_over(from, seen))?;
        self.slew.restart();
        self.check(seen)
    }

    /// `−λ log Σ wᵢ exp(−vᵢ/λ)`: the value of the mixture where the theory holds.
    fn value(&mut self, seen: &Observation<'_>) -> Option<f64> {
        self.share(seen);
        Some(self.softmax.value(&self.values))
    }
}

fn worse(a: ControlStatus, b: ControlStatus) -> ControlStatus {
    let rank = |status| match status {
        ControlStatus::Good => 0,
        ControlStatus::Partial => 1,
        ControlStatus::FellBack => 2,
    };
    if rank(b) > rank(a) { b } else { a }
}
