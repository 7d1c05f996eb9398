//! Messages of importers: errors with a place and a remedy, and a report of assumptions.

use core::fmt;

/// A file that cannot be read as a model.
///
/// ```
/// use sinew_dynamics::Model;
/// let error = Model::from_mjcf("<mujoco>\n<worldboy/>\n</mujoco>").unwrap_err();
/// assert_eq!((error.line, error.element.as_str()), (2, "<worldboy>"));
/// assert!(error.problem.contains("did you mean \"worldbody\"?"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FormatError {
    /// File name, or a word such as `<text>` for text from memory.
    pub file: String,
    /// Line, from 1; 0 when the error belongs to the whole file.
    pub line: u32,
    /// The element concerned, such as `<joint name="knee">`; may be empty.
    pub element: String,
    /// The problem and its remedy.
    pub problem: String,
}

impl FormatError {
    /// An error at a place.
    pub fn new(file: &str, line: u32, element: impl Into<String>, problem: impl Into<String>) -> FormatError {
        FormatError { file: file.to_owned(), line, element: element.into(), problem: problem.into() }
    }
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        if self.line > 0 {
            write!(f, ":{}", self.line)?;
        }
        f.write_str(": ")?;
        if !self.element.is_empty() {
            write!(f, "{}: ", self.element)?;
        }
        f.write_str(&self.problem)
    }
}

impl std::error::Error for FormatError {}

/// Assumptions of an importer, and elements that it left out because they cannot change the physics.
///
/// ```
/// use sinew_dynamics::Model;
/// let text = r#"<mujoco><worldbody><light/><body><freejoint/><geom size="0.1"/></body></worldbody></mujoco>"#;
/// let (_, report) = Model::from_mjcf(text)?;
/// assert!(report.warnings[0].contains("<light> left out"));
/// # Ok::<(), sinew_dynamics::format::FormatError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ImportReport {
    /// Defaults that mattered: units, axes, inertia from shapes, …
    pub assumed: Vec<String>,
    /// Elements that were left out, each with its file and line.
    pub warnings: Vec<String>,
}
