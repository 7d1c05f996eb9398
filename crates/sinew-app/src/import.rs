//! `sinew import`: converts a motion to metres with z up, or to another format.

use crate::cli::{ClipArgs, FirstFrame, ImportArgs, OutUp};
use crate::{Verdict, output, retarget};
use anyhow::{Context, Result, bail, ensure};
use serde_json::json;
use sinew::motion::bvh::{self, WriteOptions};
use sinew::motion::export::{csv, npz, recording};
use sinew::motion::{Axis, ImportOptions, Imported, asf};
use sinew::world::range;
use std::path::{Path, PathBuf};

/// Recordings are read at this rate at most, Hz.
const RECORDED: f64 = 120.0;

/// Whether a file is a motion, by its name.
pub(crate) fn is_motion(path: &Path) -> bool {
    ["bvh", "amc", "asf"].iter().any(|e| is(path, e))
}

pub(crate) fn is(path: &Path, wanted: &str) -> bool {
    path.extension().is_some_and(|e| e.eq_ignore_ascii_case(wanted))
}

/// Reads a motion as the command line asks.
pub(crate) fn load(path: &Path, args: &ClipArgs) -> Result<Imported> {
    let options = ImportOptions {
        up: args.up,
        forward: args.forward,
        scale: args.scale,
        rate: args.rate,
        drop_first_frame: args.first_frame.map(|f| f == FirstFrame::Drop),
        root: args.root_joint.clone(),
        repair_spikes: !args.keep_spikes,
        salvage: args.salvage,
        ..ImportOptions::default()
    };
    if is(path, "bvh") {
        ensure!(args.skeleton.is_none(), "--skeleton is for .amc files; a .bvh file has its own");
        return Ok(bvh::read(path, &options)?);
    }
    if is(path, "asf") {
        bail!("`{}` is a skeleton; name the motion (.amc), and this file after --skeleton", path.display());
    }
    if is(path, "npz") {
        return recorded(path);
    }
    ensure!(is(path, "amc"), "`{}`: a motion is a .bvh, .amc or .npz file", path.display());
    let skeleton = match &args.skeleton {
        Some(skeleton) => skeleton.clone(),
        None => skeleton_beside(path)?,
    };
    Ok(asf::read(skeleton, path, &options)?)
}

/// A recording of a simulated run or of a clip as a motion with its contacts, at 120 Hz at most.
fn recorded(path: &Path) -> Result<Imported> {
    let (_, clip) = recording::load(path)?;
    let clip = if clip.rate > RECORDED { clip.resampled(RECORDED) } else { clip };
    Ok(Imported { take: clip.to_take()?, report: sinew::motion::Report::default() })
}

/// The skeleton of `07_01.amc`: `07_01.asf`, or as CMU names it `07.asf`.
fn skeleton_beside(path: &Path) -> Result<PathBuf> {
    let stem = path.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
    let subject = stem.split('_').next().unwrap_or_default();
    let names = [format!("{stem}.asf"), format!("{subject}.asf")];
    names.iter().map(|n| path.with_file_name(n)).find(|p| p.exists()).with_context(|| {
        format!(
            "`{}` needs its skeleton: there is no {} beside it; name it after --skeleton",
            path.display(),
            names.join(" or ")
        )
    })
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
