//! Any text as URDF: a model, or an error with a place; never a panic, a hang or an explosion of memory.
//!
//! `cargo +nightly fuzz run urdf -- -max_total_time=600`
#![no_main]

use libfuzzer_sys::fuzz_target;
use sinew_dynamics::format::urdf::{UrdfOptions, UrdfRoot, parse};
use sinew_dynamics::spatial::Vec3;
use sinew_dynamics::{Model, guess_roles};

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let meshes = |_: &str| Ok(vec![Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::z()]);
    for root in [UrdfRoot::Guess, UrdfRoot::Fixed] {
        let options = UrdfOptions { root, meshes: Some(&meshes), ..UrdfOptions::default() };
        if let Ok((spec, _)) = parse(text, &options) {
            // what follows an import must hold for every description that one gives
            let _ = guess_roles(&spec);
            if let Ok(model) = Model::new(spec) {
                let _ = model.warnings();
            }
        }
    }
});
