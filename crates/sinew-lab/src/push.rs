//! How strong a push a controller survives.
//!
//! A push of a given impulse may be survived where a weaker one is not: what counts is when in the stride it comes and how the
//! next step meets it. A single lucky figure says little. The protocol:
//!
//! - the character walks (or stands) for a while; its stride, two footsteps, is timed; pushes begin at phases spread
//!   evenly over one stride, at least eight;
//! - for each direction the impulse climbs a ladder of equal rungs from the lowest on. The *prefix threshold* is the last rung
//!   such that it and every rung below are survived in every phase. The ladder is climbed, not bisected: bisection would
//!   take for granted that what survives a push survives every weaker one;
//! - survived is a run without a fall (the rule of [`sinew_world::metrics`]) until `survive` seconds after the push, whose
//!   recording passes the audit;
//! - impulses are stated in N·s and per kilogram of the body, whose mass is stated too.
//!
//! Every run starts anew from rest, so that a failure is a [`Scenario`] that can be played and looked at
//! ([`Protocol::scenario`]). Runs of one rung are independent: with the feature `parallel` they use all cores, and the results
//! are the same bits. Cost: phases × rungs × directions runs of about `warm_up + survive` seconds each.

use crate::run::run_until_fall;
use crate::scenario::{PushPlan, Scenario, Strength};
use crate::{LabError, Simulation};
use serde::{Serialize, Serializer};
use sinew_dynamics::{Model, Role};
use sinew_solve::sweep;
use sinew_world::audit::{Options, audit};
use sinew_world::recording::RecordingReader;
use std::io::Cursor;
use std::sync::Arc;

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
    /// Part that is pushed.
    #[serde(serialize_with = "by_name")]
    pub part: Role,
    /// How long it walks before, s.
    pub warm_up: f64,
    /// How long it must stay up after the push has ended, s.
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
            part: Role::Trunk,
            warm_up: 4.0,
            survive: 60.0,
        }
    }
}

fn by_name<S: Serializer>(part: &Role, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(part)
}

/// A run that was not survived.
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
    /// What failed on the next rung; empty when the ladder ended first, so that the threshold is a lower bound.
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
    /// Duration of a stride, s; `None` when it stands, and phases are spread over a second.
    pub stride_s: Option<f64>,
    /// How it was measured.
    pub protocol: Protocol,
    /// By direction.
    pub thresholds: Vec<Threshold>,
    /// Runs that were played.
    pub runs: usize,
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
        check("phases", self.phases as f64, self.phases > 0, "at least 1")?;
        check("rungs", self.rungs as f64, self.rungs > 0, "at least 1")
    }

    /// The run with one push: the scenario's own pushes and length give way.
    pub fn scenario(&self, base: &Scenario, time: f64, direction_deg: f64, per_mass: f64) -> Scenario {
        let strength = Strength::PerMass { direction: direction_deg.to_radians(), impulse: per_mass };
        let push = PushPlan { time, seconds: self.push_seconds, strength, part: self.part };
        Scenario { pushes: vec![push], seconds: time + self.push_seconds + self.survive, ..base.clone() }
    }

    /// Measures the thresholds of a scenario's controller and commands on a body.
    ///
    /// # Errors
    /// When the numbers make no sense, a run cannot be played, or it falls without a push.
    pub fn measure(&self, base: &Scenario, model: &Arc<Model>) -> Result<PushReport, LabError> {
        self.check()?;
        let (begin, stride_s) = self.stride(base, model)?;
        let stride = stride_s.unwrap_or(1.0);
        let phases: Vec<f64> = (0..self.phases).map(|k| k as f64 / self.phases as f64).collect();
        let (mut thresholds, mut runs) = (Vec::new(), 0);
        for &direction_deg in &self.directions_deg {
            let mut threshold =
                Threshold { direction_deg, per_mass: 0.0, impulse: 0.0, failures: Vec::new() };
            for rung in 1..=self.rungs {
                let per_mass = rung as f64 * self.rung;
                let played = sweep::map(&phases, |&phase| {
                    let time = begin + phase * stride;
                    let reason = failure(&self.scenario(base, time, direction_deg, per_mass), model)?;
                    Ok(reason.map(|reason| Failure { phase, time, reason }))
                });
                runs += phases.len();
                let played: Vec<Option<Failure>> = played.into_iter().collect::<Result<_, LabError>>()?;
                threshold.failures = played.into_iter().flatten().collect();
                if !threshold.failures.is_empty() {
                    break;
                }
                (threshold.per_mass, threshold.impulse) = (per_mass, per_mass * model.mass());
            }
            thresholds.push(threshold);
        }
        Ok(PushReport {
            scenario: base.name.clone(),
            controller: base.controller.name(),
            character: model.name().to_owned(),
            mass_kg: model.mass(),
            stride_s,
            protocol: self.clone(),
            thresholds,
            runs,
        })
    }

    /// When the first stride after the warm-up begins, and how long it lasts.
    fn stride(&self, base: &Scenario, model: &Arc<Model>) -> Result<(f64, Option<f64>), LabError> {
        // long enough for the slowest stride
        let seconds = self.warm_up + 5.0;
        let unpushed = Scenario { pushes: Vec::new(), seconds, ..base.clone() };
        let mut simulation = Simulation::new(unpushed, Arc::clone(model))?;
        let mut landings = Vec::new();
        let mut footsteps = None;
        while !simulation.ended() && landings.len() < 3 {
            simulation.step()?;
            if let Some((time, fall)) = simulation.metrics().fall() {
                return Err(LabError::FellUnpushed { time, reason: fall.to_string() });
            }
            let now = simulation.telemetry().get("steps");
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

/// Why a run was not survived.
fn failure(scenario: &Scenario, model: &Arc<Model>) -> Result<Option<String>, LabError> {
    let (outcome, recording) = run_until_fall(scenario, Arc::clone(model))?;
    if let (Some(time), Some(reason)) = (outcome.summary.fall_time, outcome.summary.fall_reason) {
        return Ok(Some(format!("fell at {time:.3} s: {reason}")));
    }
    let audit = audit(&mut RecordingReader::new(Cursor::new(recording))?, &Options::default())?;
    let failed: Vec<&str> = audit.failures().collect();
    Ok((!audit.holds).then(|| format!("the audit fails: {}", failed.join(", "))))
}
