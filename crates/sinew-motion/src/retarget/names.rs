//! What names of joints say.

use sinew_dynamics::{Role, Side};

/// A part, given a side; parts of the middle do without.
type Sided = fn(Side) -> Role;

/// Words of the parts, the more particular first: a forearm is also an arm.
const WORDS: [(&str, Sided); 40] = [
    ("fingerbase", Role::Hand),
    ("forearm", Role::LowerArm),
    ("lowerarm", Role::LowerArm),
    ("elbow", Role::LowerArm),
    ("radius", Role::LowerArm),
    ("ulna", Role::LowerArm),
    ("upperarm", Role::UpperArm),
    ("humerus", Role::UpperArm),
    ("uparm", Role::UpperArm),
    ("wrist", Role::Hand),
    ("hand", Role::Hand),
    ("upperleg", Role::Thigh),
    ("upleg", Role::Thigh),
    ("thigh", Role::Thigh),
    ("femur", Role::Thigh),
    ("lowerleg", Role::Shin),
    ("lowleg", Role::Shin),
    ("shin", Role::Shin),
    ("calf", Role::Shin),
    ("tibia", Role::Shin),
    ("knee", Role::Shin),
    ("toe", Role::Toe),
    ("foot", Role::Foot),
    ("ankle", Role::Foot),
    ("leg", Role::Shin),
    ("arm", Role::UpperArm),
    ("collar", |_| Role::Trunk),
    ("clavicle", |_| Role::Trunk),
    ("chest", |_| Role::Trunk),
    ("thorax", |_| Role::Trunk),
    ("torso", |_| Role::Trunk),
    ("trunk", |_| Role::Trunk),
    ("upperback", |_| Role::Trunk),
    ("spine", |_| Role::Trunk),
    ("skull", |_| Role::Head),
    ("head", |_| Role::Head),
    ("pelvis", |_| Role::Pelvis),
    ("hips", |_| Role::Pelvis),
    ("root", |_| Role::Pelvis),
    ("hip", Role::Thigh),
];

/// The part that a name says, when it says one; parts of a side need a word or letter for it.
pub(crate) fn role_of(name: &str) -> Option<Role> {
    // namespaces such as `mixamorig:`
    let name = name.rsplit(':').next().unwrap_or(name);
    let plain: String = name.chars().filter(|c| c.is_ascii_alphanumeric()).collect::<String>().to_lowercase();
    if ["thumb", "index", "middle", "ring", "pinky", "shoulder", "joint"].iter().any(|w| plain.contains(w)) {
        return None;
    }
    let (word, role) = WORDS.iter().find(|(word, _)| plain.contains(word))?;
    let middle = role(Side::Left);
    if middle == middle.mirrored() {
        return Some(middle).filter(|_| !["collar", "clavicle"].contains(word));
    }
    side_of(name, &plain, word).map(role)
}

/// Left or right by the word, or by a letter at either end.
fn side_of(name: &str, plain: &str, word: &str) -> Option<Side> {
    for (spelled, side) in [("left", Side::Left), ("right", Side::Right)] {
        if plain.contains(spelled) {
            return Some(side);
        }
    }
    let rest = plain.replacen(word, "", 1);
    let letter = |c: char| match c {
        'l' => Some(Side::Left),
        'r' => Some(Side::Right),
        _ => None,
    };
    let (first, last) = (rest.chars().next()?, rest.chars().last()?);
    let apart = name.contains(['_', '.', '-', ' ']) || rest.len() == 1;
    letter(first)
        .filter(|_| apart || name.starts_with(['L', 'R', 'l', 'r']))
        .or_else(|| letter(last).filter(|_| apart))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_common_files() {
        for (name, role) in [
            ("LeftUpLeg", Some(Role::Thigh(Side::Left))),
            ("mixamorig:RightForeArm", Some(Role::LowerArm(Side::Right))),
            ("lfemur", Some(Role::Thigh(Side::Left))),
            ("rtibia", Some(Role::Shin(Side::Right))),
            ("foot_l", Some(Role::Foot(Side::Left))),
            ("upper_arm_r", Some(Role::UpperArm(Side::Right))),
            ("HEad", Some(Role::Head)),
            ("Hips", Some(Role::Pelvis)),
            ("LeftHandIndex1", None),
            ("LThumb", None),
            ("LHipJoint", None),
        ] {
            assert_eq!(role_of(name), role, "{name}");
        }
    }
}
