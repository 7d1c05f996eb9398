//! Poses that somebody put before the motion, as the BVH conversion of CMU's database has them.
//!
//! Such a frame is far from the next one, which the frames after it are not, and most of its rotations are exactly none, which
//! captured ones never are.

use super::{ImportOptions, Report};
use crate::{Pose, Take};
use sinew_dynamics::spatial::Quat;

/// Share of the joints that are exactly unturned in a made pose.
const UNTURNED: f64 = 0.5;
/// Mean rotation of all joints to the next frame, rad, and how many times that of the frames after.
const FAR: (f64, f64) = (0.05, 8.0);

/// Takes the first frame away if it is no motion.
pub(super) fn settle(take: &mut Take, options: &ImportOptions, report: &mut Report) {
    let made = is_made(&take.poses);
    let (drop, why, confidence) = match (options.drop_first_frame, made) {
        (Some(drop), _) => (drop, "given".to_owned(), 1.0),
        (None, Some(why)) => (true, why, 0.95),
        (None, None) => return,
    };
    if drop && take.poses.len() > 1 {
        take.poses.remove(0);
        report.assume("first frame", "left out", why, confidence);
    } else {
        report.assume("first frame", "kept", why, confidence);
    }
}

/// Why the first pose is no motion, if it is none.
fn is_made(poses: &[Pose]) -> Option<String> {
    let [first, second, third, fourth, ..] = poses else { return None };
    let joints = first.rotations.len() as f64;
    let unturned = |pose: &Pose| {
        let still = |q: &&Quat| q.i == 0.0 && q.j == 0.0 && q.k == 0.0;
        pose.rotations.iter().filter(still).count() as f64 / joints
    };
    let angle = |a: &Pose, b: &Pose, j: usize| a.rotations[j].angle_to(&b.rotations[j]);
    let mean = |step: &dyn Fn(usize) -> f64| (0..first.rotations.len()).map(step).sum::<f64>() / joints;
    let jump = mean(&|j| angle(first, second, j));
    // single joints may flicker: the calmer of two steps counts
    let after = mean(&|j| angle(second, third, j).min(angle(third, fourth, j)));
    let (share, next) = (unturned(first), unturned(second));
    let made = share > UNTURNED && share > next && jump > FAR.0 && jump > FAR.1 * after;
    made.then(|| {
        format!(
            "{:.0} % of its joints are unturned, and it is {:.0}° per joint away from the next frame",
            100.0 * share,
            jump.to_degrees()
        )
    })
}
