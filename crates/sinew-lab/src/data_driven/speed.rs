//! Speed of computation, and constant memory.

use super::walks;
use crate::context::Context;
use crate::findings::{Figure, Findings};
use crate::simulation::{between, now};
use crate::{LabError, Simulation};

/// Number of repetitions, of which the fastest counts.
const REPEATS: usize = 3;

pub(super) fn speed(context: &Context<'_>) -> Result<Findings, LabError> {
    let mut found = Findings::default();
    let walks = walks(context, &mut found);
    let seconds = context.pick(20.0, 5.0);
    let scenario = walks[0].scenario(seconds);
    let model = scenario.built_in()?;
    found.body(model.name(), model.mass());
    let mut least = f64::INFINITY;
    for _ in 0..REPEATS {
        let mut simulation = Simulation::new(scenario.clone(), std::sync::Arc::clone(&model))?;
        let began = now();
        while !simulation.ended() && simulation.metrics().fall().is_none() {
            simulation.step()?;
        }
        let walked = simulation.world().time();
        least = least.min(between(began, now()).as_secs_f64() / walked);
    }
    found.figure(
        Figure::new("times real time, 900 steps per second", "", 1.0 / least).at_least(100.0).paper("1"),
    );
    (found.runs, found.simulated_s) = (REPEATS, REPEATS as f64 * seconds);
    found.note("On one core of this machine beside its other work; the fastest of three runs.");
    Ok(found)
}
