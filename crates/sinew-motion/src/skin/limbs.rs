//! A character as limbs that grow together: the fields of its bodies, and how they meet at the joints.
//!
//! With `d_i` the distance to body i, two bodies that a joint links flow into each other over a width `w_ij`:
//! ```text
//! f = d − Σ_{i<j} w_ij/4 · h_i² h_j²      d = min d_i,   h_i = max(0, 1 − (d_i − d)/w_ij)
//! ```
//! which for two bodies is the quadratic smooth minimum. Seen from one limb, another counts as farther away the farther
//! a point is from the joints between them (beyond the joint's zone), so that an arm that hangs beside the trunk does not grow to
//! it. Near a joint all limbs see the same field to the bit: their surfaces fit together there.

use super::field::{Field, smooth_min};
use sinew_dynamics::spatial::Vec3;

/// Ball at a joint: at most this part of the girth of the thinner body, and of the depth of the joint in both.
const BALL: [f64; 2] = [0.85, 1.15];
/// The depth in the parent counts up to this multiple of that in the child.
const DEEP: f64 = 1.3;
/// A limb counts as farther away by this multiple of the way from the joints in between.
const DETOUR: f64 = 2.0;
/// Radius of a joint's zone, as a multiple of its depth and of its ball.
const ZONE: f64 = 2.0;
/// Width of the smooth union across one joint and across two, as a part of the zone.
const ACROSS: [f64; 2] = [0.4, 0.2];
/// Width of the bend as a part of the zone.
const BEND: f64 = 0.2;
/// Thickness of the yoke between joints of one body, as a part of the joint's ball.
const YOKE: f64 = 1.05;
/// Width of the smooth union of a yoke, as a part of its radius.
const YOKE_BLEND: f64 = 0.7;

/// A body with the fields of its shapes.
#[derive(Clone, Debug)]
pub(super) struct Limb {
    pub(super) body: usize,
    pub(super) shapes: Vec<Field>,
    /// Every limb at most two joints away, itself included, by index; and the joints in between.
    near: Vec<(usize, Vec<usize>)>,
    /// A ball around its shapes.
    center: Vec3,
    reach: f64,
}

/// Where two limbs meet.
#[derive(Clone, Debug)]
pub(super) struct Joint {
    /// Parent and child.
    pub(super) limbs: [usize; 2],
    pub(super) at: Vec3,
    /// Radius of the ball that keeps the joint full, and its colour.
    pub(super) ball: f64,
    pub(super) color: usize,
    /// Within this distance of the joint the limbs grow together.
    zone: f64,
}

/// A limb as seen at a point: which, and how far away.
pub(super) type Seen = (usize, f64);

/// All limbs and joints.
#[derive(Clone, Debug)]
pub(super) struct Limbs {
    pub(super) limbs: Vec<Limb>,
    pub(super) joints: Vec<Joint>,
    /// Widths of union and bend of every pair of limbs, zero for limbs that do not grow together.
    widths: Vec<[f64; 2]>,
    widest: f64,
}

impl Limbs {
    /// Joins bodies with shapes. `links`: indices of parent and child in `bodies`, and where their joint is.
    pub(super) fn new(bodies: Vec<(usize, Vec<Field>)>, links: &[(usize, usize, Vec3)]) -> Limbs {
        let limb = |(body, shapes)| Limb { body, shapes, near: vec![], center: Vec3::zeros(), reach: 0.0 };
        let limbs: Vec<Limb> = bodies.into_iter().map(limb).collect();
        let count = limbs.len();
        let mut this = Limbs { limbs, joints: vec![], widths: vec![[0.0; 2]; count * count], widest: 0.0 };
        links.iter().for_each(|&(parent, child, at)| this.join(parent, child, at));
        (0..count).for_each(|limb| this.add_yoke(limb));
        (0..count).for_each(|limb| this.complete(limb));
        this
    }

    /// Joins two limbs, with a ball at the joint so that it stays full when it bends.
    fn join(&mut self, parent: usize, child: usize, at: Vec3) {
        let girth = |l: &Limb| l.shapes.iter().fold(0.0, |r: f64, s| r.max(s.radius));
        let [above, below] = [&self.limbs[parent], &self.limbs[child]];
        let depth = [above, below].map(|l| -l.distance(&at));
        let deepest = depth[0].max(depth[1]);
        // shapes that do not meet at the joint stay apart
        if deepest < -0.3 * girth(below) {
            return;
        }
        let mean = 0.5 * (depth[1] + depth[0].min(DEEP * depth[1]));
        let ball = (BALL[0] * girth(above).min(girth(below))).min(BALL[1] * mean).max(0.0);
        let Some(nearest) = below.shapes.iter().min_by(|a, b| a.distance(&at).total_cmp(&b.distance(&at)))
        else {
            return;
        };
        let (color, zone) = (nearest.color, ZONE * deepest.max(ball));
        self.joints.push(Joint { limbs: [parent, child], at, ball, color, zone });
        if ball > depth[1] {
            self.limbs[child].shapes.push(Field::ball(at, ball, color));
        }
    }

    /// A limb that carries three others or more (a chest: neck and shoulders) gets a yoke from the middle joint to the others.
    fn add_yoke(&mut self, limb: usize) {
        let carried: Vec<&Joint> = self.joints.iter().filter(|j| j.limbs[0] == limb).collect();
        let thickest = self.limbs[limb].shapes.iter().max_by(|a, b| a.radius.total_cmp(&b.radius));
        let (3.., Some(thickest)) = (carried.len(), thickest) else { return };
        let middle = carried.iter().map(|j| j.at).sum::<Vec3>() / carried.len() as f64;
        let away = |j: &Joint| (j.at - middle).norm();
        let Some(hub) = carried
            .iter()
            .map(|j| j.at)
            .zip(carried.iter().map(|j| away(j)))
            .reduce(|a, b| if b.1 < a.1 { b } else { a })
        else {
            return;
        };
        let hub = hub.0;
        let inwards = (thickest.center - hub).try_normalize(1e-9).unwrap_or_else(Vec3::zeros);
        let color = self.limbs[limb].shapes[0].color;
        let arms: Vec<Field> = carried
            .iter()
            .filter(|j| j.at != hub && j.ball > 0.0)
            // below the hub, so that it does not climb what the hub carries
            .map(|j| Field::rod(hub + inwards * (0.5 * j.ball), j.at, YOKE * j.ball, YOKE_BLEND, color))
            .collect();
        self.limbs[limb].shapes.extend(arms);
    }

    /// Finds who is near, the widths that they share, and the ball around the shapes.
    fn complete(&mut self, limb: usize) {
        let links = |from: usize| {
            let end = move |j: &Joint| (j.limbs[0] == from).then_some(j.limbs[1]);
            let other = move |j: &Joint| end(j).or((j.limbs[1] == from).then_some(j.limbs[0]));
            self.joints.iter().enumerate().filter_map(move |(i, j)| Some((other(j)?, i)))
        };
        let mut near = vec![(limb, vec![])];
        for (first, a) in links(limb) {
            near.push((first, vec![a]));
            let second = links(first).filter(|(second, _)| *second != limb);
            near.extend(second.map(|(second, b)| (second, vec![a, b])));
        }
        near.sort_by_key(|(index, _)| *index);
        let count = self.limbs.len();
        for (other, through) in near.iter().filter(|(_, through)| !through.is_empty()) {
            let zone = through.iter().fold(f64::INFINITY, |z, j| z.min(self.joints[*j].zone));
            let union = ACROSS[through.len() - 1] * zone;
            self.widths[limb * count + other] = [union, BEND * zone];
            self.widest = self.widest.max(union);
        }
        let this = &mut self.limbs[limb];
        this.near = near;
        this.center = this.shapes.iter().map(|s| s.center).sum::<Vec3>() / this.shapes.len().max(1) as f64;
        let reaches = this.shapes.iter().map(|s| (s.center - this.center).norm() + s.reach);
        this.reach = reaches.fold(0.0, f64::max);
    }

    /// Limbs near enough to matter at a point, as one limb sees them, by index.
    pub(super) fn seen(&self, from: usize, p: &Vec3, margin: f64, into: &mut Vec<Seen>) {
        into.clear();
        let mut least = self.limbs[from].distance(p);
        for (other, through) in &self.limbs[from].near {
            if *other == from {
                into.push((from, self.limbs[from].distance(p)));
                continue;
            }
            let limb = &self.limbs[*other];
            // too far to change anything, by a bound that is cheap to have
            let detour = self.detour(through, p);
            if (p - limb.center).norm() - limb.reach + detour > least + margin {
                continue;
            }
            let distance = limb.distance(p) + detour;
            least = least.min(distance);
            into.push((*other, distance));
        }
    }

    /// How much farther a neighbour counts: by the way from the joints in between, beyond their zones.
    fn detour(&self, through: &[usize], p: &Vec3) -> f64 {
        let beyond = |j: &usize| ((p - self.joints[*j].at).norm() - self.joints[*j].zone).max(0.0);
        DETOUR * through.iter().map(beyond).sum::<f64>()
    }

    /// Distance to a limb grown together with its neighbours, the field `f` of the module's head.
    pub(super) fn grown(&self, from: usize, p: &Vec3, seen: &mut Vec<Seen>) -> f64 {
        self.seen(from, p, self.widest, seen);
        let (least, count) = (nearest(seen).1, self.limbs.len());
        let mut swell = 0.0;
        for (n, (i, di)) in seen.iter().enumerate() {
            for (j, dj) in &seen[n + 1..] {
                let [width, _] = self.widths[i * count + j];
                if width > 0.0 {
                    let h = |d: f64| (1.0 - (d - least) / width).max(0.0);
                    let both = h(*di) * h(*dj);
                    swell += 0.25 * width * both * both;
                }
            }
        }
        least - swell
    }

    /// How much a point of the skin follows each body: weights that fall with the distance; at most four, sum 1.
    pub(super) fn weights(&self, from: usize, p: &Vec3, cell: f64, seen: &mut Vec<Seen>) -> Weights {
        self.seen(from, p, f64::INFINITY, seen);
        let (first, least) = nearest(seen);
        let count = self.limbs.len();
        let pull = |&(i, d): &Seen| {
            let width = self.widths[i * count + first][1].max(cell);
            (self.limbs[i].body, libm::exp((least - d) / width))
        };
        Weights::new(seen.iter().map(pull))
    }

    /// How a limb sees a colour: distance to the nearest shape that wears it.
    pub(super) fn color_distances(&self, from: usize, p: &Vec3, into: &mut [f64]) {
        // nothing is farther than this
        into.fill(1e3);
        for (other, through) in &self.limbs[from].near {
            let detour = self.detour(through, p);
            for shape in &self.limbs[*other].shapes {
                into[shape.color] = into[shape.color].min(shape.distance(p) + detour);
            }
        }
    }

    /// Box around a limb and the joints of its own.
    pub(super) fn bounds(&self, limb: usize) -> [Vec3; 2] {
        let shapes = self.limbs[limb].shapes.iter().map(|s| (s.center, s.reach));
        let joints = self.joints.iter().filter(|j| j.limbs.contains(&limb)).map(|j| (j.at, 0.8 * j.zone));
        let mut bounds = [Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY)];
        for (center, reach) in shapes.chain(joints) {
            bounds = [bounds[0].inf(&center.add_scalar(-reach)), bounds[1].sup(&center.add_scalar(reach))];
        }
        bounds
    }
}

impl Limb {
    /// Distance to its own shapes.
    pub(super) fn distance(&self, p: &Vec3) -> f64 {
        let mut united = (f64::INFINITY, 0.0);
        for shape in &self.shapes {
            let d = shape.distance(p);
            let (so_far, radius): (f64, f64) = united;
            let joined = match radius > 0.0 {
                true => smooth_min(so_far, d, shape.blend * radius.min(shape.radius)),
                false => d,
            };
            united = (joined, radius.max(shape.radius));
        }
        united.0
    }
}

/// The nearest limb; of equals the first.
pub(super) fn nearest(seen: &[Seen]) -> Seen {
    seen.iter().copied().fold((usize::MAX, f64::INFINITY), |a, b| if b.1 < a.1 { b } else { a })
}

/// How much a vertex follows up to four bodies, the most important first; the sum is 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Weights(pub(super) [(usize, f64); 4]);

impl Weights {
    /// Of pulls in any order; a body may come twice.
    pub(super) fn new(pulls: impl Iterator<Item = (usize, f64)>) -> Weights {
        let mut all: Vec<(usize, f64)> = Vec::new();
        for (body, pull) in pulls {
            match all.iter_mut().find(|(known, _)| *known == body) {
                Some(known) => known.1 += pull,
                None => all.push((body, pull)),
            }
        }
        all.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let mut four = [(0, 0.0); 4];
        four.iter_mut().zip(all).for_each(|(slot, pull)| *slot = pull);
        let sum: f64 = four.iter().map(|w| w.1).sum();
        four.iter_mut().for_each(|w| w.1 /= sum);
        Weights(four)
    }

    /// All of one body.
    pub(super) fn of(body: usize) -> Weights {
        Weights([(body, 1.0), (0, 0.0), (0, 0.0), (0, 0.0)])
    }

    /// Between two vertices.
    pub(super) fn between(&self, other: &Weights, part: f64) -> Weights {
        let own = self.0.iter().map(|(body, w)| (*body, w * (1.0 - part)));
        Weights::new(own.chain(other.0.iter().map(|(body, w)| (*body, w * part))))
    }
}
