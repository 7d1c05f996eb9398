//! From a clip to a policy: reference, plan, sweep, readings.
//!
//! **Readings.** No single γ and no single rule for early and late landings serves all clips: brisk walks want more adaptation and a narrow
//! rule, slow ones the opposite. So a handful of readings is tried in short runs with pushes that grow, from two places of the cycle,
//! and the one that stands longest is kept; where the plan's feet rise too little for any of them, another clearance is tried.

use super::Making;
use super::policy::{Policy, Readings};
use super::sweep::{Node, sweep};
use super::weights::Weights;
use crate::controller::ControlError;
use crate::prepare::{Prepared, Progress};
use crate::spacetime::{Plan, Reference, Repeats, SpacetimeParams, optimise, reference_of};
use crate::system::Order;
use crate::{Beginning, Episode, Parameters, Value, nqr::Play};
use sinew_dynamics::spatial::Vec3;
use sinew_dynamics::{BodyId, Role};
use sinew_world::{Push, Terrain, World};

/// Share of the work that is done when the plan is found.
const PLANNED: f64 = 0.4;
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
/// A run of a trial: places in the cycle where it begins, s until each push, greatest number of pushes, growth of a push per body mass, m/s.
const STARTS: [f64; 2] = [0.0, 0.55];
const BETWEEN: f64 = 1.2;
const PUSHES: usize = 4;
const GROWTH: f64 = 0.05;
/// Share of the longest time with which a reading is good enough.
const ENOUGH: f64 = 0.7;
/// The same with which no other is tried.
const PLENTY: f64 = 0.9;

const fn reading(gamma: f64, early: usize, late: usize) -> Readings {
    Readings { gamma, early, late }
}

/// The preparation of an order.
pub(super) fn prepare(
    order: &Order,
    _: &[Prepared],
    progress: Progress<'_>,
) -> Result<Vec<u8>, ControlError> {
    let mut making = Making::default();
    for param in Making::PARAMS {
        if let Some(value) = order.value(&format!("making.{}", param.name)) {
            making.set_value(param.name, &value);
        }
    }
    let repeats = match making.play {
        Play::Guess => Repeats::Guess,
        Play::Cycle => Repeats::Cycle,
        Play::Once => Repeats::Once,
    };
    let clip = order.clips.first().ok_or_else(|| ControlError::Preparation("there is no clip".to_owned()))?;
    let reference = reference_of(clip, repeats)?;
    let (plan, nodes) = planned(order, &reference, making.clearance, &|share| progress(PLANNED * share))?;
    if !making.choose {
        return Ok(Policy::of(&plan, nodes, TRIED[0]).write());
    }
    let longest = longest(&plan);
    let mut best = choose(order, &plan, &nodes, &|share| progress(PLANNED + 0.3 * share))?;
    if best.1 < ENOUGH * longest {
        for clearance in CLEARANCES {
            let Ok((plan, nodes)) = planned(order, &reference, clearance, &|_| progress(0.8)) else {
                continue;
            };
            let other = choose(order, &plan, &nodes, &|_| progress(0.9))?;
            if other.1 > best.1 {
                best = other;
            }
        }
    }
    Ok(best.0)
}

/// Plan and gains.
fn planned(
    order: &Order,
    reference: &Reference,
    clearance: f64,
    progress: &dyn Fn(f64) -> bool,
) -> Result<(Plan, Vec<Node>), ControlError> {
    let params = SpacetimeParams { clearance, ..SpacetimeParams::default() };
    let plan = optimise(reference, &params, progress)?;
    let weights = Weights::of(&order.model);
    let (nodes, _) = sweep(&plan, &weights).map_err(|e| ControlError::Preparation(e.to_string()))?;
    Ok((plan, nodes))
}

/// Longest time that the runs of a trial can take together, s.
fn longest(plan: &Plan) -> f64 {
    match plan.reference.ends {
        crate::spacetime::Ends::Cycle(_) => STARTS.len() as f64 * BETWEEN * (PUSHES + 1) as f64,
        crate::spacetime::Ends::Open { .. } => plan.len() as f64 / plan.reference.rate,
    }
}

/// The readings with which a plan stands longest, as bytes, and how long.
fn choose(
    order: &Order,
    plan: &Plan,
    nodes: &[Node],
    progress: &dyn Fn(f64) -> bool,
) -> Result<(Vec<u8>, f64), ControlError> {
    let mut best: Option<(Vec<u8>, f64)> = None;
    for (k, readings) in TRIED.into_iter().enumerate() {
        if !progress(k as f64 / TRIED.len() as f64) {
            return Err(ControlError::Preparation("it was given up".to_owned()));
        }
        let bytes = Policy::of(plan, nodes.to_vec(), readings).write();
        let stood = stands(order, plan, &bytes);
        // the usual one needs a reason to be given up
        if best.as_ref().is_none_or(|(_, so_far)| stood > so_far + 0.3) {
            let policy = Policy::of(plan, nodes.to_vec(), readings);
            best = Some((Policy { margin: [stood, longest(plan)], ..policy }.write(), stood));
        }
        if stood >= PLENTY * longest(plan) {
            break;
        }
    }
    best.ok_or_else(|| ControlError::Preparation("nothing was tried".to_owned()))
}

/// How long runs stand, s, together.
fn stands(order: &Order, plan: &Plan, bytes: &[u8]) -> f64 {
    let cycles = matches!(plan.reference.ends, crate::spacetime::Ends::Cycle(_));
    let most = longest(plan) / if cycles { STARTS.len() as f64 } else { 1.0 };
    let starts = if cycles { &STARTS[..] } else { &STARTS[..1] };
    starts.iter().map(|start| stood(order, bytes, *start, most, cycles).unwrap_or(0.0)).sum()
}

fn stood(order: &Order, bytes: &[u8], start: f64, most: f64, pushed: bool) -> Option<f64> {
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
        if pushed && due > pushes && pushes < PUSHES {
            pushes += 1;
            // left, right, forward, back in turn
            let way = [Vec3::y(), -Vec3::y(), Vec3::x(), -Vec3::x()][pushes % 4];
            let impulse = way * (GROWTH * pushes as f64 * model.mass());
            let (actor, dt) = (episode.actor(), episode.world().settings().dt);
            episode.world_mut().push(Push::of_impulse(actor, trunk, Vec3::zeros(), impulse, 0.1, dt));
        }
        episode.step().ok()?;
    }
    Some(episode.world().time().min(most))
}
