//! A tape: an optimal trajectory of a body without contacts, played with feedback, with a value function.
//!
//! A clip gives the two ends: the trajectory begins in the clip's first state, with its velocity, and is to end in its last state, at
//! rest or in motion. [DDP](sinew_solve::ddp) finds torques, feedback and a quadratic value function around the trajectory, which are kept as a
//! component file ([`Along`]). The plan's steps equal the world's, except those in which a coordinate turns faster than 10 rad/s, where the world is
//! more exact. Feedback corrects all deviations.

use super::flight::Flight;
use crate::prepare::Progress;
use crate::{
    Command, ControlError, ControlStatus, Controller, Observation, Order, Out, Prepared, Start, Value,
    parameters,
};
use sinew_dynamics::{JointKind, Model};
use sinew_motion::{Interpolation, Outside, Sampler};
use sinew_solve::ddp::{Ddp, Settings, Status};
use sinew_solve::linear_bellman::{Along, Trust};
use std::ops::ControlFlow;
use std::sync::Arc;

parameters! {
    /// Costs of a trajectory. All parts of a combination share them.
    pub struct Costs {
        /// Step of the trajectory and of the world, s.
        step: number(0.005, [0.0005, 0.05]).unit("s").at(crate::Stage::Prepare);
        /// Cost of torques, per (N·m)² and second.
        effort: number(1.0, [1e-6, 1e6]).at(crate::Stage::Prepare);
        /// Cost of the position error at the end, per rad², of unactuated joints too.
        place: number(1000.0, [0.0, 1e9]).unit("1/rad²").at(crate::Stage::Prepare);
        /// Cost of the velocity error at the end, per (rad/s)².
        speed: number(100.0, [0.0, 1e9]).unit("s²/rad²").at(crate::Stage::Prepare);
        /// Cost of the error of the root's slides at the end, per m²: low for a diver, who may come down anywhere.
        travel: number(0.0, [0.0, 1e9]).unit("1/m²").at(crate::Stage::Prepare);
        /// Cost beyond a joint limit, per rad² and second.
        beyond: number(1000.0, [0.0, 1e9]).at(crate::Stage::Prepare);
        /// Torque of the first guesses: the search starts from swinging to either side and from hanging still, and keeps the cheapest result.
        stir: number(5.0, [0.0, 1e4]).unit("N·m").at(crate::Stage::Prepare);
        /// Distance from the trajectory within which the value function is used, as the norm of the state difference; infinite: everywhere.
        trust: number(f64::INFINITY, [1e-3, f64::INFINITY]).at(crate::Stage::Prepare);
    }
}

impl Costs {
    /// The costs of an order.
    pub(super) fn of(order: &Order) -> Costs {
        let mut costs = Costs::default();
        for param in Costs::PARAMS {
            if let Some(Value::Number(x)) = order.value(&format!("costs.{}", param.name)) {
                costs.get_mut(param.name).into_iter().for_each(|own| *own = x);
            }
        }
        costs
    }
}

/// An optimal trajectory with feedback and value.
#[derive(Clone, Debug)]
pub struct Tape {
    along: Arc<Along>,
    motors: Arc<[usize]>,
    began: f64,
    dx: Vec<f64>,
    u: Vec<f64>,
}

impl Tape {
    /// A tape from its preparation.
    ///
    /// # Errors
    /// When the preparation is damaged, or of another body.
    pub(super) fn new(order: &Order, prepared: &Prepared) -> Result<Tape, ControlError> {
        let along = Along::from_bytes(prepared.bytes())
            .map_err(|error| ControlError::Preparation(error.to_string()))?;
        let (motors, nv) = (motors(&order.model), order.model.nv());
        if along.state(0).len() != 2 * nv || along.control(0).len() != motors.len() {
            return Err(ControlError::Preparation("it was made for another body".to_owned()));
        }
        let u = vec![0.0; motors.len()];
        Ok(Tape { along: Arc::new(along), motors: motors.into(), began: 0.0, dx: vec![0.0; 2 * nv], u })
    }

    /// The trajectory.
    pub fn along(&self) -> &Along {
        &self.along
    }

    /// The node for the present time; the difference from its state goes to `dx`.
    fn differ(&mut self, seen: &Observation<'_>) -> usize {
        let node = self.along.node(seen.time - self.began);
        let state = self.along.state(node);
        for (d, (x, r)) in self.dx.iter_mut().zip(seen.q.iter().chain(seen.v).zip(state)) {
            *d = x - r;
        }
        node
    }
}

impl Controller for Tape {
    fn start(&self) -> Start {
        let (q, v) = self.along.state(0).split_at(self.dx.len() / 2);
        Start { q: q.to_vec(), v: v.to_vec(), on_ground: false }
    }

    fn reset(&mut self, seen: &Observation<'_>) -> Result<(), ControlError> {
        self.began = seen.time;
        Ok(())
    }

    fn act(&mut self, seen: &Observation<'_>, _: &Command, out: &mut Out<'_>) -> ControlStatus {
        let node = self.differ(seen);
        self.along.law(node, &self.dx, &mut self.u);
        let torque = out.torque();
        self.motors.iter().zip(&self.u).for_each(|(dof, u)| torque[*dof] = *u);
        ControlStatus::Good
    }

    fn signals(&self, into: &mut Vec<f64>) {
        into.push(self.dx.iter().map(|d| d * d).sum::<f64>().sqrt());
    }

    fn value(&mut self, seen: &Observation<'_>) -> Option<f64> {
        let node = self.differ(seen);
        Some(self.along.value(node, &self.dx))
    }
}

/// Degrees of freedom with a motor.
fn motors(model: &Model) -> Vec<usize> {
    let efforts = model.effort_limits().iter().enumerate();
    efforts.filter(|(_, effort)| **effort > 0.0).map(|(dof, _)| dof).collect()
}

/// Finds the trajectory: bytes of an [`Along`].
pub(super) fn prepare(
    order: &Order,
    _: &[Prepared],
    progress: Progress<'_>,
) -> Result<Vec<u8>, ControlError> {
    let model = &order.model;
    let failed = |problem: String| ControlError::Preparation(problem);
    if model.nq() != model.nv() {
        return Err(ControlError::Body {
            model: model.name().to_owned(),
            what: "coordinates that are all hinges and slides".to_owned(),
            remedy: "choose a planar body, such as `acrobot` or `diver`".to_owned(),
        });
    }
    let clip = order.clips.first().ok_or_else(|| failed("a tape needs a clip".to_owned()))?;
    let costs = Costs::of(order);
    let sampler = Sampler::new(clip, Interpolation::Cubic, Outside::Clamp);
    let flight = flight(model, &sampler, &costs);
    let begin = state(&sampler, 0.0);
    // the cheapest result of several first guesses: hanging still, and swinging to either side
    let mut best: Option<(f64, Along)> = None;
    for (k, torque) in [0.0, costs.stir, -costs.stir].into_iter().enumerate() {
        let settings = Settings { max_iterations: MOST_ITERATIONS, tolerance: 1e-8, ..Settings::default() };
        let mut ddp = Ddp::new(&flight, settings);
        ddp.guess_controls(&flight, &begin, &stir(&flight, torque));
        let outcome = ddp.solve_logged(&flight, |iteration| {
            let share = (iteration.index as f64 / MOST_ITERATIONS as f64 + k as f64) / 3.0;
            if progress(share) { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        match outcome.status {
            Status::Interrupted => return Err(failed("it was given up".to_owned())),
            Status::NotFinite => continue,
            _ if best.as_ref().is_none_or(|(cost, _)| outcome.cost < *cost) => {
                best = Some((outcome.cost, Along::of(&flight, &ddp, costs.step, None)));
            }
            _ => (),
        }
    }
    let (_, mut along) = best.ok_or_else(|| failed("no trajectory was found".to_owned()))?;
    if costs.trust.is_finite() {
        let weights = vec![1.0; 2 * model.nv()];
        along = along.trusted(Trust { weights, radius: costs.trust, cost: costs.place.max(1.0) });
    }
    Ok(along.to_bytes())
}

const MOST_ITERATIONS: usize = 500;

fn flight(model: &Arc<Model>, sampler: &Sampler, costs: &Costs) -> Flight {
    let nv = model.nv();
    let nodes = (libm::round(sampler.duration() / costs.step) as usize).max(1);
    let motors = motors(model);
    let bound = |sign: f64| motors.iter().map(|dof| sign * model.effort_limits()[*dof]).collect();
    let mut limits = vec![[f64::NEG_INFINITY, f64::INFINITY]; nv];
    let mut weights = vec![costs.place; nv];
    weights.extend(vec![costs.speed; nv]);
    for (k, joint) in model.joints().iter().enumerate() {
        let spec = model.joint_spec(sinew_dynamics::JointId(k));
        if let Some(range) = spec.range {
            limits[joint.v] = range;
        }
        if matches!(joint.kind, JointKind::Slide { .. }) && !motors.contains(&joint.v) {
            (weights[joint.v], weights[nv + joint.v]) = (costs.travel, 0.0);
        }
    }
    let goal = state(sampler, sampler.duration());
    let (low, high) = (bound(-1.0), bound(1.0));
    let (step, effort, beyond) = (costs.step, costs.effort, costs.beyond);
    Flight { model: Arc::clone(model), nodes, step, motors, low, high, effort, beyond, limits, goal, weights }
}

/// Configuration and velocity of a clip at a time.
fn state(sampler: &Sampler, t: f64) -> Vec<f64> {
    let n = sampler.model().nv();
    let mut x = vec![0.0; 2 * n];
    let mut a = vec![0.0; n];
    let (q, v) = x.split_at_mut(n);
    sampler.state(t, q, v, &mut a);
    x
}

/// A first guess: torques that oscillate at the rate of a pendulum of one metre.
fn stir(flight: &Flight, torque: f64) -> Vec<f64> {
    let rate = libm::sqrt(flight.model.gravity().norm());
    let one = |k: usize| torque * libm::sin(rate * flight.step * k as f64);
    (0..flight.nodes).flat_map(|k| std::iter::repeat_n(one(k), flight.motors.len())).collect()
}
