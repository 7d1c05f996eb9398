//! The names that URDF knows: which elements may stand where, with which attributes.

use super::source::Source;
use crate::format::FormatError;
use crate::format::nearest::{clip, did_you_mean};
use roxmltree::Node;

/// An element of the format.
struct Element {
    name: &'static str,
    attributes: &'static [&'static str],
    /// Elements that may stand inside once.
    once: &'static [&'static str],
    /// Elements that may stand inside any number of times.
    many: &'static [&'static str],
}

/// Elements of other programs, whose inside is not looked at.
pub(super) const EXTENSIONS: [&str; 5] = ["transmission", "gazebo", "ros2_control", "sensor", "mujoco"];

const fn leaf(name: &'static str, attributes: &'static [&'static str]) -> Element {
    Element { name, attributes, once: &[], many: &[] }
}

const ELEMENTS: &[Element] = &[
    Element {
        name: "robot",
        attributes: &["name", "version"],
        once: &[],
        many: &["link", "joint", "material", "transmission", "gazebo", "ros2_control", "sensor", "mujoco"],
    },
    Element {
        name: "link",
        attributes: &["name", "type"],
        once: &["inertial"],
        many: &["visual", "collision"],
    },
    Element { name: "inertial", attributes: &[], once: &["origin", "mass", "inertia"], many: &[] },
    Element { name: "visual", attributes: &["name"], once: &["origin", "geometry", "material"], many: &[] },
    Element { name: "collision", attributes: &["name"], once: &["origin", "geometry", "verbose"], many: &[] },
    Element {
        name: "geometry",
        attributes: &[],
        once: &["box", "cylinder", "sphere", "capsule", "mesh"],
        many: &[],
    },
    Element { name: "material", attributes: &["name"], once: &["color", "texture"], many: &[] },
    Element {
        name: "joint",
        attributes: &["name", "type"],
        once: &[
            "origin",
            "parent",
            "child",
            "axis",
            "calibration",
            "dynamics",
            "limit",
            "safety_controller",
            "mimic",
        ],
        many: &[],
    },
    leaf("origin", &["xyz", "rpy", "quat_xyzw"]),
    leaf("mass", &["value"]),
    leaf("inertia", &["ixx", "ixy", "ixz", "iyy", "iyz", "izz"]),
    leaf("box", &["size"]),
    leaf("cylinder", &["radius", "length"]),
    leaf("sphere", &["radius"]),
    leaf("capsule", &["radius", "length"]),
    leaf("mesh", &["filename", "scale"]),
    leaf("color", &["rgba"]),
    leaf("texture", &["filename"]),
    leaf("verbose", &["value"]),
    leaf("parent", &["link"]),
    leaf("child", &["link"]),
    leaf("axis", &["xyz"]),
    leaf("calibration", &["reference_position", "rising", "falling"]),
    leaf("dynamics", &["damping", "friction"]),
    leaf("limit", &["lower", "upper", "effort", "velocity", "acceleration", "deceleration", "jerk"]),
    leaf("safety_controller", &["soft_lower_limit", "soft_upper_limit", "k_position", "k_velocity"]),
    leaf("mimic", &["joint", "multiplier", "offset"]),
];

/// Checks every name in the file, outside extensions.
pub(super) fn check(xml: &Source) -> Result<(), FormatError> {
    let root = xml.root();
    if root.tag_name().name() != "robot" {
        return Err(xml.error(root, "a URDF file begins with <robot>"));
    }
    let mut open = vec![(root, &ELEMENTS[0])];
    while let Some((node, element)) = open.pop() {
        check_attributes(xml, node, element)?;
        // elements of one kind are few, so looking through a short list is enough
        let mut seen: Vec<&str> = Vec::new();
        for child in node.children() {
            if child.is_text() && child.text().is_some_and(|t| !t.trim().is_empty()) {
                let text = clip(child.text().unwrap_or_default().trim());
                return Err(xml.error(node, format!("text \"{text}\" has no meaning here; remove it")));
            }
            if !child.is_element() {
                continue;
            }
            let name = child.tag_name().name();
            if child.tag_name().namespace() != root.tag_name().namespace() {
                return Err(xml.error(child, foreign(child)));
            }
            if element.once.contains(&name) {
                if seen.contains(&name) {
                    return Err(xml.error(node, format!("holds <{name}> twice; only one has a meaning")));
                }
                seen.push(name);
            } else if !element.many.contains(&name) {
                let known = element.once.iter().chain(element.many).copied();
                let problem = format!("is not known inside <{}>{}", element.name, did_you_mean(name, known));
                return Err(xml.error(child, problem));
            }
            if let Some(inner) = ELEMENTS.iter().find(|e| e.name == name) {
                open.push((child, inner));
            }
        }
    }
    Ok(())
}

fn check_attributes(xml: &Source, node: Node, element: &Element) -> Result<(), FormatError> {
    for attribute in node.attributes() {
        // a schema's location and the like may stand at the robot
        let foreign = attribute.namespace().is_some();
        if foreign && element.name == "robot" {
            continue;
        }
        if foreign || !element.attributes.contains(&attribute.name()) {
            let problem = format!(
                "attribute \"{}\" is not known{}",
                clip(attribute.name()),
                did_you_mean(attribute.name(), element.attributes.iter().copied())
            );
            return Err(xml.error(node, problem));
        }
    }
    Ok(())
}

fn foreign(node: Node) -> &'static str {
    match node.tag_name().namespace() {
        Some(uri) if uri.contains("xacro") => "is a xacro macro; expand the file with `xacro` first",
        _ => "belongs to another namespace, whose meaning is not known; remove it",
    }
}
