//! A captured motion on the skeleton of whoever was captured.

use crate::{Pose, Provenance, Skeleton};
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
}

impl Take {
    /// Time from the first to the last frame, s.
    pub fn duration(&self) -> f64 {
        self.poses.len().saturating_sub(1) as f64 / self.rate
    }

    /// Path of a joint: its position in every frame.
    pub fn path(&self, joint: usize) -> Vec<sinew_dynamics::spatial::Vec3> {
        let mut placements = Vec::new();
        self.poses
            .iter()
            .map(|pose| {
                self.skeleton.placements_into(pose, &mut placements);
                placements[joint].pos
            })
            .collect()
    }
}
