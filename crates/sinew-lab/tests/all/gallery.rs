//! Pictures: names, and what is recorded.

use sinew_lab::gallery::pictures;
use sinew_world::recording::Recording;
use std::collections::BTreeSet;
use std::path::PathBuf;

#[test]
fn every_picture_has_a_name_of_its_own_fit_for_a_file() {
    let all = pictures(&[] as &[&str], None).unwrap();
    let names: BTreeSet<&str> = all.iter().map(|p| p.name.as_str()).collect();
    assert_eq!(names.len(), all.len());
    assert!(
        names.iter().all(|n| n.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-'))
    );
    // eight styles, six jumps, seven bodies
    for (pattern, least) in [("walk-*", 8), ("jump-*", 6), ("body-*", 7)] {
        assert!(pictures(&[pattern], None).unwrap().len() >= least, "{pattern}");
    }
    assert!(all.iter().all(|p| p.from < p.scenario.seconds));
}

#[test]
fn a_picture_records_its_window_of_time() {
    let mut squat = pictures(&["squat"], None).unwrap().remove(0);
    (squat.from, squat.scenario.seconds) = (0.1, 0.3);
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("squat.npz");
    assert_eq!(squat.record(&file).unwrap(), None);
    let recording = Recording::open(&file).unwrap();
    let times: Vec<f64> = recording.rows().map(|row| row.frame.time).collect();
    assert_eq!(times.len(), 200);
    assert!((times[0] - 0.1).abs() < 1e-9, "{}", times[0]);
}
