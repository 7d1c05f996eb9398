//! The context of an experiment: seed, thoroughness, input folders, and a callback for progress.

use crate::audited::{Audited, Watch, play_audited};
use crate::findings::{Findings, Table, short};
use crate::store::REMEMBERED;
use crate::{LabError, Scenario, Simulation, run};
use sinew_dynamics::Model;
use sinew_solve::sweep;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Progress of an experiment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Runs that are done.
    pub done: usize,
    /// Number of runs, or an upper bound.
    pub total: usize,
}

/// The context of an experiment.
///
/// ```
/// use sinew_lab::context::{Case, Context};
/// use sinew_lab::{Scenario, findings::Findings};
/// let context = Context { quick: true, ..Context::default() };
/// let cases = [Case::built_in(Scenario { seconds: context.pick(10.0, 0.1), ..Scenario::default() })?];
/// let mut findings = Findings::default();
/// let runs = context.play(&mut findings, &cases)?;
/// assert!(runs[0].failure().is_none() && findings.runs == 1);
/// # Ok::<(), sinew_lab::LabError>(())
/// ```
#[derive(Clone)]
pub struct Context<'a> {
    /// Seed of everything random.
    pub seed: u64,
    /// Whether to play fewer and shorter runs, as a smoke test whose figures do not count.
    pub quick: bool,
    /// A folder with MJCF files of other bodies.
    pub characters: Option<PathBuf>,
    /// A folder with captured motions: `snu` and `cmu` in it.
    pub mocap: Option<PathBuf>,
    /// A folder for example recordings, and the beginning of their names.
    pub recordings: Option<(PathBuf, String)>,
    /// Callback for progress, called from any thread.
    pub progress: &'a (dyn Fn(Progress) + Sync),
}

impl Default for Context<'_> {
    fn default() -> Self {
        Context { seed: 1, quick: false, characters: None, mocap: None, recordings: None, progress: &|_| () }
    }
}

/// A scenario and a body.
#[derive(Clone, Debug)]
pub struct Case {
    /// The scenario.
    pub scenario: Scenario,
    /// The body.
    pub model: Arc<Model>,
}

impl Case {
    /// A case with the built-in character of the scenario.
    ///
    /// # Errors
    /// When there is none of that name.
    pub fn built_in(scenario: Scenario) -> Result<Case, LabError> {
        Ok(Case { model: scenario.built_in()?, scenario })
    }
}

impl Context<'_> {
    /// The first value for a full experiment, the second for a quick one.
    pub fn pick<T>(&self, full: T, quick: T) -> T {
        if self.quick { quick } else { full }
    }

    /// Applies a function to every item, on all cores; results are in the order of the items.
    ///
    /// # Errors
    /// The first error in the order of the items.
    pub fn map<T: Sync, R: Send>(
        &self,
        items: &[T],
        f: impl Fn(&T) -> Result<R, LabError> + Sync + Send,
    ) -> Result<Vec<R>, LabError> {
        let (done, total) = (AtomicUsize::new(0), items.len());
        (self.progress)(Progress { done: 0, total });
        let results = sweep::map(items, |item| {
            let result = f(item);
            (self.progress)(Progress { done: done.fetch_add(1, Ordering::Relaxed) + 1, total });
            result
        });
        results.into_iter().collect()
    }

    /// Plays and audits cases to their ends or falls, and adds their bodies and results to the findings. Records the first case if
    /// recordings are wanted.
    ///
    /// # Errors
    /// When a case cannot be played.
    pub fn play(&self, findings: &mut Findings, cases: &[Case]) -> Result<Vec<Audited>, LabError> {
        let watched = self.watch(findings, cases, |_| ())?;
        Ok(watched.into_iter().map(|(run, ())| run).collect())
    }

    /// The same with an observer of every run.
    ///
    /// # Errors
    /// When a case cannot be played.
    pub fn watch<W: Watch>(
        &self,
        findings: &mut Findings,
        cases: &[Case],
        watcher: impl Fn(&Case) -> W + Sync + Send,
    ) -> Result<Vec<(Audited, W)>, LabError> {
        let played = self.map(cases, |case| {
            let mut watch = watcher(case);
            let model = Arc::clone(&case.model);
            let begun = Simulation::with_store(case.scenario.clone(), model, &REMEMBERED, &|_| true)?;
            let run = play_audited(begun, &mut watch)?;
            Ok((run, watch))
        })?;
        let runs: Vec<Audited> = played.iter().map(|(run, _)| run.clone()).collect();
        findings.count(&runs);
        tabulate(findings, &runs);
        if let Some(case) = cases.first() {
            self.record(findings, case)?;
        }
        Ok(played)
    }
}

impl Context<'_> {
    /// Records a case, if recordings are wanted.
    ///
    /// # Errors
    /// When it cannot be played or written.
    pub fn record(&self, findings: &mut Findings, case: &Case) -> Result<(), LabError> {
        let Some((folder, prefix)) = &self.recordings else { return Ok(()) };
        let name = format!("{prefix}.{}.npz", findings.recordings.len() + 1);
        run(&case.scenario, Arc::clone(&case.model), Some(&folder.join(&name)))?;
        findings.recordings.push(name);
        Ok(())
    }
}

const RUNS: &str = "runs";

/// One row per run in the table of runs.
fn tabulate(findings: &mut Findings, runs: &[Audited]) {
    let columns = [
        "run",
        "body",
        "fell at, s",
        "why",
        "seconds",
        "distance, m",
        "speed, m/s",
        "heading, °",
        "steps",
        "worst skate, mm",
        "fallbacks",
        "audit",
    ];
    if !findings.tables.iter().any(|t| t.name == RUNS) {
        findings.tables.push(Table::new(RUNS, &columns));
    }
    let Some(table) = findings.tables.iter_mut().find(|t| t.name == RUNS) else { return };
    for run in runs {
        let s = &run.outcome.summary;
        table.rows.push(vec![
            run.outcome.scenario.clone(),
            s.character.clone(),
            s.fall_time.map_or(String::new(), |time| format!("{time:.3}")),
            s.fall_reason.clone().unwrap_or_default(),
            short(s.seconds),
            short(s.distance_m),
            short(s.mean_speed_mps),
            short(s.heading_change_deg),
            s.steps.to_string(),
            short(s.skate_worst_mm),
            run.outcome.fallbacks.to_string(),
            if run.broken.is_empty() { "holds".to_owned() } else { run.broken.join(", ") },
        ]);
    }
}
