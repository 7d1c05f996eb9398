//! Every shared clip.

use crate::shared::{clips, mocap, read};

#[test]
fn all_clips_are_read() {
    let Some(folder) = mocap() else { return };
    for path in clips(&folder) {
        let imported = read(&path);
        println!("{} {} frames {} Hz", path.display(), imported.take.poses.len(), imported.take.rate);
        imported.report.assumed.iter().for_each(|a| println!("   {a}"));
        imported.report.warnings.iter().for_each(|w| println!("   !! {}", w.text));
    }
}
