//! Where a motion comes from, stamped on everything that is made of it.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// The history of a motion: its source and what was done to it, oldest first.
///
/// ```
/// use sinew_motion::Provenance;
/// let mut history = Provenance { source: "walk.bvh".into(), ..Provenance::default() };
/// history.add("retargeted to human");
/// assert_eq!(history.steps, ["retargeted to human"]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Provenance {
    /// Name of the file or of the built-in motion.
    pub source: String,
    /// SHA-256 of the source's bytes, in hexadecimal digits; empty when there is no file.
    #[serde(default)]
    pub sha256: String,
    /// Version of Sinew.
    #[serde(default)]
    pub version: String,
    /// What was done, in words: ranges, retargeting, edits.
    #[serde(default)]
    pub steps: Vec<String>,
}

impl Provenance {
    /// Notes a further step.
    pub fn add(&mut self, step: impl Into<String>) {
        self.steps.push(step.into());
    }
}

/// The digest of a source's bytes in hexadecimal digits.
pub(crate) fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
