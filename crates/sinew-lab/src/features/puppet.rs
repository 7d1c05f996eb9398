//! The paper's second way to advance time: accelerations of the optimisation taken as they are, at 100 Hz.
//!
//! No world computes forces, so there is no audit. Only the speed of computation and the walk are measured, and the results say so.

use super::walk as walking;
use crate::{LabError, Scenario, Simulation};
use sinew_control::WorldPlan;
use sinew_dynamics::{Data, Model, center_of_mass, momentum};
use std::sync::Arc;

/// The remark in every result that uses it.
pub(super) const LABEL: &str = "At 100 Hz the accelerations of the optimisation move the body, as in the paper's second mode (`unphysical` in a scenario): \
     no world is stepped and nothing is audited.";

/// Length of a step, s.
const STEP: f64 = 0.01;

/// A walk without a world.
pub(super) struct Puppet {
    /// Footsteps.
    pub(super) steps: f64,
    /// Speed after five seconds, or after half of the time, m/s.
    pub(super) speed: f64,
    /// Whether the centre of mass sank under half of its height, or became NaN.
    pub(super) fell: bool,
    /// Speed in the plane at every landing, m/s.
    pub(super) landings: Vec<f64>,
    /// Simulated time, s.
    seconds: f64,
    /// Times of decisions, and of decisions and steps together, µs.
    pub(super) control: Vec<f64>,
    spent: Vec<f64>,
}

impl Puppet {
    /// Simulated time over the time that it took.
    pub(super) fn factor(&self) -> f64 {
        1e6 * self.seconds / self.spent.iter().sum::<f64>()
    }

    /// Takes the lesser time of each step from another walk of the same steps.
    pub(super) fn least(&mut self, other: &Puppet) {
        self.control.iter_mut().zip(&other.control).for_each(|(mine, other)| *mine = mine.min(*other));
        self.spent.iter_mut().zip(&other.spent).for_each(|(mine, other)| *mine = mine.min(*other));
    }
}

/// Walks along x.
pub(super) fn walk(model: &Arc<Model>, speed: f64, seconds: f64) -> Result<Puppet, LabError> {
    let world = WorldPlan { step: Some(STEP), ..WorldPlan::default() };
    let scenario = Scenario { world, unphysical: true, ..walking("without physics", speed, seconds) };
    let mut simulation = Simulation::new(scenario, Arc::clone(model))?;
    let mut data = Data::new(model);
    let tall = center_of_mass(model, &mut data, simulation.q()).z;
    let (mut control, mut spent) = (Vec::new(), Vec::new());
    let warm_up = (0.5 * seconds).min(5.0);
    let (mut begin, mut fell, mut steps) = (None, false, 0.0);
    let mut landings = Vec::new();
    while simulation.world().time() < seconds - 0.5 * STEP && !fell {
        let took = simulation.step()?;
        control.push(1e6 * took.control.as_secs_f64());
        spent.push(1e6 * (took.control + took.step).as_secs_f64());
        let com = center_of_mass(model, &mut data, simulation.q());
        if simulation.footsteps() > steps {
            let velocity = momentum(model, &mut data, simulation.q(), simulation.v()).linear / model.mass();
            landings.push(libm::hypot(velocity.x, velocity.y));
            steps = simulation.footsteps();
        }
        // NaN counts as a fall
        fell = !(com.z > 0.5 * tall);
        if simulation.world().time() >= warm_up {
            begin.get_or_insert((simulation.world().time(), com));
        }
    }
    let (com, end) = (center_of_mass(model, &mut data, simulation.q()), simulation.world().time());
    Ok(Puppet {
        steps,
        speed: begin.map_or(f64::NAN, |(time, from)| (com.x - from.x) / (end - time)),
        fell,
        landings,
        seconds: end,
        control,
        spent,
    })
}
