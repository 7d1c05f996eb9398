//! What an importer took for granted, and what it found suspicious.

use serde::Serialize;
use std::fmt;

/// What was assumed about a file and what is wrong with it, in the order in which it was found.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Report {
    /// Facts that the file does not state: axes, unit, rate, …
    pub assumed: Vec<Assumed>,
    /// What a user should look at.
    pub warnings: Vec<Warning>,
}

/// One assumption.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Assumed {
    /// About what: `up`, `forward`, `scale`, `rate`, `first frame`, `root`, …
    pub what: &'static str,
    /// What is assumed.
    pub value: String,
    /// From what it follows.
    pub why: String,
    /// From 0 (a mere convention) to 1 (certain, or given by the user).
    pub confidence: f64,
}

/// One warning.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Warning {
    /// Of which kind.
    pub kind: WarningKind,
    /// What was found, and what to do about it.
    pub text: String,
}

/// Kinds of warnings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum WarningKind {
    /// Bodies in flight do not fall as fast as they should at the file's rate.
    Rate,
    /// The figure has the size of no person.
    Scale,
    /// Joints that jump within single frames.
    Spikes,
    /// The numbers are not as many as the file says.
    Frames,
    /// Several roots.
    Roots,
    /// A joint other than the root changes its place in its parent.
    Translation,
    /// Two joints of the same name.
    Names,
    /// Foot contacts in a file beside that do not fit the motion.
    Contacts,
    /// Text that is not as the format has it.
    Text,
}

impl Report {
    pub(crate) fn assume(
        &mut self,
        what: &'static str,
        value: impl fmt::Display,
        why: impl Into<String>,
        confidence: f64,
    ) {
        self.assumed.push(Assumed { what, value: value.to_string(), why: why.into(), confidence });
    }

    pub(crate) fn warn(&mut self, kind: WarningKind, text: impl Into<String>) {
        self.warnings.push(Warning { kind, text: text.into() });
    }

    /// Whether there is a warning of a kind.
    pub fn warns(&self, kind: WarningKind) -> bool {
        self.warnings.iter().any(|w| w.kind == kind)
    }
}

impl fmt::Display for Assumed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}: {} ({:.0} %)", self.what, self.value, self.why, 100.0 * self.confidence)
    }
}
