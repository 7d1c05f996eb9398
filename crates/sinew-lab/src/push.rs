//! The greatest push that a controller survives.
//!
//! A controller may survive a push and fall at a weaker one, because the phase of the stride and the next footstep matter. A single
//! lucky run says little. The protocol:
//!
//! - the character walks (or stands) for a while; its stride, two footsteps, is timed; pushes begin at phases spread
//!   evenly over one stride, at least eight;
//! - for each direction the impulse climbs a ladder of equal rungs from the lowest on. The *prefix threshold* is the last rung
//!   such that it and every rung below are survived in every phase. The ladder is climbed, not bisected, because bisection
//!   assumes that a controller that survives a push survives every weaker one;
//! - a run has one push, or several of the same strength, one every `interval` seconds;
//! - a run is survived if there is no fall (the rule of [`sinew_world::metrics`]) until `survive` seconds after the last push, whose
//!   recording passes the audit; if steps are not allowed, it must also have no step (a foot that tips up and comes down in its place is none);
//! - impulses are stated in N·s and per kilogram of the body, whose mass is stated too.
//!
//! A failure is a [`Scenario`] that can be played from rest and inspected ([`Protocol::scenario`]). The time before the first push is
//! the same in all runs of a phase, and is played and audited once. A direction ends with its first failure, so that nearly all runs
//! count for a threshold. Runs are independent: with the feature `parallel` they use all cores, and the results are the same
//! bits. [`Protocol::estimate`] gives the cost.

use crate::audited::{Audited, play_audited};
use crate::scenario::{PushPlan, Scenario, Strength};
use crate::store::REMEMBERED;
use crate::{LabError, Simulation, Watch};
use serde::{Serialize, Serializer};
use sinew_dynamics::{Model, Role};
use sinew_solve::sweep;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// How thresholds are measured.
///
/// ```
/// use sinew_lab::{Scenario, push::Protocol};
/// let standing = Scenario::default();
/// // far less than the default asks for, to be quick
/// let quick = Protocol {
///     directions_deg: vec![180.0], phases: 1, rungs: 1, warm_up: 0.1, survive: 0.2, ..Protocol::default()
/// };
/// let report = quick.measure(&standing, &standing.built_in()?)?;
/// assert_eq!(report.thresholds[0].per_mass, 0.05);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Protocol {
    /// Directions of pushes: angles from the x axis, left positive, degrees.
    pub directions_deg: Vec<f64>,
    /// Phases of the stride.
    pub phases: usize,
    /// Height of a rung, N·s/kg.
    pub rung: f64,
    /// Number of rungs.
    pub rungs: usize,
    /// Duration of a push, s.
    pub push_seconds: f64,
    /// Pushes of a run.
    pub pushes: usize,
    /// Time from the beginning of one push to that of the next, s.
    pub interval: f64,
    /// Whether the character may step to stay up.
    pub steps_allowed: bool,
    /// Whether each phase continues to its own first failure; otherwise a direction ends with its first failure in any phase.
    pub every_phase: bool,
    /// Part that is pushed.
    #[serde(serialize_with = "by_name")]
    pub part: Role,
    /// Time before the first push, s.
    pub warm_up: f64,
    /// How long the character must stay up after the end of the last push, s.
    pub survive: f64,
}

impl Default for Protocol {
    fn default() -> Protocol {
        Protocol {
            directions_deg: vec![0.0, 90.0, 180.0, 270.0],
            phases: 8,
            rung: 0.05,
            rungs: 40,
            push_seconds: 0.2,
            pushes: 1,
            interval: 4.0,
            steps_allowed: true,
            every_phase: false,
            part: Role::Trunk,
            warm_up: 4.0,
            survive: 60.0,
        }
    }
}

fn by_name<S: Serializer>(part: &Role, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(part)
}

/// A failed run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Failure {
    /// Phase of the stride in which the push began, 0 to 1.
    pub phase: f64,
    /// When it began, s.
    pub time: f64,
    /// What happened.
    pub reason: String,
}

/// The threshold of one direction.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Threshold {
    /// Direction, degrees.
    pub direction_deg: f64,
    /// Greatest push such that it and every weaker one of the ladder is survived in every phase, N·s/kg.
    pub per_mass: f64,
    /// The same, N·s.
    pub impulse: f64,
    /// The same by phase, N·s/kg: up to its first failure, or to where its direction ended.
    pub by_phase: Vec<f64>,
    /// Failures on the next rung; empty when the ladder ended first, so that the threshold is a lower bound.
    pub failures: Vec<Failure>,
}

/// Thresholds of a controller on a body.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PushReport {
    /// Name of the scenario.
    pub scenario: String,
    /// Name of the controller.
    pub controller: &'static str,
    /// Name of the body.
    pub character: String,
    /// Its mass, kg.
    pub mass_kg: f64,
    /// Seed of the scenario.
    pub seed: u64,
    /// Duration of a stride, s; `None` when it stands, and phases are spread over a second.
    pub stride_s: Option<f64>,
    /// How it was measured.
    pub protocol: Protocol,
    /// By direction.
    pub thresholds: Vec<Threshold>,
    /// Runs that were played.
    pub runs: usize,
    /// Simulated time of all of them from the first push on, s.
    pub simulated_s: f64,
    /// Runs whose recording failed the audit, in words.
    pub broken: Vec<String>,
}

/// Greatest time step of a world, s.
const LONGEST_STEP: f64 = 0.02;

/// Least number of runs that are played in parallel.
const TOGETHER: usize = 8;

/// Saves the run at given times.
struct Moments<'a> {
    times: &'a [f64],
    starts: Vec<Simulation>,
}

impl Watch for Moments<'_> {
    fn see(&mut self, simulation: &Simulation) {
        // the next step is the first that begins at the time or later
        let due = simulation.world().time() + 0.5 * simulation.world().settings().dt;
        while self.times.get(self.starts.len()).is_some_and(|time| *time < due) {
            self.starts.push(simulation.clone());
        }
    }
}

/// Footsteps: a foot that tips up and comes down in its place does not count.
struct Footsteps(f64);

impl Watch for Footsteps {
    fn see(&mut self, simulation: &Simulation) {
        self.0 = simulation.footsteps();
    }
}

/// One direction and phase, and its place on the ladder.
struct Cell {
    direction: usize,
    nth: usize,
    phase: f64,
    per_mass: f64,
    failure: Option<Failure>,
    climbing: bool,
}

impl Protocol {
    /// Checks the numbers.
    fn check(&self) -> Result<(), LabError> {
        let check = |what, value: f64, good: bool, wanted| match good {
            true => Ok(()),
            false => Err(LabError::Protocol { what, value, wanted }),
        };
        let positive = |what, x: f64| check(what, x, x > 0.0 && x.is_finite(), "above 0 and finite");
        positive("rung", self.rung)?;
        positive("push_seconds", self.push_seconds)?;
        positive("warm_up", self.warm_up)?;
        positive("survive", self.survive)?;
        positive("interval", self.interval)?;
        check("pushes", self.pushes as f64, self.pushes > 0, "at least 1")?;
        check("phases", self.phases as f64, self.phases > 0, "at least 1")?;
        check("rungs", self.rungs as f64, self.rungs > 0, "at least 1")
    }

    /// The scenario of a run with its pushes, the first at `time`; they replace the scenario's own pushes and duration.
    pub fn scenario(&self, base: &Scenario, time: f64, direction_deg: f64, per_mass: f64) -> Scenario {
        let strength = Strength::PerMass { direction: direction_deg.to_radians(), impulse: per_mass };
        let at = |k: usize| time + self.interval * k as f64;
        let push = |k| PushPlan { time: at(k), seconds: self.push_seconds, strength, part: self.part };
        let pushes: Vec<PushPlan> = (0..self.pushes).map(push).collect();
        let seconds = at(self.pushes - 1) + self.push_seconds + self.survive;
        Scenario { pushes, seconds, ..base.clone() }
    }

    /// Measures the thresholds of a scenario's controller and commands on a body.
    ///
    /// # Errors
    /// When a number is out of range, a run cannot be played, or it falls without a push.
    pub fn measure(&self, base: &Scenario, model: &Arc<Model>) -> Result<PushReport, LabError> {
        self.measure_with(base, model, &|_, _| ())
    }

    /// The same; `progress` receives the number of runs that are done and an upper bound of all runs.
    ///
    /// # Errors
    /// As for [`measure`](Self::measure).
    pub fn measure_with(
        &self,
        base: &Scenario,
        model: &Arc<Model>,
        progress: &(dyn Fn(usize, usize) + Sync),
    ) -> Result<PushReport, LabError> {
        self.check()?;
        let (begin, stride_s) = self.stride(base, model)?;
        let stride = stride_s.unwrap_or(1.0);
        let time_of = |phase: f64| begin + phase * stride;
        let mut cells = self.cells();
        let (mut runs, mut simulated_s, mut broken) = (0, 0.0, Vec::new());
        let times: Vec<f64> = (0..self.phases).map(|k| time_of(k as f64 / self.phases as f64)).collect();
        let starts = self.starts(base, model, &times, &mut broken)?;
        let (done, most) = (AtomicUsize::new(0), cells.len() * self.rungs);
        for rung in 1..=self.rungs {
            // 3 × 0.3 is 0.9
            let per_mass = (1e9 * rung as f64 * self.rung).round() * 1e-9;
            for group in self.groups() {
                let due = |c: &Cell| c.climbing && group.contains(&c.nth);
                let climbing: Vec<&Cell> = cells.iter().filter(|c| due(c)).collect();
                let played = sweep::map(&climbing, |cell| {
                    let direction_deg = self.directions_deg[cell.direction];
                    let pushed = self.scenario(base, times[cell.nth], direction_deg, per_mass);
                    let start = starts[cell.nth].with_pushes(pushed.pushes, pushed.seconds)?;
                    let mut steps = Footsteps(0.0);
                    let run = play_audited(start, &mut steps);
                    progress(done.fetch_add(1, Ordering::Relaxed) + 1, most);
                    Ok((run?, steps.0))
                });
                runs += played.len();
                let played = played.into_iter().collect::<Result<Vec<(Audited, f64)>, LabError>>()?;
                for (cell, (run, steps)) in cells.iter_mut().filter(|c| due(c)).zip(&played) {
                    simulated_s += run.outcome.summary.seconds - times[cell.nth];
                    if !run.broken.is_empty() {
                        let name = self.directions_deg[cell.direction];
                        broken.push(format!("{name}° at {per_mass:.2} N·s/kg: {}", run.broken.join(", ")));
                    }
                    match self.failure(run, *steps) {
                        None => cell.per_mass = per_mass,
                        Some(reason) => {
                            let (phase, time) = (cell.phase, times[cell.nth]);
                            cell.failure = Some(Failure { phase, time, reason });
                        }
                    }
                }
                let failed: Vec<usize> =
                    cells.iter().filter(|c| c.failure.is_some()).map(|c| c.direction).collect();
                for cell in &mut cells {
                    let over = !self.every_phase && failed.contains(&cell.direction);
                    cell.climbing = cell.failure.is_none() && !over;
                }
            }
        }
        progress(most, most);
        Ok(PushReport {
            scenario: base.name.clone(),
            controller: base.controller.system.name,
            character: model.name().to_owned(),
            mass_kg: model.mass(),
            seed: base.seed,
            stride_s,
            protocol: self.clone(),
            thresholds: self.thresholds(&cells, model.mass()),
            runs,
            simulated_s,
            broken,
        })
    }

    /// Simulated time of a run from the first push on, s.
    fn seconds(&self) -> f64 {
        self.interval * (self.pushes - 1) as f64 + self.push_seconds + self.survive
    }

    /// Simulated time of all runs if every threshold is about `per_mass`, s: the rungs up to there in every phase and direction. The failing
    /// run after that is short and not counted.
    ///
    /// ```
    /// let protocol = sinew_lab::push::Protocol { phases: 2, rung: 0.1, ..Default::default() };
    /// // four directions, two phases, three rungs, one minute each
    /// assert!((protocol.estimate(0.3) - 4.0 * 2.0 * 3.0 * 60.2).abs() < 1e-9);
    /// ```
    pub fn estimate(&self, per_mass: f64) -> f64 {
        let rungs = ((per_mass / self.rung).round() as usize).min(self.rungs);
        self.directions_deg.len() as f64 * (self.phases * rungs) as f64 * self.seconds()
    }

    /// Groups of phases that are played in parallel. After each group, directions that have failed end.
    fn groups(&self) -> Vec<Range<usize>> {
        // enough runs for several cores, and the same number on every machine
        let size = match self.every_phase {
            true => self.phases,
            false => TOGETHER.div_ceil(self.directions_deg.len().max(1)),
        };
        (0..self.phases).step_by(size).map(|from| from..(from + size).min(self.phases)).collect()
    }

    /// Snapshots of the moments at which pushes begin, from one audited run.
    fn starts(
        &self,
        base: &Scenario,
        model: &Arc<Model>,
        times: &[f64],
        broken: &mut Vec<String>,
    ) -> Result<Vec<Simulation>, LabError> {
        // a step longer than the last moment, which may lie between two steps
        let seconds = times.last().copied().unwrap_or(self.warm_up) + LONGEST_STEP;
        let walk_in = Scenario { pushes: Vec::new(), seconds, ..base.clone() };
        let mut moments = Moments { times, starts: Vec::new() };
        let simulation = Simulation::with_store(walk_in, Arc::clone(model), &REMEMBERED, &|_| true)?;
        moments.see(&simulation);
        let run = play_audited(simulation, &mut moments)?;
        if !run.broken.is_empty() {
            broken.push(format!("before any push: {}", run.broken.join(", ")));
        }
        let (summary, missing) = (&run.outcome.summary, moments.starts.len() < times.len());
        match (missing, summary.fall_time) {
            (false, _) => Ok(moments.starts),
            (true, time) => Err(LabError::FellUnpushed {
                time: time.unwrap_or(summary.seconds),
                reason: run.failure().unwrap_or_default(),
            }),
        }
    }

    /// One cell per direction and phase, all at the foot of the ladder.
    fn cells(&self) -> Vec<Cell> {
        let phases = |direction| {
            (0..self.phases).map(move |k| Cell {
                direction,
                nth: k,
                phase: k as f64 / self.phases as f64,
                per_mass: 0.0,
                failure: None,
                climbing: true,
            })
        };
        (0..self.directions_deg.len()).flat_map(phases).collect()
    }

    /// Why a run counts as failed, if it does.
    fn failure(&self, run: &Audited, steps: f64) -> Option<String> {
        let stepped = (!self.steps_allowed && steps > 0.0).then(|| format!("took {steps} steps"));
        run.failure().or(stepped)
    }

    /// By direction: the lowest threshold of its phases, and the failures just above it.
    fn thresholds(&self, cells: &[Cell], mass: f64) -> Vec<Threshold> {
        let direction = |(cells, direction_deg): (&[Cell], &f64)| {
            let per_mass = cells.iter().map(|c| c.per_mass).fold(f64::INFINITY, f64::min);
            let first = cells.iter().filter(|c| c.per_mass == per_mass);
            Threshold {
                direction_deg: *direction_deg,
                per_mass,
                impulse: per_mass * mass,
                by_phase: cells.iter().map(|c| c.per_mass).collect(),
                failures: first.filter_map(|c| c.failure.clone()).collect(),
            }
        };
        cells.chunks(self.phases).zip(&self.directions_deg).map(direction).collect()
    }

    /// When the first stride after the warm-up begins, and how long it lasts.
    fn stride(&self, base: &Scenario, model: &Arc<Model>) -> Result<(f64, Option<f64>), LabError> {
        // long enough for the slowest stride
        let seconds = self.warm_up + 5.0;
        let unpushed = Scenario { pushes: Vec::new(), seconds, ..base.clone() };
        let mut simulation = Simulation::with_store(unpushed, Arc::clone(model), &REMEMBERED, &|_| true)?;
        let mut landings = Vec::new();
        let mut footsteps = None;
        while !simulation.ended() && landings.len() < 3 {
            simulation.step()?;
            if let Some((time, fall)) = simulation.metrics().fall() {
                return Err(LabError::FellUnpushed { time, reason: fall.to_string() });
            }
            let now = simulation.episode().footsteps();
            let time = simulation.world().time();
            if time > self.warm_up && footsteps.is_some() && now != footsteps {
                landings.push(time);
            }
            footsteps = now;
        }
        Ok(match landings[..] {
            [first, _, third] => (first, Some(third - first)),
            _ => (self.warm_up, None),
        })
    }
}
