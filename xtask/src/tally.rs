//! Counting test results from the output of `cargo test`.
//!
//! The test harness prints one `test result:` line per binary. A test that cannot run here (its data or a tool is
//! absent) prints a line `skipped: reason` and returns; the harness counts it as passed, the tally as skipped. Output of
//! passing tests is shown under a `---- name stdout ----` heading because the tests run with `--show-output`.

use std::fmt;

/// Sum of all test results so far.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Tally {
    /// Passed, with the harness's tests that skipped themselves, which it takes for passed.
    harness_passed: usize,
    skipped_themselves: usize,
    pub(crate) failed: usize,
    /// What was skipped, and why.
    pub(crate) skipped: Vec<(String, String)>,
    section: Section,
}

/// Which part of a binary's output the reader is in.
#[derive(Debug, Default, PartialEq)]
enum Section {
    #[default]
    Running,
    /// Output of passing tests; the test's name, once its heading was seen.
    Successes(Option<String>),
    Failures,
}

impl Tally {
    /// Takes one line of output; returns whether a reader wants to see it.
    pub(crate) fn line(&mut self, line: &str) -> bool {
        if let Some(counts) = line.strip_prefix("test result: ") {
            self.section = Section::Running;
            self.harness_passed += count(counts, " passed");
            self.failed += count(counts, " failed");
            return true;
        }
        match line {
            "successes:" => self.section = Section::Successes(None),
            "failures:" => self.section = Section::Failures,
            _ => {}
        }
        match &mut self.section {
            Section::Running => {
                if let Some(name) = line.strip_prefix("test ").and_then(|l| l.split_once(" ... ignored")) {
                    let reason = name.1.trim_start_matches(", ");
                    self.skip(name.0, if reason.is_empty() { "ignored" } else { reason });
                }
                !(line.is_empty() || line.starts_with("running ") || line.ends_with(" ... ok"))
            }
            Section::Failures => true,
            Section::Successes(current) => {
                if let Some(name) = heading(line) {
                    *current = Some(name.to_owned());
                } else if let (Some(reason), Some(name)) =
                    (line.trim_start().strip_prefix("skipped:"), current.take())
                {
                    self.skipped.push((name, reason.trim().to_owned()));
                    self.skipped_themselves += 1;
                }
                false
            }
        }
    }

    /// Tests that ran and passed.
    pub(crate) fn passed(&self) -> usize {
        self.harness_passed.saturating_sub(self.skipped_themselves)
    }

    /// Notes a check outside the test harness that passed.
    pub(crate) fn pass(&mut self) {
        self.harness_passed += 1;
    }

    /// Adds results that were counted elsewhere.
    pub(crate) fn add(&mut self, passed: usize, failed: usize) {
        self.harness_passed += passed;
        self.failed += failed;
    }

    /// Notes something that could not run.
    pub(crate) fn skip(&mut self, what: &str, why: &str) {
        self.skipped.push((what.to_owned(), why.to_owned()));
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed", self.passed(), self.failed)?;
        if !self.skipped.is_empty() {
            write!(f, ", {} skipped", self.skipped.len())?;
        }
        Ok(())
    }
}

/// The number before `what` in `ok. 3 passed; 0 failed; …`.
fn count(counts: &str, what: &str) -> usize {
    let before = counts.split(what).next().unwrap_or("");
    before.rsplit(' ').next().and_then(|n| n.parse().ok()).unwrap_or(0)
}

/// The name in `---- name stdout ----`.
fn heading(line: &str) -> Option<&str> {
    line.strip_prefix("---- ")?.strip_suffix(" stdout ----")
}

#[cfg(test)]
mod tests {
    use super::*;

    const OUTPUT: &str = "
running 5 tests
test a::works ... ok
test a::breaks ... FAILED
test a::slow ... ignored, needs an hour
test reference::agrees ... ok
test reference::chatty ... ok

successes:

---- reference::agrees stdout ----
skipped: the reference data is not here
skipped: said twice

---- reference::chatty stdout ----
worst error 1e-12

successes:
    a::works
    reference::agrees
    reference::chatty

failures:

---- a::breaks stdout ----
skipped: a failing test is never skipped

failures:
    a::breaks

test result: FAILED. 3 passed; 1 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.01s
";

    #[test]
    fn results_are_summed_and_skips_counted_separately() {
        let mut tally = Tally::default();
        let shown: Vec<_> = OUTPUT.lines().filter(|l| tally.line(l)).collect();
        assert_eq!((tally.passed(), tally.failed), (2, 1));
        let skipped: Vec<_> = tally.skipped.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
        let expected =
            [("a::slow", "needs an hour"), ("reference::agrees", "the reference data is not here")];
        assert_eq!(skipped, expected);
        assert_eq!(tally.to_string(), "2 passed, 1 failed, 2 skipped");
        assert!(shown.contains(&"test a::breaks ... FAILED"));
        assert!(!shown.iter().any(|l| l.contains("worst error") || l.ends_with("... ok")));

        // a second binary adds to the same sum
        tally.line("test result: ok. 10 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out");
        assert_eq!(tally.passed(), 12);
    }
}
