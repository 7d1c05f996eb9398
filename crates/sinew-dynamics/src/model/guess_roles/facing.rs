//! Which way the character faces, and so which limb is on its left.
//!
//! The legs' joints give the axis across the body. Of the two directions square to it and to up, forward is where the feet
//! point, against where the knees fold the shins; names such as `left_thigh` count only where these say little.

use super::figure::Figure;
use super::limbs::Leg;
use crate::JointKind;
use crate::spatial::Vec3;

/// Directions of the body, and how sure they are.
pub(super) struct Facing {
    pub(super) forward: Vec3,
    pub(super) left: Vec3,
    /// Whether the first limb of the pair of legs is the left one.
    pub(super) first_is_left: bool,
    /// 0 to 1.
    pub(super) confidence: f64,
    pub(super) reason: String,
}

/// The unit axis across the body, of either sign.
pub(super) fn lateral_axis(figure: &Figure, legs: &[Leg; 2]) -> Option<Vec3> {
    let level = |v: Vec3| v - figure.up * figure.up.dot(&v);
    let between = level(between_hips(figure, legs));
    if between.norm() > 0.01 * figure.height {
        return Some(between.normalize());
    }
    // a flat character: the axis of its knees
    let knee = legs.iter().filter_map(|leg| leg.shin).find_map(|shin| hinge_axis(figure, shin))?;
    level(knee).try_normalize(0.5)
}

/// From the second leg's hip to the first one's.
fn between_hips(figure: &Figure, legs: &[Leg; 2]) -> Vec3 {
    let [a, b] = legs.each_ref().map(|leg| figure.joint[leg.thigh.unwrap_or(leg.limb)]);
    a - b
}

/// Decides between the two ways that a body with this lateral axis can face.
pub(super) fn facing(figure: &Figure, legs: &[Leg; 2], lateral: &Vec3) -> Facing {
    // forward if the first leg were the left one
    let between = between_hips(figure, legs);
    let separated = lateral.dot(&between).abs() > 0.01 * figure.height;
    let way = lateral.cross(&figure.up);

    // each witness speaks for `way` (positive) or against it
    let feet: f64 =
        legs.iter().filter_map(|leg| foot_points(figure, leg, &way)).sum::<f64>() / (0.05 * figure.height);
    let knees: f64 = legs.iter().filter_map(|leg| knee_folds(figure, leg, &way)).sum();
    let [a, b] = legs.each_ref().map(|leg| figure.bodies[leg.limb].name.as_str());
    let named = named_left(a, b);
    let first_on_lateral = lateral.dot(&between) > 0.0;
    let names = match named {
        // the first leg is on the side of `lateral`, which is left when facing `way`
        Some(first) if separated => {
            if first == first_on_lateral {
                1.0
            } else {
                -1.0
            }
        }
        _ => 0.0,
    };
    let vote = feet.clamp(-2.0, 2.0) + 0.5 * knees.clamp(-2.0, 2.0) + 0.25 * names;
    let sign = if vote < 0.0 {
        -1.0
    } else if vote > 0.0 {
        1.0
    } else {
        // nothing speaks: forward is x, as the conventions have it
        if way.x + 1e-3 * way.y < 0.0 { -1.0 } else { 1.0 }
    };
    let (forward, left) = (way * sign, lateral * sign);
    let first_is_left = if separated { left.dot(&between) > 0.0 } else { named.unwrap_or(true) };

    let agree = named.map(|first| first == first_is_left);
    let (mut confidence, mut reason) = match vote.abs() {
        v if v > 1.0 => (1.0, "the feet point and the knees fold".to_owned()),
        v if v > 0.2 => (0.8, "feet, knees and names say, weakly,".to_owned()),
        _ => (0.4, "nothing says, so by convention,".to_owned()),
    };
    if !separated {
        confidence = if named.is_some() { 0.8 } else { 0.4 };
        reason = match named {
            Some(_) => "both legs are in one plane; their names say".to_owned(),
            None => "both legs are in one plane; the first in the file is taken as the left one;".to_owned(),
        };
    }
    if agree == Some(false) {
        confidence *= 0.6;
        reason += " (against the names)";
    }
    Facing { forward, left, first_is_left, confidence, reason }
}

/// How far the middle of the foot and toes is in front of the ankle, m.
fn foot_points(figure: &Figure, leg: &Leg, way: &Vec3) -> Option<f64> {
    let foot = leg.foot?;
    let end = leg.toe.unwrap_or(foot);
    Some(way.dot(&(0.5 * (figure.centre(foot) + figure.centre(end)) - figure.joint[foot])))
}

/// 1 when the knee folds the shin backwards, −1 when forwards.
fn knee_folds(figure: &Figure, leg: &Leg, way: &Vec3) -> Option<f64> {
    let (shin, foot) = (leg.shin?, leg.foot?);
    let joint = figure.bodies[shin].joints.iter().find(|j| matches!(j.kind, JointKind::Hinge { .. }))?;
    let [low, high] = joint.range?;
    let (back, forth) = (joint.reference - low, high - joint.reference);
    // bends mostly one way
    let sense = if forth > 2.0 * back.abs() {
        1.0
    } else if back > 2.0 * forth.abs() {
        -1.0
    } else {
        return None;
    };
    let axis = hinge_axis(figure, shin)? * sense;
    let motion = axis.cross(&(figure.joint[foot] - figure.joint[shin]));
    let share = way.dot(&motion) / motion.norm().max(f64::MIN_POSITIVE);
    (share.abs() > 0.5).then_some(-share.signum())
}

fn hinge_axis(figure: &Figure, body: usize) -> Option<Vec3> {
    figure.bodies[body].joints.iter().find_map(|j| match j.kind {
        JointKind::Hinge { axis } => Some(figure.placements[body].rot * axis),
        _ => None,
    })
}

/// Whether the first of two names is that of a left part and the second its right twin (`Some(true)`), the other way round
/// (`Some(false)`), or neither.
pub(super) fn named_left(a: &str, b: &str) -> Option<bool> {
    let (a, b) = (a.to_lowercase(), b.to_lowercase());
    let spelled = |x: &str, y: &str| x.contains("left") && x.replace("left", "right") == *y;
    // a single letter: lfemur and rfemur, thigh_l and thigh_r
    let letter = |x: &str, y: &str| {
        let mut differences = x.chars().zip(y.chars()).filter(|(p, q)| p != q);
        x.chars().count() == y.chars().count()
            && differences.next() == Some(('l', 'r'))
            && differences.next().is_none()
    };
    if spelled(&a, &b) || letter(&a, &b) {
        Some(true)
    } else if spelled(&b, &a) || letter(&b, &a) {
        Some(false)
    } else {
        None
    }
}
