//! Fits every BVH file under a folder to some characters and prints how faithful the references are.
//!
//! ```text
//! cargo run --release --example references -p sinew-motion -- FOLDER [CHARACTER …]
//! ```
//!
//! One line per clip and character: share of whole gait cycles in which each foot is down, landings, flights; change of the knees (5th and
//! 95th percentile, the worse side), the greatest bend of an ankle; how far touching soles are from their places and levels, the deepest
//! sole, skate; heels lost; time for 5 s.

use sinew_dynamics::{Model, characters};
use sinew_motion::{FitOptions, ImportOptions, bvh, fit};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let folder = PathBuf::from(args.next().ok_or("name a folder of BVH files, or a file")?);
    let mut names: Vec<String> = args.collect();
    if names.is_empty() {
        names = ["human", "human29", "human42", "child"].map(String::from).to_vec();
    }
    let mut files = Vec::new();
    find(&folder, &mut files)?;
    files.sort();
    println!(
        "{:<10}{:<34}{:>8}{:>8}{:>8}{:>4}{:>14}{:>7}{:>8}{:>8}{:>8}{:>8}{:>6}{:>6}",
        "character",
        "clip",
        "ground",
        "down %",
        "lands",
        "fly",
        "knee °",
        "ankle",
        "miss mm",
        "high mm",
        "deep mm",
        "skate",
        "lost",
        "ms/5s"
    );
    for name in &names {
        let model = Arc::new(characters::load(name)?);
        let mut within = 0;
        for file in &files {
            let (line, knee) = one(file, &model)?;
            within += usize::from(knee < 5.0);
            println!("{name:<10}{line}");
        }
        println!("{name:<10}{within} of {} clips keep their knees within 5°", files.len());
    }
    Ok(())
}

/// The line of one clip, and the worst change of its knees.
fn one(file: &Path, model: &Arc<Model>) -> Result<(String, f64), Box<dyn Error>> {
    let take = bvh::read(file, &ImportOptions::default())?.take;
    let start = Instant::now();
    let fitted = fit(&take, model, &FitOptions::default())?;
    let ms = 1e3 * start.elapsed().as_secs_f64() * 5.0 / take.duration();
    let share =
        |side: usize| fitted.gait.down_in_cycles[side].map_or("-".into(), |s| format!("{:.0}", 100.0 * s));
    let knees = fitted.changes.map(|c| c.knee);
    let low = knees.iter().map(|k| k.p5_deg).fold(f64::INFINITY, f64::min);
    let high = knees.iter().map(|k| k.p95_deg).fold(f64::NEG_INFINITY, f64::max);
    let ankle = fitted.changes.iter().map(|c| c.ankle_p99_deg).fold(0.0, f64::max);
    let a = &fitted.after;
    let ground = format!("{:?}", fitted.ground).to_lowercase();
    let line = format!(
        "{:<34}{ground:>8}{:>8}{:>8}{:>4}{:>14}{ankle:>7.0}{:>8.2}{:>8.2}{:>8.2}{:>8.2}{:>6}{ms:>6.0}",
        take.name,
        format!("{}/{}", share(0), share(1)),
        format!("{}+{}", fitted.gait.landings[0], fitted.gait.landings[1]),
        fitted.gait.flights,
        format!("{low:.1}/{high:.1}"),
        1e3 * fitted.missed,
        a.height_worst_mm,
        a.penetration_mm,
        a.skate_worst_mm,
        fitted.lost,
    );
    let line =
        if fitted.missed > 2e-3 { format!("{line}  worst at frame {}", fitted.missed_frame) } else { line };
    Ok((line, low.abs().max(high.abs())))
}

fn find(at: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    if at.is_file() {
        files.push(at.to_path_buf());
        return Ok(());
    }
    for entry in std::fs::read_dir(at)? {
        let path = entry?.path();
        if path.is_dir() || path.extension().is_some_and(|e| e.eq_ignore_ascii_case("bvh")) {
            find(&path, files)?;
        }
    }
    Ok(())
}
