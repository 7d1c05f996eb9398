//! `sinew export`: what is written follows from what is read. A model becomes MJCF, a recorded run a page to look at.

use crate::cli::ExportArgs;
use crate::{Verdict, output, source, view};
use anyhow::{Result, ensure};
use serde_json::json;
use sinew::dynamics::format::mjcf;
use std::path::Path;

/// The verb.
pub(crate) fn run(args: &ExportArgs) -> Result<Verdict> {
    if is(Path::new(&args.input.name), "npz") {
        ensure!(
            is(&args.to, "html"),
            "`{}`: a recorded run is written as a page; name a file that ends in .html",
            args.to.display()
        );
        return view::export(args);
    }
    ensure!(
        is(&args.to, "xml"),
        "`{}`: a model is written as MJCF; name a file that ends in .xml (a recorded run, .npz, becomes .html)",
        args.to.display()
    );
    model(args)
}

fn is(path: &Path, wanted: &str) -> bool {
    path.extension().is_some_and(|e| e.eq_ignore_ascii_case(wanted))
}

fn model(args: &ExportArgs) -> Result<Verdict> {
    let loaded = source::load(&args.input)?;
    let text = mjcf::write(loaded.model.spec());
    output::write_whole(&args.to, text.as_bytes())?;
    let (name, file) = (loaded.model.name(), args.to.display().to_string());
    if args.json {
        output::print(&output::json(&json!({"name": name, "file": file, "bytes": text.len()}))?)?;
    } else {
        output::print(&format!("{name} written to {file} ({} bytes)\n", text.len()))?;
    }
    Ok(Verdict::Good)
}
