//! Limbs whose proportions do not match.

use crate::retarget::BoneMap;
use crate::{Pose, Take};
use sinew_dynamics::{Model, Role, Side};

/// A limb's link that is longer or shorter by more than this, once the whole is scaled, is worth a word.
const OFF: f64 = 0.2;

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
