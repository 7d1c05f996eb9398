//! Motions disturbed as captures are: other origins, tilted floors, feet that skate, other rates, noise.

use sinew_dynamics::spatial::{Quat, Vec3, rotation};
use sinew_dynamics::{Role, Side};
use sinew_motion::retarget::BoneMap;
use sinew_motion::{Clip, ImportOptions, Take, bvh};

/// A disturbance by its name.
pub(crate) type Disturbance = (&'static str, fn(&Take) -> Take);

/// All of them; the take keeps its frames but for another rate.
pub(crate) const ALL: [Disturbance; 7] = [
    ("0.3 m up", |take| moved(take, |_, root| root + Vec3::z() * 0.3)),
    ("0.3 m down", |take| moved(take, |_, root| root - Vec3::z() * 0.3)),
    ("tilt along x", |take| tilted(take, Vec3::y())),
    ("tilt along y", |take| tilted(take, Vec3::x())),
    ("skating", |take| moved(take, |t, root| root + Vec3::new(0.08, 0.06, 0.0) * t)),
    ("noise", |take| noisy(take, 0.004, 8.0)),
    ("white noise", |take| noisy(take, 0.004, f64::INFINITY)),
];

/// The motion of a clip as a file tells it: written as BVH and read again, without what is known of its contacts.
pub(crate) fn as_file(clip: &Clip) -> Take {
    let take = clip.to_take().unwrap();
    let text = bvh::write(&take, &bvh::WriteOptions::default()).unwrap();
    let options = ImportOptions { drop_first_frame: Some(false), ..ImportOptions::default() };
    bvh::parse(text.as_bytes(), &format!("{}.bvh", clip.name), &options).unwrap().take
}

fn moved(take: &Take, to: impl Fn(f64, Vec3) -> Vec3) -> Take {
    let mut take = take.clone();
    for (k, pose) in take.poses.iter_mut().enumerate() {
        pose.root = to(k as f64 / take.rate, pose.root);
    }
    take
}

/// The whole room turned so that its floor rises by 2 in 100.
fn tilted(take: &Take, about: Vec3) -> Take {
    let turn = rotation::exp(&(about * 0.02_f64.atan()));
    let mut take = take.clone();
    for pose in &mut take.poses {
        (pose.root, pose.rotations[0]) = (turn * pose.root, turn * pose.rotations[0]);
    }
    take
}

/// Joints of the legs shaken: every ankle, and the end of every foot, by `size` (m, root mean square along each axis) below `cutoff` (Hz).
pub(crate) fn noisy(take: &Take, size: f64, cutoff: f64) -> Take {
    let map = BoneMap::guess(&take.skeleton);
    let at = take.skeleton.placements(&sinew_motion::Pose::identity(take.skeleton.joints().len()));
    let mut take = take.clone();
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    for side in Side::BOTH {
        let joint = |role| map.joint(role).unwrap();
        let (thigh, foot) = (joint(Role::Thigh(side)), joint(Role::Foot(side)));
        let leg = (at[thigh].pos - at[foot].pos).norm();
        for (joint, arm) in [(thigh, leg), (foot, 0.15)] {
            let shaken: Vec<Vec<f64>> =
                (0..3).map(|_| curve(take.poses.len(), take.rate, cutoff, &mut seed)).collect();
            for (k, pose) in take.poses.iter_mut().enumerate() {
                let turn: Quat =
                    rotation::exp(&(Vec3::new(shaken[0][k], shaken[1][k], shaken[2][k]) * (size / arm)));
                pose.rotations[joint] *= turn;
            }
        }
    }
    take
}

/// Noise of variance 1 below a frequency: a sum of sines of random phase, or of every frame's own.
fn curve(frames: usize, rate: f64, cutoff: f64, seed: &mut u64) -> Vec<f64> {
    let mut random = || {
        *seed ^= *seed << 13;
        *seed ^= *seed >> 7;
        *seed ^= *seed << 17;
        (*seed >> 11) as f64 / (1_u64 << 53) as f64
    };
    if cutoff.is_infinite() {
        // the sum of twelve even numbers is nearly normal
        return (0..frames).map(|_| (0..12).map(|_| random()).sum::<f64>() - 6.0).collect();
    }
    let waves: Vec<[f64; 2]> =
        (0..40).map(|_| [cutoff * random(), core::f64::consts::TAU * random()]).collect();
    let size = (2.0 / waves.len() as f64).sqrt();
    let at = |k: usize| {
        let t = core::f64::consts::TAU * k as f64 / rate;
        size * waves.iter().map(|[f, phase]| (f * t + phase).sin()).sum::<f64>()
    };
    (0..frames).map(at).collect()
}
