//! The ground under a motion: levels and slopes, from where feet stand.

use super::{FootContacts, FootTracks};
use sinew_dynamics::spatial::Vec3;

/// Share of the heights that lie below the level of a point that stands most of the time.
const LOW: f64 = 0.05;

/// The level on which a point stands: low in the distribution of its heights, so that a few frames below do not matter, m.
///
/// ```
/// use sinew_dynamics::spatial::Vec3;
/// let path: Vec<_> = (0..100).map(|k| Vec3::z() * if k < 60 { 0.08 } else { 0.3 }).collect();
/// assert_eq!(sinew_motion::contacts::ground::level(&path), 0.08);
/// ```
pub fn level(path: &[Vec3]) -> f64 {
    let mut heights: Vec<f64> = path.iter().map(|p| p.z).collect();
    if heights.is_empty() {
        return 0.0;
    }
    let at = (LOW * heights.len() as f64) as usize;
    *heights.select_nth_unstable_by(at, f64::total_cmp).1
}

/// A plane `z = height + slope · (x, y)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane {
    /// At the origin, m.
    pub height: f64,
    /// Rise per metre along x and y.
    pub slope: [f64; 2],
    /// Root of the mean square of the vertical distances of the points, m.
    pub residual: f64,
}

impl Plane {
    /// Height at a place.
    pub fn at(&self, x: f64, y: f64) -> f64 {
        self.height + self.slope[0] * x + self.slope[1] * y
    }

    /// Angle to the horizontal, rad.
    pub fn angle(&self) -> f64 {
        libm::atan(libm::hypot(self.slope[0], self.slope[1]))
    }
}

/// The plane nearest to some points, by vertical distances. Points on one line give a plane that is level across the line.
///
/// ```
/// use sinew_dynamics::spatial::Vec3;
/// use sinew_motion::contacts::ground;
/// let points = [(0.0, 0.0), (1.0, 0.0), (0.0, 2.0), (3.0, 1.0)].map(|(x, y)| Vec3::new(x, y, 0.2 + 0.1 * x - 0.05 * y));
/// let plane = ground::fit_plane(&points).unwrap();
/// assert!((plane.height - 0.2).abs() < 1e-12 && (plane.slope[0] - 0.1).abs() < 1e-12 && plane.residual < 1e-12);
/// ```
pub fn fit_plane(points: &[Vec3]) -> Option<Plane> {
    if points.is_empty() {
        return None;
    }
    // about the centre, where the normal equations of height and slopes are apart
    let centre = points.iter().sum::<Vec3>() / points.len() as f64;
    let (mut xx, mut xy, mut yy, mut xz, mut yz) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for d in points.iter().map(|p| p - centre) {
        xx += d.x * d.x;
        xy += d.x * d.y;
        yy += d.y * d.y;
        xz += d.x * d.z;
        yz += d.y * d.z;
    }
    let (det, trace) = (xx * yy - xy * xy, xx + yy);
    let slope = if det > 1e-9 * trace * trace {
        [(yy * xz - xy * yz) / det, (xx * yz - xy * xz) / det]
    } else if trace > 0.0 {
        // points on a line: the solution of least norm
        [xz / trace, yz / trace]
    } else {
        [0.0, 0.0]
    };
    let height = centre.z - slope[0] * centre.x - slope[1] * centre.y;
    let mut plane = Plane { height, slope, residual: 0.0 };
    let off = |p: &Vec3| (p.z - plane.at(p.x, p.y)) * (p.z - plane.at(p.x, p.y));
    plane.residual = (points.iter().map(off).sum::<f64>() / points.len() as f64).sqrt();
    Some(plane)
}

/// Where heels stand, in the frames from `first` to `last`: the points for [`fit_plane`].
pub fn footholds(tracks: &FootTracks, contacts: &FootContacts, first: usize, last: usize) -> Vec<Vec3> {
    let frames = first..=last.min(tracks.len().saturating_sub(1));
    let standing = |(side, k): (usize, usize)| contacts.heel[side][k].then(|| tracks.heel[side][k]);
    frames.flat_map(|k| [(0, k), (1, k)]).filter_map(standing).collect()
}
