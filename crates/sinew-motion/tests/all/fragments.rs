//! Contact fragments against those that the authors of Lee, Kim, Lee 2010 stored with their clips.

use crate::shared::{mocap, read};
use sinew_motion::contacts::{FootTracks, Support, Thresholds, annotate, ground, segment};
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

/// On the ramps of the four clips the feet stand on planes. How steep those are is not what the clips' names say (measured: 2.7°,
/// 7.0°, 6.8°, 10.3°), so only their order is known.
#[test]
fn ramps_are_found_under_the_feet() {
    let Some(folder) = mocap() else { return };
    let clips = ["dir_0_slope_5", "dir_0_slope_10", "dir_45_slope_10", "dir_90_slope_10"];
    let angles = clips.map(|clip| {
        let take = read(&folder.join(format!("snu/slope/{clip}.bvh"))).take;
        let tracks = FootTracks::of_take(&take).expect("two feet");
        let contacts = annotate(&tracks, &Thresholds::lee2010_slope());
        // the second half is on the ramp
        let stood = ground::footholds(&tracks, &contacts, tracks.len() / 2, tracks.len());
        let plane = ground::fit_plane(&stood).expect("footholds");
        assert!(plane.residual < 0.004, "{clip}: {} m", plane.residual);
        plane.angle().to_degrees()
    });
    println!("{angles:.2?}");
    assert!(angles[0] > 2.0 && angles[1..].iter().all(|a| *a > 2.0 * angles[0] && *a < 11.0), "{angles:?}");
}
