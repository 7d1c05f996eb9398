//! The paper's second way to advance time: accelerations of the optimisation taken as they are, at 100 Hz.
//!
//! No forces are found by a world, so nothing of it is audited: it is measured for speed and for whether it walks, and labelled as such.

use crate::LabError;
use crate::simulation::{between, now};
use sinew_control::features::Walker;
use sinew_control::whole_body::Accelerated;
use sinew_control::{Command, Controller};
use sinew_dynamics::{Data, Model, center_of_mass, momentum};
use sinew_world::{Actuation, Terrain};
use std::sync::Arc;

/// What is said of it wherever it is used.
pub(super) const LABEL: &str = "At 100 Hz the accelerations of the optimisation move the body, as in the paper's second mode (`whole_body::Accelerated`): \
     no world is stepped and nothing is audited.";

/// A walk without a world.
pub(super) struct Puppet {
    /// Footsteps.
    pub(super) steps: f64,
    /// Speed after five seconds, or after half of the time, m/s.
    pub(super) speed: f64,
    /// Whether the centre of mass sank under half of its height, or stopped being a number.
    pub(super) fell: bool,
    /// Speed in the plane at every landing, m/s.
    pub(super) landings: Vec<f64>,
    /// Simulated time, s.
    seconds: f64,
    /// What decisions took, and what decisions and steps took, µs.
    pub(super) control: Vec<f64>,
    spent: Vec<f64>,
}

impl Puppet {
    /// Simulated time over the time that it took.
    pub(super) fn factor(&self) -> f64 {
        1e6 * self.seconds / self.spent.iter().sum::<f64>()
    }

    /// Takes over what took less time in another walk of the same steps.
    pub(super) fn least(&mut self, other: &Puppet) {
        self.control.iter_mut().zip(&other.control).for_each(|(mine, other)| *mine = mine.min(*other));
        self.spent.iter_mut().zip(&other.spent).for_each(|(mine, other)| *mine = mine.min(*other));
    }
}

/// Walks along x.
pub(super) fn walk(model: &Arc<Model>, speed: f64, seconds: f64) -> Result<Puppet, LabError> {
    let mut walker = Walker::new(Arc::clone(model))?;
    let mut puppet = Accelerated::new(Arc::clone(model), Terrain::flat(), walker.rest())?;
    walker.reset(&puppet.observe())?;
    let mut torques = Actuation::none(model.nv());
    let mut data = Data::new(model);
    let tall = center_of_mass(model, &mut data, puppet.q()).z;
    let (mut control, mut spent) = (Vec::new(), Vec::new());
    let warm_up = (0.5 * seconds).min(5.0);
    let (mut begin, mut fell) = (None, false);
    let mut landings = Vec::new();
    while puppet.time() < seconds - 0.5 * puppet.dt && !fell {
        let began = now();
        walker.act(&puppet.observe(), &Command::forward(speed), &mut torques);
        let decided = now();
        puppet.step(walker.body());
        control.push(1e6 * between(began, decided).as_secs_f64());
        spent.push(1e6 * between(began, now()).as_secs_f64());
        let com = center_of_mass(model, &mut data, puppet.q());
        if walker.steps() > landings.len() {
            let velocity = momentum(model, &mut data, puppet.q(), puppet.v()).linear / model.mass();
            landings.push(libm::hypot(velocity.x, velocity.y));
        }
        // what is no number has fallen
        fell = !(com.z > 0.5 * tall);
        if puppet.time() >= warm_up {
            begin.get_or_insert((puppet.time(), com));
        }
    }
    let com = center_of_mass(model, &mut data, puppet.q());
    Ok(Puppet {
        steps: walker.steps() as f64,
        speed: begin.map_or(f64::NAN, |(time, from)| (com.x - from.x) / (puppet.time() - time)),
        fell,
        landings,
        seconds: puppet.time(),
        control,
        spent,
    })
}
