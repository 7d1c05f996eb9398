//! `sinew import`: converts a motion to metres with z up, or to another format.

use crate::cli::{ClipArgs, FirstFrame, ImportArgs, OutUp};
use crate::{Verdict, output, retarget};
use anyhow::{Context, Result, bail};
use serde_json::json;
use sinew::motion::bvh::{self, WriteOptions};
use sinew::motion::export::{csv, npz};
use sinew::motion::{Axis, ImportOptions, Imported, reference};
use sinew::world::range;
use std::path::Path;

/// Whether a file is a motion, by its name.
pub(crate) fn is_motion(path: &Path) -> bool {
    ["bvh", "amc", "asf"].iter().any(|e| is(path, e))
}

pub(crate) fn is(path: &Path, wanted: &str) -> bool {
    path.extension().is_some_and(|e| e.eq_ignore_ascii_case(wanted))
}

/// Reads a motion as the command line asks.
pub(crate) fn load(path: &Path, args: &ClipArgs) -> Result<Imported> {
    Ok(reference::open(path, &options(args))?)
}

/// How the command line asks motions to be read.
pub(crate) fn options(args: &ClipArgs) -> ImportOptions {
    ImportOptions {
        up: args.up,
        forward: args.forward,
        scale: args.scale,
        rate: args.rate,
        drop_first_frame: args.first_frame.map(|f| f == FirstFrame::Drop),
        skeleton: args.skeleton.clone(),
        root: args.root_joint.clone(),
        repair_spikes: !args.keep_spikes,
        salvage: args.salvage,
        ..ImportOptions::default()
    }
}

/// Endings of output files.
pub(crate) const WRITTEN: &[&str] = &["bvh", "csv", "npz"];

/// The verb.
pub(crate) fn run(args: &ImportArgs) -> Result<Verdict> {
    let Imported { take, report } = load(&args.clip, &args.options)?;
    if let Some(character) = &args.retarget.character {
        return retarget::run(args, character, &take, &report);
    }
    let written = || format!("cannot write `{}`", args.out.display());
    let beside = format!("{}.json", args.out.display());
    output::target(&args.out, WRITTEN)?;
    if !is(&args.out, "npz") {
        output::target(Path::new(&beside), &["json"])?;
    }
    let mut files = vec![args.out.display().to_string()];
    if is(&args.out, "bvh") {
        args.out_rate.map(|rate| range::frames(take.duration(), rate)).transpose().context("--out-rate")?;
        bvh::save(&args.out, &take, &write_options(args))?;
        files.push(beside);
    } else {
        let take = match args.out_rate {
            Some(rate) => {
                range::frames(take.duration(), rate).context("--out-rate")?;
                take.resampled(rate)
            }
            None => take.clone(),
        };
        if is(&args.out, "csv") {
            output::write_whole(&args.out, csv::take(&take, args.positions).as_bytes())?;
            output::write_whole(Path::new(&beside), output::json(&take.provenance)?.as_bytes())?;
            files.push(beside);
        } else if is(&args.out, "npz") {
            npz::save(&args.out, &take).with_context(written)?;
        } else {
            bail!("`{}`: a motion is written as .bvh, .csv or .npz", args.out.display());
        }
    }
    let text = if args.json {
        output::json(&json!({
            "name": take.name, "files": files, "frames": take.poses.len(), "rate": take.rate,
            "assumed": report.assumed, "warnings": report.warnings,
        }))?
    } else {
        let mut text = format!(
            "{}: {} frames at {} Hz written to {}\n",
            take.name,
            take.poses.len(),
            take.rate,
            files.join(", ")
        );
        report.assumed.iter().for_each(|a| text += &format!("assumed {a}\n"));
        report.warnings.iter().for_each(|w| text += &format!("warning: {}\n", w.text));
        text
    };
    output::print(&text)?;
    Ok(Verdict::Good)
}

/// How a BVH file is written.
pub(crate) fn write_options(args: &ImportArgs) -> WriteOptions {
    let (up, forward) = match args.out_up {
        OutUp::Y => (Axis::Y, Axis::Z),
        OutUp::Z => (Axis::Z, Axis::Y.reversed()),
    };
    WriteOptions { up, forward, unit: args.unit, rate: args.out_rate, ..WriteOptions::default() }
}
