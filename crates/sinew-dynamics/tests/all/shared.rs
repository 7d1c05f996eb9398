//! Material that lies beside the project, where it is there.

use std::path::{Path, PathBuf};

/// A path below the folder `shared` beside the workspace, or `None` (and a line that says so) when it is missing.
pub(crate) fn shared(path: &str) -> Option<PathBuf> {
    let found = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared").join(path);
    if found.exists() {
        return Some(found);
    }
    println!("skipped: there is no {path} in a folder `shared` beside the workspace");
    None
}
