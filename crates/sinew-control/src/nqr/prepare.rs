//! From a clip to a policy: reference, plan, sweep, readings.
//!
//! **Readings.** No single γ and no single rule for early and late landings serves all clips: brisk walks want more adaptation and a narrow
//! rule, slow ones the opposite. So a handful of readings is tried in short runs, from two places of the cycle and with pushes that grow,
//! or twice through what is played once; the first that stands throughout is kept, else the one that stands longest. Where none does, other
//! contacts and other clearances of the plan are tried.

use super::Making;
use super::policy::{Policy, Readings};
use super::sweep::{Node, sweep};
use super::weights::Weights;
use crate::controller::ControlError;
use crate::prepare::{Prepared, Progress};
use crate::spacetime::{
    Ends, Plan, Reference, Repeats, SpacetimeParams, Touch, Warp, optimise, reference_touching,
};
use crate::system::Order;
use crate::{Beginning, Episode, Parameters, Value, nqr::Play};
use sinew_dynamics::spatial::Vec3;
use sinew_dynamics::{BodyId, Role};
use sinew_world::{Push, Terrain, World};

/// Share of the work that is done when the plan is found.
const PLANNED: f64 = 0.4;
/// Force on the root that no controller feels, over the weight.
pub(super) const EXACT: f64 = 1e-4;
/// Rounds after which a plan is followed as it is.
pub(super) const ROUNDS: usize = 24;
/// What is tried, the usual one first: γ, early, late.
const TRIED: [Readings; 7] = [
    reading(3e-3, 30, 12),
    reading(3e-3, 0, 0),
    reading(1e-2, 12, 6),
    reading(0.0, 30, 12),
    reading(1e-2, 30, 12),
    reading(1e-3, 12, 12),
    reading(3e-2, 0, 0),
];
/// Clearances that are tried when none is good enough, m.
const CLEARANCES: [f64; 2] = [0.03, 0.08];
/// A run of a trial: places in the cycle where it begins, how long it lasts, s, s until each push, greatest number of pushes, growth of a
/// push per body mass, m/s.
const STARTS: [f64; 2] = [0.0, 0.55];
const LASTS: f64 = 10.0;
const BETWEEN: f64 = 1.2;
const PUSHES: usize = 4;
const GROWTH: f64 = 0.05;
/// The push of a trial of what is played once, m/s.
const WEAK: f64 = 0.04;
/// Share of the longest time with which no other reading is tried: all of it, but for the last step.
const ENOUGH: f64 = 0.995;

const fn reading(gamma: f64, early: usize, late: usize) -> Readings {
    Readings { gamma, early, late }
}

/// The preparation of an order.
pub(super) fn prepare(
    order: &Order,
    _: &[Prepared],
    progress: Progress<'_>,
) -> Result<Vec<u8>, ControlError> {
    let making = making(order);
    let first = (Touch::default(), making.clearance);
    let mut best: Option<Tried> = None;
    let others = [(Touch::Given, making.clearance)].into_iter().chain(CLEARANCES.map(|c| (first.0, c)));
    for (nth, (touch, clearance)) in core::iter::once(first).chain(others).enumerate() {
        let share = |part: f64| progress(1.0 - libm::pow(0.5, nth as f64 + part));
        let reference = reference(order, &making, touch)?;
        let (plan, nodes) = match planned(order, &reference, clearance, &|part| share(PLANNED * part)) {
            Ok(found) => found,
            Err(why) if nth == 0 => return Err(why),
            Err(_) => continue,
        };
        let cycles = matches!(plan.reference.ends, Ends::Cycle(_));
        if !making.choose {
            return Ok(Policy::of(&plan, nodes, TRIED[0]).write());
        }
        // a second plan is tried with the readings that served the first one best, and the usual ones
        let tried: Vec<Readings> = match &best {
            None => TRIED.to_vec(),
            Some(best) if best.readings == TRIED[0] => vec![TRIED[0]],
            Some(best) => vec![best.readings, TRIED[0]],
        };
        let found = choose(order, &plan, &nodes, &tried, &|part| share(PLANNED + (1.0 - PLANNED) * part))?;
        let enough = found.share >= ENOUGH || best.as_ref().is_some_and(|b| b.share >= ENOUGH);
        if best.as_ref().is_none_or(|b| found.share > b.share) {
            best = Some(found);
        }
        // plans of what is played once are long: other clearances take too much time
        if enough || (!cycles && nth == 1) {
            break;
        }
    }
    best.map(|b| b.bytes).ok_or_else(|| ControlError::Preparation("nothing was tried".to_owned()))
}

/// What is said of the preparation.
fn making(order: &Order) -> Making {
    let mut making = Making::default();
    for param in Making::PARAMS {
        if let Some(value) = order.value(&format!("making.{}", param.name)) {
            making.set_value(param.name, &value);
        }
    }
    making
}

/// The reference of an order, with the usual contacts.
pub(super) fn reference_for(order: &Order) -> Result<Reference, ControlError> {
    reference(order, &making(order), Touch::default())
}

fn reference(order: &Order, making: &Making, touch: Touch) -> Result<Reference, ControlError> {
    let repeats = match making.play {
        Play::Guess => Repeats::Guess,
        Play::Cycle => Repeats::Cycle,
        Play::Once => Repeats::Once,
    };
    let none = || ControlError::Preparation("there is no clip".to_owned());
    let clip = order.clips.first().ok_or_else(none)?;
    let found = reference_touching(clip, repeats, touch)?;
    let Making { speed, stride, turn, .. } = *making;
    let warped = Warp { speed, stride, turn: turn.to_radians(), gently: false }.apply(&found);
    Ok(if making.half { warped.thinned(2) } else { warped })
}

/// A policy that was tried.
struct Tried {
    bytes: Vec<u8>,
    readings: Readings,
    /// Time that it stood over the longest possible.
    share: f64,
}

/// Plan and gains.
fn planned(
    order: &Order,
    reference: &Reference,
    clearance: f64,
    progress: &dyn Fn(f64) -> bool,
) -> Result<(Plan, Vec<Node>), ControlError> {
    let params =
        SpacetimeParams { clearance, exactness: EXACT, rounds: ROUNDS, ..SpacetimeParams::default() };
    let plan = optimise(reference, &params, progress)?;
    let weights = Weights::of(&order.model);
    let (nodes, ..) = sweep(&plan, &weights).map_err(|e| ControlError::Preparation(e.to_string()))?;
    Ok((plan, nodes))
}

/// Time that a motion takes which is played once, s.
fn once(plan: &Plan) -> f64 {
    (plan.len() - 2) as f64 / plan.reference.rate
}

/// Longest time that the runs of a trial can take together, s.
fn longest(plan: &Plan) -> f64 {
    match plan.reference.ends {
        Ends::Cycle(_) => STARTS.len() as f64 * LASTS,
        Ends::Open { .. } => 2.0 * once(plan),
    }
}

/// The readings with which a plan stands longest.
fn choose(
    order: &Order,
    plan: &Plan,
    nodes: &[Node],
    tried: &[Readings],
    progress: &dyn Fn(f64) -> bool,
) -> Result<Tried, ControlError> {
    let longest = longest(plan);
    let mut best: Option<Tried> = None;
    for (k, readings) in tried.iter().enumerate() {
        if !progress(k as f64 / tried.len() as f64) {
            return Err(ControlError::Preparation("it was given up".to_owned()));
        }
        let mut policy = Policy::of(plan, nodes.to_vec(), *readings);
        let stood = stands(order, plan, &policy.write());
        let share = stood / longest;
        // the usual one needs a reason to be given up
        if best.as_ref().is_none_or(|b| share > b.share + 0.02) {
            policy.margin = [stood, longest];
            best = Some(Tried { bytes: policy.write(), readings: *readings, share });
        }
        if share >= ENOUGH {
            break;
        }
    }
    best.ok_or_else(|| ControlError::Preparation("nothing was tried".to_owned()))
}

/// How long runs stand, s, together: a cycle from several places under pushes that grow; what is played once, without pushes and with weak ones.
fn stands(order: &Order, plan: &Plan, bytes: &[u8]) -> f64 {
    let ends = plan.reference.ends;
    let run =
        |start, most, push: &dyn Fn(usize) -> f64| stood(order, bytes, start, most, push).unwrap_or(0.0);
    match ends {
        Ends::Cycle(_) => {
            let growing = |k: usize| if k <= PUSHES { GROWTH * k as f64 } else { 0.0 };
            STARTS.iter().map(|start| run(*start, LASTS, &growing)).sum()
        }
        Ends::Open { .. } => run(0.0, once(plan), &|_| 0.0) + run(0.0, once(plan), &|_| WEAK),
    }
}

/// How long a run stands, s; the n-th push, counted from 1, changes the velocity of the whole body by so much, m/s.
fn stood(order: &Order, bytes: &[u8], start: f64, most: f64, push: &dyn Fn(usize) -> f64) -> Option<f64> {
    let mut order = order.clone();
    order.values.insert("track.phase".to_owned(), Value::Number(start));
    order.values.insert("track.gamma".to_owned(), Value::Number(-1.0));
    let model = order.model.clone();
    let beginning = Beginning { jitter: [0.0, 0.03], seed: 1, ..Beginning::default() };
    let world = World::new(Terrain::flat());
    let prepared = Prepared::from_bytes(bytes.to_vec());
    let mut episode = Episode::new(world, order, prepared, beginning).ok()?;
    let trunk = model.role(Role::Trunk).unwrap_or(BodyId(0));
    let mut pushes = 0;
    while episode.world().time() < most && episode.metrics().fall().is_none() {
        let due = (episode.world().time() / BETWEEN) as usize;
        if due > pushes {
            pushes += 1;
            let strength = push(pushes);
            if strength == 0.0 {
                continue;
            }
            // left, right, forward, back in turn
            let way = [Vec3::y(), -Vec3::y(), Vec3::x(), -Vec3::x()][pushes % 4];
            let impulse = way * (strength * model.mass());
            let (actor, dt) = (episode.actor(), episode.world().settings().dt);
            episode.world_mut().push(Push::of_impulse(actor, trunk, Vec3::zeros(), impulse, 0.1, dt));
        }
        episode.step().ok()?;
    }
    Some(episode.world().time().min(most))
}
