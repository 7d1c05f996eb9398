//! `sinew export`: the format follows from the input and from the name of the output.
//!
//! A model becomes MJCF or a skinned character, a recorded run a web page, a run or a built-in motion an animation.

mod animation;

use crate::cli::ExportArgs;
use crate::{Verdict, output, source, view};
use anyhow::{Result, bail, ensure};
use serde_json::json;
use sinew::dynamics::format::mjcf;
use sinew::motion::{gltf, motions};
use std::path::Path;

/// The verb.
pub(crate) fn run(args: &ExportArgs) -> Result<Verdict> {
    let named = &args.input.name;
    let built_in = motions::names().any(|name| name == named);
    ensure!(
        built_in || args.character.is_none(),
        "--character is for built-in motions ({}); `{named}` is not one",
        motions::names().collect::<Vec<_>>().join(", ")
    );
    let recorded = is(Path::new(named), "npz");
    if recorded && is(&args.to, "html") {
        ensure!(args.fps.is_none(), "--fps is for .glb and .bvh; the page has its own rate");
        return view::export(args);
    }
    if recorded || built_in {
        return animation::run(args, recorded);
    }
    ensure!(args.fps.is_none(), "--fps is for runs and motions; `{named}` is a model");
    model(args)
}

/// The built-in motion with the nearest name.
fn nearest_motion(name: &str) -> Option<&'static str> {
    let distance = |known: &&str| strsim::damerau_levenshtein(known, name);
    motions::names().min_by_key(distance).filter(|known| distance(known) <= 2)
}

fn is(path: &Path, wanted: &str) -> bool {
    path.extension().is_some_and(|e| e.eq_ignore_ascii_case(wanted))
}

fn model(args: &ExportArgs) -> Result<Verdict> {
    let (xml, glb) = (is(&args.to, "xml"), is(&args.to, "glb"));
    if !xml && !glb {
        bail!(
            "`{}`: a model is written as MJCF (.xml) or glTF (.glb); a recorded run (.npz) becomes .html, .glb or .bvh",
            args.to.display()
        );
    }
    let loaded = source::load(&args.input).map_err(|e| match nearest_motion(&args.input.name) {
        Some(motion) => e.context(format!("did you mean the built-in motion `{motion}`?")),
        None => e,
    })?;
    let bytes = match xml {
        true => mjcf::write(loaded.model.spec()).into_bytes(),
        false => gltf::character(&loaded.model, &gltf::Options::default())?,
    };
    output::write_whole(output::target(&args.to, &["xml", "glb"])?, &bytes)?;
    let (name, file) = (loaded.model.name(), args.to.display().to_string());
    if args.json {
        output::print(&output::json(&json!({"name": name, "file": file, "bytes": bytes.len()}))?)?;
    } else {
        output::print(&format!("{name} written to {file} ({} bytes)\n", bytes.len()))?;
    }
    Ok(Verdict::Good)
}
