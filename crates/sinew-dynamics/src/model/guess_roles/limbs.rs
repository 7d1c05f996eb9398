//! Limbs: which pairs of chains are legs and arms, and which body of a chain is which segment.

use super::figure::Figure;
use crate::spatial::Vec3;

/// Legs end at most this far above the lowest point, in heights of the figure.
const NEAR_GROUND: f64 = 0.2;
/// A foot's shapes end at most this far above the lowest point of its leg, in heights.
const AT_GROUND: f64 = 0.015;
/// Legs come down at least this far from their joint, in heights.
const LEG: f64 = 0.2;
/// Arms reach at least this far, in heights.
const ARM: f64 = 0.04;
/// A thigh or shin is at least this share of its leg.
const LONG_BONE: f64 = 0.18;
/// An upper or lower arm is at least this share of its arm.
const ARM_BONE: f64 = 0.15;
/// Limbs less alike than this are no pair.
const ALIKE: f64 = 0.1;

/// Two limbs of one parent.
#[derive(Clone, Copy)]
pub(super) struct Pair {
    pub(super) limbs: [usize; 2],
    /// How alike they are, 0 to 1.
    pub(super) likeness: f64,
    /// How far they come down (legs) or reach (arms), m.
    pub(super) size: f64,
}

impl Pair {
    fn score(&self) -> f64 {
        self.size * self.likeness.sqrt()
    }
}

/// The pair of alike chains that comes down farthest, to the ground.
pub(super) fn find_legs(figure: &Figure) -> Option<Pair> {
    let drop = |i: usize| {
        let near = figure.low[i] - figure.ground <= NEAR_GROUND * figure.height;
        let drop = figure.up.dot(&figure.joint[i]) - figure.low[i];
        (near && drop >= LEG * figure.height).then_some(drop)
    };
    best(figure.siblings().filter_map(|(a, b)| {
        let size = drop(a)?.min(drop(b)?);
        Some(Pair { limbs: [a, b], likeness: figure.likeness(a, b), size })
    }))
}

/// The pair of alike chains that reaches farthest, on both sides of the body, among what is not a leg.
pub(super) fn find_arms(figure: &Figure, legs: &Pair, lateral: &Vec3) -> Option<Pair> {
    let pelvis = figure.bodies[legs.limbs[0]].parent?;
    let taken = |i: usize| legs.limbs.iter().any(|&leg| figure.within(i, leg)) || figure.within(pelvis, i);
    let middle = figure.joint[legs.limbs[0]].lerp(&figure.joint[legs.limbs[1]], 0.5);
    let aside = |i: usize| lateral.dot(&(figure.centre(tip(figure, i)) - middle));
    best(figure.siblings().filter_map(|(a, b)| {
        if taken(a) || taken(b) {
            return None;
        }
        let size = figure.reach[a].min(figure.reach[b]);
        // one on each side, or both in the middle plane of a flat character
        let (left, right) = (aside(a).max(aside(b)), aside(a).min(aside(b)));
        let opposite = left > 0.0 && right < 0.0;
        let flat = left.abs().max(right.abs()) < 0.01 * figure.height;
        (size >= ARM * figure.height && (opposite || flat)).then(|| Pair {
            limbs: [a, b],
            likeness: figure.likeness(a, b),
            size,
        })
    }))
}

fn best(pairs: impl Iterator<Item = Pair>) -> Option<Pair> {
    // the first of equals, so that the order of the file decides
    pairs.filter(|p| p.likeness > ALIKE).fold(None, |best: Option<Pair>, p| match best {
        Some(b) if p.score() <= b.score() => Some(b),
        _ => Some(p),
    })
}

/// The body of a limb that ends its longest way along the bones.
fn tip(figure: &Figure, limb: usize) -> usize {
    *chain_by(figure, limb, |i| figure.reach[i]).last().unwrap_or(&limb)
}

/// From a limb's first body onwards, each time to the child of greatest `value`.
fn chain_by(figure: &Figure, limb: usize, value: impl Fn(usize) -> f64) -> Vec<usize> {
    let next = |&i: &usize| figure.children[i].iter().copied().max_by(|&a, &b| value(a).total_cmp(&value(b)));
    core::iter::successors(Some(limb), next).collect()
}

/// Length of each body of a chain, from its joint to the next (the last: to the end of its shapes), reduced where the body
/// can hardly turn.
fn bones(figure: &Figure, chain: &[usize]) -> Vec<f64> {
    let length = |k: usize| match chain.get(k + 1) {
        Some(&next) => (figure.joint[next] - figure.joint[chain[k]]).norm(),
        None => figure.own_reach(chain[k]),
    };
    (0..chain.len()).map(|k| length(k) * figure.mobility(chain[k])).collect()
}

/// The segments of a leg.
pub(super) struct Leg {
    /// Its first body, which need not be the thigh.
    pub(super) limb: usize,
    pub(super) thigh: Option<usize>,
    pub(super) shin: Option<usize>,
    pub(super) foot: Option<usize>,
    pub(super) toe: Option<usize>,
}

/// Sorts a leg's bodies: the first two long bones are thigh and shin; the foot is the first body after them whose shapes
/// come to the ground (without shapes: the last that moves); the toe moves in the foot.
pub(super) fn split_leg(figure: &Figure, limb: usize) -> Leg {
    let chain = chain_by(figure, limb, |i| -figure.low[i]);
    let lengths = bones(figure, &chain);
    let long = LONG_BONE * lengths.iter().sum::<f64>();
    // a last body that lies flat is a foot, however long
    let flat_end = |k: usize| {
        let [low, high] = figure.span[chain[k]];
        k + 1 == chain.len() && k > 0 && high - low < 0.5 * figure.own_reach(chain[k])
    };
    let mut bones = (0..chain.len()).filter(|&k| lengths[k] >= long && lengths[k] > 0.0 && !flat_end(k));
    let (thigh, shin) = (bones.next(), bones.next());
    let Some(last) = shin.or(thigh) else {
        return Leg { limb, thigh: None, shin: None, foot: None, toe: None };
    };
    let after = &chain[last + 1..];
    let solid = |&&i: &&usize| has_body(figure, i);
    let moves = |i: usize| !figure.bodies[i].joints.is_empty();
    let at_ground = |&&i: &&usize| {
        let low = figure.span[i][0] - figure.low[limb];
        low <= AT_GROUND * figure.height && !figure.bodies[i].geoms.is_empty()
    };
    let last_moving = || after.iter().rev().filter(solid).find(|&&i| moves(i));
    let touching =
        after.iter().find(at_ground).or_else(last_moving).or(after.iter().rev().find(solid)).copied();
    // a sole plate belongs to the foot that it is welded to
    let foot = touching.map(|i| match figure.bodies[i].parent {
        Some(p) if !moves(i) && after.contains(&p) => p,
        _ => i,
    });
    let toe = foot.and_then(|f| chain.iter().copied().find(|&i| figure.bodies[i].parent == Some(f)));
    let toe = toe.filter(|&i| moves(i) && has_body(figure, i));
    Leg { limb, thigh: thigh.map(|k| chain[k]), shin: shin.map(|k| chain[k]), foot, toe }
}

/// The segments of an arm.
#[derive(Default)]
pub(super) struct Arm {
    pub(super) upper: Option<usize>,
    pub(super) lower: Option<usize>,
    pub(super) hand: Option<usize>,
}

/// Sorts an arm's bodies: of neighbouring long bones the longest two are upper and lower arm; the hand is the body after
/// them that carries fingers, or the last.
pub(super) fn split_arm(figure: &Figure, limb: usize) -> Arm {
    let chain = chain_by(figure, limb, |i| figure.reach[i]);
    let lengths = bones(figure, &chain);
    let long = ARM_BONE * lengths.iter().sum::<f64>();
    let bones: Vec<usize> = (0..chain.len()).filter(|&k| lengths[k] >= long && lengths[k] > 0.0).collect();
    let two = bones.windows(2).fold(None, |best: Option<(f64, usize, usize)>, w| {
        let sum = lengths[w[0]] + lengths[w[1]];
        if best.is_some_and(|b| b.0 >= sum) { best } else { Some((sum, w[0], w[1])) }
    });
    let (upper, lower) = match two {
        Some((_, upper, lower)) => (Some(upper), Some(lower)),
        None => (bones.first().copied(), None),
    };
    let Some(last) = lower.or(upper) else { return Arm::default() };
    // a palm carries fingers; without any, the hand is the last body of weight
    let after: Vec<usize> = chain[last + 1..].iter().copied().filter(|&i| has_body(figure, i)).collect();
    let fingers = |i: usize| figure.children[i].iter().filter(|&&c| has_body(figure, c)).count();
    let mass = |i: usize| figure.bodies[i].inertia.mass;
    let most = after.iter().map(|&i| mass(i)).fold(0.0, f64::max);
    let palm = after.iter().copied().find(|&i| fingers(i) > 1);
    let hand = palm.or(after.iter().copied().rev().find(|&i| mass(i) >= 0.3 * most));
    Arm { upper: upper.map(|k| chain[k]), lower: lower.map(|k| chain[k]), hand }
}

/// Whether a body is more than a frame: it has mass or a shape.
pub(super) fn has_body(figure: &Figure, body: usize) -> bool {
    figure.bodies[body].inertia.mass > 0.0 || !figure.bodies[body].geoms.is_empty()
}
