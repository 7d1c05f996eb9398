//! Contact fragments against those that the authors of Lee, Kim, Lee 2010 stored with their clips.

use crate::shared::{mocap, read};
use sinew_motion::contacts::{FootTracks, Support, Thresholds, annotate, segment};
use std::collections::BTreeMap;

fn rows(path: &std::path::Path, thresholds: &Thresholds) -> Vec<String> {
    let tracks = FootTracks::of_take(&read(path).take).expect("two feet").ankles_only();
    let fragments = segment(&annotate(&tracks, thresholds), &tracks, thresholds);
    let name = |s| match s {
        Support::Double => "STOP",
        Support::LeftSwing => "LSWING",
        Support::RightSwing => "RSWING",
        Support::Flight => "JUMP",
    };
    let row = |(i, f): (usize, &sinew_motion::contacts::Fragment)| {
        format!("{i},{},{},{},{:.4}", name(f.support), f.first, f.last, f.ground)
    };
    fragments.iter().enumerate().map(row).collect()
}

#[test]
fn stored_fragments_are_reproduced() {
    let Some(folder) = mocap() else { return };
    let table = std::fs::read_to_string(folder.join("snu/segments.csv")).expect("segments");
    let mut stored: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for line in table.lines().skip(1) {
        let (file, row) = line.split_once(',').expect("columns");
        stored.entry(file).or_default().push(row);
    }
    assert_eq!(stored.len(), 24);
    for (file, expected) in stored {
        let thresholds = match file.starts_with("slope") {
            true => Thresholds::lee2010_slope(),
            false => Thresholds::lee2010_walk(),
        };
        let mut found = rows(&folder.join("snu").join(file), &thresholds);
        // ramps have no stored heights: their rows end with a comma
        for (row, _) in found.iter_mut().zip(&expected).filter(|(_, stored)| stored.ends_with(',')) {
            row.truncate(row.rfind(',').expect("columns") + 1);
        }
        assert_eq!(found, expected, "{file}");
    }
}
