//! A search for gains: CMA-ES over the numbers in one of the controller's parameter groups, on all cores.
//!
//! A *trial* plays the scenario with other gains, once for each seed: the seed decides the directions of light pushes and when they come.
//! Its score is the share of the time without a fall, minus a penalty for the error of the speed if the controller has a signal for it:
//! ```text
//! score = mean over seeds of  t_up/T − 0.3 min(1, |mean excess speed| / (0.5 m/s))       (a run that falls counts as 0.5 m/s off)
//! ```
//! All trials of a generation have the same seeds, and each generation has new ones, so that no gains win by a lucky seed. The result is
//! the best trial or the search's mean, whichever is better on seeds that no trial has used.
//!
//! A search can be resumed from its record, which holds the scores of all trials in order: with the same seed the same points are drawn
//! again, and known scores are read instead of played. Any number of threads gives the same gains.

use crate::scenario::{PushPlan, Strength};
use crate::{LabError, Scenario, Simulation};
use serde::{Deserialize, Serialize};
use sinew_control::{Action, Kind, Value};
use sinew_dynamics::{Model, Role};
use sinew_solve::cmaes::{CmaEs, Settings};
use sinew_solve::sweep;
use std::sync::Arc;

/// Weight of the error of speed.
const SPEED_WEIGHT: f64 = 0.3;
/// The error of speed with the full penalty, m/s.
const SPEED_ERROR: f64 = 0.5;
/// Time between pushes, s, and how long they last.
const INTERVAL: f64 = 4.0;
const LASTS: f64 = 0.1;
/// Seeds from here on are held back.
const HELD_BACK: u64 = 1 << 32;

/// The plan of a search.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The scenario of a trial; the search begins at its controller's values.
    pub scenario: Scenario,
    /// The group of parameters: its numbers are searched between the ends of their sliders.
    pub group: String,
    /// Greatest number of trials.
    pub trials: usize,
    /// Trials of a generation; 0: the default of CMA-ES.
    pub population: usize,
    /// First step, as a share of the ranges.
    pub step: f64,
    /// Runs of a trial.
    pub runs: usize,
    /// Pushes, N·s per kg of the body; 0: none.
    pub push: f64,
    /// Runs with seeds held back, for the report.
    pub held_back: usize,
    /// Seed of the search.
    pub seed: u64,
}

impl Plan {
    /// A plan with 200 trials of three runs with light pushes.
    pub fn new(scenario: Scenario) -> Plan {
        let group = "gains".to_owned();
        Plan {
            scenario,
            group,
            trials: 200,
            population: 14,
            step: 0.12,
            runs: 3,
            push: 0.05,
            held_back: 8,
            seed: 1,
        }
    }
}

/// The scores of the trials so far, from which a search can be resumed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// Identity of the search; the record of another search is not used.
    pub search: String,
    /// In the order of the trials.
    pub scores: Vec<f64>,
}

/// The result.
#[derive(Clone, Debug)]
pub struct Tuned {
    /// The scenario with the new gains.
    pub scenario: Scenario,
    /// The gains.
    pub gains: Vec<(String, f64)>,
    /// Score on held-back seeds, before and after.
    pub scores: [f64; 2],
    /// Runs with held-back seeds that stayed up, before and after.
    pub up: [usize; 2],
    /// Number of runs with held-back seeds.
    pub runs: usize,
    /// Trials, those of the record included.
    pub trials: usize,
}

/// A number that is searched.
struct Number {
    path: String,
    range: [f64; 2],
    start: f64,
}

/// Searches. `keep` receives the record after every generation and returns whether to continue.
///
/// # Errors
/// When the scenario cannot be played, or the controller has no such group of numbers.
pub fn tune(
    plan: &Plan,
    model: &Arc<Model>,
    record: &mut Record,
    keep: &mut dyn FnMut(&Record, f64) -> bool,
) -> Result<Tuned, LabError> {
    let numbers = numbers(plan)?;
    let search = search_name(plan);
    if record.search != search {
        *record = Record { search, scores: Vec::new() };
    }
    let base = Simulation::new(plan.scenario.clone(), Arc::clone(model))?;
    let start: Vec<f64> =
        numbers.iter().map(|n| (n.start - n.range[0]) / (n.range[1] - n.range[0])).collect();
    let count = numbers.len();
    let mut cma = CmaEs::new(
        &start,
        Settings {
            population: plan.population,
            step: plan.step,
            bounds: Some((vec![0.0; count], vec![1.0; count])),
            max_evaluations: usize::MAX,
            seed: plan.seed,
            ..Settings::default()
        },
    );
    let play = |x: &[f64], seed: u64| trial(plan, &base, &numbers, x, seed);
    let mut best = (f64::NEG_INFINITY, start.clone());
    let (mut done, mut generation) = (0, 0);
    while done < plan.trials {
        let points: Vec<Vec<f64>> = cma.ask().chunks_exact(count).map(<[f64]>::to_vec).collect();
        let known = record.scores.get(done..done + points.len()).map(<[f64]>::to_vec);
        let scores = match known {
            Some(scores) => scores,
            None => {
                record.scores.truncate(done);
                let seeds: Vec<(usize, u64)> = (0..points.len())
                    .flat_map(|p| (0..plan.runs).map(move |r| (p, (generation * plan.runs + r) as u64)))
                    .collect();
                let runs = sweep::map(&seeds, |(p, seed)| play(&points[*p], *seed));
                let runs: Vec<(f64, bool)> = runs.into_iter().collect::<Result<_, _>>()?;
                let mean = |runs: &[(f64, bool)]| runs.iter().map(|r| r.0).sum::<f64>() / runs.len() as f64;
                runs.chunks(plan.runs).map(mean).collect()
            }
        };
        for (x, score) in points.iter().zip(&scores) {
            if *score > best.0 {
                best = (*score, x.clone());
            }
        }
        cma.tell(&scores.iter().map(|s| -s).collect::<Vec<f64>>());
        done += points.len();
        generation += 1;
        if record.scores.len() < done {
            record.scores.extend(scores);
        }
        if !keep(record, best.0) {
            break;
        }
    }
    let mean = cma.distribution().0.to_vec();
    let folded: Vec<f64> = mean.iter().map(|x| x.clamp(0.0, 1.0)).collect();
    let candidates = [start, best.1, folded];
    let seeds: Vec<(usize, u64)> =
        (0..3).flat_map(|c| (0..plan.held_back as u64).map(move |r| (c, HELD_BACK + r))).collect();
    let runs = sweep::map(&seeds, |(c, seed)| play(&candidates[*c], *seed));
    let runs: Vec<(f64, bool)> = runs.into_iter().collect::<Result<_, _>>()?;
    let of = |c: usize| {
        let mine = &runs[c * plan.held_back..(c + 1) * plan.held_back];
        let score = mine.iter().map(|r| r.0).sum::<f64>() / mine.len().max(1) as f64;
        (score, mine.iter().filter(|r| r.1).count())
    };
    let chosen = if of(2).0 > of(1).0 { 2 } else { 1 };
    let gains: Vec<(String, f64)> = numbers
        .iter()
        .zip(&candidates[chosen])
        .map(|(n, x)| (n.path.clone(), rounded(n.range[0] + x * (n.range[1] - n.range[0]))))
        .collect();
    let mut scenario = plan.scenario.clone();
    scenario.controller.values.extend(gains.iter().map(|(path, x)| (path.clone(), Value::Number(*x))));
    Ok(Tuned {
        scenario,
        gains,
        scores: [of(0).0, of(chosen).0],
        up: [of(0).1, of(chosen).1],
        runs: plan.held_back,
        trials: done,
    })
}

/// Rounds to four digits; more are noise.
fn rounded(x: f64) -> f64 {
    if x == 0.0 {
        return 0.0;
    }
    let scale = libm::pow(10.0, 3.0 - libm::floor(libm::log10(x.abs())));
    libm::round(x * scale) / scale
}

/// Identity of a search in one line: the scenario and the plan.
fn search_name(plan: &Plan) -> String {
    let Plan { group, population, step, runs, push, seed, .. } = plan;
    format!("{group} {population} {step} {runs} {push} {seed}\n{}", plan.scenario.to_toml())
}

/// The numbers of the group, with their ranges and initial values.
fn numbers(plan: &Plan) -> Result<Vec<Number>, LabError> {
    let controller = &plan.scenario.controller;
    let system = controller.system;
    let group = system.groups.iter().find(|g| g.name == plan.group);
    let params = group.map_or(&[][..], |g| g.params);
    let styled = |name: &str| {
        let changes = controller.style.map_or(&[][..], |style| style.changes);
        changes.iter().find(|(n, _)| *n == name).map(|(_, x)| *x)
    };
    let number = |p: &sinew_control::Param| {
        let Kind::Number { default, slider, .. } = p.kind else { return None };
        let path = format!("{}.{}", plan.group, p.name);
        let said = match controller.values.get(&path) {
            Some(Value::Number(x)) => Some(*x),
            _ => styled(p.name),
        };
        let start = said.unwrap_or(default).clamp(slider[0], slider[1]);
        (slider[1] > slider[0] && slider[1].is_finite()).then_some(Number { path, range: slider, start })
    };
    let numbers: Vec<Number> = params.iter().filter_map(number).collect();
    if numbers.is_empty() {
        let known: Vec<&str> = system.groups.iter().map(|g| g.name).collect();
        let problem = format!(
            "`{}` has no group `{}` of numbers to tune; its groups are: {}",
            system.name,
            plan.group,
            if known.is_empty() { "none".to_owned() } else { known.join(", ") }
        );
        return Err(LabError::Control(sinew_control::ControlError::Parameter(problem)));
    }
    Ok(numbers)
}

/// One run: its score, and whether it stayed up.
fn trial(
    plan: &Plan,
    base: &Simulation,
    numbers: &[Number],
    x: &[f64],
    seed: u64,
) -> Result<(f64, bool), LabError> {
    let seconds = plan.scenario.seconds;
    let mut simulation = base.with_pushes(pushes(plan, seed), seconds)?;
    for (number, x) in numbers.iter().zip(x) {
        let value = number.range[0] + x * (number.range[1] - number.range[0]);
        simulation.perform(&Action::Set(number.path.clone(), Value::Number(value)))?;
    }
    let (mut excess, mut count, mut up) = (0.0, 0.0, true);
    while !simulation.ended() {
        // a world that cannot be stepped further counts as a fall
        if simulation.step().is_err() || simulation.metrics().fall().is_some() {
            up = false;
            break;
        }
        if simulation.world().time() > 0.2 * seconds
            && let Some(error) = simulation.signal("excess_speed")
        {
            excess += error;
            count += 1.0;
        }
    }
    let time = simulation.world().time().min(seconds);
    let off = if count > 0.0 { (excess / count / SPEED_ERROR).abs().min(1.0) } else { 0.0 };
    let off = if up { off } else { 1.0 };
    Ok((time / seconds - SPEED_WEIGHT * off, up))
}

/// Light pushes of the trunk, decided by the seed.
fn pushes(plan: &Plan, seed: u64) -> Vec<PushPlan> {
    if plan.push == 0.0 {
        return Vec::new();
    }
    let count = (plan.scenario.seconds / INTERVAL) as usize;
    let random =
        sweep::latin_hypercube(&[(0.0, core::f64::consts::TAU), (0.0, INTERVAL)], count, plan.seed ^ seed);
    let push = |(k, case): (usize, &sweep::Case)| PushPlan {
        time: INTERVAL * k as f64 + case.values[1],
        seconds: LASTS,
        strength: Strength::PerMass { direction: case.values[0], impulse: plan.push },
        part: Role::Trunk,
    };
    random.iter().enumerate().map(push).filter(|p| p.time > 3.0).collect()
}
