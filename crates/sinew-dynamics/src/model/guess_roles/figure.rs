//! The character as a figure: where its bodies are in the reference pose, and what hangs from each.

use crate::model::extent::geoms_extent;
use crate::spatial::{Placement, Vec3};
use crate::{BodySpec, JointKind, JointSpec, ModelSpec};
use core::f64::consts::PI;

/// Range of motion at which a joint counts as fully mobile, rad.
const MOBILE: f64 = 0.5 * PI;
/// At most this many children of a body are compared with each other.
const MAX_SIBLINGS: usize = 64;

/// Bodies in the reference pose, seen along an up direction.
pub(super) struct Figure<'a> {
    pub(super) bodies: &'a [BodySpec],
    pub(super) up: Vec3,
    pub(super) placements: Vec<Placement>,
    pub(super) children: Vec<Vec<usize>>,
    /// Centre of the joints that move each body, in the world; the origin of a welded body.
    pub(super) joint: Vec<Vec3>,
    /// Least and greatest height of each body's own shapes; of its joint when it has none.
    pub(super) span: Vec<[f64; 2]>,
    /// Least height, mass, number of bodies and reach from the joint of all that hangs from each body.
    pub(super) low: Vec<f64>,
    pub(super) mass: Vec<f64>,
    pub(super) count: Vec<usize>,
    pub(super) reach: Vec<f64>,
    /// Height of the lowest point of all, and from it to the highest.
    pub(super) ground: f64,
    pub(super) height: f64,
}

impl<'a> Figure<'a> {
    /// `None` when there are no bodies, or no two points at different heights.
    pub(super) fn new(spec: &'a ModelSpec, up: Vec3) -> Option<Figure<'a>> {
        let bodies = &spec.bodies[..];
        // a description that was not compiled yet may be out of order
        if bodies.iter().enumerate().any(|(i, b)| b.parent.is_some_and(|p| p >= i)) {
            return None;
        }
        let n = bodies.len();
        let placements = spec.reference_placements();
        let joint: Vec<Vec3> = bodies.iter().zip(&placements).map(|(b, at)| at.act(&anchor(b))).collect();
        let span: Vec<[f64; 2]> = (0..n)
            .map(|i| {
                let at_joint = up.dot(&joint[i]);
                geoms_extent(&bodies[i].geoms, &placements[i], &up).unwrap_or([at_joint; 2])
            })
            .collect();

        let mut children = vec![Vec::new(); n];
        let mut low: Vec<f64> = span.iter().map(|s| s[0]).collect();
        let mut mass: Vec<f64> = bodies.iter().map(|b| b.inertia.mass).collect();
        let mut count = vec![1; n];
        for i in (0..n).rev() {
            if let Some(p) = bodies[i].parent {
                children[p].push(i);
                low[p] = low[p].min(low[i]);
                mass[p] += mass[i];
                count[p] += count[i];
            }
        }
        children.iter_mut().for_each(|c| c.reverse());
        let ground = low.iter().copied().fold(f64::INFINITY, f64::min);
        let top = span.iter().map(|s| s[1]).fold(f64::NEG_INFINITY, f64::max);
        let height = top - ground;
        if !(height.is_finite() && height > 0.0) {
            return None;
        }
        let mut figure = Figure {
            bodies,
            up,
            placements,
            children,
            joint,
            span,
            low,
            mass,
            count,
            reach: vec![0.0; n],
            ground,
            height,
        };
        for i in (0..n).rev() {
            // along the bones: to the farthest point of the body's own shapes, or on through a child
            let on = |&c: &usize| (figure.joint[c] - figure.joint[i]).norm() + figure.reach[c];
            figure.reach[i] = figure.children[i].iter().map(on).fold(figure.own_reach(i), f64::max);
        }
        Some(figure)
    }

    /// Distance from a body's joint to the farthest point of its own shapes.
    pub(super) fn own_reach(&self, body: usize) -> f64 {
        let at = &self.placements[body];
        let from = self.joint[body];
        let reach = |d: Vec3| {
            geoms_extent(&self.bodies[body].geoms, at, &d).map_or(0.0, |[_, far]| far - d.dot(&from))
        };
        // the farthest along any of the 26 directions of a cube's corners, edges and faces
        let steps = [-1.0, 0.0, 1.0];
        let dirs =
            steps.iter().flat_map(|&x| steps.iter().flat_map(move |&y| steps.map(|z| Vec3::new(x, y, z))));
        dirs.filter(|d| d.norm_squared() > 0.0).map(|d| reach(d.normalize())).fold(0.0, f64::max)
    }

    /// Centre of the box around a body's own shapes, in the world; its centre of mass when it has none.
    pub(super) fn centre(&self, body: usize) -> Vec3 {
        let at = &self.placements[body];
        let middle = |d: Vec3| geoms_extent(&self.bodies[body].geoms, at, &d).map(|[a, b]| 0.5 * (a + b));
        match (middle(Vec3::x()), middle(Vec3::y()), middle(Vec3::z())) {
            (Some(x), Some(y), Some(z)) => Vec3::new(x, y, z),
            _ => at.act(&self.bodies[body].inertia.com),
        }
    }

    /// How far a body can turn in its parent: 0 welded, 1 a quarter turn or more.
    pub(super) fn mobility(&self, body: usize) -> f64 {
        (self.bodies[body].joints.iter().map(turn).sum::<f64>() / MOBILE).min(1.0)
    }

    /// Whether `body` is `top` or hangs from it.
    pub(super) fn within(&self, body: usize, top: usize) -> bool {
        let mut at = Some(body);
        // parents come first: an ancestor has a lower index
        while let Some(i) = at.filter(|&i| i >= top) {
            if i == top {
                return true;
            }
            at = self.bodies[i].parent;
        }
        false
    }

    /// Bodies from `body` up to its root, itself first.
    pub(super) fn ancestors(&self, body: usize) -> impl Iterator<Item = usize> + '_ {
        core::iter::successors(Some(body), |&i| self.bodies[i].parent)
    }

    /// All pairs of bodies with the same parent.
    pub(super) fn siblings(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.children.iter().flat_map(|all| {
            let some = &all[..all.len().min(MAX_SIBLINGS)];
            some.iter().enumerate().flat_map(move |(k, &a)| some[k + 1..].iter().map(move |&b| (a, b)))
        })
    }

    /// How alike two limbs are in mass, reach and number of bodies: 0 to 1.
    pub(super) fn likeness(&self, a: usize, b: usize) -> f64 {
        let ratio = |x: f64, y: f64| if x.max(y) > 0.0 { x.min(y) / x.max(y) } else { 1.0 };
        let parts = [
            ratio(self.mass[a], self.mass[b]),
            ratio(self.reach[a], self.reach[b]),
            ratio(self.count[a] as f64, self.count[b] as f64),
        ];
        parts.iter().product()
    }
}

/// Middle of the anchors of a body's joints, in its frame.
fn anchor(body: &BodySpec) -> Vec3 {
    match body.joints.len() {
        0 => Vec3::zeros(),
        n => body.joints.iter().map(|j| j.anchor).sum::<Vec3>() / n as f64,
    }
}

/// Range of rotation of a joint, rad.
fn turn(joint: &JointSpec) -> f64 {
    match joint.kind {
        JointKind::Slide { .. } => 0.0,
        JointKind::Hinge { .. } => joint.range.map_or(2.0 * PI, |[low, high]| (high - low).max(0.0)),
        JointKind::Ball | JointKind::Free => 2.0 * PI,
    }
}
