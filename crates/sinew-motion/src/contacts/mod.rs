//! Feet on the ground: when, and what follows from it.
//!
//! [`find`] is the rule for any captured motion: heel and ball apart, each contact with a level of its own, speeds compared with those of
//! the motion itself, flight only where the body falls. [`annotate`] with a preset of [`Thresholds`] is the rule of Lee, Kim and Lee 2010,
//! for fragments as they cut them: a point stands when it is low and slow. The times of standing give the [`Fragment`]s of a walk and its
//! [`Gait`], and from where they stand the [`ground`].

mod feet;
mod find;
mod gait;
pub mod ground;
mod segment;
mod thresholds;
mod tracks;

pub(crate) use feet::runs;
pub use feet::{ContactKind, FootContacts, FootSpan};
pub use find::{FoundContacts, find};
pub use gait::Gait;
pub use segment::{Fragment, Support, segment, support};
pub use thresholds::{Floor, Thresholds};
pub use tracks::{FootTracks, speeds};

use sinew_dynamics::spatial::Vec3;

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
    let (heel, toe) = (tracks.heel.each_ref().map(stands), tracks.toe.each_ref().map(stands));
    FootContacts { heel, toe, ..FootContacts::none(tracks.len()) }
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
