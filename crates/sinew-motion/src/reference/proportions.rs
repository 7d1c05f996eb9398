//! Limbs whose proportions or joints do not match.

use crate::retarget::{AngleError, BoneMap, Retargeted};
use crate::{Pose, Take};
use sinew_dynamics::{Model, Role, Side};

/// A limb's link that is longer or shorter by more than this, once the whole is scaled, is worth a word.
const OFF: f64 = 0.2;

/// Parts that point so far from the captured ones on average, rad (10°), are worth a word; so many of them are told.
const TURNED: f64 = 0.175;
const TOLD: usize = 4;

/// A link by its name, and the parts at whose joints it begins and ends.
type Link = (&'static str, fn(Side) -> Role, fn(Side) -> Role);

/// Links that differ from the captured ones by more than a fifth, in words.
pub(super) fn warnings(take: &Take, map: &BoneMap, model: &Model, scale: f64) -> Vec<String> {
    let source = take.skeleton.placements(&Pose::identity(take.skeleton.joints().len()));
    let target = model.spec().reference_placements();
    let joint = |role: Role| {
        let body = model.role(role)?;
        let anchor = model.bodies()[body.0].joints.first().map(|j| j.anchor)?;
        Some(target[body.0].act(&anchor))
    };
    let mut found = Vec::new();
    let links: [Link; 4] = [
        ("upper arms", Role::UpperArm, Role::LowerArm),
        ("forearms", Role::LowerArm, Role::Hand),
        ("thighs", Role::Thigh, Role::Shin),
        ("shins", Role::Shin, Role::Foot),
    ];
    for (name, from, to) in links {
        let ratio = |side: Side| {
            let captured = (source[map.joint(to(side))?].pos - source[map.joint(from(side))?].pos).norm();
            let own = (joint(to(side))? - joint(from(side))?).norm();
            (captured > 1e-3 && own > 1e-3).then(|| own / (captured * scale))
        };
        let both: Vec<f64> = Side::BOTH.into_iter().filter_map(ratio).collect();
        if both.is_empty() {
            continue;
        }
        let mean = both.iter().sum::<f64>() / both.len() as f64;
        if (mean - 1.0).abs() > OFF {
            let (percent, word) = (100.0 * (mean - 1.0).abs(), if mean > 1.0 { "longer" } else { "shorter" });
            found.push(format!(
                "the {name} are {percent:.0} % {word} than the captured ones: what they reach is elsewhere"
            ));
        }
    }
    found
}

/// Parts that the joints of the body do not turn as captured, and limbs that it does not have, in words.
pub(super) fn directions(retargeted: &Retargeted, map: &BoneMap) -> Vec<String> {
    let model = retargeted.clip.model();
    let mut found = Vec::new();
    let limbs = [("arms", Role::UpperArm as fn(Side) -> Role), ("forearms", Role::LowerArm)];
    for (name, role) in limbs {
        let lost = |side: &Side| map.joint(role(*side)).is_some() && model.role(role(*side)).is_none();
        if Side::BOTH.iter().all(lost) {
            found.push(format!(
                "{} has no {name} that are known to be such: the captured ones are left out",
                model.name()
            ));
        }
    }
    // feet are turned when they are planted
    let foot = |role: &Role| Side::BOTH.iter().any(|s| *role == Role::Foot(*s) || *role == Role::Toe(*s));
    let far = |(role, error): &&(Role, AngleError)| error.mean > TURNED && !foot(role);
    let mut off: Vec<_> = retargeted.parts.iter().filter(far).collect();
    off.sort_by(|a, b| b.1.mean.total_cmp(&a.1.mean));
    if !off.is_empty() {
        let told: Vec<String> =
            off.iter().take(TOLD).map(|(role, e)| format!("{role} {:.0}°", e.mean.to_degrees())).collect();
        let more = if off.len() > TOLD { format!(" and {} more", off.len() - TOLD) } else { String::new() };
        found.push(format!(
            "parts point elsewhere than captured on average: {}{more}; the joints of {} do not turn so, or its rest pose is not that of its parts",
            told.join(", "),
            model.name()
        ));
    }
    found
}
