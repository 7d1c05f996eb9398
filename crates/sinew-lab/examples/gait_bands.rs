//! Writes `src/walking/bands.csv`: what captured walks look like over the gait cycle, on the body `human`.
//!
//! ```text
//! cargo run --release -p sinew-lab --example gait_bands -- FOLDER > crates/sinew-lab/src/walking/bands.csv
//! ```
//! Of every BVH file under the folder, the stretches in which it walks straight on are taken: strides of 0.7 to 1.8 s, at a Froude number
//! of 0.1 to 0.8. Clips count alike, however long they are.

use sinew_dynamics::{Model, Side, characters};
use sinew_lab::walking::{Channel, Gauge, POINTS, Stride, Walk, class};
use sinew_motion::cleanup::{CleanParams, clean};
use sinew_motion::contacts;
use sinew_motion::retarget::{BoneMap, RetargetOptions, Retargeter};
use sinew_motion::{Clip, ImportOptions, bvh};
use std::collections::BTreeMap;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Words in names of files that do not show a plain walk.
const OTHERS: [&str; 16] = [
    "run", "jog", "jump", "stair", "slope", "push", "stop", "sneak", "march", "dance", "backward", "azuma",
    "handwav", "soldier", "lean", "style",
];
/// Least number of clips that make a band.
const FEW: usize = 4;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).ok_or("name a folder of BVH files")?);
    let model = Arc::new(characters::load("human")?);
    let mut files = Vec::new();
    find(&folder, &mut files)?;
    files.sort();
    let mut curves: BTreeMap<(&str, Channel), Vec<[f64; POINTS]>> = BTreeMap::new();
    for file in files {
        let name = file.file_stem().unwrap_or_default().to_string_lossy().to_lowercase();
        if OTHERS.iter().any(|word| name.contains(word)) {
            continue;
        }
        let walks = match clip(&file, &model) {
            Ok(clip) => strides(&clip, &model),
            Err(error) => {
                eprintln!("{}: {error}", file.display());
                continue;
            }
        };
        let Some((walk, strides, froude)) = walks else { continue };
        eprintln!("{name}: {} strides at Froude {froude:.2}", strides.len());
        for channel in Channel::ALL {
            curves.entry((class(froude), channel)).or_default().push(walk.curve(&strides, channel));
        }
    }
    println!(
        "class,channel,of {} clips,0 to 100 % of the cycle",
        curves.values().map(Vec::len).max().unwrap_or(0)
    );
    for ((class, channel), clips) in curves {
        if clips.len() < FEW {
            continue;
        }
        // one clip that was read wrongly or is no plain walk after all moves neither
        let middle: [f64; POINTS] = std::array::from_fn(|p| median(clips.iter().map(|c| c[p])));
        let deviation = |p: usize| 1.4826 * median(clips.iter().map(|c| (c[p] - middle[p]).abs()));
        let line =
            |x: &dyn Fn(usize) -> f64| (0..POINTS).map(|p| format!(",{:.1}", x(p))).collect::<String>();
        println!("{class},{},median{}", channel.name(), line(&|p| middle[p]));
        println!("{class},{},deviation{}", channel.name(), line(&deviation));
    }
    Ok(())
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// A file on the body, feet planted.
fn clip(file: &Path, model: &Arc<Model>) -> Result<Clip, Box<dyn Error>> {
    let take = bvh::read(file, &ImportOptions::default())?.take;
    let map = BoneMap::guess(&take.skeleton);
    let found = contacts::find(&take, &map, None).ok_or("no two feet")?;
    let retargeted =
        Retargeter::new(&take, &map, model.clone(), &RetargetOptions::default())?.retarget(&take)?;
    let params = CleanParams { ground: found.ground, ..CleanParams::default() };
    Ok(clean(&retargeted.clip, &found.contacts, &params)?.clip)
}

/// Its strides straight on, and their Froude number.
fn strides(clip: &Clip, model: &Model) -> Option<(Walk, Vec<Stride>, f64)> {
    let mut gauge = Gauge::of(model)?;
    let contacts = clip.contacts.as_ref()?;
    let hips: Vec<_> = clip.frames().map(|q| gauge.measure(model, q, 0.0).hips).collect();
    let half = (0.6 * clip.rate) as usize;
    let heading = |k: usize| {
        let d = hips[(k + half).min(hips.len() - 1)] - hips[k.saturating_sub(half)];
        d.y.atan2(d.x)
    };
    let moments: Vec<_> =
        clip.frames().enumerate().map(|(k, q)| gauge.measure(model, q, heading(k))).collect();
    let load: Vec<[f64; 2]> = (0..clip.len())
        .map(|k| [0, 1].map(|side| f64::from(u8::from(contacts.down(Side::BOTH[side], k)))))
        .collect();
    let walk = Walk { dt: 1.0 / clip.rate, moments, load };
    let unit = (gauge.leg * model.gravity().norm()).sqrt();
    let froude = |s: &Stride| {
        let d = hips[s.swing.end] - hips[s.stance.start];
        d.x.hypot(d.y) / ((s.swing.end - s.stance.start) as f64 * walk.dt) / unit
    };
    let plain = |s: &Stride| {
        let time = (s.swing.end - s.stance.start) as f64 * walk.dt;
        let turn = (heading(s.swing.end) - heading(s.stance.start)).to_degrees();
        (0.7..1.8).contains(&time) && (0.1..0.8).contains(&froude(s)) && turn.abs() < 15.0
    };
    let strides: Vec<Stride> = walk.strides().into_iter().filter(plain).collect();
    if strides.len() < 2 {
        return None;
    }
    let mean = strides.iter().map(froude).sum::<f64>() / strides.len() as f64;
    Some((walk, strides, mean))
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
