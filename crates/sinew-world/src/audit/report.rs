//! The report of an audit: one row per check.

use crate::text::{short, table};
use core::fmt;
use serde::Serialize;

/// The verdict of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The worst value is within its bound.
    Holds,
    /// The worst value is beyond its bound.
    Fails,
    /// A figure for the reader, without a bound.
    Measured,
    /// Could not be checked; the note says why.
    NotJudged,
}

/// One check.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Finding {
    /// Its name.
    pub name: &'static str,
    /// Greatest value over the run. In JSON a value that is not finite is `null`.
    pub worst: f64,
    /// Unit of the value and the bound.
    pub unit: &'static str,
    /// The value must not be greater.
    pub bound: Option<f64>,
    /// Step of the greatest value, from 0.
    pub step: Option<usize>,
    /// Its time, s.
    pub time: Option<f64>,
    /// The verdict.
    pub verdict: Verdict,
    /// A remark; may be empty.
    pub note: String,
}

/// The report of an audit.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AuditReport {
    /// Name of the character.
    pub character: String,
    /// Its mass, kg.
    pub mass: f64,
    /// Rows of the recording.
    pub rows: usize,
    /// Steps whose motion was compared with the forces.
    pub steps_checked: usize,
    /// Duration, s.
    pub seconds: f64,
    /// Whether every check holds.
    pub holds: bool,
    /// The checks.
    pub findings: Vec<Finding>,
}

impl AuditReport {
    /// The check of this name.
    pub fn finding(&self, name: &str) -> Option<&Finding> {
        self.findings.iter().find(|f| f.name == name)
    }

    /// Names of the checks that fail.
    pub fn failures(&self) -> impl Iterator<Item = &'static str> {
        self.findings.iter().filter(|f| f.verdict == Verdict::Fails).map(|f| f.name)
    }
}

impl fmt::Display for AuditReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let AuditReport { character, mass, rows, seconds, steps_checked, .. } = self;
        let (mass, seconds) = (short(*mass), short(*seconds));
        writeln!(f, "{character}, {mass} kg: {rows} rows, {seconds} s, {steps_checked} steps checked\n")?;
        let cells = |row: &Finding| {
            let verdict = match row.verdict {
                Verdict::Holds => "ok",
                Verdict::Fails => "FAILS",
                Verdict::Measured => "",
                Verdict::NotJudged => "not judged",
            };
            let worst = if row.verdict == Verdict::NotJudged { String::new() } else { short(row.worst) };
            let bound = row.bound.map_or(String::new(), short);
            // without a value there is no place
            let place = row.step.zip(row.time).filter(|_| row.worst != 0.0);
            let (step, time) = place.map(|(s, t)| (s.to_string(), format!("{t:.4}"))).unwrap_or_default();
            vec![row.name.into(), worst, bound, row.unit.into(), step, time, verdict.into(), row.note.clone()]
        };
        let lines: Vec<_> = self.findings.iter().map(cells).collect();
        let header = ["check", " worst", " bound", "unit", " step", " time s", "verdict", "note"];
        f.write_str(&table(&header, &lines))?;
        let fails = self.failures().count();
        match fails {
            0 => writeln!(f, "\neverything holds"),
            1 => writeln!(f, "\n1 check FAILS"),
            n => writeln!(f, "\n{n} checks FAIL"),
        }
    }
}

/// The greatest value so far and where it was.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Worst {
    pub(super) value: f64,
    pub(super) at: Option<(usize, f64)>,
}

impl Worst {
    /// Adds a value at a step and its time; NaN counts as the worst value.
    pub(super) fn see(&mut self, value: f64, at: (usize, f64)) {
        let value = if value.is_nan() { f64::INFINITY } else { value };
        if self.at.is_none() || value > self.value {
            *self = Worst { value, at: Some(at) };
        }
    }

    /// As a check.
    pub(super) fn judged(&self, name: &'static str, unit: &'static str, bound: f64) -> Finding {
        let verdict = match self.at {
            None => Verdict::NotJudged,
            Some(_) if self.value <= bound => Verdict::Holds,
            Some(_) => Verdict::Fails,
        };
        Finding { bound: Some(bound), verdict, ..self.measured(name, unit) }
    }

    /// As a figure without a bound.
    pub(super) fn measured(&self, name: &'static str, unit: &'static str) -> Finding {
        let (step, time) = self.at.unzip();
        let verdict = Verdict::Measured;
        Finding { name, worst: self.value, unit, bound: None, step, time, verdict, note: String::new() }
    }
}

impl Finding {
    /// With a remark.
    pub(super) fn note(mut self, note: impl Into<String>) -> Finding {
        self.note = note.into();
        self
    }

    /// Not checked, with the reason.
    pub(super) fn skipped(name: &'static str, why: &str) -> Finding {
        let none = Worst::default().judged(name, "", f64::INFINITY);
        Finding { bound: None, ..none }.note(why)
    }
}
