//! Views of a run: the one-file page and the contact sheet.

mod chromium;
pub(crate) mod sheet;

use crate::cli::ExportArgs;
use crate::{Verdict, output};
use anyhow::{Context, Result};
use serde_json::json;
use sinew::world::recording::RecordingReader;
use sinew_studio::pages;
use sinew_studio::view::pack::Storage;
use sinew_studio::view::recorded::{self, Drawn};
use sinew_studio::view::{page, resample};
use std::path::Path;

pub(crate) use sheet::run as sheet;

/// `sinew export RUN.npz --to FILE.html`.
pub(crate) fn export(args: &ExportArgs) -> Result<Verdict> {
    pages::viewer()?;
    let drawn = read(Path::new(&args.input.name))?;
    let html = page::html(&drawn.scene, Storage::Deflated)?;
    output::write_whole(output::target(&args.to, &["html"])?, html.as_bytes())?;
    let (file, frames) = (args.to.display().to_string(), drawn.scene.frames.com.len());
    if args.json {
        let said = json!({"file": file, "bytes": html.len(), "frames": frames, "rate": resample::RATE, "notes": drawn.notes});
        output::print(&output::json(&said)?)?;
    } else {
        let seconds = frames.saturating_sub(1) as f64 / resample::RATE;
        output::print(&format!(
            "{seconds:.2} s written to {file} ({:.0} kB); open it in any browser\n{}",
            html.len() as f64 / 1e3,
            noted(&drawn.notes)
        ))?;
    }
    Ok(Verdict::Good)
}

/// The recording at `path` as a scene.
fn read(path: &Path) -> Result<Drawn> {
    let named = || format!("`{}`", path.display());
    let name = path.file_stem().map_or_else(String::new, |s| s.to_string_lossy().into_owned());
    recorded::read(RecordingReader::open(path).with_context(named)?, &name).with_context(named)
}

/// Notes, one per line.
fn noted(notes: &[String]) -> String {
    notes.iter().map(|n| format!("note: {n}\n")).collect()
}
