//! Priorities as a parameter: a list of weights, or an empty one for strict levels.

use super::solver::Priorities;
use crate::{Param, Parameters, Value};

impl Priorities {
    /// The one parameter.
    pub const PARAMS: &'static [Param] = &[Param::numbers(
        "weights",
        "Weights of the levels in one least-squares problem, for comparison; empty: strict levels",
        &[],
    )];
}

impl Parameters for Priorities {
    fn value(&self, name: &str) -> Option<Value> {
        let weights = match self {
            Priorities::Strict => Vec::new(),
            Priorities::Weighted(weights) => weights.clone(),
        };
        (name == "weights").then_some(Value::Numbers(weights))
    }

    fn set_value(&mut self, name: &str, value: &Value) -> bool {
        let (Value::Numbers(weights), "weights") = (value, name) else { return false };
        *self = if weights.is_empty() { Priorities::Strict } else { Priorities::Weighted(weights.clone()) };
        true
    }
}
