//! Where the clips are that tests look at when they are there.

use sinew_motion::{ImportOptions, Imported, bvh};
use std::path::PathBuf;

/// The folder `shared/mocap` beside the workspace; without it a test says so and has nothing to do.
pub(crate) fn mocap() -> Option<PathBuf> {
    let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/mocap");
    let folder = PathBuf::from(beside);
    if folder.is_dir() {
        return Some(folder);
    }
    println!(
        "skipped: no captured motion in ../shared/mocap; collections such as mocap.cs.cmu.edu have such files"
    );
    None
}

/// All clips under the folder, by name.
pub(crate) fn clips(folder: &std::path::Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("folder") {
            let path = entry.expect("entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "bvh") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

pub(crate) fn read(path: &std::path::Path) -> Imported {
    bvh::read(path, &ImportOptions::default()).unwrap_or_else(|e| panic!("{e}"))
}
