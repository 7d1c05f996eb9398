//! `sinew lab pictures`: contact sheets of typical runs.

use crate::cli::LabPicturesArgs;
use crate::view::sheet::{self, Look};
use crate::{Verdict, output};
use anyhow::{Context as _, Result, ensure};
use serde_json::json;
use sinew::lab::gallery;

/// The verb.
pub(super) fn run(args: &LabPicturesArgs) -> Result<Verdict> {
    let pictures = gallery::pictures(&args.names, args.runs.characters.as_deref())?;
    ensure!(
        !pictures.is_empty(),
        "there are no pictures of this name; `sinew lab pictures --list` shows all names"
    );
    if args.list {
        let names: Vec<&str> = pictures.iter().map(|p| p.name.as_str()).collect();
        output::print(&if args.runs.json { output::json(&names)? } else { names.join("\n") + "\n" })?;
        return Ok(Verdict::Good);
    }
    std::fs::create_dir_all(&args.out)
        .with_context(|| format!("the folder `{}` cannot be made", args.out.display()))?;
    let look = Look { frames: args.frames, dark: args.dark, jpeg: true };
    let (mut verdict, mut said) = (Verdict::Good, Vec::new());
    for picture in &pictures {
        let recording = args.out.join(format!("{}.npz", picture.name));
        let fell = picture.record(&recording).with_context(|| picture.name.clone())?;
        let file = args.out.join(format!("{}.jpg", picture.name));
        let drawn = sheet::picture(&recording, &look);
        if !args.runs.recordings {
            std::fs::remove_file(&recording).with_context(|| recording.display().to_string())?;
        }
        let (bytes, _) = drawn?;
        output::write_whole(&file, &bytes)?;
        if fell.is_some() {
            verdict = Verdict::CheckFailed;
        }
        if args.runs.json {
            said.push(json!({"file": file, "bytes": bytes.len(), "fell": fell}));
        } else {
            let how = fell.map_or(String::new(), |why| format!(": {why}"));
            output::print(&format!("{}{how}\n", file.display()))?;
        }
    }
    if args.runs.json {
        output::print(&output::json(&said)?)?;
    }
    Ok(verdict)
}
