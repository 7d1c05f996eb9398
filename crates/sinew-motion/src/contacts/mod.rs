//! Feet on the ground: when, and what follows from it.
//!
//! A point of a foot stands when it is low and slow; with hysteresis it keeps standing until it is clearly not
//! ([`Thresholds`]). From who stands when follow the [`Fragment`]s of a walk, and from where they stand the [`ground`].

pub mod ground;
mod segment;
mod thresholds;
mod tracks;

pub use segment::{Fragment, Support, segment, support};
pub use thresholds::{Floor, Thresholds};
pub use tracks::{FootTracks, speeds};

use sinew_dynamics::Side;
use sinew_dynamics::spatial::Vec3;

/// For each frame, whether heel and toe of each foot are on the ground.
///
/// ```
/// use sinew_dynamics::Side;
/// use sinew_motion::FootContacts;
/// let mut contacts = FootContacts::none(3);
/// contacts.toe[Side::Right as usize][1] = true;
/// assert!(contacts.down(Side::Right, 1) && !contacts.down(Side::Left, 1));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FootContacts {
    /// Per side (left, right) and frame.
    pub heel: [Vec<bool>; 2],
    /// Per side (left, right) and frame.
    pub toe: [Vec<bool>; 2],
}

impl FootContacts {
    /// Feet in the air in all of `frames` frames.
    pub fn none(frames: usize) -> FootContacts {
        let feet = || [vec![false; frames], vec![false; frames]];
        FootContacts { heel: feet(), toe: feet() }
    }

    /// Whether any part of a foot is on the ground.
    pub fn down(&self, side: Side, frame: usize) -> bool {
        self.heel[side as usize][frame] || self.toe[side as usize][frame]
    }

    /// The same for a range of frames.
    ///
    /// # Panics
    /// If there are fewer frames.
    pub fn range(&self, frames: core::ops::Range<usize>) -> FootContacts {
        let part = |of: &[Vec<bool>; 2]| [0, 1].map(|side| of[side][frames.clone()].to_vec());
        FootContacts { heel: part(&self.heel), toe: part(&self.toe) }
    }
}

/// Finds when heels and toes stand.
///
/// ```
/// use sinew_dynamics::spatial::Vec3;
/// use sinew_motion::contacts::{FootTracks, Thresholds, annotate};
/// // stands for a second, then rises at 1 m/s
/// let path: Vec<_> = (0..60).map(|k| Vec3::z() * (k as f64 / 30.0 - 1.0).max(0.0)).collect();
/// let paths = || [path.clone(), path.clone()];
/// let contacts = annotate(&FootTracks { rate: 30.0, heel: paths(), toe: paths() }, &Thresholds::default());
/// assert!(contacts.heel[0][20] && !contacts.heel[0][40]);
/// ```
pub fn annotate(tracks: &FootTracks, thresholds: &Thresholds) -> FootContacts {
    let stands = |path: &Vec<Vec3>| standing(path, tracks.rate, thresholds);
    FootContacts { heel: tracks.heel.each_ref().map(stands), toe: tracks.toe.each_ref().map(stands) }
}

/// Whether a point stands, frame by frame.
fn standing(path: &[Vec3], rate: f64, thresholds: &Thresholds) -> Vec<bool> {
    let floor = match thresholds.floor {
        Floor::World => 0.0,
        Floor::Fitted => ground::level(path),
    };
    let mut stood = false;
    let stands = |(p, speed): (&Vec3, f64)| {
        let slack = if stood { thresholds.release } else { 1.0 };
        let low = thresholds.height.is_none_or(|h| p.z - floor < slack * h);
        stood = low && speed < slack * thresholds.speed;
        stood
    };
    path.iter().zip(speeds(path, rate)).map(stands).collect()
}
