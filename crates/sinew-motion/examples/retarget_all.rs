//! Retargets and cleans every BVH file under a folder, for some characters, and prints one line of figures each.
//!
//! ```text
//! cargo run --release --example retarget_all -p sinew-motion -- FOLDER [CHARACTER …]
//! ```

use sinew_dynamics::{Model, characters};
use sinew_motion::cleanup::{CleanParams, Ground, clean};
use sinew_motion::contacts;
use sinew_motion::retarget::{BoneMap, RetargetOptions, Retargeter};
use sinew_motion::{ImportOptions, bvh};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let folder = PathBuf::from(args.next().ok_or("name a folder of BVH files")?);
    let mut names: Vec<String> = args.collect();
    if names.is_empty() {
        names = ["human", "human42", "human29"].map(String::from).to_vec();
    }
    let mut files = Vec::new();
    find(&folder, &mut files)?;
    files.sort();
    println!(
        "{:<9} {:<34} {:>5} {:>7} {:>5} {:>12} {:>9} {:>13} {:>11} {:>11} {:>7} {:>6} {:>5} {:>6}",
        "character",
        "clip",
        "frames",
        "ground",
        "conf",
        "skate mm",
        "worst",
        "height mm",
        "worst",
        "dip mm",
        "err °",
        "turn °",
        "viol",
        "ms"
    );
    for name in &names {
        let model = Arc::new(characters::load(name)?);
        let (mut worst, mut slow) = (0.0_f64, 0.0_f64);
        for file in &files {
            let line = one(file, &model);
            match line {
                Ok((text, skate, ms)) => {
                    println!("{name:<9} {text}");
                    (worst, slow) = (worst.max(skate), slow.max(ms));
                }
                Err(error) => println!("{name:<9} {}: {error}", file.display()),
            }
        }
        println!(
            "{name:<9} {} clips: worst skate {worst:.2} mm per contact, slowest {slow:.0} ms",
            files.len()
        );
    }
    Ok(())
}

/// The line of one clip, its worst skate, and the time it took, ms.
fn one(file: &Path, model: &Arc<Model>) -> Result<(String, f64, f64), Box<dyn Error>> {
    let start = Instant::now();
    let take = bvh::read(file, &ImportOptions::default())?.take;
    let map = BoneMap::guess(&take.skeleton);
    let found = contacts::find(&take, &map, None).ok_or("no two feet")?;
    let options = RetargetOptions::default();
    let retargeted = Retargeter::new(&take, &map, model.clone(), &options)?.retarget(&take)?;
    let params = CleanParams { ground: found.ground, ..CleanParams::default() };
    let cleaned = clean(&retargeted.clip, &found.contacts, &params)?;
    let ms = 1e3 * start.elapsed().as_secs_f64();
    let least = map.iter().map(|(_, bone)| bone.confidence).fold(1.0, f64::min);
    let (b, a) = (&cleaned.before, &cleaned.after);
    let text = format!(
        "{:<34} {:>5} {:>7} {:>5.2} {:>5.1} {:>6.2} {:>9.2} {:>6.1} {:>6.2} {:>11.2} {:>5.0} {:>5.1} {:>7.2} {:>6.2} {:>5} {:>6.0}  limited {} lost {} lowered {:.0} mm",
        take.name,
        take.poses.len(),
        if found.ground == Ground::Flat { "flat" } else { "terrain" },
        least,
        b.skate_mm,
        a.skate_mm,
        a.skate_worst_mm,
        b.height_mm,
        a.height_mm,
        a.height_worst_mm,
        b.penetration_mm,
        a.penetration_mm,
        retargeted.error.mean.to_degrees(),
        cleaned.turned.to_degrees(),
        a.limit_violations,
        ms,
        cleaned.limited,
        cleaned.lost,
        1e3 * cleaned.lowered,
    );
    Ok((text, a.skate_worst_mm, ms))
}

fn find(folder: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            find(&path, files)?;
        } else if path.extension().is_some_and(|e| e.eq_ignore_ascii_case("bvh")) {
            files.push(path);
        }
    }
    Ok(())
}
