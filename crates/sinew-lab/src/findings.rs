//! The findings of an experiment: figures beside the paper's and their bars, tables, plots, and the measured bodies and seeds.

use crate::audited::Audited;
use crate::plot::Plot;
use crate::push::PushReport;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A bar: the condition for a figure to pass.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Bar {
    /// At least this.
    AtLeast(f64),
    /// At most this.
    AtMost(f64),
    /// Between two values, ends included.
    Between(f64, f64),
}

impl Bar {
    fn holds(&self, value: f64) -> bool {
        match *self {
            Bar::AtLeast(least) => value >= least,
            Bar::AtMost(most) => value <= most,
            Bar::Between(least, most) => (least..=most).contains(&value),
        }
    }
}

impl fmt::Display for Bar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Bar::AtLeast(least) => write!(f, "≥ {least}"),
            Bar::AtMost(most) => write!(f, "≤ {most}"),
            Bar::Between(least, most) => write!(f, "{least} to {most}"),
        }
    }
}

/// The verdict on a figure or on a whole experiment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// No bar: a figure for information.
    Reported,
    /// The bar is met.
    Passed,
    /// It could not be measured here; a note gives the reason.
    Skipped,
    /// The bar is not met.
    Failed,
}

impl Verdict {
    /// In a word.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Reported => "reported",
            Verdict::Passed => "passed",
            Verdict::Skipped => "skipped",
            Verdict::Failed => "FAILED",
        }
    }
}

/// A figure.
///
/// ```
/// use sinew_lab::findings::{Figure, Verdict};
/// let speed = Figure::new("mean speed", "m/s", 0.97).between(0.9, 1.1).paper("–");
/// assert_eq!(speed.verdict(), Verdict::Passed);
/// // a figure that could not be measured does not pass
/// assert_eq!(Figure::new("swing", "°", f64::NAN).at_least(10.0).verdict(), Verdict::Failed);
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Figure {
    /// What was measured.
    pub name: String,
    /// Its value; `None` for NaN and infinities.
    pub value: Option<f64>,
    /// Its unit; may be empty.
    pub unit: String,
    /// The paper's figure, in words; `None` when the paper prints none.
    pub paper: Option<String>,
    /// The condition for passing.
    pub bar: Option<Bar>,
    /// A desirable value beyond the bar.
    pub aim: Option<f64>,
}

impl Figure {
    /// A figure without a bar.
    pub fn new(name: impl Into<String>, unit: &str, value: f64) -> Figure {
        let value = value.is_finite().then_some(value);
        Figure { name: name.into(), value, unit: unit.to_owned(), paper: None, bar: None, aim: None }
    }

    /// A count of falls, which must be 0.
    pub fn falls(runs: &[Audited]) -> Figure {
        let fallen = runs.iter().filter(|r| r.outcome.summary.fell == Some(true)).count();
        Figure::new("falls", &format!("of {} runs", runs.len()), fallen as f64).at_most(0.0)
    }

    /// Must be at least this.
    pub fn at_least(self, least: f64) -> Figure {
        Figure { bar: Some(Bar::AtLeast(least)), ..self }
    }

    /// Must be at most this.
    pub fn at_most(self, most: f64) -> Figure {
        Figure { bar: Some(Bar::AtMost(most)), ..self }
    }

    /// Must be between these.
    pub fn between(self, least: f64, most: f64) -> Figure {
        Figure { bar: Some(Bar::Between(least, most)), ..self }
    }

    /// With the paper's figure.
    pub fn paper(self, says: &str) -> Figure {
        Figure { paper: Some(says.to_owned()), ..self }
    }

    /// A desirable value beyond the bar.
    pub fn aim(self, aim: f64) -> Figure {
        Figure { aim: Some(aim), ..self }
    }

    /// Whether the bar is met.
    pub fn verdict(&self) -> Verdict {
        match (&self.bar, self.value) {
            (None, _) => Verdict::Reported,
            (Some(bar), Some(value)) if bar.holds(value) => Verdict::Passed,
            _ => Verdict::Failed,
        }
    }

    /// Value and unit.
    pub fn shown(&self) -> String {
        let value = self.value.map_or("–".to_owned(), short);
        if self.unit.is_empty() { value } else { format!("{value} {}", self.unit) }
    }
}

/// A number with four significant digits.
pub(crate) fn short(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    if !value.is_finite() || !(1e-4..1e7).contains(&value.abs()) {
        return format!("{value:.2e}");
    }
    let digits = (3 - libm::floor(libm::log10(value.abs())) as i32).max(0) as usize;
    let text = format!("{value:.digits$}");
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

/// A table; becomes a CSV file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Table {
    /// Its title, from which its file name is made.
    pub name: String,
    /// Names of the columns.
    pub columns: Vec<String>,
    /// The rows.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// An empty table.
    pub fn new(name: &str, columns: &[&str]) -> Table {
        let columns = columns.iter().map(|c| (*c).to_owned()).collect();
        Table { name: name.to_owned(), columns, rows: Vec::new() }
    }

    /// Adds a row of numbers after a name.
    pub fn row(&mut self, name: impl Into<String>, values: &[f64]) {
        self.rows.push(std::iter::once(name.into()).chain(values.iter().map(|v| short(*v))).collect());
    }

    /// As comma-separated values (RFC 4180).
    ///
    /// ```
    /// use sinew_lab::findings::Table;
    /// let mut table = Table::new("walks", &["body", "speed, m/s"]);
    /// table.row("a \"child\"", &[0.75]);
    /// assert_eq!(table.csv(), "body,\"speed, m/s\"\n\"a \"\"child\"\"\",0.75\n");
    /// ```
    pub fn csv(&self) -> String {
        let cell = |text: &String| match text.contains([',', '"', '\n']) {
            true => format!("\"{}\"", text.replace('"', "\"\"")),
            false => text.clone(),
        };
        let line = |cells: &Vec<String>| cells.iter().map(cell).collect::<Vec<_>>().join(",") + "\n";
        std::iter::once(&self.columns).chain(&self.rows).map(line).collect()
    }
}

/// A body that was measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Body {
    /// Its name.
    pub name: String,
    /// Its mass, kg.
    pub mass_kg: f64,
}

/// The findings of an experiment.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Findings {
    /// The figures.
    pub figures: Vec<Figure>,
    /// Tables.
    pub tables: Vec<Table>,
    /// Plots.
    pub plots: Vec<Plot>,
    /// Bodies that were measured.
    pub bodies: Vec<Body>,
    /// Seeds that were used.
    pub seeds: Vec<u64>,
    /// Runs that were played and audited.
    pub runs: usize,
    /// Simulated time of all of them, s.
    pub simulated_s: f64,
    /// Failed audits and errors of the world: which run, and why. A single one fails the experiment.
    pub broken: Vec<String>,
    /// Remarks for the reader: what was left out and why, how it was done.
    pub notes: Vec<String>,
    /// Why the experiment was skipped, if it was.
    pub skipped: Option<String>,
    /// The error that ended the experiment, if any; it has then failed.
    pub error: Option<String>,
    /// Example recordings that were written, by file name.
    pub recordings: Vec<String>,
}

impl Findings {
    /// Findings of a skipped experiment.
    pub fn skipped(why: impl Into<String>) -> Findings {
        Findings { skipped: Some(why.into()), ..Findings::default() }
    }

    /// Adds a figure.
    pub fn figure(&mut self, figure: Figure) {
        self.figures.push(figure);
    }

    /// Adds a note.
    pub fn note(&mut self, note: impl Into<String>) {
        self.notes.push(note.into());
    }

    /// Counts runs: bodies, durations, and whether their audits hold.
    pub fn count(&mut self, runs: &[Audited]) {
        for run in runs {
            let summary = &run.outcome.summary;
            self.runs += 1;
            self.simulated_s += summary.seconds;
            self.body(&summary.character, summary.mass_kg);
            if !self.seeds.contains(&summary.seed) {
                self.seeds.push(summary.seed);
            }
            let checks = (!run.broken.is_empty()).then(|| run.broken.join(", "));
            let broken = run.stopped.iter().cloned().chain(checks);
            self.broken.extend(broken.map(|why| format!("{}: {why}", run.outcome.scenario)));
        }
    }

    /// Counts the runs of a push protocol.
    pub fn count_pushes(&mut self, report: &PushReport) {
        self.runs += report.runs;
        self.simulated_s += report.simulated_s;
        self.body(&report.character, report.mass_kg);
        self.broken.extend(report.broken.iter().map(|run| format!("{}, {run}", report.scenario)));
        if !self.seeds.contains(&report.seed) {
            self.seeds.push(report.seed);
        }
    }

    /// Adds a body.
    pub fn body(&mut self, name: &str, mass_kg: f64) {
        let body = Body { name: name.to_owned(), mass_kg };
        if !self.bodies.contains(&body) {
            self.bodies.push(body);
        }
    }

    /// The worst verdict: an error, a failed audit, a bar that is not met, …
    pub fn verdict(&self) -> Verdict {
        if self.skipped.is_some() {
            return Verdict::Skipped;
        }
        let sound = self.broken.is_empty() && self.error.is_none();
        let audit = if sound { Verdict::Reported } else { Verdict::Failed };
        self.figures.iter().map(Figure::verdict).fold(audit, Ord::max)
    }
}
