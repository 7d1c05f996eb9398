//! `sinew export`: a model as MJCF.

use crate::cli::ExportArgs;
use crate::{Verdict, output, source};
use anyhow::{Result, ensure};
use serde_json::json;
use sinew::dynamics::format::mjcf;

/// The verb.
pub(crate) fn run(args: &ExportArgs) -> Result<Verdict> {
    let extension = args.to.extension().and_then(|e| e.to_str()).unwrap_or("");
    ensure!(
        extension.eq_ignore_ascii_case("xml"),
        "`{}`: only MJCF is written; name a file that ends in .xml",
        args.to.display()
    );
    let loaded = source::load(&args.model)?;
    let text = mjcf::write(loaded.model.spec());
    output::write_whole(&args.to, &text)?;
    let (name, file) = (loaded.model.name(), args.to.display().to_string());
    if args.json {
        output::print(&output::json(&json!({"name": name, "file": file, "bytes": text.len()}))?)?;
    } else {
        output::print(&format!("{name} written to {file} ({} bytes)\n", text.len()))?;
    }
    Ok(Verdict::Good)
}
