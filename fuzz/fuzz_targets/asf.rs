//! Any bytes as a skeleton file and a motion file, split at a NUL: a take or an error, never a panic.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sinew_motion::import::Limits;
use sinew_motion::{ImportOptions, asf};

fuzz_target!(|data: &[u8]| {
    let mut parts = data.splitn(2, |b| *b == 0);
    let (skeleton, motion) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let limits = Limits { bytes: 1 << 16, joints: 200, depth: 100, rotations: 20_000 };
    let salvage = data.len() % 2 == 1;
    let options = ImportOptions { salvage, limits, ..Default::default() };
    let Ok(imported) = asf::parse((skeleton, "fuzz.asf"), (motion, "fuzz.amc"), &options) else { return };
    let finite = |pose: &sinew_motion::Pose| {
        pose.root.iter().all(|x| x.is_finite())
            && pose.rotations.iter().all(|q| (q.norm() - 1.0).abs() < 1e-9)
    };
    assert!(!imported.take.poses.is_empty() && imported.take.poses.iter().all(finite));
});
