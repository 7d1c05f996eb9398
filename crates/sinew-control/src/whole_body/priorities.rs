//! Strict or weighted priorities. As a parameter this is a list of weights; an empty list means strict levels.

use crate::{Param, Parameters, Value};

/// How levels of objectives are ranked.
///
/// ```
/// use sinew_control::{features::Walker, whole_body::Priorities};
/// let human = std::sync::Arc::new(sinew_dynamics::characters::load("human")?);
/// let mut walker = Walker::new(human)?;
/// *walker.priorities_mut() = Priorities::weighted();
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Priorities {
    /// Strictly: a level never worsens the result of an earlier one.
    Strict,
    /// By one weight per level in one least-squares problem, for comparison.
    Weighted(Vec<f64>),
}

impl Priorities {
    /// A weighted sum in which each level weighs a hundred times the next.
    pub fn weighted() -> Priorities {
        Priorities::Weighted(vec![1e4, 1e2, 1.0])
    }

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
