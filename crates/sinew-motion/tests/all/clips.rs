//! Every shared clip: what the importer finds out against what is known about the clips.

use crate::shared::{clips, mocap, read};
use sinew_dynamics::spatial::Vec3;
use sinew_motion::contacts::FootTracks;
use sinew_motion::{ImportOptions, Imported, Pose, WarningKind, bvh};
use std::path::Path;

/// A row of the table of clips: file, frames, path m, net turn deg, height m.
struct Row {
    file: String,
    frames: usize,
    path: Option<f64>,
    turn: Option<f64>,
    height: Option<f64>,
    speed: Option<f64>,
}

/// The tables of the clips' own description. Columns differ by folder.
fn table(folder: &Path) -> Vec<Row> {
    let text = std::fs::read_to_string(folder.join("README.md")).expect("README");
    let mut rows = Vec::new();
    let (mut place, mut columns): (&str, Vec<String>) = ("", Vec::new());
    for line in text.lines() {
        if let Some(title) = line.strip_prefix("## ") {
            place = title.split('`').nth(1).unwrap_or_default();
        }
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        if cells[0] == "file" {
            columns = cells.iter().map(|c| c.to_string()).collect();
        }
        if !cells[0].ends_with(".bvh") || place.is_empty() {
            continue;
        }
        let number = |wanted: &str| {
            let at = columns.iter().position(|c| c.starts_with(wanted))?;
            cells[at].parse::<f64>().ok()
        };
        let unit = if place.ends_with("interactive") { 0.01 } else { 1.0 };
        rows.push(Row {
            file: format!("{place}/{}", cells[0]),
            frames: number("frames").expect("frames") as usize,
            path: number("path"),
            turn: number("net turn"),
            height: number("= m").or_else(|| number("height units").map(|h| h * unit)),
            speed: number("mean"),
        });
    }
    rows
}

#[test]
fn assumptions_fit_what_is_known() {
    let Some(folder) = mocap() else { return };
    let all = clips(&folder);
    assert_eq!(all.len(), 71);
    for path in &all {
        let Imported { take, report } = read(path);
        let is = |part: &str| path.to_string_lossy().contains(part);
        let assumed = |what: &str| report.assumed.iter().find(|a| a.what == what).map(|a| a.value.as_str());
        let name = path.display();
        assert_eq!((assumed("up"), assumed("forward")), (Some("+y"), Some("+z")), "{name}");
        let scale = if is("/cmu/") {
            "0.0564444 m per unit"
        } else if is("interactive") {
            "0.0100000 m per unit"
        } else {
            "1.0000000 m per unit"
        };
        assert_eq!(assumed("scale"), Some(scale), "{name}");
        assert_eq!(take.rate, if is("/cmu/") { 120.0 } else { 30.0 }, "{name}");
        assert_eq!(assumed("first frame"), is("/cmu/").then_some("left out"), "{name}");
        assert_eq!(report.warns(WarningKind::Rate), is("75_09"), "{name}: {:?}", report.warnings);
        assert!(report.assumed.iter().all(|a| a.confidence >= 0.9), "{name}: {:?}", report.assumed);
        let others = [WarningKind::Scale, WarningKind::Frames, WarningKind::Translation, WarningKind::Text];
        assert!(!others.iter().any(|k| report.warns(*k)), "{name}: {:?}", report.warnings);
        assert_eq!(take.provenance.sha256.len(), 64);
    }
}

#[test]
fn the_flagged_clip_falls_as_bodies_do_at_its_true_rate() {
    let Some(folder) = mocap() else { return };
    let path = folder.join("cmu/75_09.bvh");
    let warned = read(&path).report.warnings;
    assert!(warned.iter().any(|w| w.text.contains("rather captured at 60 Hz")), "{warned:?}");
    let right = ImportOptions { rate: Some(60.0), ..ImportOptions::default() };
    assert!(!bvh::read(&path, &right).expect("read").report.warns(WarningKind::Rate));
    // and every clip with flights is told when its rate is doubled
    for clip in ["cmu/16_01.bvh", "cmu/16_09.bvh", "cmu/83_54.bvh", "snu/walk/wd2_short_broad_jump.bvh"] {
        let rate = if clip.starts_with("cmu") { 240.0 } else { 60.0 };
        let wrong = ImportOptions { rate: Some(rate), ..ImportOptions::default() };
        assert!(
            bvh::read(folder.join(clip), &wrong).expect("read").report.warns(WarningKind::Rate),
            "{clip}"
        );
    }
}

#[test]
fn sizes_ways_and_turns_are_those_of_the_description() {
    let Some(folder) = mocap() else { return };
    let rows = table(&folder);
    assert_eq!(rows.len(), 71);
    let (mut heights, mut ways, mut turns) = (0, 0, 0);
    for row in &rows {
        let path = folder.join(&row.file);
        let whole = ImportOptions {
            drop_first_frame: Some(false),
            rate: row.file.ends_with("75_09.bvh").then_some(60.0),
            ..ImportOptions::default()
        };
        let take = bvh::read(&path, &whole).expect("read").take;
        assert_eq!(take.poses.len(), row.frames, "{}", row.file);
        if let Some(expected) = row.height {
            let cmu = row.file.starts_with("cmu");
            let pose = if cmu { take.poses[0].clone() } else { Pose::identity(take.skeleton.joints().len()) };
            let found = take.skeleton.extent(&pose, &Vec3::z());
            assert!((found / expected - 1.0).abs() < 0.01, "{}: {found} m, {expected} m", row.file);
            heights += 1;
        }
        let mut motion = take.clone();
        // the description measures CMU's ways at every fourth frame, where tremor does not add up
        let every = if row.file.starts_with("cmu") { 4 } else { 1 };
        if every == 4 {
            motion.poses.remove(0);
        }
        if let Some(expected) = row.path {
            let found = motion.way(every);
            assert!(
                (found - expected).abs() < 0.005 + 0.002 * expected,
                "{}: {found} m, {expected} m",
                row.file
            );
            ways += 1;
        }
        if let Some(expected) = row.turn {
            let found = motion.turn().to_degrees();
            assert!((found - expected).abs() < 2.0, "{}: {found}°, {expected}°", row.file);
            turns += 1;
        }
        if let Some(expected) = row.speed {
            let found = motion.way(every) / motion.duration();
            assert!((found - expected).abs() < 0.01, "{}: {found} m/s, {expected} m/s", row.file);
        }
    }
    println!("{heights} heights, {ways} ways, {turns} turns");
    assert!(heights >= 62 && ways >= 62 && turns >= 48, "{heights} {ways} {turns}");
}

/// Spec T4, T4b: places in the file's own axes.
#[test]
fn known_places_of_ankles() {
    let Some(folder) = mocap() else { return };
    let take = read(&folder.join("snu/walk/wd2_WalkSameSame01.bvh")).take;
    let theirs = |p: &Vec3| Vec3::new(p.y, p.z, p.x);
    let tracks = FootTracks::of_take(&take).expect("two feet");
    let close = |found: Vec3, expected: [f64; 3]| {
        let expected = Vec3::from(expected);
        assert!((theirs(&found) - expected).amax() < 6e-7, "{:?} {expected:?}", theirs(&found));
    };
    close(tracks.heel[0][0], [1.987259, 0.044444, 0.117976]);
    close(tracks.heel[1][0], [2.014068, 0.045256, -0.039389]);
    close(take.poses[66].root, [1.39413, 0.953301, 0.024209]);
    close(tracks.heel[0][66], [1.503437, 0.224445, 0.117618]);
    close(tracks.heel[1][66], [1.388085, 0.039499, -0.008915]);
}
