//! Which pairs of many shapes may touch: sort and sweep.
//!
//! The boxes around all shapes are sorted by their lower ends along one axis, the one in which their centres spread most.
//! A sweep along it meets, for each box, only those that begin before it ends; these are compared in the other two axes.
//! The order of the last call is the first guess of the next: bodies move little in a step, and sorting then costs
//! hardly more than one pass. Pairs come out in the order of their indices, whatever was before, so that a restored
//! world goes on with the same bits.
//!
//! Cost: `O(n log n + p)` with `p` pairs that overlap along the axis; nothing is allocated once the lists have grown.
//!
//! D. Baraff, *Dynamic simulation of non-penetrating rigid bodies*, thesis, Cornell (1992).

use super::bounds::Bounds;
use sinew_dynamics::Geom;
use sinew_dynamics::spatial::Vec3;

/// Collision bits of a shape, as in MuJoCo.
///
/// ```
/// use sinew_world::collide::Group;
/// let (ground, ghost) = (Group { contype: 1, conaffinity: 1 }, Group { contype: 0, conaffinity: 0 });
/// assert!(ground.meets(&ground) && !ground.meets(&ghost));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Group {
    /// What the shape is.
    pub contype: u32,
    /// What can hit it.
    pub conaffinity: u32,
}

impl Group {
    /// Whether shapes of two groups can touch.
    #[inline(always)]
    pub fn meets(&self, other: &Group) -> bool {
        (self.contype & other.conaffinity) | (other.contype & self.conaffinity) != 0
    }
}

impl From<&Geom> for Group {
    fn from(geom: &Geom) -> Group {
        Group { contype: geom.contype, conaffinity: geom.conaffinity }
    }
}

/// Finds pairs of boxes that meet; it keeps its lists between calls.
///
/// ```
/// use sinew_dynamics::spatial::Vec3;
/// use sinew_world::collide::{Bounds, BroadPhase};
/// let at = |x: f64| Bounds { low: Vec3::new(x, 0.0, 0.0), high: Vec3::new(x + 1.0, 1.0, 1.0) };
/// let mut broad = BroadPhase::new();
/// assert_eq!(broad.pairs(&[at(0.0), at(5.0), at(0.5)], |_, _| true), &[(0, 2)]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct BroadPhase {
    order: Vec<u32>,
    /// Lower and upper end along the axis, in the order of the sweep.
    spans: Vec<[f64; 2]>,
    pairs: Vec<(usize, usize)>,
}

impl BroadPhase {
    /// Empty lists.
    pub fn new() -> BroadPhase {
        BroadPhase::default()
    }

    /// All pairs `(i, j)`, `i < j`, of boxes that meet and that `keep` keeps, in ascending order.
    ///
    /// `keep` is asked once for every pair that meets, in no particular order: groups, bodies that are joined, pairs
    /// that are excluded.
    pub fn pairs(
        &mut self,
        bounds: &[Bounds],
        mut keep: impl FnMut(usize, usize) -> bool,
    ) -> &[(usize, usize)] {
        let axis = widest_axis(bounds);
        self.sort(bounds, axis);

        self.pairs.clear();
        let n = self.order.len();
        for first in 0..n {
            let i = self.order[first] as usize;
            let end = self.spans[first][1];
            for second in first + 1..n {
                if !(self.spans[second][0] <= end) {
                    break;
                }
                let j = self.order[second] as usize;
                if bounds[i].meets(&bounds[j]) {
                    let (low, high) = (i.min(j), i.max(j));
                    if keep(low, high) {
                        self.pairs.push((low, high));
                    }
                }
            }
        }
        self.pairs.sort_unstable();
        &self.pairs
    }

    /// Puts the boxes in the order of their lower ends; ties by index.
    fn sort(&mut self, bounds: &[Bounds], axis: usize) {
        let n = bounds.len();
        if self.order.len() != n {
            self.order.clear();
            self.order.extend(0..n as u32);
        }
        let low = |i: u32| bounds[i as usize].low[axis];
        let before = |i: u32, j: u32| low(i).total_cmp(&low(j)).then(i.cmp(&j)).is_lt();

        // insertion is fast when little has changed; otherwise it is given up early
        let mut patience = 8 * n;
        let mut sorted = true;
        'boxes: for k in 1..n {
            let moving = self.order[k];
            let mut place = k;
            while place > 0 && before(moving, self.order[place - 1]) {
                self.order[place] = self.order[place - 1];
                place -= 1;
                patience -= 1;
                if patience == 0 {
                    self.order[place] = moving;
                    sorted = false;
                    break 'boxes;
                }
            }
            self.order[place] = moving;
        }
        if !sorted {
            self.order.sort_unstable_by(|&i, &j| low(i).total_cmp(&low(j)).then(i.cmp(&j)));
        }
        self.spans.clear();
        self.spans.extend(self.order.iter().map(|&i| {
            let b = &bounds[i as usize];
            [b.low[axis], b.high[axis]]
        }));
    }
}

/// The axis along which the centres of bounded boxes have the greatest variance.
fn widest_axis(bounds: &[Bounds]) -> usize {
    let (mut sum, mut squares, mut count) = (Vec3::zeros(), Vec3::zeros(), 0.0);
    for b in bounds {
        let centre = (b.low + b.high) * 0.5;
        // half-spaces have no centre
        if centre.iter().all(|x| x.is_finite()) {
            sum += centre;
            squares += centre.component_mul(&centre);
            count += 1.0;
        }
    }
    let variance = squares * count - sum.component_mul(&sum);
    if variance.z > variance.x && variance.z > variance.y {
        2
    } else if variance.y > variance.x {
        1
    } else {
        0
    }
}
