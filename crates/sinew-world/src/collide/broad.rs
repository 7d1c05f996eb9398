//! Which pairs of many shapes may touch: a tree of boxes, made anew for every question.
//!
//! The boxes around the shapes are halved at the median of their centres, along the axis in which the centres spread most,
//! until a few are left; each node has the box around its part. Two parts whose boxes do not meet have no pairs. Pairs
//! come out in the order of their indices, independent of earlier calls, so that a restored world gives the same bits.
//!
//! Cost: `O(n log n)` for the tree, and about as much for the pairs of a heap, however the shapes differ in size; unbounded
//! boxes (half-spaces) are compared with all others. Nothing is allocated once the lists have grown.

use super::bounds::Bounds;
use sinew_dynamics::Geom;
use sinew_dynamics::spatial::Vec3;

/// Parts this small are not halved.
const LEAF: usize = 8;

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
    leaves: Vec<Leaf>,
    nodes: Vec<Node>,
    unbounded: Vec<usize>,
    pairs: Vec<(usize, usize)>,
    /// For sorting: where the pairs of each index begin, and a second list.
    begins: Vec<usize>,
    sorted: Vec<(usize, usize)>,
}

/// A box with its index.
#[derive(Clone, Copy, Debug)]
struct Leaf {
    bounds: Bounds,
    centre: Vec3,
    index: usize,
}

/// A part of the leaves. Its first half is the next node; `second` is the other, or 0 when the part is not halved.
#[derive(Clone, Copy, Debug)]
struct Node {
    bounds: Bounds,
    start: usize,
    end: usize,
    second: usize,
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
        self.leaves.clear();
        self.unbounded.clear();
        self.nodes.clear();
        self.pairs.clear();
        for (index, b) in bounds.iter().enumerate() {
            let centre = (b.low + b.high) * 0.5;
            if centre.sum().is_finite() {
                self.leaves.push(Leaf { bounds: *b, centre, index });
            } else {
                self.unbounded.push(index);
            }
        }
        build(&mut self.leaves, 0, &mut self.nodes);

        let BroadPhase { leaves, nodes, pairs, .. } = self;
        let mut meet = |i: usize, j: usize| {
            let (low, high) = (i.min(j), i.max(j));
            if keep(low, high) {
                pairs.push((low, high));
            }
        };
        if !nodes.is_empty() {
            within(nodes, leaves, 0, &mut meet);
        }
        for (k, &i) in self.unbounded.iter().enumerate() {
            let others = self.unbounded[k + 1..].iter().copied().chain(leaves.iter().map(|l| l.index));
            others.filter(|&j| bounds[i].meets(&bounds[j])).for_each(|j| meet(i, j));
        }
        self.sort(bounds.len());
        &self.pairs
    }

    /// Counting sort by the second index, then by the first.
    fn sort(&mut self, count: usize) {
        for second in [true, false] {
            let key = |pair: &(usize, usize)| if second { pair.1 } else { pair.0 };
            self.begins.clear();
            self.begins.resize(count + 1, 0);
            for pair in &self.pairs {
                self.begins[key(pair) + 1] += 1;
            }
            for k in 0..count {
                self.begins[k + 1] += self.begins[k];
            }
            self.sorted.clear();
            self.sorted.resize(self.pairs.len(), (0, 0));
            for pair in &self.pairs {
                let place = &mut self.begins[key(pair)];
                self.sorted[*place] = *pair;
                *place += 1;
            }
            core::mem::swap(&mut self.pairs, &mut self.sorted);
        }
    }
}

/// Adds the node of a part of the leaves, which begins at `start`, and those below it.
fn build(leaves: &mut [Leaf], start: usize, nodes: &mut Vec<Node>) {
    let Some(first) = leaves.first() else { return };
    let (mut bounds, mut low, mut high) = (first.bounds, first.centre, first.centre);
    for leaf in leaves.iter().skip(1) {
        bounds = bounds.joined(&leaf.bounds);
        (low, high) = (low.inf(&leaf.centre), high.sup(&leaf.centre));
    }
    let here = nodes.len();
    nodes.push(Node { bounds, start, end: start + leaves.len(), second: 0 });
    if leaves.len() > LEAF {
        let axis = (high - low).imax();
        let half = leaves.len() / 2;
        let order =
            |p: &Leaf, q: &Leaf| p.centre[axis].total_cmp(&q.centre[axis]).then(p.index.cmp(&q.index));
        leaves.select_nth_unstable_by(half, order);
        let (left, right) = leaves.split_at_mut(half);
        build(left, start, nodes);
        nodes[here].second = nodes.len();
        build(right, start + half, nodes);
    }
}

/// Pairs inside one part.
fn within(nodes: &[Node], leaves: &[Leaf], part: usize, meet: &mut impl FnMut(usize, usize)) {
    let node = &nodes[part];
    if node.second > 0 {
        within(nodes, leaves, part + 1, meet);
        within(nodes, leaves, node.second, meet);
        between(nodes, leaves, part + 1, node.second, meet);
        return;
    }
    for (k, p) in leaves[node.start..node.end].iter().enumerate() {
        for q in &leaves[node.start + k + 1..node.end] {
            if p.bounds.meets(&q.bounds) {
                meet(p.index, q.index);
            }
        }
    }
}

/// Pairs between two parts.
fn between(nodes: &[Node], leaves: &[Leaf], a: usize, b: usize, meet: &mut impl FnMut(usize, usize)) {
    let (first, second) = (&nodes[a], &nodes[b]);
    if !first.bounds.meets(&second.bounds) {
        return;
    }
    // the larger part is halved
    if first.second > 0 && (second.second == 0 || first.end - first.start >= second.end - second.start) {
        between(nodes, leaves, a + 1, b, meet);
        between(nodes, leaves, first.second, b, meet);
    } else if second.second > 0 {
        between(nodes, leaves, a, b + 1, meet);
        between(nodes, leaves, a, second.second, meet);
    } else {
        for p in &leaves[first.start..first.end] {
            if !p.bounds.meets(&second.bounds) {
                continue;
            }
            for q in &leaves[second.start..second.end] {
                if p.bounds.meets(&q.bounds) {
                    meet(p.index, q.index);
                }
            }
        }
    }
}
