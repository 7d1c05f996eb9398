//! Any bytes as a BVH file: a take or an error, never a panic. What was read can be written, and reads back with the same
//! number of joints and frames.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sinew_motion::import::Limits;
use sinew_motion::{Axis, ImportOptions, bvh, contacts};

fuzz_target!(|data: &[u8]| {
    // small limits, so that time goes into variety
    let limits = Limits { bytes: 1 << 16, joints: 200, depth: 100, rotations: 20_000 };
    let salvage = data.len() % 2 == 1;
    let Ok(imported) = bvh::parse(data, "fuzz.bvh", &ImportOptions { salvage, limits, ..Default::default() }) else {
        return;
    };
    let take = imported.take;
    let finite = |pose: &sinew_motion::Pose| {
        pose.root.iter().all(|x| x.is_finite())
            && pose.rotations.iter().all(|q| (q.norm() - 1.0).abs() < 1e-9)
    };
    assert!(!take.poses.is_empty() && take.poses.iter().all(finite));
    if let Some(tracks) = contacts::FootTracks::of_take(&take) {
        let thresholds = contacts::Thresholds::default();
        let contacts = contacts::annotate(&tracks, &thresholds);
        let fragments = contacts::segment(&contacts, &tracks, &thresholds);
        assert_eq!(fragments.last().map(|f| f.last), Some(take.poses.len() - 1));
    }
    let text = bvh::write(&take, &bvh::WriteOptions::default()).expect("the options are good");
    let again = ImportOptions {
        up: Some(Axis::Y),
        forward: Some(Axis::Z),
        scale: Some(0.01),
        rate: Some(take.rate),
        drop_first_frame: Some(false),
        ..Default::default()
    };
    // numbers near the greatest that are read may grow beyond it when the unit changes
    if let Ok(back) = bvh::parse(text.as_bytes(), "again.bvh", &again) {
        assert_eq!(back.take.poses.len(), take.poses.len());
        assert_eq!(back.take.skeleton.joints().len(), take.skeleton.joints().len());
    }
});
