//! Captured walks with default parameters. Half of the clips, by a hash of their names, were held back during development.

use super::with;
use crate::context::{Case, Context};
use crate::findings::{Figure, Findings, Table};
use crate::scenario::ControllerPlan;
use crate::store::REMEMBERED;
use crate::{LabError, Scenario};
use sinew_control::nqr::NQR;
use std::path::{Path, PathBuf};

/// Seconds of a walk that is repeated.
const SECONDS: f64 = 20.0;
/// No walks: jumps, squats, a dance, a bar, steps to climb, one sidestep; and runs, which are told apart.
const OTHER: [&str; 12] = [
    "05_02",
    "16_01",
    "16_09",
    "22_14",
    "43_02",
    "75_09",
    "83_01",
    "83_54",
    "115_06",
    "14_21",
    "wd2_short_broad_jump",
    "104_06",
];
const RUNS: [&str; 2] = ["09_01", "16_35"];

/// Whether a clip was held back: FNV-1a of its name is odd.
fn set_aside(name: &str) -> bool {
    let hash = |h: u64, byte: u8| (h ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    name.bytes().fold(0xcbf2_9ce4_8422_2325, hash) % 2 == 1
}

fn name(file: &Path) -> String {
    file.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned())
}

/// All clips of the folders, by name.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for part in ["cmu", "snu/walk", "snu/interactive"] {
        let entries = std::fs::read_dir(folder.join(part)).into_iter().flatten().flatten();
        all.extend(entries.map(|e| e.path()).filter(|p| p.extension().is_some_and(|e| e == "bvh")));
    }
    all.retain(|file| !OTHER.contains(&name(file).as_str()));
    all.sort();
    all
}

pub(super) fn clips(context: &Context<'_>) -> Result<Findings, LabError> {
    let Some(folder) = &context.mocap else {
        return Ok(Findings::skipped("it needs `--mocap DIR`, a folder with `cmu` and `snu` in it"));
    };
    let mut found = Findings::default();
    let files = files(folder);
    let files = context.pick(&files[..], &files[..files.len().min(2)]);
    let starts = context.pick(4, 1);
    let bodies = context.pick(&["human29", "human", "child"][..], &["human29"][..]);
    let mut table = Table::new("clips", &["clip", "body", "set aside", "played", "stood, least, s", "of, s"]);
    for body in bodies {
        // walks, those set aside: passed, all
        let mut count = [[0_usize; 2]; 2];
        for file in files {
            let clip = name(file);
            let base = Scenario {
                name: clip.clone(),
                character: (*body).to_owned(),
                controller: ControllerPlan { clips: vec![file.clone()], ..ControllerPlan::new(&NQR) },
                jitter: [0.0, 0.03],
                ..Scenario::default()
            };
            let model = base.built_in()?;
            let order = base.controller.order(model.clone())?;
            let aside = set_aside(&clip);
            let row = |played: &str, stood: f64, of: f64| {
                let words = [clip.as_str(), body, if aside { "yes" } else { "" }, played];
                words
                    .map(str::to_owned)
                    .into_iter()
                    .chain([format!("{stood:.1}"), format!("{of:.1}")])
                    .collect()
            };
            let counts = !RUNS.contains(&clip.as_str());
            let cell = &mut count[usize::from(aside)];
            cell[1] += usize::from(counts);
            let prepared = match order.prepare(&REMEMBERED, &|_| true) {
                Ok(prepared) => prepared,
                Err(why) => {
                    table.rows.push(row(&format!("refused: {why}"), 0.0, 0.0));
                    continue;
                }
            };
            let follows = NQR.follows.ok_or_else(|| LabError::Clip("nothing is followed".to_owned()))?;
            let followed = follows(&order, &prepared)?;
            let seconds =
                if followed.cycles { context.pick(SECONDS, 4.0) } else { followed.clip.duration() - 0.02 };
            let runs = (0..starts).map(|k| {
                let phase = if followed.cycles { k as f64 / starts as f64 } else { 0.0 };
                let scenario =
                    with(Scenario { seconds, seed: 1 + k as u64, ..base.clone() }, "track.phase", phase);
                Case { scenario, model: model.clone() }
            });
            let runs = context.play(&mut found, &runs.collect::<Vec<_>>())?;
            let up = runs
                .iter()
                .map(|r| r.outcome.summary.fall_time.unwrap_or(seconds))
                .fold(f64::INFINITY, f64::min);
            let good = runs.iter().all(|run| run.failure().is_none());
            cell[0] += usize::from(good && counts);
            table.rows.push(row(if followed.cycles { "cycle" } else { "once" }, up, seconds));
        }
        for ([passed, all], what) in count.iter().zip(["clips that were looked at", "clips set aside"]) {
            if *all > 0 {
                let share = 100.0 * *passed as f64 / *all as f64;
                let figure = Figure::new(
                    format!("{body}, {what}: from all {starts} starts"),
                    &format!("% of {all}"),
                    share,
                );
                found.figure(if *body == "child" { figure } else { figure.at_least(80.0) });
            }
        }
    }
    found.tables.push(table);
    Ok(found)
}
