//! A captured motion on the skeleton of whoever was captured.

use crate::{FootContacts, Pose, Provenance, Skeleton};
use sinew_dynamics::spatial::Vec3;
use std::sync::Arc;

/// A skeleton and a pose of it per frame; metres, z up.
#[derive(Clone, Debug, PartialEq)]
pub struct Take {
    /// What it is called: the file's stem, usually.
    pub name: String,
    /// Whose motion it is.
    pub skeleton: Arc<Skeleton>,
    /// Frames per second.
    pub rate: f64,
    /// One pose per frame.
    pub poses: Vec<Pose>,
    /// Where it comes from.
    pub provenance: Provenance,
    /// Which parts of the feet are on the ground in each frame, when the file or the motion it was made of says so.
    pub contacts: Option<FootContacts>,
}

impl Take {
    /// Time from the first to the last frame, s.
    pub fn duration(&self) -> f64 {
        self.poses.len().saturating_sub(1) as f64 / self.rate
    }

    /// Path of a joint: its position in every frame.
    pub fn path(&self, joint: usize) -> Vec<Vec3> {
        let mut placements = Vec::new();
        self.poses
            .iter()
            .map(|pose| {
                self.skeleton.placements_into(pose, &mut placements);
                placements[joint].pos
            })
            .collect()
    }

    /// Length of the root's way over the ground, looked at `every` so many frames so that tremor does not add up, m.
    pub fn way(&self, every: usize) -> f64 {
        let places: Vec<Vec3> = self.poses.iter().step_by(every.max(1)).map(|p| p.root).collect();
        places.windows(2).map(|p| (p[1] - p[0]).xy().norm()).sum()
    }

    /// How far the figure turns about the vertical from the first to the last frame, left positive, whole turns counted, rad.
    pub fn turn(&self) -> f64 {
        use core::f64::consts::TAU;
        // of the line across the hips, which leaning does not turn
        let heading = |pose: &Pose| {
            let left = pose.rotations[0] * Vec3::y();
            libm::atan2(-left.x, left.y)
        };
        let step = |p: &[Pose]| {
            let change = heading(&p[1]) - heading(&p[0]);
            change - TAU * libm::round(change / TAU)
        };
        self.poses.windows(2).map(step).sum()
    }

    /// The same motion at another rate: roots on lines, joints on shortest arcs between frames. The end may be up to a frame
    /// earlier.
    ///
    /// # Panics
    /// If the rate is not positive.
    #[must_use]
    pub fn resampled(&self, rate: f64) -> Take {
        assert!(rate > 0.0, "a rate must be positive");
        let last = self.poses.len().saturating_sub(1);
        // rounding must not lose the last frame
        let count = if self.poses.is_empty() { 0 } else { (self.duration() * rate + 1e-9) as usize + 1 };
        let pose = |k: usize| {
            let at = k as f64 * self.rate / rate;
            let before = (at as usize).min(last);
            self.poses[before].blend(&self.poses[(before + 1).min(last)], at - before as f64)
        };
        let mut provenance = self.provenance.clone();
        provenance.add(format!("resampled from {} to {rate} Hz", self.rate));
        let nearest = |k: usize| (libm::round(k as f64 * self.rate / rate) as usize).min(last);
        let contacts = self.contacts.as_ref().map(|c| c.picked((0..count).map(nearest)));
        Take { rate, poses: (0..count).map(pose).collect(), provenance, contacts, ..self.clone() }
    }
}
