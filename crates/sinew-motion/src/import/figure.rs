//! Which joints are which, as far as an importer needs it: legs, arms, trunk and head.
//!
//! Names decide where they can. Where no feet are found by name, the legs are the two chains of equal lengths that leave the
//! tree nearest to the root.

use crate::Joint;

/// Parts of a figure. Left is 0, right is 1.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Figure {
    pub(crate) hips: [Option<usize>; 2],
    pub(crate) knees: [Option<usize>; 2],
    pub(crate) feet: [Option<usize>; 2],
    pub(crate) toes: [Option<usize>; 2],
    pub(crate) shoulders: [Option<usize>; 2],
    pub(crate) elbows: [Option<usize>; 2],
    pub(crate) hands: [Option<usize>; 2],
    pub(crate) head: Option<usize>,
    /// The joint from which the arms branch.
    pub(crate) chest: Option<usize>,
    /// Whether the sides follow from names.
    pub(crate) sides_named: bool,
}

/// Parts of a limb in the order in which names are tested: the first that fits counts.
#[derive(Clone, Copy, PartialEq)]
enum Part {
    Hip,
    Knee,
    Foot,
    Toe,
    Shoulder,
    Elbow,
    Hand,
    Head,
}

#[rustfmt::skip]
const WORDS: [(Part, &[&str]); 8] = [
    (Part::Toe, &["toe", "ball"]),
    (Part::Foot, &["foot", "ankle"]),
    (Part::Hip, &["upleg", "upperleg", "thigh", "femur", "hip"]),
    (Part::Knee, &["leg", "knee", "shin", "calf", "tibia", "shank"]),
    (Part::Elbow, &["forearm", "lowerarm", "elbow", "radius", "lowarm"]),
    (Part::Hand, &["hand", "wrist", "palm"]),
    (Part::Shoulder, &["arm", "humerus", "shoulder"]),
    (Part::Head, &["head", "skull"]),
];

impl Figure {
    pub(crate) fn of(joints: &[Joint]) -> Figure {
        let mut figure = Figure::default();
        for (i, joint) in joints.iter().enumerate() {
            let name = plain(&joint.name);
            let Some((side, part)) = read(&name) else { continue };
            match (part, side) {
                (Part::Head, None) => figure.head = figure.head.or(Some(i)),
                // a joint that does not move its child's place belongs to what is below it: the last of a run counts
                (Part::Hip, Some(s)) => figure.hips[s] = Some(i),
                (Part::Shoulder, Some(s)) => figure.shoulders[s] = Some(i),
                (Part::Knee, Some(s)) => first(&mut figure.knees[s], i),
                (Part::Foot, Some(s)) => first(&mut figure.feet[s], i),
                (Part::Toe, Some(s)) => first(&mut figure.toes[s], i),
                (Part::Elbow, Some(s)) => first(&mut figure.elbows[s], i),
                (Part::Hand, Some(s)) => first(&mut figure.hands[s], i),
                _ => {}
            }
        }
        figure.sides_named = figure.feet.iter().chain(&figure.hips).all(Option::is_some);
        if figure.feet.iter().any(Option::is_none) {
            figure.legs_by_shape(joints);
        }
        figure.chest = figure.shoulders[0].zip(figure.shoulders[1]).and_then(|(l, r)| meet(joints, l, r));
        figure
    }

    /// Both feet.
    pub(crate) fn both_feet(&self) -> Option<[usize; 2]> {
        Some([self.feet[0]?, self.feet[1]?])
    }

    /// Whether a joint is below a hip, or is one.
    pub(crate) fn in_legs(&self, joints: &[Joint]) -> Vec<bool> {
        let mut inside = vec![false; joints.len()];
        for (i, joint) in joints.iter().enumerate() {
            inside[i] = self.hips.contains(&Some(i)) || joint.parent.is_some_and(|p| inside[p]);
        }
        inside
    }

    /// Length from a hip along the bones to the foot, mean of both sides.
    pub(crate) fn leg_length(&self, joints: &[Joint]) -> Option<f64> {
        let mut sum = 0.0;
        for side in 0..2 {
            let (hip, foot) = (self.hips[side]?, self.feet[side]?);
            let mut at = foot;
            while at != hip {
                sum += joints[at].offset.norm();
                at = joints[at].parent?;
            }
        }
        Some(0.5 * sum)
    }

    /// Of all pairs of chains with equal lengths, the one that leaves the tree nearest to the root. The longest of several.
    fn legs_by_shape(&mut self, joints: &[Joint]) {
        let depth = depths(joints);
        let leaves: Vec<usize> =
            (0..joints.len()).filter(|&i| !joints.iter().any(|j| j.parent == Some(i))).collect();
        let mut best: Option<(usize, f64, [usize; 2], [usize; 2])> = None;
        // a skeleton has few tips; a file with thousands is no figure
        for (n, &a) in leaves.iter().enumerate().take(100) {
            for &b in leaves.iter().take(100).skip(n + 1) {
                let Some(at) = meet(joints, a, b).filter(|_| depth[a] == depth[b]) else { continue };
                let ((top_a, long_a), (top_b, long_b)) = (below(joints, at, a), below(joints, at, b));
                let alike = (long_a - long_b).abs() <= 0.03 * long_a.max(long_b);
                if !alike || long_a <= 0.0 || depth[a] < depth[at] + 2 {
                    continue;
                }
                let nearer =
                    best.is_none_or(|(d, long, ..)| depth[at] < d || (depth[at] == d && long_a > long));
                if nearer {
                    best = Some((depth[at], long_a, [top_a, top_b], [a, b]));
                }
            }
        }
        if let Some((_, _, hips, feet)) = best {
            self.hips = hips.map(Some);
            self.feet = feet.map(Some);
        }
    }
}

fn first(slot: &mut Option<usize>, i: usize) {
    *slot = slot.or(Some(i));
}

fn depths(joints: &[Joint]) -> Vec<usize> {
    let mut depth = vec![0; joints.len()];
    for (i, joint) in joints.iter().enumerate() {
        depth[i] = joint.parent.map_or(0, |p| depth[p] + 1);
    }
    depth
}

/// The last common ancestor.
pub(crate) fn meet(joints: &[Joint], mut a: usize, mut b: usize) -> Option<usize> {
    // parents come before children, so the later of two is never an ancestor of the other
    while a != b {
        if a > b { a = joints[a].parent? } else { b = joints[b].parent? }
    }
    Some(a)
}

/// The child of `top` on the way to `tip`, and the length of the bones below that child.
fn below(joints: &[Joint], top: usize, tip: usize) -> (usize, f64) {
    let (mut at, mut length) = (tip, 0.0);
    while let Some(parent) = joints[at].parent.filter(|&p| p != top) {
        length += joints[at].offset.norm();
        at = parent;
    }
    (at, length)
}

/// Small letters and digits only, without a prefix such as `mixamorig:`.
fn plain(name: &str) -> String {
    let name = name.rsplit([':', '|']).next().unwrap_or(name);
    // capitals keep their place so that `LHip` and `rightFoot` show their sides
    name.trim().to_owned()
}

/// Side and part that a name speaks of.
fn read(name: &str) -> Option<(Option<usize>, Part)> {
    let small: String = name.to_lowercase();
    let letters: String = small.chars().filter(|c| c.is_alphanumeric()).collect();
    let side = side(name, &small);
    let (part, _) = WORDS.iter().find(|(_, words)| words.iter().any(|w| letters.contains(w)))?;
    Some((side, *part))
}

fn side(name: &str, small: &str) -> Option<usize> {
    if small.contains("left") {
        return Some(0);
    }
    if small.contains("right") {
        return Some(1);
    }
    let pick = |c: char| match c {
        'l' | 'L' => Some(0),
        'r' | 'R' => Some(1),
        _ => None,
    };
    let letters: Vec<char> = name.chars().collect();
    let split = |c: char| !c.is_alphanumeric();
    // L_foot, foot.L, Bip01 L Foot
    let mut pieces = small.split(split).filter(|p| p.len() == 1);
    if let Some(side) = pieces.find_map(|p| pick(p.chars().next()?)) {
        return Some(side);
    }
    // LFoot, and lfoot, rfemur: one letter before a word that means a part
    if letters.len() > 1 && letters[0].is_uppercase() && letters[1].is_uppercase() {
        return pick(letters[0]);
    }
    let rest: String = small.chars().skip(1).collect();
    if WORDS.iter().any(|(_, words)| words.iter().any(|w| rest.starts_with(w))) {
        return pick(letters[0]);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_many_tools() {
        let of = |name: &str| read(&plain(name)).map(|(side, part)| (side, part as usize));
        let cases = [
            ("LeftUpLeg", Some(0), Part::Hip),
            ("mixamorig:RightLeg", Some(1), Part::Knee),
            ("LHipJoint", Some(0), Part::Hip),
            ("lfemur", Some(0), Part::Hip),
            ("rtibia", Some(1), Part::Knee),
            ("Bip01 R Foot", Some(1), Part::Foot),
            ("foot.L", Some(0), Part::Foot),
            ("thigh_r", Some(1), Part::Hip),
            ("LeftForeArm", Some(0), Part::Elbow),
            ("HEad", None, Part::Head),
            ("RightToeBase", Some(1), Part::Toe),
            ("Hips", None, Part::Hip),
        ];
        for (name, side, part) in cases {
            assert_eq!(of(name), Some((side, part as usize)), "{name}");
        }
        assert_eq!(of("Spine1"), None);
    }
}
