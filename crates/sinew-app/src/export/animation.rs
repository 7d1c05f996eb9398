//! A recorded run, a clip or a built-in motion as an animation for other programs.

use super::is;
use crate::cli::ExportArgs;
use crate::{Verdict, output, source};
use anyhow::{Context, Result, bail};
use serde_json::{Map, Value, json};
use sinew::motion::export::recording;
use sinew::motion::{bvh, gltf, motions};
use sinew::world::range;
use sinew::world::recording::Info;
use std::path::PathBuf;
use std::sync::Arc;

/// Writes an animation.
pub(super) fn run(args: &ExportArgs, recorded: bool) -> Result<Verdict> {
    let (glb, bvh) = (is(&args.to, "glb"), is(&args.to, "bvh"));
    if !glb && !bvh {
        let page = if recorded { " or as a page, .html" } else { "" };
        bail!("`{}`: a motion is written as .glb or .bvh{page}", args.to.display());
    }
    let (clip, about, notes) = match recorded {
        true => {
            let (run, clip) = recording::load(&args.input.name)?;
            (clip, about(run.info()), notes(run.info()))
        }
        false => {
            let player = args.character.as_deref().unwrap_or("human");
            let model = Arc::new(source::load_plain(player)?.model);
            let clip = motions::load(&args.input.name, &model)
                .with_context(|| format!("{} on {player}", args.input.name))?;
            (clip, Map::new(), vec![])
        }
    };
    let clip = match args.fps {
        Some(rate) => {
            range::frames(clip.duration(), rate).context("--fps")?;
            clip.resampled(rate)
        }
        None => clip,
    };
    output::target(&args.to, &["glb", "bvh"])?;
    let mut files = vec![args.to.display().to_string()];
    if glb {
        gltf::save(&args.to, &clip, &gltf::Options { about, ..gltf::Options::default() })?;
    } else {
        output::target(&PathBuf::from(format!("{}.json", args.to.display())), &["json"])?;
        bvh::save(&args.to, &clip.to_take()?, &bvh::WriteOptions::default())?;
        files.push(format!("{}.json", args.to.display()));
    }
    let (frames, rate, seconds) = (clip.len(), clip.rate, clip.duration());
    let text = if args.json {
        let bodies = clip.model().bodies().len();
        output::json(&json!({
            "name": clip.name, "files": files, "frames": frames, "rate": rate, "seconds": seconds, "bodies": bodies,
            "notes": notes, "provenance": clip.provenance,
        }))?
    } else {
        let notes: String = notes.iter().map(|n| format!("note: {n}\n")).collect();
        format!("{seconds:.2} s, {frames} frames at {rate} Hz written to {}\n{notes}", files.join(", "))
    };
    output::print(&text)?;
    Ok(Verdict::Good)
}

/// Metadata of a recording for the file.
fn about(info: &Info) -> Map<String, Value> {
    let meta = &info.meta;
    let mut about = Map::new();
    about.insert("simulated".into(), (!meta.kinematic).into());
    if !meta.kinematic {
        about.insert("seed".into(), meta.seed.into());
        about.insert("dt".into(), meta.dt.into());
    }
    about
}

/// Notes on parts of a recording that an animation leaves out.
fn notes(info: &Info) -> Vec<String> {
    let mut notes = Vec::new();
    if !info.changed.is_empty() {
        notes.push("the body changes during the run; it is written as it was at the beginning".into());
    }
    if !info.object_names.is_empty() {
        notes.push(format!(
            "only the character is written, not the objects: {}",
            info.object_names.join(", ")
        ));
    }
    notes
}
