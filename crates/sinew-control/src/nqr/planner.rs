//! The planner: walks and turns that begin and end in one state, chosen by the wanted heading.
//!
//! The first two frames' state of the straight walk is the hub: every turn begins and ends in it, so that any clip can follow any other. Turns are bent from the straight
//! plan, hub frames held, and planned anew; their sweeps begin with the cost to go of the straight walk that follows. What it costs and how
//! often it fails to play one clip after another is measured by playing it (`transitions`), and `values` makes a table of it that is
//! asked whenever a clip comes to its end. The controller that acts is the tracker of single clips, which is handed the clip that comes next.

use super::control::Tracker;
use super::policy::{Policy, Readings};
use super::prepare::{EXACT, ROUNDS, reference_for};
use super::sweep::{sweep, sweep_into};
use super::values::{Transition, Values};
use super::weights::Weights;
use super::{Params, SIGNALS};
use crate::Command;
use crate::controller::{ControlError, ControlStatus, Controller, Start};
use crate::observation::Observation;
use crate::out::Out;
use crate::params::Parameters;
use crate::prepare::{Prepared, Progress};
use crate::spacetime::{Ends, Plan, Reference, SpacetimeParams, Warp, optimise};
use crate::system::Order;
use crate::wants::WorldPlan;
use sinew_dynamics::Model;
use sinew_world::metrics::{Metrics, Params as Rules};
use sinew_world::{Actuation, Terrain, World};
use std::sync::Arc;

/// Turns to either side, degrees, and over how many cycles of the walk.
const TURNS: [(f64, usize); 5] = [(15.0, 1), (45.0, 1), (60.0, 2), (90.0, 2), (180.0, 3)];
/// What a turn costs by itself, and the share of the distance from the plan that counts.
const TURNING: f64 = 0.05;
const EFFORT: f64 = 0.5;
/// Frames before the end of a clip from which on the next one is chosen: an early landing may skip so many.
const AHEAD: usize = 31;
/// Random joint speeds of trials, rad/s.
const NOISE: f64 = 0.03;

/// Walks where it is told to.
#[derive(Clone, Debug)]
pub(super) struct Steered {
    tracker: Tracker,
    clips: Arc<Vec<Arc<Policy>>>,
    values: Arc<Values>,
    /// The clip that is played, and the one that follows.
    now: usize,
    next: usize,
    /// Clips that are played whatever is wanted, for trials.
    script: Vec<usize>,
    played: usize,
}

impl Steered {
    fn new(
        model: &Arc<Model>,
        clips: Arc<Vec<Arc<Policy>>>,
        values: Arc<Values>,
        params: Params,
        script: Vec<usize>,
    ) -> Result<Steered, ControlError> {
        let now = script.first().copied().unwrap_or(0);
        let tracker = Tracker::new(Arc::clone(model), Arc::clone(&clips[now]), params)?;
        Ok(Steered { tracker, clips, values, now, next: 0, script, played: 0 })
    }

    /// Reads what was prepared.
    pub(super) fn read(order: &Order, prepared: &Prepared, params: Params) -> Result<Steered, ControlError> {
        let damaged = || ControlError::Preparation("what is kept of it is of another body or damaged".into());
        let (clips, values) = unpack(prepared.bytes(), &order.model).ok_or_else(damaged)?;
        Steered::new(&order.model, Arc::new(clips), Arc::new(values), params, Vec::new())
    }

    /// Chooses what follows.
    fn choose(&mut self, seen: &Observation<'_>, wanted: f64) {
        if self.tracker.left() > AHEAD {
            return;
        }
        let psi = libm::remainder(wanted - self.tracker.heading_at_end(seen), core::f64::consts::TAU);
        self.next = match self.script.get(self.played + 1) {
            Some(next) => *next,
            None if !self.script.is_empty() => 0,
            None => self.values.best(self.now, psi).0,
        };
        self.tracker.follow_with(&self.clips[self.next]);
    }
}

impl Controller for Steered {
    fn start(&self) -> Start {
        self.tracker.start()
    }

    fn reset(&mut self, seen: &Observation<'_>) -> Result<(), ControlError> {
        (self.next, self.played) = (0, 0);
        self.now = self.script.first().copied().unwrap_or(0);
        self.tracker.become_clip(&self.clips[self.now]);
        self.tracker.reset(seen)
    }

    fn act(&mut self, seen: &Observation<'_>, command: &Command, out: &mut Out<'_>) -> ControlStatus {
        self.choose(seen, command.heading);
        let cycles = self.tracker.cycles();
        let status = self.tracker.act(seen, command, out);
        if self.tracker.cycles() != cycles {
            (self.now, self.played) = (self.next, self.played + 1);
        }
        status
    }

    fn signals(&self, into: &mut Vec<f64>) {
        self.tracker.signals(into);
        into.push(self.now as f64);
        debug_assert_eq!(into.len(), SIGNALS.len() + 1);
    }

    fn parameters(&mut self, group: &str) -> Option<&mut dyn Parameters> {
        (group == "track").then_some(&mut self.tracker.params)
    }
}

/// The preparation: plans, sweeps, transitions, values.
pub(super) fn prepare(order: &Order, trials: usize, progress: Progress<'_>) -> Result<Vec<u8>, ControlError> {
    let failed = |e: sinew_solve::riccati::NotConvex| ControlError::Preparation(e.to_string());
    let params = SpacetimeParams { exactness: EXACT, rounds: ROUNDS, ..SpacetimeParams::default() };
    let go_on = |from: f64, to: f64| move |share: f64| progress(from + (to - from) * share);
    let reference = reference_for(order)?;
    let Ends::Cycle(_) = reference.ends else {
        return Err(ControlError::Preparation(format!("{} is no walk that goes on", reference.name)));
    };
    let straight = optimise(&reference, &params, &go_on(0.0, 0.05))?;
    let weights = Weights::of(&order.model);
    let (nodes, _, beginning) = sweep(&straight, &weights).map_err(failed)?;
    let readings = Readings { gamma: 3e-3, early: 30, late: 12 };
    let mut clips = vec![Arc::new(Policy::of(&straight, nodes, readings))];
    let angles: Vec<(f64, usize)> =
        TURNS.iter().flat_map(|(angle, cycles)| [(*angle, *cycles), (-*angle, *cycles)]).collect();
    for (k, (angle, cycles)) in angles.iter().enumerate() {
        let from = 0.05 + 0.5 * k as f64 / angles.len() as f64;
        let bent = turning(&straight, angle.to_radians(), *cycles);
        let plan = optimise(&bent, &params, &go_on(from, from + 0.05))?;
        let nodes = sweep_into(&plan, &weights, &beginning).map_err(failed)?;
        clips.push(Arc::new(Policy::of(&plan, nodes, readings)));
    }
    let clips = Arc::new(clips);
    let n = clips.len();
    let mut transitions = Vec::with_capacity(n * n);
    for pair in 0..n * n {
        if !progress(0.55 + 0.45 * pair as f64 / (n * n) as f64) {
            return Err(ControlError::Preparation("it was given up".to_owned()));
        }
        transitions.push(transition(order, &clips, [pair / n, pair % n], trials)?);
    }
    let seconds = clips.iter().map(|c| c.frames.len() as f64 / c.rate).collect();
    Ok(pack(&clips, &Values::iterate(seconds, transitions)))
}

/// A turn that begins and ends as the straight walk does.
pub(super) fn turning(straight: &Plan, turn: f64, cycles: usize) -> Reference {
    let reference = Reference { q: straight.q.clone(), ..straight.reference.clone() };
    let model = reference.model.clone();
    let long = reference.repeated(cycles);
    let mut bent = Warp { turn, gently: true, ..Warp::default() }.apply(&long);
    // the frame before the hub lies to it as in the straight walk
    let (nq, last) = (model.nq(), long.len() - 1);
    let mut q = long.frame(last).to_vec();
    if let (Ends::Cycle(was), Ends::Cycle(is)) = (long.ends, bent.ends) {
        was.inverse().apply_to(&model, &mut q);
        is.apply_to(&model, &mut q);
    }
    bent.q[last * nq..].copy_from_slice(&q);
    bent.hub = true;
    bent
}

/// Plays two clips and then the straight walk, some times.
fn transition(
    order: &Order,
    clips: &Arc<Vec<Arc<Policy>>>,
    [i, j]: [usize; 2],
    trials: usize,
) -> Result<Transition, ControlError> {
    let model = &order.model;
    let none = Arc::new(Values::iterate(vec![1.0], vec![Transition::default()]));
    let turn_of = |k: usize| clips[k].travel.map_or(0.0, |t| t.yaw);
    let mut found = Transition { turn: turn_of(j), ..Transition::default() };
    let lasts = |k: usize| clips[k].frames.len() as f64 / clips[k].rate;
    let (begin, end) = (lasts(i), lasts(i) + lasts(j));
    let (mut turned, mut cost, mut stood) = (0.0, 0.0, 0.0);
    for trial in 0..trials {
        let mut controller =
            Steered::new(model, Arc::clone(clips), Arc::clone(&none), Params::default(), vec![i, j, 0, 0])?;
        let mut world = World::new(Terrain::flat());
        let settings = WorldPlan::default().settle(order.system.name, &(order.system.wants)(order));
        let settings = settings.map_err(|e| ControlError::Preparation(e.to_string()))?;
        world.configure(|s| {
            (s.dt, s.contact, s.integrator, s.tolerance) =
                (settings.dt, settings.contact, settings.integrator, settings.tolerance)
        });
        let actor = world.add_character(model.name(), Arc::clone(model));
        let start = controller.start();
        let noise = |d: usize| NOISE * libm::sin((1 + d * (2 * trial + 1)) as f64);
        let body = world.actor_mut(actor);
        body.q.copy_from_slice(&start.q);
        for (d, (to, v)) in body.v.iter_mut().zip(&start.v).enumerate() {
            *to = v + if d < 6 { 0.0 } else { noise(d) };
        }
        let lost = |e: sinew_world::StepError| ControlError::Preparation(e.to_string());
        world.begin_step().map_err(lost)?;
        controller.reset(&Observation::of(&world, actor))?;
        let mut metrics = Metrics::new(model, world.settings().dt, Some(actor), Rules::default());
        let mut torques = [Actuation::none(model.nv())];
        let (mut from, mut to, mut sum, mut count) = (None, None, 0.0, 0.0);
        while world.time() < end + 2.0 && metrics.fall().is_none() {
            world.begin_step().map_err(lost)?;
            controller.act(&Observation::of(&world, actor), &Command::STAND, &mut Out::new(&mut torques[0]));
            if world.step(&torques).is_err() {
                break;
            }
            metrics.step(model, &world.frame(actor));
            let (time, heading) = (world.time(), model.heading(&world.actors()[actor].q));
            if time >= begin {
                from.get_or_insert(heading);
            }
            if time >= begin && time < end {
                (sum, count) = (sum + controller.tracker.cost(), count + 1.0);
            }
            if time >= end {
                to.get_or_insert(heading);
            }
        }
        if metrics.fall().is_some() || world.time() < end + 2.0 {
            found.failures += 1.0 / trials as f64;
        } else if let (Some(from), Some(to)) = (from, to) {
            // near the angle that is planned, not a whole turn away
            turned += turn_of(j) + libm::remainder(to - from - turn_of(j), core::f64::consts::TAU);
            cost += sum / count;
            stood += 1.0;
        }
    }
    if stood > 0.0 {
        found.turn = turned / stood;
        found.cost = EFFORT * cost / stood;
    }
    found.cost += if j > 0 { TURNING } else { 0.0 };
    Ok(found)
}

/// Clips and values as bytes: number of clips, each with its length, then three numbers per transition.
fn pack(clips: &[Arc<Policy>], values: &Values) -> Vec<u8> {
    let mut out = (clips.len() as u64).to_le_bytes().to_vec();
    for clip in clips {
        let bytes = clip.write();
        out.extend((bytes.len() as u64).to_le_bytes());
        out.extend(bytes);
    }
    for t in &values.transitions {
        [t.turn, t.cost, t.failures].iter().for_each(|x| out.extend(x.to_le_bytes()));
    }
    out
}

fn unpack(mut bytes: &[u8], model: &Model) -> Option<(Vec<Arc<Policy>>, Values)> {
    let word = |rest: &mut &[u8]| -> Option<[u8; 8]> {
        let (head, tail) = rest.split_at_checked(8)?;
        *rest = tail;
        head.try_into().ok()
    };
    let count = u64::from_le_bytes(word(&mut bytes)?) as usize;
    let mut clips = Vec::new();
    for _ in 0..count.min(1000) {
        let length = u64::from_le_bytes(word(&mut bytes)?) as usize;
        let (own, rest) = bytes.split_at_checked(length)?;
        clips.push(Arc::new(Policy::read(own, model).ok()?));
        bytes = rest;
    }
    let mut transitions = Vec::new();
    for _ in 0..clips.len() * clips.len() {
        let mut next = || Some(f64::from_le_bytes(word(&mut bytes)?));
        transitions.push(Transition { turn: next()?, cost: next()?, failures: next()? });
    }
    let seconds = clips.iter().map(|c| c.frames.len() as f64 / c.rate).collect();
    (!clips.is_empty()).then(|| (clips, Values::iterate(seconds, transitions)))
}
