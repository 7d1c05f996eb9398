//! Where the points of the feet are, frame by frame.

use crate::Take;
use crate::import::Figure;
use sinew_dynamics::spatial::Vec3;

/// Paths of heels (or ankles) and toes, left and right, m.
#[derive(Clone, Debug, PartialEq)]
pub struct FootTracks {
    /// Frames per second.
    pub rate: f64,
    /// Per side and frame.
    pub heel: [Vec<Vec3>; 2],
    /// Per side and frame.
    pub toe: [Vec<Vec3>; 2],
}

impl FootTracks {
    /// The ankles and the balls or tips of the feet of a take, found by the names or the shape of its skeleton. `None` for a
    /// figure without two feet.
    pub fn of_take(take: &Take) -> Option<FootTracks> {
        let joints = take.skeleton.joints();
        let figure = Figure::of(joints);
        let feet = figure.both_feet()?;
        // the ball of the foot is its toe joint, else the end of the foot
        let toe = |side: usize| match figure.toes[side] {
            Some(toe) => (toe, Vec3::zeros()),
            None => (feet[side], joints[feet[side]].tips.first().copied().unwrap_or_default()),
        };
        let toes = [toe(0), toe(1)];
        let count = take.poses.len();
        let empty = || [Vec::with_capacity(count), Vec::with_capacity(count)];
        let mut tracks = FootTracks { rate: take.rate, heel: empty(), toe: empty() };
        let mut placements = Vec::new();
        for pose in &take.poses {
            take.skeleton.placements_into(pose, &mut placements);
            for side in 0..2 {
                tracks.heel[side].push(placements[feet[side]].pos);
                tracks.toe[side].push(placements[toes[side].0].act(&toes[side].1));
            }
        }
        Some(tracks)
    }

    /// The same with the heels for toes, for rules that know ankles only.
    #[must_use]
    pub fn ankles_only(mut self) -> FootTracks {
        self.toe = self.heel.clone();
        self
    }

    /// Number of frames.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        self.heel[0].len()
    }
}

/// Speed of a point in every frame: central differences, one-sided at the ends, m/s.
///
/// ```
/// use sinew_dynamics::spatial::Vec3;
/// let path: Vec<_> = [0.0, 1.0, 4.0].map(|x| Vec3::x() * x).to_vec();
/// assert_eq!(sinew_motion::contacts::speeds(&path, 10.0), [10.0, 20.0, 30.0]);
/// ```
pub fn speeds(path: &[Vec3], rate: f64) -> Vec<f64> {
    let last = path.len().saturating_sub(1);
    let speed = |k: usize| {
        let (a, b) = (k.saturating_sub(1), (k + 1).min(last));
        if a == b { 0.0 } else { (path[b] - path[a]).norm() * rate / (b - a) as f64 }
    };
    (0..path.len()).map(speed).collect()
}
