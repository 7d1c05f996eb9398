//! Results on disk: one JSON file per experiment, its tables as CSV and its plots as SVG beside it.

use crate::context::Context;
use crate::experiment::{self, Experiment};
use crate::findings::{Findings, Verdict};
use crate::{LabError, plot::Plot};
use serde::{Deserialize, Serialize};
use sinew_dynamics::file;
use sinew_world::file::write_whole;
use std::fs;
use std::path::Path;

/// Greatest size of a file of results.
const MOST: u64 = 256 << 20;

/// An experiment with its findings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Results {
    /// Name of the experiment.
    pub experiment: String,
    /// What it tries.
    pub title: String,
    /// The paper's result.
    pub paper: String,
    /// The paper.
    pub source: String,
    /// What counts as passing.
    pub bar: String,
    /// The verdict.
    pub verdict: Verdict,
    /// Whether it was the quick form, whose figures do not count.
    pub quick: bool,
    /// The given seed; the findings have those of the runs.
    pub seed: u64,
    /// Version of the program.
    pub version: String,
    /// The command that repeats it.
    pub command: String,
    /// The findings.
    #[serde(flatten)]
    pub findings: Findings,
}

impl Results {
    /// Runs an experiment. One that cannot be completed counts as failed, with the reason.
    pub fn of(experiment: &Experiment, context: &Context<'_>) -> Results {
        let wrong = |error: LabError| Findings { error: Some(error.to_string()), ..Findings::default() };
        let findings = (experiment.run)(context).unwrap_or_else(wrong);
        let mut command = format!("sinew lab run {}", experiment.id);
        if context.quick {
            command += " --quick";
        }
        if context.seed != 1 {
            command += &format!(" --seed {}", context.seed);
        }
        if let Some(folder) = &context.characters {
            command += &format!(" --characters {}", folder.display());
        }
        Results {
            experiment: experiment.id.to_owned(),
            title: experiment.title.to_owned(),
            paper: experiment.paper.to_owned(),
            source: experiment.source.to_owned(),
            bar: experiment.bar.to_owned(),
            verdict: findings.verdict(),
            quick: context.quick,
            seed: context.seed,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            command,
            findings,
        }
    }

    /// Writes all files; each appears whole or not at all. Returns their names.
    ///
    /// # Errors
    /// When the folder cannot be written to.
    pub fn save(&self, folder: &Path) -> Result<Vec<String>, LabError> {
        let at = |path: &Path| {
            let path = path.display().to_string();
            move |source| LabError::File { path, source }
        };
        fs::create_dir_all(folder).map_err(at(folder))?;
        let mut files = Vec::new();
        let mut write = |ending: String, content: &str| {
            let name = format!("{}.{ending}", self.experiment);
            let path = folder.join(&name);
            write_whole(&path, content.as_bytes()).map_err(at(&path))?;
            files.push(name);
            Ok::<(), LabError>(())
        };
        for table in &self.findings.tables {
            write(format!("{}.csv", slug(&table.name)), &table.csv())?;
        }
        for plot in &self.findings.plots {
            write(format!("{}.svg", slug(Plot::title(plot))), &plot.svg())?;
        }
        let json = serde_json::to_string_pretty(self);
        let json =
            json.map_err(|e| LabError::Results { path: self.experiment.clone(), problem: e.to_string() })?;
        // written last: where it exists, the other files do
        write("json".to_owned(), &(json + "\n"))?;
        Ok(files)
    }

    /// All results in a folder, in the order of the registry.
    ///
    /// # Errors
    /// When the folder or a file in it cannot be read.
    pub fn load(folder: &Path) -> Result<Vec<Results>, LabError> {
        let shown = |path: &Path| path.display().to_string();
        let wrong = |source| LabError::File { path: shown(folder), source };
        let mut all: Vec<Results> = Vec::new();
        for entry in fs::read_dir(folder).map_err(wrong)? {
            let path = entry.map_err(wrong)?.path();
            if path.extension().is_none_or(|e| e != "json") {
                continue;
            }
            let text = file::read_text(&path, MOST)
                .map_err(|source| LabError::File { path: shown(&path), source })?;
            let results = serde_json::from_str(&text);
            all.push(results.map_err(|e| LabError::Results { path: shown(&path), problem: e.to_string() })?);
        }
        let place = |r: &Results| experiment::all().iter().position(|e| e.id == r.experiment);
        all.sort_by_key(|r| (place(r).unwrap_or(usize::MAX), r.experiment.clone()));
        Ok(all)
    }
}

/// A title as part of a file's name.
fn slug(title: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
    let text: String = title.chars().map(plain).collect();
    text.split('-').filter(|word| !word.is_empty()).take(8).collect::<Vec<_>>().join("-")
}
