//! The registry of experiments: each paper's, and our own tests of robustness.
//!
//! An experiment has a name such as `features.walk`: the system, a dot, and the subject. Its function plays scenarios, measures, and
//! returns [`Findings`]. The findings depend only on the seed and on whether the experiment is quick, except measured times of
//! computation. `docs/lab.md` shows how to add one.

use crate::context::Context;
use crate::findings::Findings;
use crate::{LabError, bellman, data_driven, features, nqr, simbicon};
use std::sync::LazyLock;

/// How long an experiment takes in full, on one core.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cost {
    /// Under a minute.
    Seconds,
    /// Under an hour.
    Minutes,
    /// An hour or more.
    Hours,
}

impl Cost {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Cost::Seconds => "seconds",
            Cost::Minutes => "minutes",
            Cost::Hours => "hours",
        }
    }
}

/// An experiment.
#[derive(Clone, Copy, Debug)]
pub struct Experiment {
    /// Its name.
    pub id: &'static str,
    /// What it tries.
    pub title: &'static str,
    /// The paper's result; empty for our own experiments.
    pub paper: &'static str,
    /// The paper, or the source of the bar.
    pub source: &'static str,
    /// What counts as passing.
    pub bar: &'static str,
    /// How long it takes.
    pub cost: Cost,
    /// Runs it.
    pub run: fn(&Context<'_>) -> Result<Findings, LabError>,
}

/// An unknown experiment.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no experiment `{name}`; {hint}", hint = self.hint())]
pub struct UnknownExperiment {
    /// The given name or pattern.
    pub name: String,
}

impl UnknownExperiment {
    fn hint(&self) -> String {
        let distance = |e: &&Experiment| {
            let short = e.id.split_once('.').map_or(e.id, |(_, name)| name);
            let name = self.name.to_lowercase();
            strsim::damerau_levenshtein(&name, e.id).min(strsim::damerau_levenshtein(&name, short))
        };
        match all().iter().min_by_key(distance).filter(|e| distance(e) <= 1 + self.name.len() / 3) {
            Some(near) => format!("did you mean `{}`?", near.id),
            None => "`sinew lab list` shows all".to_owned(),
        }
    }
}

/// The experiments of each system.
const ROOMS: &[&[Experiment]] = &[
    features::EXPERIMENTS, //
    simbicon::EXPERIMENTS,
    data_driven::EXPERIMENTS,
    nqr::EXPERIMENTS,
    bellman::EXPERIMENTS,
];

static ALL: LazyLock<Vec<Experiment>> = LazyLock::new(|| ROOMS.concat());

/// All experiments, those of a system together.
pub fn all() -> &'static [Experiment] {
    &ALL
}

/// The experiments that match names and patterns, in the order of the registry, each once. In a pattern `*` matches any text
/// and `?` one character.
///
/// ```
/// use sinew_lab::experiment::select;
/// assert_eq!(select(&["features.push_*"])?.len(), 2);
/// assert_eq!(
///     select(&["features.walc"]).unwrap_err().to_string(),
///     "there is no experiment `features.walc`; did you mean `features.walk`?"
/// );
/// # Ok::<(), sinew_lab::experiment::UnknownExperiment>(())
/// ```
///
/// # Errors
/// When a name or pattern matches no experiment.
pub fn select(patterns: &[impl AsRef<str>]) -> Result<Vec<&'static Experiment>, UnknownExperiment> {
    let patterns: Vec<&str> = patterns.iter().map(AsRef::as_ref).collect();
    for pattern in &patterns {
        if !all().iter().any(|e| matches(pattern.as_bytes(), e.id.as_bytes())) {
            return Err(UnknownExperiment { name: (*pattern).to_owned() });
        }
    }
    let wanted = |e: &&Experiment| patterns.iter().any(|p| matches(p.as_bytes(), e.id.as_bytes()));
    Ok(all().iter().filter(wanted).collect())
}

/// Whether a pattern matches a name. A star first matches no text, then more as long as the rest does not match.
pub(crate) fn matches(pattern: &[u8], name: &[u8]) -> bool {
    let (mut p, mut n, mut star) = (0, 0, None);
    while n < name.len() {
        match pattern.get(p) {
            Some(b'*') => {
                star = Some((p, n));
                p += 1;
            }
            Some(b'?') => (p, n) = (p + 1, n + 1),
            Some(c) if *c == name[n] => (p, n) = (p + 1, n + 1),
            _ => {
                let Some((at, eaten)) = star else { return false };
                (p, n, star) = (at + 1, eaten + 1, Some((at, eaten + 1)));
            }
        }
    }
    pattern[p..].iter().all(|c| *c == b'*')
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn patterns_match_names() {
        let is = |pattern: &str, name: &str| matches(pattern.as_bytes(), name.as_bytes());
        assert!(
            is("*", "")
                && is("*", "a.b")
                && is("a.*", "a.b")
                && is("*.push_*", "a.push_b")
                && is("a?c", "abc")
        );
        assert!(is("*ab", "aab") && is("a*b*c", "axbxbc"));
        assert!(
            !is("a.*", "b.a.c") && !is("a?c", "ac") && !is("*b", "abc") && !is("", "a") && !is("abc", "ab")
        );
    }
}
